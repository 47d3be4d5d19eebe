// Package gql answers GraphQL requests: the schema, the limits that a query must keep before anything is fetched, the
// questions that its root fields ask of a small service, the copying of what is selected out of the answers' JSON, and
// persisted queries. It knows neither caches nor HTML. A Server may be used from many goroutines at once.
package gql
