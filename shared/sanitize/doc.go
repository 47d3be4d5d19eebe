// Package sanitize is the allow-list for HTML in answers: which elements, which attributes, which addresses, which
// characters. Writer is the only way HTML gets into an answer, so what it cannot write cannot be there. The package is
// pure and knows nothing of posts.
package sanitize
