package syndication

import (
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"channelapi/shared/telegram"
)

func text(s string, entities ...telegram.Entity) telegram.PostContent {
	return telegram.PostContent{Text: &telegram.Text{String: s, HTML: escape(s), Entities: entities}}
}

func media(types ...telegram.MediaType) telegram.PostContent {
	var c telegram.PostContent
	for _, t := range types {
		c.Media = append(c.Media, telegram.Media{Type: t, URL: "https://cdn.example/f", Available: true})
	}
	return c
}

func TestTitle(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 40)
	tests := map[string]struct {
		content telegram.PostContent
		typ     telegram.PostType
		mode    TitleMode
		want    string
	}{
		"first sentence":           {content: text("Rain today. Sun tomorrow.\nMore"), want: "Rain today."},
		"first line":               {content: text("Rain today. Sun tomorrow.\nMore"), mode: TitleLine, want: "Rain today. Sun tomorrow."},
		"none":                     {content: text("Rain today."), mode: TitleNone, want: ""},
		"number keeps its point":   {content: text("Version 1.5 is out! Get it"), want: "Version 1.5 is out!"},
		"abbreviation":             {content: text("Dr. Ada met J. Roe. They spoke."), want: "Dr. Ada met J. Roe."},
		"list number":              {content: text("1. Take an egg. 2. Boil it."), want: "1. Take an egg."},
		"small letter goes on":     {content: text("Well... maybe so. Yes."), want: "Well... maybe so."},
		"closing quote":            {content: text("«Пора!» Он встал."), want: "«Пора!»"},
		"full-width stop":          {content: text("今日は雨。明日は晴れ。"), want: "今日は雨。"},
		"line of signs is skipped": {content: text("⚡️⚡️\n\nNews here"), want: "News here"},
		"only signs":               {content: text("🔥🔥"), want: "🔥🔥"},
		"blanks become single":     {content: text("\n\n  a \t b\u00a0c  \n"), want: "a b c"},
		"markup is text":           {content: text(`Use <b> & "q" ]]> now`), want: `Use <b> & "q" ]]> now`},
		"control characters go":    {content: text("a\vb\u0007c\uFFFEd"), want: "abcd"},
		"cut at a word":            {content: text(long), want: long[:99] + "…"},
		"spoiler": {content: text("🙂 It was the butler, yes",
			telegram.Entity{Offset: 10, Length: 10, Type: telegram.EntitySpoiler}), want: "🙂 It was …, yes"},
		"photo":         {content: media(telegram.MediaImage, telegram.MediaVideo), want: "Photo"},
		"video":         {content: media(telegram.MediaVideo), want: "Video"},
		"gif":           {content: media(telegram.MediaGIF), want: "GIF"},
		"round video":   {content: media(telegram.MediaRoundVideo), want: "Video message"},
		"voice":         {content: media(telegram.MediaVoice), want: "Voice message"},
		"sticker":       {content: media(telegram.MediaSticker), want: "Sticker"},
		"blank text":    {content: telegram.PostContent{Text: &telegram.Text{String: " \n"}, Media: media(telegram.MediaImage).Media}, want: "Photo"},
		"poll":          {content: telegram.PostContent{Poll: &telegram.Poll{Question: "Tea or\ncoffee?"}}, want: "Poll: Tea or coffee?"},
		"document":      {content: telegram.PostContent{Media: []telegram.Media{{Type: telegram.MediaDocument, FileName: "a.pdf"}}}, want: "File: a.pdf"},
		"music":         {content: telegram.PostContent{Media: []telegram.Media{{Type: telegram.MediaAudio, Title: "Song", Performer: "Ann"}}}, want: "Audio: Ann – Song"},
		"location":      {content: telegram.PostContent{Location: &telegram.Location{}}, want: "Location"},
		"venue":         {content: telegram.PostContent{Location: &telegram.Location{Title: "Old Mill"}}, want: "Location: Old Mill"},
		"contact":       {content: telegram.PostContent{Contact: &telegram.Contact{Name: "Ann"}}, want: "Contact: Ann"},
		"link preview":  {content: telegram.PostContent{PreviewLink: &telegram.LinkPreview{Title: "A page"}}, want: "A page"},
		"nothing":       {want: "Post 7"},
		"withheld post": {content: text("Please look elsewhere"), typ: telegram.PostUnsupported, want: "Post 7"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &telegram.Post{ID: 7, Content: tt.content, Type: tt.typ}
			if got := clean(title(p, tt.mode)); got != tt.want {
				t.Errorf("title(%q) = %q, want %q", tt.mode, got, tt.want)
			}
		})
	}
}

// Cuts never split a character, whatever stands at the limit.
func TestCut(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]string{
		"astral letters": strings.Repeat("𝔘", 80),
		"families":       strings.Repeat("👨‍👩‍👧", 30),
		"skin tones":     strings.Repeat("👍🏽", 40),
		"accents":        strings.Repeat("e\u0301", 80),
		"letters":        strings.Repeat("ж", 200),
		"one space":      "a " + strings.Repeat("b", 200),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for limit := 20; limit <= maxTitle; limit++ {
				got := cut(s, limit)
				body, ok := strings.CutSuffix(got, "…")
				if n := len(utf16.Encode([]rune(got))); n > limit || !ok || !utf8.ValidString(got) || !strings.HasPrefix(s, body) {
					t.Fatalf("cut(%q, %d) = %q of %d units", s, limit, got, n)
				}
				if next, _ := utf8.DecodeRuneInString(s[len(body):]); body == "" || joins(next) || strings.HasSuffix(body, "\u200d") {
					t.Fatalf("cut(%q, %d) = %q splits a character", s, limit, got)
				}
			}
		})
	}
	if got, want := cut("short", maxTitle), "short"; got != want {
		t.Errorf("cut(%q) = %q, want it whole", want, got)
	}
}
