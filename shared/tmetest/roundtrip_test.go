package tmetest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"channelapi/shared/scrape"
	"channelapi/shared/telegram"
)

// TestRoundTrip reads drawn pages back: what went in as Go values must come out, or one side is wrong about the markup.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	for _, c := range []Channel{
		cabinetChannel(), Profile{Rich: true}.Generate("harbor_news", 120, 5), Profile{Language: Russian}.Generate("gorod", 120, 6), tinyChannel(),
	} {
		h := NewHandler(Options{Channels: []Channel{c}, PageSize: 10_000})
		page, err := scrape.Channel(get(t, h, "/s/"+c.Username).Body.Bytes())
		if err != nil {
			t.Fatalf("%s: %v", c.Username, err)
		}
		if page.Channel.Username != c.Username || page.Channel.Title.String != c.Title.String || page.Channel.ID != c.ID {
			t.Errorf("channel %+v, want %+v", page.Channel, c.Channel)
		}
		if len(page.Posts) != len(c.Posts) {
			t.Fatalf("%s: read %d posts, want %d", c.Username, len(page.Posts), len(c.Posts))
		}
		for i, got := range page.Posts {
			if diff := cmp.Diff(expected(c.Posts[i]), reduced(got), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%s/%d (-drawn +read):\n%s", c.Username, got.ID, diff)
			}
		}
	}
}

// facts is what of a post is the same before and after.
type facts struct {
	ID                      int
	Type                    telegram.PostType
	Album                   []int
	Text                    string
	Media                   []telegram.MediaType
	Withheld                int
	Files, Durations        []string
	Poll                    *telegram.Poll
	Buttons                 []string
	Reply, ReplyText        string
	ReplyTo                 int
	Card, CardTitle, CardOf string
	Reactions               []string
	Location                *telegram.Location
	Contact                 *telegram.Contact
	Views, Author, Via      string
	Edited                  bool
	Unix                    int64
	From, FromURL, FromBy   string
}

func reduced(p telegram.Post) facts {
	c := &p.Content
	f := facts{ID: p.ID, Type: p.Type, Album: p.Album, Views: p.Footer.Views, Edited: p.Footer.Edited,
		Via: strings.TrimPrefix(p.Footer.ViaBot, "@"), Contact: c.Contact}
	if c.Text != nil {
		f.Text = strings.Join(strings.Fields(c.Text.String), "") // where blocks break lines is for the reader to say
	}
	if c.Location != nil {
		place := *c.Location
		place.Map = ""
		f.Location = &place
	}
	for _, m := range c.Media {
		f.Media = append(f.Media, m.Type)
		f.Files = append(f.Files, m.FileName+m.Title+m.Performer+m.Format)
		if m.Duration != nil {
			f.Durations = append(f.Durations, m.Duration.Formatted)
		}
		if !m.Available && m.Type == telegram.MediaVideo {
			f.Withheld++
		}
	}
	if c.Poll != nil {
		poll := *c.Poll
		if poll.VotesCount != nil {
			poll.Votes, poll.VotesCount = abbreviate(*poll.VotesCount), nil
		}
		f.Poll = &poll
	}
	for _, b := range c.Inline {
		f.Buttons = append(f.Buttons, b.Title+" "+b.URL)
	}
	if r := c.Reply; r != nil {
		f.Reply, f.ReplyText, f.ReplyTo = r.Name.String, r.Text.String, r.ToMessage
		if r.URL == "https://t.me/c/1234567/5" {
			f.ReplyTo = 5
		}
	}
	if l := c.PreviewLink; l != nil {
		f.Card, f.CardTitle, f.CardOf = l.URL, l.Title, l.SiteName
	}
	for _, r := range c.Reacts {
		f.Reactions = append(f.Reactions, string(r.Type)+" "+r.EmojiID+" "+r.Count)
	}
	if p.Footer.Date != nil {
		f.Unix = p.Footer.Date.Unix
	}
	if p.Footer.Author != nil {
		f.Author = p.Footer.Author.String
	}
	if w := p.Forwarded; w != nil {
		f.From, f.FromURL, f.FromBy = w.Name.String, w.URL, w.Author
	}
	return f
}

// expected fills in what drawing fills in, and leaves out what a page does not tell.
func expected(p telegram.Post) facts {
	p = clone(p)
	c := &p.Content
	if c.Text != nil {
		c.Text.String = plainText(textHTML(c.Text))
	}
	for i := range c.Media {
		m := &c.Media[i]
		switch m.Type {
		case telegram.MediaVideo, telegram.MediaRoundVideo, telegram.MediaVoice:
			if p.Type != telegram.PostService {
				m.Duration.Formatted = duration(m.Duration)
			}
		default:
			m.Duration = nil
		}
		if m.Type == telegram.MediaVideo && m.Thumb == "" {
			m.Available = true
		}
	}
	if q := c.Poll; q != nil {
		q.Type = pollType(q)
		if q.Closed {
			q.Anonymous, q.Quiz = false, false
		}
	}
	for i := range c.Reacts {
		if c.Reacts[i].Count == "" {
			c.Reacts[i].Count = abbreviate(c.Reacts[i].Total)
		}
	}
	for i := range c.Inline {
		if c.Inline[i].URL == "" {
			c.Inline[i].URL = fmt.Sprintf("https://t.me/Cabinet_Of_Posts/%d", p.ID)
		}
	}
	if p.Footer.Views == "" && p.Footer.ViewsCount != nil {
		p.Footer.Views = abbreviate(*p.Footer.ViewsCount)
	}
	f := reduced(p)
	f.Unix = dateOf(&p).Unix()
	return f
}
