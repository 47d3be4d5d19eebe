package tmetest

import (
	"time"

	"channelapi/shared/telegram"
)

// cabinet collects posts with rising ids.
type cabinet struct{ c Channel }

// add appends a post and gives it, so that more can be set.
func (k *cabinet) add(html string, media ...telegram.Media) *telegram.Post {
	id := nextID(k.c.Posts)
	at := recordedAt.Add(time.Duration(id-200) * 3 * time.Hour)
	p := telegram.Post{ID: id, Type: telegram.PostMessage, Footer: telegram.Footer{Views: "12.3K",
		Date: &telegram.Date{Unix: at.Unix(), String: at.Format("2006-01-02T15:04:05+00:00")}}}
	if html != "" {
		p.Content.Text = &telegram.Text{HTML: html}
	}
	p.Content.Media = media
	k.c.Posts = append(k.c.Posts, p)
	return &k.c.Posts[len(k.c.Posts)-1]
}

func (k *cabinet) service(html string) *telegram.Post {
	p := k.add(html)
	p.Type, p.Footer.Views = telegram.PostService, ""
	return p
}

func (k *cabinet) album(html string, media ...telegram.Media) {
	p := k.add(html, media...)
	for i := range media {
		p.Album = append(p.Album, p.ID+i)
	}
}

// old draws the last post in an older markup.
func (k *cabinet) old(e Era) { k.c.Old[k.c.Posts[len(k.c.Posts)-1].ID] = e }

func media(t telegram.MediaType) telegram.Media {
	return telegram.Media{Type: t, Available: true, Duration: &telegram.Duration{Raw: 27}}
}

// cabinetChannel holds one post of every kind.
func cabinetChannel() Channel {
	k := &cabinet{c: Channel{Old: map[int]Era{}, Color: 9, Channel: telegram.Channel{
		Username: "Cabinet_Of_Posts", ID: 1_722_333_444, Title: telegram.RichText{String: "Cabinet of Posts 🗄"},
		Description: &telegram.RichText{HTML: `One of each.<br><br>Ask <a href="https://t.me/cabinet_keeper">@cabinet_keeper</a> &amp; see https://example.org/cabinet`,
			String: "One of each.\n\nAsk @cabinet_keeper & see https://example.org/cabinet"},
		Labels: []string{"verified"}, Counts: telegram.Counts{Subscribers: 6_400_358, Photos: 208_000, Videos: 1, Files: 41, Links: 1110},
	}}}
	k.services()
	k.texts()
	k.pictures()
	k.sounds()
	k.polls()
	k.places()
	k.previews()
	k.relations()
	k.rest()
	return k.c
}

func (k *cabinet) services() {
	k.service("Channel created").Content.Media = nil
	k.service("Channel name was changed to «Cabinet of Posts 🗄»")
	k.service("Channel photo updated").Content.Media = []telegram.Media{media(telegram.MediaImage)}
}

func (k *cabinet) texts() {
	k.add(`<b>Bold</b>, <i>italic</i>, <u>underlined</u>, <s>struck</s> and <code>x := 1</code> in one line.<br>Next: <b><i>both</i> and <u>more</u></b>!<br><br><b>Bold over<br>two lines</b>`)
	k.add("Keep this:<pre>first line\n  second &lt;line&gt;\nthird</pre>and this:<pre><code class=\"language-go\">func main() {\n\tprintln(\"hi\")\n}</code></pre>")
	k.add(`Who did it? <tg-spoiler>The <b>gardener</b>, at noon.</tg-spoiler><br><blockquote>Short words are best.<br><i>An old sign</i></blockquote><blockquote expandable>A long quotation that is folded away until somebody asks for it.<br>It goes on.<br>And on.</blockquote>`)
	k.add(`Read <a href="https://example.com/read?id=1&amp;from=tme&amp;x=%20">the notes</a>, https://example.org/a?b=1&amp;c=2, <a href="http://example.net">example.net</a>, ask @cabinet_keeper or <a href="mailto:keeper@example.org">keeper@example.org</a>.<br>#cabinet #ящик_два $BTC<br>Post: https://t.me/harbor_news/4150, command /start, price $5 &amp; a \ backslash`)
	k.add(`👍 👍🏽 👩‍🚒 🏴‍☠️ 🇳🇱 1️⃣ ❤️ and <tg-emoji emoji-id="5389033296086709487">⌚️</tg-emoji> custom, <b>bold 🔥 too</b>`)
	k.add("🔥")
	k.add(`<a href="https://example.com/"><b>Bold link</b></a> | <b>x <a href="https://example.org/y">y <i>z</i></a></b> · 3&nbsp;km · "quoted" 'single'`)
	k.old(Era2021)
}

