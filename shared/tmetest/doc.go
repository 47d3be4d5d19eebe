// Package tmetest is a t.me for tests and local runs, like net/http/httptest: it draws pages in t.me's markup from
// posts given as Go values, pages both ways as t.me does, searches, shows landing and embed pages, lets posts appear
// and change, breaks on demand in every way that t.me was seen to break, and counts what it was asked. Saved serves
// pages from a directory instead. Handlers are safe for concurrent use. Production code must not import this package.
package tmetest
