// Package gql answers GraphQL requests: the schema, its resolvers over a small service, the limits that a query must
// keep before anything is fetched, and persisted queries. It knows neither caches nor HTML. A Server may be used from
// many goroutines at once.
package gql

//go:generate go tool gqlgen generate --config gqlgen.yml
