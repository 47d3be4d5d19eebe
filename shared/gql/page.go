package gql

import "net/http"

func pageAnswer() Answer {
	return Answer{Status: http.StatusOK, ContentType: "text/html; charset=utf-8", Body: []byte("<!doctype html>"), Page: true}
}
