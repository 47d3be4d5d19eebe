package gql

import (
	"errors"
	"net/http"

	"channelapi/shared/gql/graphiql"
)

// pageAnswer is the GraphiQL page.
func (s *Server) pageAnswer(r *http.Request) Answer {
	page, err := graphiql.Page()
	if err != nil {
		s.log(r, "GraphiQL page not given", err)
		a := refusal(errors.New("internal error"))
		a.Status = http.StatusInternalServerError
		return a
	}
	return Answer{Status: http.StatusOK, ContentType: "text/html; charset=utf-8", Body: page, Gzip: graphiql.Gzip(), Page: true}
}