func (k *cabinet) pictures() {
	k.add("", media(telegram.MediaImage))
	tall := media(telegram.MediaImage)
	tall.Width, tall.Height, tall.ID = 600, 800, "5249090012068914400"
	k.add("A tall one, with a caption.", tall)
	photo, video := media(telegram.MediaImage), media(telegram.MediaVideo)
	k.album("Three pictures &amp; one text", photo, photo, photo)
	k.album("Mixed: a video between pictures", video, photo, video, photo)
	k.old(Era2023)
	k.album(`Album with a <tg-emoji emoji-id="5226639745106330551">🧠</tg-emoji>`, photo, video)
	k.add("A video", telegram.Media{Type: telegram.MediaVideo, Available: true, Width: 1920, Height: 1080, ID: "3d8e6da6a0", Duration: &telegram.Duration{Raw: 3725}})
	k.add(`A video under <tg-emoji emoji-id="5341715473882955310">⚙️</tg-emoji>`, video)
	k.add("Too big for a browser", telegram.Media{Type: telegram.MediaVideo, Thumb: "https://cdn4.telesco.pe/file/big-thumb", Width: 704, Height: 938, Duration: &telegram.Duration{Raw: 52}})
	k.add("Moves by itself", media(telegram.MediaGIF))
	k.add("", media(telegram.MediaRoundVideo))
	for _, format := range []string{"webp", "tgs", "webm"} {
		sticker := telegram.Media{Type: telegram.MediaSticker, Available: true, Format: format}
		k.add("", sticker)
	}
}

func (k *cabinet) sounds() {
	k.add("What we talked about:<br>- tides<br>- trams", telegram.Media{Type: telegram.MediaVoice, Available: true, Duration: &telegram.Duration{Raw: 1660}})
	k.add("The plan as a file", telegram.Media{Type: telegram.MediaDocument, FileName: "Plan of the cabinet.pdf", Size: &telegram.Size{Formatted: "2.1 MB"}})
	k.add("A tune for the road", telegram.Media{Type: telegram.MediaAudio, Title: "Slow Ferry", Performer: "The Quay Band"})
	k.album("Two files at once",
		telegram.Media{Type: telegram.MediaDocument, FileName: "first.txt", Size: &telegram.Size{Formatted: "812 B"}},
		telegram.Media{Type: telegram.MediaDocument, FileName: "second.zip", Size: &telegram.Size{Formatted: "14.6 KB"}})
}

func (k *cabinet) polls() {
	votes := func(n int64) *int64 { return &n }
	option := func(name string, percent int) telegram.PollOption {
		return telegram.PollOption{Name: name, Percent: percent}
	}
	tea := []telegram.PollOption{option("Tea 🍵", 16), option("Coffee", 81), option("Neither & both", 3)}
	for _, p := range []telegram.Poll{
		{Question: "Tea or coffee?", Anonymous: true, Options: tea, VotesCount: votes(222)},
		{Question: "Which of these?", Anonymous: true, Multiple: true, Options: []telegram.PollOption{option("A", 80), option("B", 70)}, VotesCount: votes(1_240)},
		{Question: "How deep is the lock?", Anonymous: true, Quiz: true, Options: []telegram.PollOption{option("4 m", 0), option("9 m", 0)}, VotesCount: votes(0)},
		{Question: "Shall we?", Options: []telegram.PollOption{option("Yes", 100), option("No", 0)}, VotesCount: votes(1)},
		{Question: "Who knew?", Quiz: true, Options: tea, VotesCount: votes(17)},
		{Question: "It is over", Closed: true, Options: tea, VotesCount: votes(93)},
	} {
		k.add("").Content.Poll = &p
	}
}

func (k *cabinet) places() {
	k.add("").Content.Location = &telegram.Location{Latitude: -23.930587176407, Longitude: -44.086305367818}
	k.add("").Content.Location = &telegram.Location{Latitude: 52.3702, Longitude: 4.8952, Title: "The Third Lock", Address: "Canal Street 3"}
	k.add("").Content.Contact = &telegram.Contact{Name: "Odile Marsh", Phone: "+31 20 555 01 23"}
}
