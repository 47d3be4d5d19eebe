package feed

import (
	"math"

	"channelapi/shared/pack"
)

// The bounds of near-duplicates, chosen on the tuning half of testdata/duplicates.
const (
	// window is how far apart in time two posts may lie that tell the same by their text; a forward may be of any age.
	window = 48 * 60 * 60
	// rarest is how many of a post's rarest terms are looked up to find what it may be a copy of.
	rarest = 8
	// alike is the likeness from which on two texts tell the same: on the tuning half F1 is best from 0.45 to 0.47.
	alike = 0.45
)

// merge takes posts in order of time and gives those that stay, each with its copies. A post is a copy of the earliest
// post that has the same forward source, or the same normalised text, or else of the one whose text is most alike.
// Copies are compared with posts that stay, never with other copies, so chains of small changes do not build up.
func merge(posts []post) []post {
	m := newMerger(posts)
	kept := posts[:0:0]
	leader := make([]int32, len(posts)) // by post: its place in kept
	for i := range posts {
		p := &posts[i]
		of, ok := m.find(i)
		if ok {
			at := leader[of]
			leader[i] = at
			kept[at].copies = append(kept[at].copies, ref{p.channel, p.ID})
			m.remember(i, int(of))
			continue
		}
		leader[i] = int32(len(kept))
		kept = append(kept, *p)
		m.remember(i, i)
		for _, t := range m.pick { // as find left it
			m.links = append(m.links, link{post: int32(i), next: m.rare[t]})
			m.rare[t] = int32(len(m.links))
		}
	}
	return kept
}

// merger finds the leader of a post among the posts before it.
type merger struct {
	posts   []post
	sources map[uint64]int32 // pack.SourceKey → leader
	texts   map[uint64]int32 // text hash → latest leader
	vocab   *vocabulary
	terms   [][]int32 // by post: its terms' numbers
	norms   []float32 // by post: the length of its vector
	numbers []int32   // by post: how many of its terms are numbers
	rare    []int32   // by term number: the list of leaders among whose rarest terms it is, a place in links plus one
	links   []link
	seen    []int32 // by leader: the post that it was last compared with, plus one
	mark    []int32 // by term number: the post that holds it, plus one
	pick    []int32 // scratch
}

// link is an element of a list; next is a place in links plus one, 0 at the end.
type link struct{ post, next int32 }

func newMerger(posts []post) *merger {
	total := 0
	for i := range posts {
		total += posts[i].Terms.Len()
	}
	m := &merger{
		posts: posts, sources: make(map[uint64]int32, len(posts)), texts: make(map[uint64]int32, len(posts)),
		vocab: newVocabulary(total), terms: make([][]int32, len(posts)), norms: make([]float32, len(posts)),
		numbers: make([]int32, len(posts)),
		seen:    make([]int32, len(posts)),
	}
	m.number(total)
	m.rare = make([]int32, len(m.vocab.count))
	m.mark = make([]int32, len(m.vocab.count))
	return m
}

// number replaces terms by their numbers, counts and weighs them.
func (m *merger) number(total int) {
	all := make([]int32, 0, total)
	compared := 0
	for i := range m.posts {
		terms := m.posts[i].Terms
		if terms.Len() > 0 {
			compared++
		}
		start := len(all)
		for j := range terms.Len() {
			all = append(all, m.vocab.add(terms.At(j)))
		}
		m.terms[i] = all[start:len(all):len(all)]
	}
	m.vocab.weigh(compared)
	for i, terms := range m.terms {
		sum := float32(0)
		for _, t := range terms {
			sum += m.vocab.idf[t] * m.vocab.idf[t]
			m.numbers[i] += m.vocab.numeric[t]
		}
		m.norms[i] = float32(math.Sqrt(float64(sum)))
	}
}

// find gives the earlier post that post i is a copy of.
func (m *merger) find(i int) (int32, bool) {
	p := &m.posts[i]
	m.pick = m.pick[:0]
	if p.Source != 0 {
		if of, ok := m.sources[p.Source]; ok {
			return of, true
		}
	}
	if p.TextHash == 0 {
		return 0, false
	}
	if of, ok := m.texts[p.TextHash]; ok && p.Unix-m.posts[of].Unix <= window {
		return of, true
	}
	return m.nearest(i)
}

// remember lets later posts find post i, or rather its leader, by the names under which it may be forwarded and by its
// text.
func (m *merger) remember(i, leader int) {
	p := &m.posts[i]
	names := []uint64{pack.SourceKey(p.key, p.ID)}
	for _, id := range p.Album {
		names = append(names, pack.SourceKey(p.key, id))
	}
	if p.Source != 0 {
		names = append(names, p.Source)
	}
	for _, name := range names {
		if _, ok := m.sources[name]; !ok {
			m.sources[name] = int32(leader)
		}
	}
	if p.TextHash != 0 {
		m.texts[p.TextHash] = int32(leader)
	}
}

// rarest gives the rarest terms of post i that any other post holds at all; of equally rare ones, the first by hash.
func (m *merger) rarest(i int) []int32 {
	var counts [rarest]int32
	m.pick = m.pick[:0]
	for _, t := range m.terms[i] {
		count := m.vocab.count[t]
		n := len(m.pick)
		if count < 2 || n == rarest && count >= counts[n-1] {
			continue
		}
		if n < rarest {
			m.pick = append(m.pick, t)
			n++
		}
		at := n - 1
		for ; at > 0 && counts[at-1] > count; at-- {
			counts[at], m.pick[at] = counts[at-1], m.pick[at-1]
		}
		counts[at], m.pick[at] = count, t
	}
	return m.pick
}

// nearest compares post i with the leaders that share one of its rarest terms.
func (m *merger) nearest(i int) (int32, bool) {
	for _, t := range m.terms[i] {
		m.mark[t] = int32(i) + 1
	}
	best, nearest := float32(alike), int32(-1)
	for _, t := range m.rarest(i) {
		for at := m.rare[t]; at != 0; at = m.links[at-1].next {
			of := m.links[at-1].post
			if m.seen[of] == int32(i)+1 || m.posts[i].Unix-m.posts[of].Unix > window {
				continue
			}
			m.seen[of] = int32(i) + 1
			if s := m.likeness(i, of); s > best || s == best && nearest > of {
				best, nearest = s, of
			}
		}
	}
	return nearest, nearest >= 0
}

// likeness compares post i, whose terms are marked, with a leader: the cosine of their vectors, lowered where both give
// numbers, by the part that the poorer of the two does not share. A template filled with other numbers is other news.
func (m *merger) likeness(i int, leader int32) float32 {
	dot, shared := float32(0), int32(0)
	for _, t := range m.terms[leader] {
		if m.mark[t] == int32(i)+1 {
			dot += m.vocab.idf[t] * m.vocab.idf[t]
			shared += m.vocab.numeric[t]
		}
	}
	poorer := min(m.numbers[i], m.numbers[leader])
	return dot / (m.norms[i] * m.norms[leader]) * float32(1+shared) / float32(1+poorer)
}
