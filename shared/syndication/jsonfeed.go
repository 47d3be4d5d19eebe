package syndication

import (
	"bytes"
	"encoding/json"
)

type jsonFeed struct {
	Version     string       `json:"version"`
	Title       string       `json:"title"`
	HomePageURL string       `json:"home_page_url,omitempty"`
	FeedURL     string       `json:"feed_url,omitempty"`
	Description string       `json:"description,omitempty"`
	NextURL     string       `json:"next_url,omitempty"`
	Icon        string       `json:"icon,omitempty"`
	Authors     []jsonAuthor `json:"authors,omitempty"`
	Items       []jsonItem   `json:"items"`
}

type jsonAuthor struct {
	Name   string `json:"name"`
	URL    string `json:"url,omitempty"`
	Avatar string `json:"avatar,omitempty"`
}

type jsonItem struct {
	ID            string           `json:"id"`
	URL           string           `json:"url"`
	Title         string           `json:"title,omitempty"`
	ContentHTML   string           `json:"content_html"`
	Image         string           `json:"image,omitempty"`
	DatePublished string           `json:"date_published,omitempty"`
	Authors       []jsonAuthor     `json:"authors,omitempty"`
	Tags          []string         `json:"tags,omitempty"`
	Attachments   []jsonAttachment `json:"attachments,omitempty"`
}

type jsonAttachment struct {
	URL               string `json:"url"`
	MIMEType          string `json:"mime_type"`
	Title             string `json:"title,omitempty"`
	SizeInBytes       int64  `json:"size_in_bytes,omitempty"`
	DurationInSeconds int    `json:"duration_in_seconds,omitempty"`
}

// writeJSON writes JSON Feed 1.1.
func writeJSON(h head, entries []entry, room int) ([]byte, int) {
	f := jsonFeed{Version: "https://jsonfeed.org/version/1.1", Title: h.title, HomePageURL: h.home, FeedURL: h.self,
		Description: h.description, NextURL: h.next, Icon: h.icon, Items: []jsonItem{}}
	if h.author != nil {
		f.Authors = []jsonAuthor{{h.author.name, h.author.url, h.author.avatar}}
	}
	end := []byte("]}\n") // items come last
	begin := bytes.TrimSuffix(encode(f), end)
	first := true
	return join(begin, end, entries, room, func(e *entry) []byte {
		b := bytes.TrimSuffix(encode(item(e)), []byte("\n"))
		if !first {
			b = append([]byte(","), b...)
		}
		first = false
		return b
	})
}

func item(e *entry) jsonItem {
	it := jsonItem{ID: e.id, URL: e.url, Title: e.title, ContentHTML: e.content, Tags: e.tags}
	if !e.date.IsZero() {
		it.DatePublished = rfc3339(e.date)
	}
	for _, a := range e.authors {
		it.Authors = append(it.Authors, jsonAuthor{a.name, a.url, a.avatar})
	}
	for _, f := range e.media {
		if it.Image == "" {
			it.Image = picture(f)
		}
		it.Attachments = append(it.Attachments, jsonAttachment{f.url, f.mime, f.title, f.size, f.seconds})
	}
	return it
}

// picture gives the address of an image that stands for a file, "" without one.
func picture(f enclosure) string {
	if f.medium == "image" {
		return f.url
	}
	return f.thumb
}

// encode gives JSON and a newline. Strings are valid UTF-8 by now and no type here can fail.
func encode(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil
	}
	return b.Bytes()
}
