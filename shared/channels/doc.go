// Package channels is the service behind every endpoint: which key an answer is kept under, how long it stays fresh,
// how it is fetched and read when nobody has it, and what a failure is remembered as. It gives finished answers, bytes
// with the facts that headers need; it knows neither HTTP nor Lambda nor Redis.
//
// A Service is safe for concurrent use. Inputs are checked types of package telegram; errors are that package's too.
package channels
