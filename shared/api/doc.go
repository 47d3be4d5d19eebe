// Package api is the HTTP face of the contract, without any fetching: which path belongs to which handler, how
// parameters and payloads are read and refused, which error becomes which status, and what headers an answer carries.
// Paths are split by prefix, from the right, before any router, because pasted addresses arrive decoded, with slashes
// and question marks of their own; nothing is ever redirected.
package api
