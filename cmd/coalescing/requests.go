package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"channelapi/shared/lambdahttp/gateway"
)

// recorded are channels of testdata/pages, each with a post well inside its history.
func recorded() map[string]int {
	return map[string]int{
		"harbor_news": 4150, "gorod_segodnya": 900, "cabinet_of_posts": 12, "quay_gazette": 340, "tide_table_news": 1330,
		"signal_noise": 2330,
	}
}

const (
	// pagesEach is how many pages a channel's requests need: the newest, around a post, before and after it. The post
	// is found on the page around it.
	pagesEach = 4
	previews  = 3
)

// call is one request as the event that a function gets.
type call struct {
	function string
	target   string
	event    []byte
}

// calls gives the requests that clients draw from.
func calls(ctx context.Context) ([]call, error) {
	var all []call
	var names []string
	var failed error
	add := func(function, target string, body string) {
		event, err := eventOf(ctx, target, body)
		if err != nil {
			failed = fmt.Errorf("event of %s: %w", target, err)
		}
		all = append(all, call{function: function, target: target, event: event})
	}
	for name, post := range recorded() {
		names = append(names, name)
		add("body", "/v1/body/"+name, "")
		add("body", fmt.Sprintf("/v1/body/%s?position=%d", name, post), "")
		add("post", fmt.Sprintf("/v1/post/%s/%d", name, post), "")
		add("body", fmt.Sprintf("/v1/more/%s/before/%d", name, post), "")
		add("body", fmt.Sprintf("/v1/more/%s/after/%d", name, post), "")
	}
	for _, name := range []string{"tram_lovers_chat", "odile_marsh", "tide_clock_bot"} {
		add("preview", "/v1/preview/"+name, "")
	}
	add("feed", "/v1/feed?channels="+strings.Join(names, ","), "")
	query, err := json.Marshal(map[string]any{"query": graphQuery, "variables": map[string]any{"channels": names}})
	if err != nil {
		return nil, fmt.Errorf("write the GraphQL request: %w", err)
	}
	add("graphql", "/graphql", string(query))
	return all, failed
}

const graphQuery = `query($channels: [String!]!) {
  body(channel: "harbor_news") { channel { username title { string } } content { posts { id content { text { string } } } } }
  feed(channels: $channels, limit: 10) { result { id channel { username } score } meta { generated missing { channel code } } }
}`

// eventOf gives the event of a GET, or of a POST where there is a body. Answers come as text where they are looked into,
// else as most clients take them.
func eventOf(ctx context.Context, target, body string) ([]byte, error) {
	method, accept := http.MethodGet, "zstd, gzip"
	if body != "" {
		method = http.MethodPost
	}
	if isComposed(target) {
		accept = "identity"
	}
	r, err := http.NewRequestWithContext(ctx, method, "http://api.example"+target, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept-Encoding", accept)
	r.Header.Set("Content-Type", "application/json")
	return gateway.Event(r, gateway.Options{})
}

// isComposed tells the answers that can be good in part.
func isComposed(target string) bool {
	return strings.HasPrefix(target, "/v1/feed") || target == "/graphql"
}

// fault tells what is wrong with an answer, "" where nothing is. It looks at the bytes alone: decoding every answer would
// cost more than making it.
func fault(c call, answer []byte) string {
	if !bytes.HasPrefix(answer, []byte(`{"statusCode":200,`)) {
		return fmt.Sprintf("answered %.600q", answer)
	}
	if isComposed(c.target) {
		for _, mark := range []string{`\"missing\":[`, `\"errors\":[`} {
			if at := bytes.Index(answer, []byte(mark)); at >= 0 {
				return fmt.Sprintf("answered %.300q", answer[at:])
			}
		}
	}
	return ""
}

// sourceOf reads the X-Cache header.
func sourceOf(answer []byte) string {
	_, rest, _ := bytes.Cut(answer, []byte(`"X-Cache":"`))
	source, _, _ := bytes.Cut(rest, []byte{'"'})
	return string(source)
}
