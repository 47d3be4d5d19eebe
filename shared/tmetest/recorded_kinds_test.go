package tmetest

import (
	"channelapi/shared/telegram"
)

func (k *cabinet) previews() {
	const thumb = "https://cdn4.telesco.pe/file/card.jpg"
	about := &telegram.RichText{HTML: "What the page says of itself.<br>In two lines &amp; 🎪", String: "What the page says of itself.\nIn two lines & 🎪"}
	for _, p := range []telegram.LinkPreview{
		{URL: "https://example.com/a?b=1&c=2", SiteName: "Example", Title: "One size of picture", Description: about, Thumb: thumb},
		{URL: "https://example.com/other", SiteName: "Example", Title: "The other size of picture", Description: about, Thumb: thumb},
		{URL: "https://t.me/harbor_news/4150", SiteName: "Telegram", Title: "With a video", Description: about,
			Video: &telegram.PreviewVideo{Duration: &telegram.Duration{Raw: 11}}},
		{URL: "https://example.com/picture.jpg", Thumb: thumb},
		{URL: "https://example.com/bare", SiteName: "Example", Title: "Only words"},
	} {
		k.add("See " + escape(p.URL)).Content.PreviewLink = &p
	}
}

func (k *cabinet) relations() {
	name := func(s string) telegram.RichText { return telegram.RichText{String: s} }
	for _, f := range []telegram.Forwarded{
		{Name: name("Harbor News ⚓️"), URL: "https://t.me/harbor_news/4150"},
		{Name: name("A closed room")},
		{Name: name("Odile Marsh"), URL: "https://t.me/odile_marsh"},
		{Name: name("Quay gazette"), URL: "https://t.me/quay_gazette/310", Author: "Tom Quill"},
	} {
		k.add("Passed on").Forwarded = &f
	}
	k.add("Passed on, long ago").Forwarded = &telegram.Forwarded{Name: name("Old Friends"), URL: "https://t.me/old_friends/7"}
	k.old(Era2021)
	for _, r := range []telegram.Reply{
		{Name: name("Cabinet of Posts 🗄"), Text: name("Bold, italic, underlined, struck"), ToMessage: 4},
		{Name: name("Cabinet of Posts 🗄"), Text: name("Video"), ToMessage: 19, Cover: "https://cdn4.telesco.pe/file/reply-thumb"},
		{Name: name("Harbor News"), Text: telegram.RichText{HTML: "Quoted <b>bold words</b>", String: "Quoted bold words"}, Channel: "harbor_news", ToMessage: 4150},
		{Name: name("Closed Room"), Text: name("From a closed chat"), URL: "https://t.me/c/1234567/5"},
	} {
		k.add("An answer").Content.Reply = &r
	}
	k.add("An answer of 2023").Content.Reply = &telegram.Reply{Name: name("Cabinet"), Text: name("Photo"), ToMessage: 11}
	k.old(Era2023)
}

func (k *cabinet) rest() {
	k.add("Buttons below").Content.Inline = []telegram.Button{
		{Title: "Open the page 🚪", URL: "https://example.com/open?a=1&b=2"}, {Title: "Vote"}, {Title: "In the app", URL: "tg://resolve?domain=tide_clock_bot"},
	}
	k.add("Every reaction").Content.Reacts = []telegram.Reaction{
		{Type: telegram.ReactionStars, Count: "2.49K"}, {Type: telegram.ReactionEmoji, Emoji: "👍", Count: "23.4K"},
		{Type: telegram.ReactionEmoji, Emoji: "❤", Count: "825"}, {Type: telegram.ReactionCustomEmoji, EmojiID: "5265077361648368841", Count: "1"},
	}
	k.add("").Type = telegram.PostUnsupported
	p := k.add("Signed and changed!")
	p.Footer.Edited, p.Footer.Author = true, &telegram.RichText{String: "Álvaro 🅰️ Quill"}
	k.add("Through a machine").Footer.ViaBot = "@like"
	k.add("Seen by one").Footer.Views = "1"
	k.add("Seen by many").Footer.Views = "1.48M"
	k.service("Cabinet of Posts 🗄 pinned «Seen by many»")
	k.service("Live stream started")
	k.service("Live stream finished (12 minutes)")
	k.service("")
	k.add("As it was in 2021: <b>bold</b> 👍 #old", media(telegram.MediaImage))
	k.old(Era2021)
	k.add(`As it was in 2023: <a href="https://example.com/x">words</a> 👍`, media(telegram.MediaVideo))
	k.old(Era2023)
	k.add("The last post of the cabinet.")
}
