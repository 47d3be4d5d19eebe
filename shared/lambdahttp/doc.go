// Package lambdahttp is the edge between Lambda events and HTTP handlers: it decodes API Gateway HTTP API v2 and function
// URL events on aws-lambda-go-api-proxy, mends what that mapping gets wrong, and writes answers as bytes: conditional
// requests, compression, common headers, problem details, one log line a request, and a 500 in place of a panic.
//
// It knows nothing of Telegram or caches; routes, parameters and the meaning of errors belong to package api. With
// cmd/local it is the only importer of the event types. An Edge is safe for concurrent use.
package lambdahttp
