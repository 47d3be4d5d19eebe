// Package feed merges the newest pages of many channels into one list: filtered, without near-duplicates, ranked, and
// varied. It takes packs and gives bytes: ranking reads only the indexes, and the posts of an answer are joined from
// the byte ranges of their pages' JSON, so no post is decoded.
//
// Fetching, caching and the clock are the caller's. All functions are pure: the same sources, in any order, and the
// same time give the same answer.
package feed
