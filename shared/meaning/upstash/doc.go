// Package upstash keeps an index of posts in Upstash Vector, which makes the embeddings itself: an index created with an
// embedding model. Each ISO week is a namespace of its own, so that what is too old is deleted with one call; a post's id
// is channel/post, its metadata hold channel, time and address. The vendor's client knows neither contexts nor statuses:
// its transport here bounds time and size, turns every other status than 200 into an error, and is the only place that
// holds the token. An Index is safe for concurrent use and starts no work of its own.
package upstash
