// Package meaning finds posts that are near in meaning. It knows texts, dates and names of posts, and the indexes that
// compare them: Upstash Vector in package upstash, and one in memory in package local, for a process that has no other.
// What a request asks for, which posts are shown of what was found, and caching are left to package channels; who fills
// an index, to package refresh.
package meaning
