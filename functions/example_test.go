package functions_test

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"

	"channelapi/functions"
	body "channelapi/functions/body/handler"
	"channelapi/shared/app"
	"channelapi/shared/config"
	"channelapi/shared/tmetest"
)

// The whole API in a server of one's own. The settings are those of docs/configuration.md: pass os.Environ() to read them
// from the environment. Here the recorded pages stand in for t.me.
func Example() {
	pages, err := tmetest.Saved(os.DirFS("../testdata/pages"))
	if err != nil {
		fmt.Println(err)
		return
	}
	site := httptest.NewServer(pages)
	defer site.Close()

	cfg, err := config.Load([]string{"TELEGRAM_URL=" + site.URL})
	if err != nil {
		fmt.Println(err)
		return
	}
	a, err := app.New(cfg, app.Options{Background: true, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = a.Close() }()
	server := httptest.NewServer(functions.New(a, functions.Options{})) // or http.ListenAndServe
	defer server.Close()

	fmt.Println(fetch(server.URL + "/v1/preview/https://t.me/tiny_workshop"))
	// Output:
	// 200 OK {"channel":{"title":"Tiny Workshop","subscribers":"1","is_verified":false},"type":"channel","username":"tiny_workshop","has_public_page":true,"count":1}
}

// One function alone: what its package's New gives is an http.Handler as well as a lambda.Handler.
func Example_oneFunction() {
	cfg, err := config.Load(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	a, err := app.New(cfg, app.Options{Background: true, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = a.Close() }()
	var handler http.Handler = body.New(a)
	server := httptest.NewServer(handler)
	defer server.Close()

	fmt.Println(fetch(server.URL + "/healthz"))
	// Output:
	// 200 OK {"status":"ok"}
}

func fetch(url string) string {
	resp, err := http.Get(url)
	if err != nil {
		return err.Error()
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return err.Error()
	}
	return resp.Status + " " + string(text)
}
