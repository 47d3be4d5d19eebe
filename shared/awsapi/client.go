// Package awsapi makes the two calls of AWS that the product needs, an asynchronous invocation and the reading of a
// parameter, with the SDK's signer and without its service clients, which would add 2.7 MB and 4 ms of init to every
// function for them. It keeps no state and retries nothing: callers know what a failure costs. A Client is safe for
// concurrent use.
package awsapi

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
)

// maxReply bounds an answer in bytes: a parameter has at most 8 KB.
const maxReply = 64 << 10

// Options of a Client.
type Options struct {
	Region      string
	Credentials aws.Credentials
	// Endpoint replaces AWS's own addresses, for emulators; empty: those of the region.
	Endpoint string
	// Timeout bounds one call; 0: 3 s.
	Timeout time.Duration
	// Now is the clock of signatures; nil: time.Now.
	Now func() time.Time
}

// Client makes signed calls.
type Client struct {
	o      Options
	signer *v4.Signer
	http   *http.Client
}

// New gives a Client. It connects to nothing.
func New(o Options) *Client {
	if o.Timeout <= 0 {
		o.Timeout = 3 * time.Second
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Client{o: o, signer: v4.NewSigner(), http: &http.Client{Timeout: o.Timeout}}
}

// Error is an answer of AWS other than a success. Type is the service's name of the fault, without its text, which may
// quote the request.
type Error struct {
	Status int
	Type   string
}

// Error implements error.
func (e *Error) Error() string { return fmt.Sprintf("awsapi: status %d %s", e.Status, e.Type) }

// InvokeAsync queues an invocation of a function, named or by ARN, and returns when Lambda has taken it.
// See https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html.
func (c *Client) InvokeAsync(ctx context.Context, function string, payload []byte) error {
	_, err := c.call(ctx, call{
		service: "lambda", path: "/2015-03-31/functions/" + url.PathEscape(function) + "/invocations", body: payload,
		header: map[string]string{"X-Amz-Invocation-Type": "Event"},
	})
	if err != nil {
		return fmt.Errorf("invoke %s: %w", function, err)
	}
	return nil
}

// Parameter reads an SSM parameter, decrypted.
// See https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_GetParameter.html.
func (c *Client) Parameter(ctx context.Context, name string) (string, error) {
	body, err := json.Marshal(map[string]any{"Name": name, "WithDecryption": true})
	if err != nil {
		return "", fmt.Errorf("read parameter %s: %w", name, err)
	}
	reply, err := c.call(ctx, call{
		service: "ssm", path: "/", body: body,
		header: map[string]string{"Content-Type": "application/x-amz-json-1.1", "X-Amz-Target": "AmazonSSM.GetParameter"},
	})
	if err != nil {
		return "", fmt.Errorf("read parameter %s: %w", name, err)
	}
	var out struct{ Parameter struct{ Value string } }
	if err := json.Unmarshal(reply, &out); err != nil || out.Parameter.Value == "" {
		return "", fmt.Errorf("read parameter %s: no value in the answer", name)
	}
	return out.Parameter.Value, nil
}

type call struct {
	service, path string
	body          []byte
	header        map[string]string
}

// call sends one signed POST and gives the answer's body.
func (c *Client) call(ctx context.Context, k call) ([]byte, error) {
	if c.o.Region == "" {
		return nil, errors.New("AWS_REGION is not set")
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.endpoint(k.service)+k.path, bytes.NewReader(k.body))
	if err != nil {
		return nil, fmt.Errorf("make request: %w", err)
	}
	for name, value := range k.header {
		r.Header.Set(name, value)
	}
	sum := sha256.Sum256(k.body)
	err = c.signer.SignHTTP(ctx, c.o.Credentials, r, hex.EncodeToString(sum[:]), k.service, c.o.Region, c.o.Now())
	if err != nil {
		return nil, fmt.Errorf("sign request: %w", err)
	}
	resp, err := c.http.Do(r)
	if err != nil {
		return nil, fmt.Errorf("call %s: %w", k.service, err)
	}
	defer func() { _ = resp.Body.Close() }()
	reply, err := io.ReadAll(io.LimitReader(resp.Body, maxReply))
	if err != nil {
		return nil, fmt.Errorf("read answer of %s: %w", k.service, err)
	}
	if resp.StatusCode/100 != 2 {
		return nil, &Error{Status: resp.StatusCode, Type: faultType(resp.Header, reply)}
	}
	return reply, nil
}

// endpoint gives scheme and host of a service.
func (c *Client) endpoint(service string) string {
	if c.o.Endpoint != "" {
		return strings.TrimRight(c.o.Endpoint, "/")
	}
	suffix := "amazonaws.com"
	switch {
	case strings.HasPrefix(c.o.Region, "cn-"):
		suffix += ".cn"
	case strings.HasPrefix(c.o.Region, "eusc-"):
		suffix = "amazonaws.eu"
	}
	return "https://" + service + "." + c.o.Region + "." + suffix
}

// faultType gives the name of a fault, which Lambda puts into a header and SSM into the body behind a namespace.
func faultType(h http.Header, body []byte) string {
	name := h.Get("X-Amzn-ErrorType")
	if name == "" {
		var fault struct {
			Type string `json:"__type"`
		}
		if json.Unmarshal(body, &fault) == nil {
			name = fault.Type
		}
	}
	name, _, _ = strings.Cut(name, ":")
	return name[strings.LastIndexByte(name, '#')+1:]
}
