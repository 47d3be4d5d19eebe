package api

import (
	"errors"

	"channelapi/shared/lambdahttp"
)

// ErrFeatureDisabled: the feature is not configured or switched off.
var ErrFeatureDisabled = errors.New("api: feature disabled")

// BadRequestError is a request that cannot even be read; Detail is shown to the caller.
type BadRequestError struct{ Detail string }

func (e *BadRequestError) Error() string { return "api: bad request: " + e.Detail }

// Problem gives the answer to an error, by the one table from errors to statuses. Inner text stays inside.
func Problem(err error) lambdahttp.Response { return lambdahttp.Response{} }
