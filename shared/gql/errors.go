package gql

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"channelapi/shared/meaning"
	"channelapi/shared/telegram"
)

// maxErrors is how many errors an answer names.
const maxErrors = 20

// ErrFeatureDisabled is a Service's answer for a feature that is switched off.
var ErrFeatureDisabled = errors.New("gql: feature disabled")

// codeOf gives the contract's name for an error.
func codeOf(err error) string {
	if errors.Is(err, ErrFeatureDisabled) {
		return "feature_disabled"
	}
	return telegram.Code(err)
}

// codeRefused is the contract's code for a query that is invalid or refused.
const codeRefused = "bad_request"

// refusal is the answer to a request that is not executed.
func refusal(err error) Answer {
	var list gqlerror.List
	var one *gqlerror.Error
	switch {
	case errors.As(err, &list):
	case errors.As(err, &one):
		list = gqlerror.List{one}
	default:
		list = gqlerror.List{{Message: err.Error(), Extensions: map[string]any{"code": codeRefused}}}
	}
	status := http.StatusBadRequest
	if errors.Is(err, errNotFound) {
		status = http.StatusOK // the client's next step, not a fault of its
	}
	return Answer{Status: status, ContentType: contentJSON, Body: write(nil, list), NoStore: true, refused: true}
}

// invalid marks the errors of the parser and the validator with the contract's code.
func invalid(list gqlerror.List) gqlerror.List {
	marked := make(gqlerror.List, 0, min(len(list), maxErrors))
	for _, e := range list[:min(len(list), maxErrors)] {
		marked = append(marked, &gqlerror.Error{Message: about(e), Locations: e.Locations,
			Extensions: map[string]any{"code": codeRefused}})
	}
	return marked
}

// about puts what the validator gives as a path, a variable and the way within it, into the message.
func about(e *gqlerror.Error) string {
	if len(e.Path) > 1 && e.Path[0] == ast.PathName("variable") {
		return "variable " + e.Path[1:].String() + ": " + e.Message
	}
	return e.Message
}

// present gives the error of a field as clients see it; errors without a code of the contract keep their words to
// themselves.
func (s *Server) present(c *calls, path ast.Path, err error) *gqlerror.Error {
	shown := &gqlerror.Error{Message: message(err), Path: path, Extensions: map[string]any{"code": codeOf(err)}}
	var field *telegram.InvalidError
	if errors.As(err, &field) {
		shown.Extensions["field"] = field.Field
	}
	if codeOf(err) == "internal" {
		s.log(c.request, "graphql field failed", fmt.Errorf("resolve %s: %w", path, err))
	}
	return shown
}

// message puts an error into a sentence for the client.
func message(err error) string {
	var field *telegram.InvalidError
	var kind *telegram.NotAChannelError
	switch {
	case errors.As(err, &field):
		return field.Field + ": " + field.Reason
	case errors.As(err, &kind):
		return fmt.Sprintf("the name belongs to a %s, not to a channel", kind.Kind)
	}
	switch codeOf(err) {
	case "feature_disabled":
		return "this feature is switched off on this server"
	case "not_found":
		return "there is no such channel or post"
	case "no_public_preview":
		return "the channel shows no posts on the web"
	case "not_a_channel":
		return "the name does not belong to a channel"
	case "unreadable_page":
		return "Telegram's page cannot be read"
	case "upstream":
		if errors.Is(err, meaning.ErrUnavailable) {
			return "the index of posts did not answer; try again later"
		}
		return "Telegram did not answer; try again later"
	}
	return "internal error"
}

// write puts an answer together; data is JSON already.
func write(data json.RawMessage, list gqlerror.List) []byte {
	var b bytes.Buffer
	b.Grow(len(data) + 32)
	b.WriteString("{")
	if data != nil {
		b.WriteString(`"data":`)
		b.Write(data)
	}
	if len(list) > 0 {
		if data != nil {
			b.WriteString(",")
		}
		b.WriteString(`"errors":`)
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(list[:min(len(list), maxErrors)]); err != nil {
			b.WriteString(`[{"message":"internal error"}]`)
		}
		b.Truncate(len(bytes.TrimRight(b.Bytes(), "\n")))
	}
	b.WriteString("}")
	return b.Bytes()
}
