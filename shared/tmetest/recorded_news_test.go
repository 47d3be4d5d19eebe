package tmetest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"channelapi/shared/telegram"
)

// stories are told by several news channels, each in its own way: what a feed should give only once.
func stories() []string {
	return []string{
		"The footbridge at the third lock reopens on Monday after six months of works; buses 4 and 9 return to their usual routes. Details: {link}",
		"Divers found the bell of the ferry Marigold in nine metres of water, two hundred metres from where the log says she sank. {link}",
		"The council voted eleven to four for the rooftop garden above the fish hall. Digging starts in October, the first beds open in May. {link}",
		"A power cut stopped every clock in the upper town at 03:12. The tide clock, which runs on water, was not impressed. {link}",
		"School meals will come from the two mill bakeries from next term on, the education office says; the price stays at 2.40. {link}",
		"Interview: why the old tram line matters to three generations of drivers, told in their own words over a very long lunch.",
		"The lighthouse lamp is being replaced for the first time since 1931. Ships are asked to mind the buoys until Thursday night. {link}",
		"Eleven hundred people signed the petition against parking on the east quay; the harbour office promises an answer within a month. {link}",
		"A stray seal spent the night in the lido and left before the first swimmers came. The entrance fee was waived. {link}",
		"The winter market moves behind the station this year because the square is being repaved until the end of February. {link}",
	}
}

// newsChannels are three channels of one town: their own short news, the common stories, and what feeds must not take
// for one story though it looks like it.
func newsChannels() []Channel {
	names := []string{"quay_gazette", "tide_table_news", "signal_noise"}
	out := make([]Channel, len(names))
	for i, name := range names {
		c := Profile{First: 300 + 1000*i, Start: recordedAt.Add(-70 * time.Hour), Step: 85 * time.Minute}.Generate(name, 46, uint64(21+i))
		for k, story := range stories() {
			if (k+i)%4 == 3 {
				continue // nobody has every story
			}
			at := recordedAt.Add(time.Duration(-22+2*k)*time.Hour + time.Duration(7*i)*time.Minute)
			c.Posts = append(c.Posts, storyPost(name, i, k, story, at))
		}
		for k := range 3 {
			at := recordedAt.Add(time.Duration(-60+24*k)*time.Hour + time.Duration(i)*time.Minute)
			rates := fmt.Sprintf("Rates at noon. USD %d.%d0 / 41.%d5. EUR 44.%d0 / 44.%d5. Have a calm day and follow the channel.", 40+k, i+1, k+3, k+1, i+5)
			c.Posts = append(c.Posts, textPost(at, "Good morning!"), textPost(at.Add(4*time.Hour), rates))
		}
		number(&c, 300+1000*i)
		out[i] = c
	}
	return out
}

// storyPost is a story as the i-th channel tells it.
func storyPost(name string, i, k int, story string, at time.Time) telegram.Post {
	link := fmt.Sprintf("https://news.example.org/story/%d?utm_source=%s", 7000+k, name)
	text := strings.ReplaceAll(escape(story), "{link}", link)
	switch i {
	case 1:
		text = "❗️ " + strings.ReplaceAll(text, " and ", " &amp; ") + "<br><br>@" + name
	case 2:
		text = "<b>" + strings.Replace(text, ". ", ".</b> ", 1)
		if !strings.Contains(text, "</b>") {
			text += "</b>"
		}
	}
	p := textPost(at, text)
	if k%3 == 0 {
		p.Content.Media = []telegram.Media{{Type: telegram.MediaImage, Available: true, Width: 800, Height: 533}}
	}
	if i == 2 && k%2 == 1 {
		p.Forwarded = &telegram.Forwarded{Name: telegram.RichText{String: "Quay gazette"}, URL: fmt.Sprintf("https://t.me/quay_gazette/%d", 310+k)}
	}
	return p
}

func textPost(at time.Time, html string) telegram.Post {
	views := 1200 + at.Unix()%40_000
	return telegram.Post{
		Type:    telegram.PostMessage,
		Content: telegram.PostContent{Text: &telegram.Text{HTML: html}},
		Footer: telegram.Footer{ViewsCount: &views,
			Date: &telegram.Date{Unix: at.Unix(), String: at.UTC().Format("2006-01-02T15:04:05+00:00")}},
	}
}

// number puts posts into the order of their dates and gives them new ids from first on, with a gap now and then.
func number(c *Channel, first int) {
	slices.SortStableFunc(c.Posts, func(a, b telegram.Post) int { return int(a.Footer.Date.Unix - b.Footer.Date.Unix) })
	id := first
	for i := range c.Posts {
		p := &c.Posts[i]
		p.ID, p.URL = id, "https://t.me/"+c.Username+"/"+strconv.Itoa(id)
		for k := range p.Album {
			p.Album[k] = id + k
		}
		id = spanOf(*p).last + 1
		if i%11 == 10 {
			id += 2
		}
	}
}
