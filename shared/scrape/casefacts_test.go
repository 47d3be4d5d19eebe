package scrape_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"channelapi/shared/scrape"
	"channelapi/shared/telegram"
)

const exampleCDN = "https://cdn4.telesco.pe/file/"

func play(formatted string, raw int) *telegram.Duration {
	return &telegram.Duration{Formatted: formatted, Raw: raw}
}

func TestCaseMedia(t *testing.T) {
	t.Parallel()
	video := func(url, thumb string, d *telegram.Duration) telegram.Media {
		return telegram.Media{Type: telegram.MediaVideo, URL: url, Thumb: thumb, Duration: d, Available: url != "",
			Width: 800, Height: 450}
	}
	image := func(name string) telegram.Media {
		return telegram.Media{Type: telegram.MediaImage, URL: exampleCDN + name, Available: true}
	}
	photo := func(name string) telegram.Media {
		m := image(name)
		m.ID, m.Width, m.Height = "5111222333444555666", 800, 600
		return m
	}
	sticker := func(url, thumb, format string) telegram.Media {
		return telegram.Media{Type: telegram.MediaSticker, URL: url, Thumb: thumb, Available: true, Format: format}
	}
	for _, tt := range []struct {
		name string
		id   int
		want []telegram.Media
	}{
		{"album-mixed", 321, []telegram.Media{
			video(exampleCDN+"ex-v1.mp4?token=a", exampleCDN+"ex-t1.jpg", play("0:27", 27)), image("ex-p2.jpg"),
			video(exampleCDN+"ex-v3.mp4?token=b", exampleCDN+"ex-t3.jpg", play("0:08", 8)), image("ex-p4.jpg")}},
		{"deleted-post-around", 160, []telegram.Media{image("ex-al160.jpg"), image("ex-al161.jpg")}},
		{"feed-validity", 512, []telegram.Media{photo("ex-photo512.jpg?token=a&b=c")}},
		{"link-preview-video", 361, nil},
		{"link-preview-video", 362, nil},
		{"link-preview-video", 363, nil},
		{"reply-variants", 431, nil},
		{"reply-variants", 432, []telegram.Media{photo("ex-own.jpg")}},
		{"service-messages", 403, []telegram.Media{image("ex-newavatar.jpg")}},
		{"stickers-three", 331, []telegram.Media{sticker(exampleCDN+"ex-sticker.webp?token=s1", "", "webp")}},
		{"stickers-three", 332, []telegram.Media{
			sticker(exampleCDN+"ex-sticker.tgs?token=s2", exampleCDN+"ex-sticker-still.webp?token=s2b", "tgs")}},
		{"stickers-three", 333, []telegram.Media{
			sticker(exampleCDN+"ex-vsticker.webm?token=s3", exampleCDN+"ex-vsticker-poster.webp", "webm")}},
		{"video-too-big", 301, []telegram.Media{video("", exampleCDN+"ex-thumb301.jpg", play("1:02:05", 3725))}},
		{"video-too-big", 302, []telegram.Media{video("", "", play("1:30", 90))}},
		{"video-too-big", 303, []telegram.Media{
			video(exampleCDN+"ex-video303.mp4?token=AbC-_1&x=2", exampleCDN+"ex-thumb303.jpg", play("0:42", 42))}},
	} {
		got := casePost(t, tt.name, tt.id).Content.Media
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s %d: media (-want +got):\n%s", tt.name, tt.id, diff)
		}
	}
}

func TestCaseIDsAndCursors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		page string
		ids  []int
		want telegram.Offset
	}{
		{"album-mixed/input.html", []int{321}, telegram.Offset{}},
		{"deep-nesting/input.html", []int{231, 232}, telegram.Offset{}},
		{"deleted-post-around/input.html", []int{148, 149, 151, 152, 160}, telegram.Offset{Before: 148, After: 160}},
		{"pagination-no-prev/input.html", []int{41, 42, 44, 58}, telegram.Offset{}},
		{"pagination-no-prev/input2.html", nil, telegram.Offset{}},
		{"service-messages/input.html", []int{401, 402, 403, 404}, telegram.Offset{}},
		{"video-too-big/input.html", []int{301, 302, 303}, telegram.Offset{}},
	} {
		p := casePage(t, tt.page)
		var ids []int
		for _, post := range p.Posts {
			ids = append(ids, post.ID)
		}
		if !slices.Equal(ids, tt.ids) || p.Offset != tt.want {
			t.Errorf("%s: posts %v, offset %+v, want %v, %+v", tt.page, ids, p.Offset, tt.ids, tt.want)
		}
		if p.Posts == nil {
			t.Errorf("%s: posts are nil, which JSON would write as null", tt.page)
		}
	}
	if got, want := casePost(t, "album-mixed", 321).Album, []int{321, 322, 323, 324}; !slices.Equal(got, want) {
		t.Errorf("album = %v, want %v", got, want)
	}
}

