package gql

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"strings"

	"github.com/vektah/gqlparser/v2/gqlerror"
)

// The words that clients of automatic persisted queries look for, in message and code; on the first they send the
// query in full, on the second they stop using hashes.
var (
	errNotFound     = persistedError("PersistedQueryNotFound", "PERSISTED_QUERY_NOT_FOUND")
	errNotSupported = persistedError("PersistedQueryNotSupported", "PERSISTED_QUERY_NOT_SUPPORTED")
)

func persistedError(message, code string) *gqlerror.Error {
	return &gqlerror.Error{Message: message, Extensions: map[string]any{"code": code}}
}

// resolvePersisted completes a request that names its query by a hash, and tells whether the query is to be kept once
// it has proved valid.
func (s *Server) resolvePersisted(r *http.Request, q *request) (keep bool, err error) {
	p := q.Extensions.PersistedQuery
	switch {
	case p == nil:
		return false, nil
	case s.o.Queries == nil:
		return false, errNotSupported
	case p.Version != 1 || !isHash(p.Hash):
		return false, errors.New("persistedQuery needs version 1 and a sha256Hash of 64 hexadecimal digits")
	}
	hash := strings.ToLower(p.Hash)
	if q.Query != "" {
		if sum := sha256.Sum256([]byte(q.Query)); hex.EncodeToString(sum[:]) != hash {
			return false, errors.New("sha256Hash is not the hash of query")
		}
		return true, nil
	}
	query, ok, err := s.o.Queries.Query(r.Context(), hash)
	if err != nil {
		s.log(r, "persisted query not read", err)
	}
	if err != nil || !ok {
		return false, errNotFound
	}
	q.Query = query
	return false, nil
}

func (s *Server) keep(r *http.Request, q request) {
	if err := s.o.Queries.KeepQuery(r.Context(), strings.ToLower(q.Extensions.PersistedQuery.Hash), q.Query); err != nil {
		s.log(r, "persisted query not kept", err)
	}
}

func isHash(s string) bool {
	b, err := hex.DecodeString(s)
	return err == nil && len(b) == sha256.Size
}
