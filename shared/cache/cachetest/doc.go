// Package cachetest holds what tests of caches share: an in-memory Store and the conformance suite that every
// Store must pass. Production code does not import it.
package cachetest
