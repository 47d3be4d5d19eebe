package tmetest

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"channelapi/shared/telegram"
)

// Profile says what kind of channel is generated. The zero value is an English one of middling posts.
type Profile struct {
	Language Language
	// Rich makes every post long, some 2 to 3 KB of text, and full of formatting.
	Rich bool
	// First is the id of the first post; 1.
	First int
	// Start is the time of the first post; the start of 2026.
	Start time.Time
	// Step is the usual time between posts; 47 min.
	Step time.Duration
}

// Generate makes a channel of n plausible posts of all common kinds, always the same ones for the same arguments.
func Generate(channel string, n int, seed uint64) Channel {
	return Profile{}.Generate(channel, n, seed)
}

// Generate makes a channel of n posts.
func (p Profile) Generate(channel string, n int, seed uint64) Channel {
	if p.First == 0 {
		p.First = 1
	}
	if p.Start.IsZero() {
		p.Start = firstDay
	}
	if p.Step == 0 {
		p.Step = 47 * time.Minute
	}
	g := &generator{p: p, v: p.Language.vocabulary(), r: rand.New(rand.NewPCG(seed, seed^0x746d65)), channel: channel}
	c := Channel{Channel: g.about(), Posts: make([]telegram.Post, 0, n)}
	id, at := p.First, p.Start
	for range n {
		post := g.post(id, at)
		c.Posts = append(c.Posts, post)
		id = spanOf(post).last + 1
		if g.r.IntN(12) == 0 {
			id += 1 + g.r.IntN(3) // deleted posts
		}
		at = at.Add(p.Step/2 + time.Duration(g.r.Int64N(int64(p.Step))).Truncate(time.Second))
	}
	return c
}

type generator struct {
	p       Profile
	v       vocabulary
	r       *rand.Rand
	channel string
}

func (g *generator) pick(list []string) string { return list[g.r.IntN(len(list))] }

// chance is true once in n times.
func (g *generator) chance(n int) bool { return g.r.IntN(n) == 0 }

func (g *generator) about() telegram.Channel {
	name := strings.ReplaceAll(g.channel, "_", " ")
	title := strings.ToUpper(name[:1]) + name[1:]
	about := g.fill(g.pick(g.v.sentences)) + "\n\n@" + g.channel + "_bot"
	return telegram.Channel{
		Username: g.channel, ID: 1_000_000_000 + int64(g.r.IntN(900_000_000)),
		Title:       telegram.RichText{String: title},
		Description: &telegram.RichText{String: about},
		Counts: telegram.Counts{Subscribers: int64(900 + g.r.IntN(2_000_000)), Photos: int64(g.r.IntN(9000)),
			Videos: int64(g.r.IntN(800)), Files: int64(g.r.IntN(40)), Links: int64(g.r.IntN(3000))},
	}
}

// fill puts words into a sentence.
func (g *generator) fill(s string) string {
	s = strings.NewReplacer("{who}", g.pick(g.v.who), "{what}", g.pick(g.v.what), "{where}", g.pick(g.v.where),
		"{when}", g.pick(g.v.when), "{n}", strconv.Itoa(2+g.r.IntN(400))).Replace(s)
	first := []rune(s)
	return strings.ToUpper(string(first[:1])) + string(first[1:])
}

func (g *generator) sentence() string {
	if g.chance(2) {
		return g.fill(g.pick(g.v.sentences))
	}
	words := strings.SplitAfter(g.v.mixed, "}")
	for i, w := range words {
		w = strings.Replace(w, "{adj}", g.pick(g.v.adj), 1)
		w = strings.Replace(w, "{noun}", g.pick(g.v.noun), 1)
		words[i] = strings.Replace(w, "{verb}", g.pick(g.v.verb), 1)
	}
	return g.fill(strings.Join(words, ""))
}

// post makes one post. Kinds come about as often as in a busy channel.
func (g *generator) post(id int, at time.Time) telegram.Post {
	p := telegram.Post{ID: id, Type: telegram.PostMessage, URL: "https://t.me/" + g.channel + "/" + strconv.Itoa(id)}
	p.Footer.Date = &telegram.Date{String: at.UTC().Format("2006-01-02T15:04:05+00:00"), Unix: at.Unix()}
	views := int64(300 + g.r.IntN(90_000))
	p.Footer.ViewsCount, p.Footer.Views = &views, abbreviate(views)
	p.Footer.Edited = g.chance(9)
	if g.chance(6) {
		p.Footer.Author = &telegram.RichText{String: g.pick(g.v.people)}
	}
	p.Content.Text = &telegram.Text{HTML: g.text()}
	g.attach(&p)
	p.Content.Reacts = g.reactions()
	return p
}

