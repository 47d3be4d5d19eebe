// Package telegram holds the words of the domain: channels, posts, media, entities, the names and ids that check
// themselves, and the errors that every other package tells apart. It knows nothing of HTML, HTTP, caches or clocks,
// and imports only the standard library. JSON tags and key order are the contract's.
package telegram
