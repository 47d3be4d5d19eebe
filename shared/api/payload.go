package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"unicode/utf8"

	"channelapi/shared/telegram"
)

// payloadField names the payload itself among the fields of a problem.
const payloadField = "payload"

// payload is a JSON object, its values not read yet. Keys that nobody asks for are passed over.
type payload map[string]json.RawMessage

// readPayload reads an object: what is not JSON at all is a BadRequestError, other JSON is invalid.
func readPayload(body []byte) (payload, error) {
	body = bytes.TrimPrefix(body, []byte("\uFEFF"))
	if !utf8.Valid(body) {
		return nil, &BadRequestError{"The body is not UTF-8."}
	}
	if len(bytes.TrimSpace(body)) == 0 {
		return nil, &BadRequestError{"The body is empty; it must be a JSON object."}
	}
	if !json.Valid(body) {
		return nil, &BadRequestError{"The body is not JSON."}
	}
	var p payload
	if err := json.Unmarshal(body, &p); err != nil || p == nil {
		return nil, &telegram.InvalidError{Field: payloadField, Reason: `must be an object, {"channels":["name",…]}`}
	}
	return p, nil
}

// ParsePreviews reads {"channels":[…]}: 1 to 100 names, each spelling once.
func ParsePreviews(p Params) ([]telegram.Username, error) {
	pl, err := readPayload(p.Body)
	if err != nil {
		return nil, err
	}
	var f faults
	names := f.names(pl.strings(&f, "channels"), telegram.Username.String)
	return names, f.err()
}

// ParseFeedPayload reads the payload of POST /v1/feed; filters may stand in it or in the query.
func ParseFeedPayload(p Params) (FeedRequest, error) {
	pl, err := readPayload(p.Body)
	if err != nil {
		return FeedRequest{}, err
	}
	var f faults
	given := pl.strings(&f, "channels")
	values := make(url.Values, len(p.Query))
	for k, v := range p.Query {
		values[k] = v
	}
	delete(values, "channels")
	pl.merge(&f, values)
	rq := f.feed(given, values)
	return rq, f.err()
}

// strings gives the elements of an array of strings, nil where it is faulty.
func (p payload) strings(f *faults, field string) []string {
	var raw []json.RawMessage
	if v, ok := p[field]; !ok || isNull(v) {
		f.invalid(field, "must be given")
		return nil
	} else if json.Unmarshal(v, &raw) != nil {
		f.invalid(field, "must be an array of names")
		return nil
	}
	if len(raw) < 1 || len(raw) > telegram.MaxNames {
		f.invalid(field, fmt.Sprintf("must hold 1 to %d names", telegram.MaxNames))
		return nil
	}
	list := make([]string, len(raw))
	before := len(*f)
	for i, v := range raw {
		if isNull(v) || json.Unmarshal(v, &list[i]) != nil {
			f.invalid(fmt.Sprintf("%s[%d]", field, i), "must be a string")
		}
	}
	if len(*f) > before {
		return nil
	}
	return list
}

// merge adds the payload's other fields to values, in the form that the query has them.
func (p payload) merge(f *faults, values url.Values) {
	for _, field := range feedFields {
		v, ok := p[field]
		if !ok || isNull(v) {
			continue
		}
		if len(values[field]) > 0 {
			f.invalid(field, "must be given either in the query or in the payload")
			continue
		}
		values[field] = p.value(f, field)
		if values[field] == nil {
			delete(values, field)
		}
	}
}

// value gives one field as strings: a number for limit, a string or strings for lists, else a string.
func (p payload) value(f *faults, field string) []string {
	raw := p[field]
	if field == "limit" {
		var n json.Number
		if raw[0] != '"' && json.Unmarshal(raw, &n) == nil {
			return []string{n.String()}
		}
		f.invalid(field, "must be a number")
		return nil
	}
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return []string{s}
	}
	if field != "has" && field != "type" {
		f.invalid(field, "must be a string")
		return nil
	}
	var list []string
	if json.Unmarshal(raw, &list) != nil {
		f.invalid(field, "must be a string or an array of strings")
		return nil
	}
	return list
}

func isNull(raw json.RawMessage) bool { return string(raw) == "null" }
