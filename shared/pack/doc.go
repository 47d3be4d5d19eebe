// Package pack is the stored form of an answer: a page is parsed and rendered once, and from then on only its bytes
// move. A pack is a fixed header, the answer's JSON as one plain zstd frame that can be sent to a client unchanged,
// and an index of the posts: byte ranges, dates, ranking signals and text fingerprints, so that a post is cut out and
// a feed is ranked without building a Go value of any post.
//
// Times, freshness and the difference between good and negative values belong to the cache's envelope; a pack knows no
// clock. Values are safe for concurrent use; bytes given to Open must not be changed while the Pack is in use.
package pack