func TestCaseDates(t *testing.T) {
	t.Parallel()
	for id, want := range map[int]telegram.Date{
		531: {String: "2024-02-29T23:30:00+00:00", Unix: 1709249400},
		532: {String: "2024-02-29T23:30:00+00:00", Unix: 1709249400},
		533: {String: "2024-12-31T23:59:59+00:00", Unix: 1735689599},
		534: {String: "2019-10-27T10:30:00+00:00", Unix: 1572172200},
	} {
		if got := casePost(t, "date-timezone", id).Footer.Date; got == nil || *got != want {
			t.Errorf("post %d: date %+v, want %+v", id, got, want)
		}
	}
}

func TestCaseFooters(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, page string
		id         int
		edited     bool
		author     string
		views      string
		count      int64
		kind       telegram.PostType
	}{
		{"guid-stability", "input.html", 521, false, "", "10", 10, "message"},
		{"guid-stability", "input2.html", 521, true, "", "25", 25, "message"},
		{"guid-stability", "input.html", 522, false, "edited by Ed", "1.2K", 1200, "message"},
		{"guid-stability", "input.html", 523, true, "Ann", "1.2K", 1200, "message"},
		{"counters-suffix", "input.html", 471, false, "", "12.3M", 12300000, "message"},
		{"counters-suffix", "input.html", 472, false, "", "999", 999, "message"},
		{"counters-suffix", "input.html", 473, false, "", "1.05K", 1050, "message"},
		{"custom-emoji-fallback", "input.html", 181, false, "", "1.2K", 1200, "message"},
		{"service-messages", "input.html", 401, false, "", "", 0, "service"},
		{"service-messages", "input.html", 402, false, "", "3.1M", 3100000, "message"},
		{"service-messages", "input.html", 403, false, "", "", 0, "service"},
		{"service-messages", "input.html", 404, false, "", "", 0, "service"},
	} {
		posts := casePage(t, tt.name+"/"+tt.page).Posts
		p := posts[slices.IndexFunc(posts, func(p telegram.Post) bool { return p.ID == tt.id })]
		var author string
		if p.Footer.Author != nil {
			author = p.Footer.Author.String
		}
		var count int64
		if p.Footer.ViewsCount != nil {
			count = *p.Footer.ViewsCount
		}
		if p.Footer.Edited != tt.edited || author != tt.author || p.Footer.Views != tt.views || count != tt.count || p.Type != tt.kind {
			t.Errorf("%s %d: %+v, author %q, count %d, type %s; want %+v", tt.name, tt.id, p.Footer, author, count, p.Type, tt)
		}
	}
}

func TestCasePolls(t *testing.T) {
	t.Parallel()
	count := func(n int64) *int64 { return &n }
	for id, want := range map[int]telegram.Poll{
		411: {Question: "Tea & coffee?", Type: "Anonymous Poll", Votes: "1.2K", VotesCount: count(1200), Anonymous: true,
			Options: []telegram.PollOption{{Name: "Tea 🍵", Percent: 62}, {Name: "Coffee", Percent: 38}}},
		412: {Question: "Let's pick", Type: "Anonymous Quiz", Votes: "0", VotesCount: count(0), Anonymous: true, Quiz: true,
			Options: []telegram.PollOption{{Name: "A"}, {Name: "B"}}},
		413: {Question: "Done?", Type: "Final Results", Closed: true,
			Options: []telegram.PollOption{{Name: "x", Percent: 34}, {Name: "y", Percent: 34}, {Name: "z", Percent: 33}}},
	} {
		if diff := cmp.Diff(&want, casePost(t, "poll-quiz", id).Content.Poll); diff != "" {
			t.Errorf("post %d: poll (-want +got):\n%s", id, diff)
		}
	}
	if got := casePost(t, "poll-quiz", 411).Footer.Views; got != "8.4K" {
		t.Errorf("views = %q, want 8.4K", got)
	}
}

func TestCaseReactions(t *testing.T) {
	t.Parallel()
	image := func(name string) string { return "https://telegram.org/img/emoji/40/" + name + ".png" }
	for id, want := range map[int][]telegram.Reaction{
		441: {
			{Count: "16.8K", Type: "telegram_stars", Emoji: "⭐", Total: 16800},
			{Count: "1.2K", Type: "emoji", Emoji: "👍", EmojiImage: image("F09F918D"), Total: 1200},
			{Count: "57", Type: "emoji", Emoji: "❤️‍🔥", EmojiImage: image("E29DA4E2808DF09F94A5"), Total: 57},
			{Count: "19", Type: "custom_emoji", EmojiID: "5190660975866437599", Total: 19},
		},
		442: nil,
		443: {{Count: "2", Type: "emoji", Emoji: "🔥", EmojiImage: image("F09F94A5"), Total: 2}},
	} {
		if diff := cmp.Diff(want, casePost(t, "reactions-stars-custom", id).Content.Reacts); diff != "" {
			t.Errorf("post %d: reactions (-want +got):\n%s", id, diff)
		}
	}
}

