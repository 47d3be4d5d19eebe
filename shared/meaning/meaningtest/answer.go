package meaningtest

import (
	"cmp"
	"encoding/json"
	"hash/fnv"
	"maps"
	"math"
	"net/http"
	"slices"
	"strings"
)

// dimensions of the stand-in's embedding.
const dimensions = 512

// answer carries out a request. A reason is given for what is not done.
func (s *Server) answer(r *http.Request, body []byte) (status int, result any, reason string) {
	if r.Header.Get("Authorization") != "Bearer "+s.token {
		return http.StatusUnauthorized, nil, "Unauthorized: Invalid auth token"
	}
	command, name, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	switch {
	case command == "upsert-data" && r.Method == http.MethodPost:
		return s.upsert(name, body)
	case command == "query-data" && r.Method == http.MethodPost:
		return s.query(name, body)
	case command == "list-namespaces":
		return http.StatusOK, slices.Sorted(maps.Keys(s.namespaces)), ""
	case command == "delete-namespace" && (r.Method == http.MethodPost || r.Method == http.MethodDelete):
		if s.namespaces[name] == nil || name == "" {
			return http.StatusNotFound, nil, "Namespace " + name + " for the index stand-in does not exist"
		}
		delete(s.namespaces, name)
		return http.StatusOK, "Success", ""
	case command == "upsert-data", command == "query-data", command == "delete-namespace":
		return http.StatusMethodNotAllowed, nil, "Method not allowed"
	}
	return http.StatusNotFound, nil, "Not found"
}

// namespace gives one, which any reading or writing makes.
func (s *Server) namespace(name string) *namespace {
	if s.namespaces[name] == nil {
		s.namespaces[name] = newNamespace()
	}
	return s.namespaces[name]
}

func (s *Server) upsert(name string, body []byte) (int, any, string) {
	var all []entry
	if json.Unmarshal(body, &all) != nil {
		var one entry
		if json.Unmarshal(body, &one) != nil {
			return http.StatusBadRequest, nil, "Missing or wrong input"
		}
		all = []entry{one}
	}
	for _, e := range all {
		if e.ID == "" || e.Data == "" {
			return http.StatusBadRequest, nil, "Missing or wrong input: id and data are required"
		}
	}
	n := s.namespace(name)
	for _, e := range all {
		if s.eventual {
			n.pending[e.ID] = e
			continue
		}
		n.vectors[e.ID] = e
	}
	return http.StatusOK, "Success", ""
}

// asked is a query.
type asked struct {
	Data            string
	TopK            int
	IncludeMetadata bool
	IncludeData     bool
	Filter          string
}

// scored is a vector that was found.
type scored struct {
	ID       string         `json:"id"`
	Score    float64        `json:"score"`
	Metadata map[string]any `json:"metadata,omitempty"`
	Data     string         `json:"data,omitempty"`
}

func (s *Server) query(name string, body []byte) (int, any, string) {
	q := asked{TopK: 10}
	if json.Unmarshal(body, &q) != nil || q.Data == "" || q.TopK < 1 || q.TopK > 1000 {
		return http.StatusBadRequest, nil, "Missing or wrong input"
	}
	matches, err := parseFilter(q.Filter)
	if err != nil {
		return http.StatusBadRequest, nil, "Invalid filter: " + err.Error()
	}
	v := embed(q.Data)
	found := []scored{}
	for _, e := range s.namespace(name).vectors {
		if !matches(e.Metadata) {
			continue
		}
		hit := scored{ID: e.ID, Score: (1 + cosine(v, embed(e.Data))) / 2}
		if q.IncludeMetadata {
			hit.Metadata = e.Metadata
		}
		if q.IncludeData {
			hit.Data = e.Data
		}
		found = append(found, hit)
	}
	slices.SortFunc(found, func(a, b scored) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID)) })
	return http.StatusOK, found[:min(q.TopK, len(found))], ""
}

// embed counts the words of a text by their hash.
func embed(text string) [dimensions]float64 {
	var v [dimensions]float64
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return strings.ContainsRune(" \n.,:;!?—«»\"()", r) }) {
		h := fnv.New32a()
		_, _ = h.Write([]byte(word)) // never fails
		v[h.Sum32()%dimensions]++
	}
	return v
}

func cosine(a, b [dimensions]float64) float64 {
	var dot, aa, bb float64
	for i := range a {
		dot, aa, bb = dot+a[i]*b[i], aa+a[i]*a[i], bb+b[i]*b[i]
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return dot / math.Sqrt(aa*bb)
}
