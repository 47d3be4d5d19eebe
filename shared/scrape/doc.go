// Package scrape reads t.me's pages: a channel's page of posts, a landing page, an embedded post. It turns bytes into
// the domain's types and leaves fetching, caching and rendering to others. It keeps no state: every function may be
// called from many goroutines at once.
package scrape
