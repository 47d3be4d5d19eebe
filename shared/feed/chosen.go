package feed

import (
	"slices"
	"time"

	"channelapi/shared/pack"
)

// Chosen is a post that was chosen and ordered elsewhere, such as by a search.
type Chosen struct {
	// Source is the place of its page among the sources.
	Source int
	// ID is the post's own id on that page.
	ID int
	// Score becomes _score.
	Score float64
}

// Join renders chosen posts in their order, in the form of a feed. Other than in a feed, several sources may be pages of
// one channel. Posts that their page lacks are passed over. What does not fit into Lambda's answer is left out from the
// end, and Answer.Truncated tells it; there is no cursor.
func Join(dst []byte, sources []Source, posts []Chosen, missing []Missing, generated time.Time) Answer {
	channels := make([]channel, len(sources))
	for i := range sources {
		channels[i] = sources[i].open()
	}
	page := make([]item, 0, len(posts))
	for _, c := range posts {
		if c.Source >= 0 && c.Source < len(channels) {
			page = append(page, item{channel: c.Source, id: c.ID, score: float32(c.Score)})
		}
	}
	w, done, missing := join(dst, &Ranked{}, channels, page, missing)
	a := Answer{Posts: len(w.places), Truncated: done < len(page)}
	late := stale(sources)
	slices.Sort(late)
	w.end(&a, Meta{Missing: missing, Stale: slices.Compact(late)}, generated)
	return a
}

// open reads the index of a source whose page shows a channel; the zero channel where it cannot.
func (s *Source) open() channel {
	if s.Pack.Zstd() == nil || s.Pack.Kind() != pack.Body {
		return channel{}
	}
	ix, err := s.Pack.Index()
	if err != nil {
		return channel{}
	}
	return channel{asked: s.Asked, pack: s.Pack, index: ix, escaped: pack.Escaped(ix.Channel)}
}