// attach gives a post what it has besides text.
func (g *generator) attach(p *telegram.Post) {
	c := &p.Content
	switch k := g.r.IntN(100); {
	case k < 24:
		c.Media = []telegram.Media{g.image()}
	case k < 34:
		g.album(p)
	case k < 42:
		c.Media = []telegram.Media{g.video(telegram.MediaVideo)}
	case k < 45:
		c.Media = []telegram.Media{g.video(telegram.MediaGIF)}
	case k < 56:
		c.PreviewLink = g.linkPreview(p.ID)
	case k < 61:
		p.Forwarded = &telegram.Forwarded{Name: telegram.RichText{String: g.pick(g.v.sites)}, URL: "https://t.me/lantern_weekly/" + strconv.Itoa(p.ID)}
	case k < 65:
		c.Reply = &telegram.Reply{Name: telegram.RichText{String: strings.ReplaceAll(g.channel, "_", " ")},
			Text: telegram.RichText{String: g.sentence()}, ToMessage: max(p.ID-5, 1)}
	case k < 68:
		g.poll(p)
	case k < 70:
		c.Media = []telegram.Media{{Type: telegram.MediaDocument, FileName: "plan-" + strconv.Itoa(p.ID) + ".pdf", Size: &telegram.Size{Formatted: "2.1 MB"}}}
	case k < 71:
		c.Media = []telegram.Media{{Type: telegram.MediaVoice, Available: true, Duration: &telegram.Duration{Raw: 20 + g.r.IntN(200)}}}
	}
}

func (g *generator) image() telegram.Media {
	heights := []int{450, 533, 600, 800, 1067}
	return telegram.Media{Type: telegram.MediaImage, Available: true, Width: 800, Height: heights[g.r.IntN(len(heights))]}
}

func (g *generator) video(kind telegram.MediaType) telegram.Media {
	return telegram.Media{Type: kind, Available: true, Width: 1280, Height: 720, Duration: &telegram.Duration{Raw: 5 + g.r.IntN(4000)}}
}

func (g *generator) album(p *telegram.Post) {
	for i := range 2 + g.r.IntN(4) {
		p.Album = append(p.Album, p.ID+i)
		if g.chance(5) {
			p.Content.Media = append(p.Content.Media, g.video(telegram.MediaVideo))
		} else {
			p.Content.Media = append(p.Content.Media, g.image())
		}
	}
}

func (g *generator) poll(p *telegram.Post) {
	p.Content.Text = nil
	left, votes := 100, int64(g.r.IntN(5000))
	poll := &telegram.Poll{Question: g.fill(g.pick(g.v.questions)), Anonymous: true, Quiz: g.chance(3), VotesCount: &votes}
	for i, at := range g.r.Perm(len(g.v.answers))[:3] {
		percent := g.r.IntN(left + 1)
		if i == 2 {
			percent = left
		}
		left -= percent
		poll.Options = append(poll.Options, telegram.PollOption{Name: g.v.answers[at], Percent: percent})
	}
	p.Content.Poll = poll
}

func (g *generator) linkPreview(id int) *telegram.LinkPreview {
	l := &telegram.LinkPreview{
		URL: "https://news.example.org/" + g.channel + "/" + strconv.Itoa(id), SiteName: g.pick(g.v.sites),
		Title: g.fill(g.pick(g.v.headlines)), Description: &telegram.RichText{String: g.sentence() + " " + g.sentence()},
	}
	switch g.r.IntN(4) {
	case 0:
		l.Video = &telegram.PreviewVideo{Duration: &telegram.Duration{Raw: 30 + g.r.IntN(300)}}
	case 1:
	default:
		l.Thumb = "https://cdn4.telesco.pe/file/" + token(g.r) + ".jpg"
	}
	return l
}

func (g *generator) reactions() []telegram.Reaction {
	if g.chance(8) {
		return nil
	}
	count := int64(40 + g.r.IntN(30_000))
	var all []telegram.Reaction
	if g.chance(4) {
		all = append(all, telegram.Reaction{Type: telegram.ReactionStars, Total: 1 + count/20})
	}
	emoji := []string{"👍", "❤", "🔥", "🥰", "👏", "😁", "🤔", "🎉", "😢"}
	for _, i := range g.r.Perm(len(emoji))[:1+g.r.IntN(5)] {
		if count == 0 {
			break
		}
		r := telegram.Reaction{Type: telegram.ReactionEmoji, Emoji: emoji[i], Total: count}
		if g.chance(4) {
			r = telegram.Reaction{Type: telegram.ReactionCustomEmoji, EmojiID: customEmoji(i), Total: count}
		}
		all = append(all, r)
		count /= 2 + int64(g.r.IntN(3))
	}
	return all
}

// customEmoji gives the id of one of a few custom emoji.
func customEmoji(n int) string { return strconv.Itoa(5_200_000_000_000_000_000 + n*7_919_000_000_003) }
