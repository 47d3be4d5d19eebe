package channels

import (
	"channelapi/shared/meaning"
	"channelapi/shared/pack"
	"channelapi/shared/telegram"
)

// Username is the channel's, as the page spells it; "" where no page was fetched.
func (r PageRenewal) Username() string {
	index, err := r.page.Index()
	if err != nil {
		return ""
	}
	return index.Username
}

// Newest is the id of the newest post of the page, 0 where there is none.
func (r PageRenewal) Newest() int {
	newest := 0
	index, err := r.page.Index()
	if err != nil {
		return 0
	}
	for _, e := range index.Posts {
		newest = max(newest, e.ID)
	}
	return newest
}

// Posts gives the posts of the page that have words and that fresh takes, by id and date in Unix seconds, in the form of
// an index of meanings. The page is read only where there are any.
func (r PageRenewal) Posts(fresh func(id int, unix int64) bool) ([]meaning.Post, error) {
	index, err := r.page.Index()
	if err != nil {
		return nil, nil // a page that was not fetched
	}
	var wanted []pack.Entry
	for _, e := range index.Posts {
		if fresh(e.ID, e.Unix) {
			wanted = append(wanted, e)
		}
	}
	if len(wanted) == 0 {
		return nil, nil
	}
	text, err := r.page.JSON(nil)
	if err != nil {
		return nil, err
	}
	posts := make([]telegram.Post, len(wanted))
	for i, e := range wanted {
		if posts[i], err = decode[telegram.Post](text[e.Start:e.End], nil); err != nil {
			return nil, err
		}
	}
	return Indexed(index.Username, posts), nil
}
