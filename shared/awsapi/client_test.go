package awsapi

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// seen is a request as the service got it.
type seen struct {
	method, path, auth, kind, target, token, body string
}

// service answers every request alike and keeps the last one.
func service(t *testing.T, status int, header map[string]string, reply string) (*Client, *seen) {
	t.Helper()
	var last seen
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		last = seen{
			method: r.Method, path: r.URL.EscapedPath(), auth: r.Header.Get("Authorization"),
			kind: r.Header.Get("X-Amz-Invocation-Type"), target: r.Header.Get("X-Amz-Target"),
			token: r.Header.Get("X-Amz-Security-Token"), body: string(body),
		}
		for k, v := range header {
			w.Header().Set(k, v)
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, reply)
	}))
	t.Cleanup(srv.Close)
	return New(Options{
		Region: "eu-central-1", Endpoint: srv.URL + "/",
		Credentials: aws.Credentials{AccessKeyID: "AKID", SecretAccessKey: "very secret", SessionToken: "session"},
		Now:         func() time.Time { return time.Date(2026, 5, 1, 10, 0, 0, 0, time.UTC) },
	}), &last
}

func TestInvokeAsync(t *testing.T) {
	t.Parallel()
	c, got := service(t, http.StatusAccepted, nil, "")
	if err := c.InvokeAsync(t.Context(), "arn:aws:lambda:eu-central-1:1:function:refresh", []byte(`{"keys":[]}`)); err != nil {
		t.Fatal(err)
	}
	if got.method != http.MethodPost || !strings.HasSuffix(got.path, "/2015-03-31/functions/arn:aws:lambda:eu-central-1:1:function:refresh/invocations") {
		t.Errorf("asked %s %s", got.method, got.path)
	}
	if got.kind != "Event" || got.body != `{"keys":[]}` || got.token != "session" {
		t.Errorf("request = %+v, want an event with its payload and the session", got)
	}
	if !strings.HasPrefix(got.auth, "AWS4-HMAC-SHA256 Credential=AKID/20260501/eu-central-1/lambda/aws4_request") {
		t.Errorf("Authorization = %q", got.auth)
	}
}

func TestParameter(t *testing.T) {
	t.Parallel()
	c, got := service(t, http.StatusOK, nil, `{"Parameter":{"Name":"/app/redis","Value":"rediss://host"}}`)
	v, err := c.Parameter(t.Context(), "/app/redis")
	if err != nil || v != "rediss://host" {
		t.Errorf("Parameter() = %q, %v", v, err)
	}
	if got.target != "AmazonSSM.GetParameter" || got.body != `{"Name":"/app/redis","WithDecryption":true}` || got.path != "/" {
		t.Errorf("request = %+v", got)
	}
}

func TestFailures(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status int
		header map[string]string
		reply  string
		want   string
	}{
		"ssm":     {400, nil, `{"__type":"com.amazon.coral.service#ParameterNotFound","message":"very secret"}`, "ParameterNotFound"},
		"lambda":  {429, map[string]string{"X-Amzn-ErrorType": "TooManyRequestsException:http://x"}, `{}`, "TooManyRequestsException"},
		"no type": {500, nil, `oops`, ""},
	} {
		client, _ := service(t, c.status, c.header, c.reply)
		_, err := client.Parameter(t.Context(), "/app/redis")
		var fault *Error
		if !errors.As(err, &fault) || fault.Status != c.status || fault.Type != c.want {
			t.Errorf("%s: error = %v, want status %d %s", name, err, c.status, c.want)
		}
		if strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: error tells too much: %v", name, err)
		}
		if err := client.InvokeAsync(t.Context(), "refresh", nil); !errors.As(err, &fault) {
			t.Errorf("%s: InvokeAsync error = %v", name, err)
		}
	}
	for _, reply := range []string{``, `{}`, `{"Parameter":{}}`, `[]`} {
		client, _ := service(t, http.StatusOK, nil, reply)
		if v, err := client.Parameter(t.Context(), "/app/redis"); err == nil {
			t.Errorf("reply %q gives %q, want an error", reply, v)
		}
	}
}

func TestUnreachable(t *testing.T) {
	t.Parallel()
	c := New(Options{Region: "eu-central-1", Endpoint: "http://127.0.0.1:1"})
	if err := c.InvokeAsync(t.Context(), "refresh", nil); err == nil {
		t.Error("want an error")
	}
}

func TestNoRegion(t *testing.T) {
	t.Parallel()
	_, err := New(Options{}).Parameter(t.Context(), "/app/redis")
	if err == nil || !strings.Contains(err.Error(), "AWS_REGION is not set") {
		t.Errorf("error = %v, want what is missing", err)
	}
}

func TestEndpoints(t *testing.T) {
	t.Parallel()
	for region, want := range map[string]string{
		"eu-central-1":   "https://ssm.eu-central-1.amazonaws.com",
		"us-gov-west-1":  "https://ssm.us-gov-west-1.amazonaws.com",
		"cn-north-1":     "https://ssm.cn-north-1.amazonaws.com.cn",
		"eusc-de-east-1": "https://ssm.eusc-de-east-1.amazonaws.eu",
	} {
		if got := New(Options{Region: region}).endpoint("ssm"); got != want {
			t.Errorf("endpoint in %s = %q, want %q", region, got, want)
		}
	}
}
