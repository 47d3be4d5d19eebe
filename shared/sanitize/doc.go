// Package sanitize holds the allow-list for HTML in answers: which tags, which attributes, which addresses. It is pure
// and knows nothing of posts.
package sanitize