func TestCaseReplies(t *testing.T) {
	t.Parallel()
	same := func(s string) telegram.RichText { return telegram.RichText{String: s, HTML: s} }
	for id, want := range map[int]telegram.Reply{
		431: {Cover: exampleCDN + "ex-replythumb.jpg", Name: same("Example Channel"), Text: same("Video"), ToMessage: 19,
			Channel: "example_channel", URL: "https://t.me/example_channel/19"},
		432: {Name: same("Example Channel"), Text: telegram.RichText{String: "Quoted bold words", HTML: "Quoted <b>bold words</b>"},
			ToMessage: 430, Channel: "example_channel", URL: "https://t.me/example_channel/430"},
		433: {Name: same("Closed Room"), Text: same("From a closed chat"), ToMessage: 5, URL: "https://t.me/c/1234567/5"},
		434: {Name: same("Other"), Text: same("Elsewhere"), ToMessage: 12, Channel: "other_channel",
			URL: "https://t.me/other_channel/12?single"},
	} {
		if diff := cmp.Diff(&want, casePost(t, "reply-variants", id).Content.Reply); diff != "" {
			t.Errorf("post %d: reply (-want +got):\n%s", id, diff)
		}
	}
}

func TestCaseLinkPreviews(t *testing.T) {
	t.Parallel()
	for id, want := range map[int]telegram.LinkPreview{
		361: {URL: "https://video.example.com/watch?v=1&t=2", SiteName: "Example Video", Title: "A & B clip",
			Description: &telegram.RichText{String: "Line one\nline two 🎵", HTML: "Line one<br>line two 🎵"},
			Thumb:       exampleCDN + "ex-lpthumb.jpg",
			Video: &telegram.PreviewVideo{URL: exampleCDN + "ex-lp.mp4?token=q", Thumb: exampleCDN + "ex-lpthumb.jpg",
				Duration: play("1:59", 119)}},
		362: {URL: "https://example.com/article", SiteName: "Example", Title: "Small picture", Thumb: exampleCDN + "ex-right.jpg"},
		363: {URL: "https://example.com/big", SiteName: "Example", Thumb: exampleCDN + "ex-big.jpg"},
	} {
		if diff := cmp.Diff(&want, casePost(t, "link-preview-video", id).Content.PreviewLink); diff != "" {
			t.Errorf("post %d: preview (-want +got):\n%s", id, diff)
		}
	}
}

func TestCaseChannel(t *testing.T) {
	t.Parallel()
	got := casePage(t, "counters-suffix/input.html").Channel
	want := telegram.Channel{
		Username: "example_channel", Title: telegram.RichText{String: "Example Channel", HTML: "Example Channel"},
		Description: &telegram.RichText{String: "A neutral channel for tests", HTML: "A neutral channel for tests"},
		Avatar:      exampleCDN + "ex-avatar.jpg", Labels: []string{"verified"}, ID: 1001234567,
		Counters: telegram.Counters{Subscribers: "6.4M", Photos: "208K", Videos: "1", Links: "1.11K"},
		Counts:   telegram.Counts{Subscribers: 6400000, Photos: 208000, Videos: 1, Links: 1110},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("channel (-want +got):\n%s", diff)
	}
}

func TestCaseLanding(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join(casesDir, "counters-suffix/preview.html"))
	if err != nil {
		t.Fatal(err)
	}
	name, err := telegram.ParseUsername("name", "Example_channel")
	if err != nil {
		t.Fatal(err)
	}
	got, err := scrape.Landing(page, name)
	if err != nil {
		t.Fatalf("Landing: %v", err)
	}
	count := int64(6400358)
	want := telegram.Preview{
		Type: telegram.KindChannel, Username: "example_channel", HasPublicPage: true, Count: &count,
		Channel: telegram.PreviewChannel{Title: "Example Channel", Subscribers: "6 400 358",
			Description: "First line\nSecond & last", Avatar: exampleCDN + "ex-avatar.jpg", IsVerified: true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Landing (-want +got):\n%s", diff)
	}
}

// TestLandingFragments: the middle of a landing page tells as much without its frame; other fragments tell nothing.
func TestLandingFragments(t *testing.T) {
	t.Parallel()
	title := func(name, extra string) string {
		return `<div class="tgme_page_title"><span dir="auto">` + name + `</span></div><div class="tgme_page_extra">` + extra + `</div>`
	}
	for fragment, want := range map[string]string{
		title("Harbour", "12 345 subscribers") + `<div class="tgme_page_description">Words</div>`: "channel",
		title("Tram lovers", "2 620 members, 18 online"):                                          "group",
		title("Clock", "@tide_clock_bot") + `<a class="tgme_action_button_new">Start Bot</a>`:     "bot",
		title("Odile", "@odile_marsh") + `<a class="tgme_action_button_new">Send Message</a>`:     "user",
		`<meta name="robots" content="noindex, nofollow"><div class="tgme_page_icon"></div>`:      "not_found",
		title("Harbour", "12 345 subscribers") + `<div class="tgme_page_desc`:                     "unreadable_page",
		`<div>busy</div>`: "unreadable_page",
		"":                "unreadable_page",
	} {
		p, err := scrape.Landing([]byte(fragment), telegram.Username{})
		got := string(p.Type)
		if err != nil {
			got = string(telegram.Code(err))
		}
		if got != want {
			t.Errorf("Landing(%q) = %s, want %s", fragment, got, want)
		}
	}
}
