package tmetest

import (
	"slices"

	"channelapi/shared/telegram"
)

// span is the message ids that one post of a page stands for: several for an album.
type span struct{ first, last, n int }

func spanOf(p telegram.Post) span {
	if len(p.Album) == 0 {
		return span{p.ID, p.ID, 1}
	}
	return span{p.ID, slices.Max(p.Album), len(p.Album)}
}

// view is one page: which posts it shows and the cursors it names.
type view struct {
	posts         []int // indices into the channel's posts, ascending
	before, after int   // 0: no link
	pos           int   // the post that the page is around; 0: none
	query         string
	search        bool
	edge          bool // an empty page behind the oldest post
}

// newest gives the posts of the head page: as many as cover size message ids, albums whole.
func newest(s []span, size int) view { return older(s, len(s), size) }

// older gives the page that ends before index j.
func older(s []span, j, size int) view {
	i := j
	for n := 0; i > 0 && n < size; i-- {
		n += s[i-1].n
	}
	return window(s, i, j)
}

// newer gives the page that starts at index i.
func newer(s []span, i, size int) view {
	j := i
	for n := 0; j < len(s) && n < size; j++ {
		n += s[j].n
	}
	return window(s, i, j)
}

// beforeID gives the newest posts with an id below id, afterID the oldest with an id above it.
func beforeID(s []span, id, size int) view {
	j := slices.IndexFunc(s, func(p span) bool { return p.first >= id })
	if j < 0 {
		j = len(s)
	}
	v := older(s, j, size)
	v.edge = len(v.posts) == 0 && len(s) > 0
	return v
}

func afterID(s []span, id, size int) view {
	i := slices.IndexFunc(s, func(p span) bool { return p.first > id })
	if i < 0 {
		i = len(s)
	}
	return newer(s, i, size)
}

// around gives the page with the post of id in its middle, or with the place where it would be.
func around(s []span, id, size int) view {
	mid := slices.IndexFunc(s, func(p span) bool { return p.last >= id })
	if mid < 0 {
		return newest(s, size)
	}
	i, j, n := mid, mid+1, s[mid].n
	for n < size && (i > 0 || j < len(s)) {
		if i > 0 {
			i--
			n += s[i].n
		}
		if j < len(s) && n < size {
			n += s[j].n
			j++
		}
	}
	v := window(s, i, j)
	v.pos = id
	return v
}

// window gives the posts i…j-1 with links to what lies on either side.
func window(s []span, i, j int) view {
	var v view
	for k := i; k < j; k++ {
		v.posts = append(v.posts, k)
	}
	if i > 0 && i < j {
		v.before = s[i].first
	}
	if j < len(s) && i < j {
		v.after = s[j-1].last
	}
	return v
}

// search gives the newest hits below the id before (0: all), as t.me does: one page, older ones behind a link.
func search(s []span, hit func(i int) bool, before, size int) view {
	v := view{search: true}
	for i := len(s) - 1; i >= 0; i-- {
		if (before > 0 && s[i].first >= before) || !hit(i) {
			continue
		}
		if len(v.posts) == size {
			v.before = s[v.posts[0]].first
			break
		}
		v.posts = slices.Insert(v.posts, 0, i)
	}
	return v
}
