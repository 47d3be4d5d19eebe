package local

import (
	"context"
	"maps"
	"math"
	"slices"
	"strings"

	"channelapi/shared/meaning"
	"channelapi/shared/pack/words"
)

// Query compares the posts that share a term with the query's text.
func (x *Index) Query(_ context.Context, q meaning.Query) ([]meaning.Hit, error) {
	channels := make(map[string]bool, len(q.Channels))
	for _, c := range q.Channels {
		channels[strings.ToLower(c)] = true
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	asked := x.terms(q.Text)
	near := make(map[*post]float64)
	for _, t := range asked {
		rarity := x.rarity(t.stem)
		for p, times := range t.posts {
			if p.Unix >= q.Since && (len(channels) == 0 || channels[p.Channel]) {
				near[p] += weight(t.times) * weight(times) * rarity * rarity
			}
		}
	}
	length := x.norm(asked)
	hits := make([]meaning.Hit, 0, len(near))
	for p, dot := range near {
		h := p.Hit
		h.Score = min(dot/(length*x.norm(p.terms)), 1)
		hits = append(hits, h)
	}
	return meaning.Merge(max(1, min(q.Limit, meaning.MaxHits)), hits), nil
}

// terms gives the terms of a text; the most frequent words are left out. Stems that no post holds are made for it alone.
func (x *Index) terms(text string) []term {
	times := make(map[string]int)
	var token []byte
	words.Scan(meaning.Clip(text), func(kind words.Kind, raw string) bool {
		token = words.Normal(token[:0], kind, raw)
		if kind == words.Word {
			if words.Stop(token) {
				return true
			}
			token = words.Stem(token)
		}
		times[string(token)]++
		return true
	})
	terms := make([]term, 0, len(times))
	for _, word := range slices.Sorted(maps.Keys(times)) {
		s := x.stems[word]
		if s == nil {
			s = &stem{word: word, posts: make(map[*post]int)}
		}
		terms = append(terms, term{s, times[word]})
	}
	return terms
}

// weight dampens repetition.
func weight(times int) float64 { return 1 + math.Log(float64(times)) }

// rarity is the inverse document frequency of a stem, smoothed as BM25 has it; never negative.
func (x *Index) rarity(s *stem) float64 {
	n, all := float64(len(s.posts)), float64(len(x.posts))
	return math.Log(1 + (all-n+0.5)/(n+0.5))
}

// norm is the length of a text's vector at present: rarities change as posts come and go.
func (x *Index) norm(terms []term) float64 {
	sum := 0.0
	for _, t := range terms {
		w := weight(t.times) * x.rarity(t.stem)
		sum += w * w
	}
	return math.Sqrt(sum)
}
