package api

import (
	"context"
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"channelapi/shared/lambdahttp"
	"channelapi/shared/meaning"
	"channelapi/shared/telegram"
)

// defaultRetry is told where t.me gave no time of its own: failures are remembered about as long.
const defaultRetry = 5 * time.Second

// ErrFeatureDisabled is the sentinel of a switched-off feature: the feature is not configured or switched off.
var ErrFeatureDisabled = errors.New("api: feature disabled")

// DisabledError is ErrFeatureDisabled with the feature's name, which is shown to the caller.
type DisabledError struct{ Feature string }

// Error implements error.
func (e *DisabledError) Error() string { return "api: feature disabled: " + e.Feature }

// Is makes errors.Is(err, ErrFeatureDisabled) true.
func (e *DisabledError) Is(target error) bool { return target == ErrFeatureDisabled }

// BadRequestError is a request that cannot even be read; Detail, a sentence, is shown to the caller.
type BadRequestError struct{ Detail string }

// Error implements error.
func (e *BadRequestError) Error() string { return "api: bad request: " + e.Detail }

// problem is an answer to an error.
type problem struct {
	status int
	code   string
	detail string
	fields []lambdahttp.FieldProblem
	retry  time.Duration // 0: no Retry-After
}

func (p problem) response() lambdahttp.Response {
	resp := lambdahttp.Problem{Status: p.status, Code: p.code, Detail: p.detail, Errors: p.fields}.Response()
	if p.retry > 0 {
		seconds := int(math.Ceil(p.retry.Seconds()))
		resp.Header = http.Header{"Retry-After": {strconv.Itoa(seconds)}}
	}
	return resp
}

// Problem gives the answer to an error, by the one table from errors to statuses. Inner text stays inside: err is kept
// for the log.
func Problem(r *http.Request, err error) lambdahttp.Response {
	p := tableOf(err)
	if p.code == "internal" {
		p.detail += " Request " + lambdahttp.RequestID(r.Context()) + " names it in the log."
	}
	resp := p.response()
	resp.Err = err
	return resp
}

// tableOf is the table.
func tableOf(err error) problem {
	if bad := (*BadRequestError)(nil); errors.As(err, &bad) {
		return problem{status: http.StatusBadRequest, code: "bad_request", detail: bad.Detail}
	}
	if errors.Is(err, ErrFeatureDisabled) {
		return problem{status: http.StatusServiceUnavailable, code: "feature_disabled", detail: disabledDetail(err)}
	}
	code := telegram.Code(err)
	if code == "internal" && (errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)) {
		code = "upstream" // no time was left to wait for t.me
	}
	p := problem{code: code}
	switch code {
	case "invalid":
		p.status = http.StatusUnprocessableEntity
		p.fields = invalidFields(err)
		p.detail = invalidDetail(p.fields)
	case "not_found":
		p.status, p.detail = http.StatusNotFound, "There is no such channel, post or media."
	case "no_public_preview":
		p.status, p.detail = http.StatusNotFound, "The channel exists, but Telegram shows no public page of its posts."
	case "not_a_channel":
		p.status, p.detail = http.StatusNotFound, notAChannelDetail(err)
	case "unreadable_page":
		p.status, p.detail = http.StatusBadGateway, "Telegram's page is not of a form that can be read."
	case "upstream":
		p.status, p.detail = http.StatusServiceUnavailable, "Telegram failed or was too slow, and there is no recent copy."
		if errors.Is(err, meaning.ErrUnavailable) {
			p.detail = "The index of posts failed or was too slow, and there is no recent answer."
		}
		p.retry = retryAfter(err)
	default:
		p.status, p.detail = http.StatusInternalServerError, "Something went wrong on our side."
	}
	return p
}

// invalidFields gives every InvalidError in the tree of err.
func invalidFields(err error) []lambdahttp.FieldProblem {
	if list, ok := err.(interface{ Unwrap() []error }); ok {
		errs := list.Unwrap()
		all := make([]lambdahttp.FieldProblem, 0, len(errs))
		for _, e := range errs {
			all = append(all, invalidFields(e)...)
		}
		return all
	}
	if inv := (*telegram.InvalidError)(nil); errors.As(err, &inv) {
		return []lambdahttp.FieldProblem{{Field: inv.Field, Reason: inv.Reason}}
	}
	return nil
}

func invalidDetail(fields []lambdahttp.FieldProblem) string {
	switch len(fields) {
	case 0:
		return "A value is out of its form."
	case 1:
		return "Invalid " + fields[0].Field + ": " + fields[0].Reason + "."
	}
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Field
	}
	return "Invalid " + strings.Join(names, ", ") + "."
}

func disabledDetail(err error) string {
	if e := (*DisabledError)(nil); errors.As(err, &e) {
		return "Switched off on this server: " + e.Feature + "."
	}
	return "This feature is switched off on this server."
}

func notAChannelDetail(err error) string {
	var e *telegram.NotAChannelError
	if errors.As(err, &e) && e.Kind != "" {
		return "The name belongs to a " + string(e.Kind) + ", not to a channel."
	}
	return "The name does not belong to a channel."
}

func retryAfter(err error) time.Duration {
	var e *telegram.UpstreamError
	if errors.As(err, &e) && e.RetryAfter > 0 {
		return max(e.RetryAfter, time.Second)
	}
	return defaultRetry
}
