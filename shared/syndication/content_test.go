package syndication

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"channelapi/shared/telegram"
)

func rich(s string) telegram.RichText { return telegram.RichText{String: s, HTML: escape(s)} }

func TestContent(t *testing.T) {
	t.Parallel()
	const file = "https://api.example/v1/media/quiet_garden/9/0"
	description := rich("About <it>")
	tests := map[string]struct {
		post telegram.Post
		want string
	}{
		"nothing": {want: `<p><a href="https://t.me/Quiet_Garden/9">Post 9</a></p>`},
		"forwarded": {
			post: telegram.Post{Forwarded: &telegram.Forwarded{Name: rich("A & B"), URL: "https://t.me/source/1"}, Content: text("x")},
			want: `<p>Forwarded from <a href="https://t.me/source/1">A &amp; B</a></p><div>x</div>`,
		},
		"hidden source": {
			post: telegram.Post{Forwarded: &telegram.Forwarded{Name: rich("Ann")}, Content: text("x")},
			want: `<p>Forwarded from Ann</p><div>x</div>`,
		},
		"reply": {
			post: telegram.Post{Content: telegram.PostContent{Reply: &telegram.Reply{Name: rich("Ann"), Text: rich("old"), URL: "https://t.me/abcd/1"}}},
			want: `<blockquote><a href="https://t.me/abcd/1"><b>Ann</b></a><br>old</blockquote>`,
		},
		"photo": {
			post: telegram.Post{Content: telegram.PostContent{Media: []telegram.Media{{Type: telegram.MediaImage, URL: "u", Width: 800, Height: 600}}}},
			want: `<p><img src="` + file + `" alt="Photo" width="800" height="600"></p>`,
		},
		"withheld video": {
			post: telegram.Post{Content: telegram.PostContent{Media: []telegram.Media{{Type: telegram.MediaVideo, Thumb: "u",
				Duration: &telegram.Duration{Formatted: "1:02:05"}}}}},
			want: `<p><a href="https://t.me/Quiet_Garden/9"><img src="` + file + `?thumb=1" alt="Video"></a><br>` +
				`<a href="https://t.me/Quiet_Garden/9">Video (1:02:05)</a></p>`,
		},
		"voice": {
			post: telegram.Post{Content: media(telegram.MediaVoice)},
			want: `<p>Voice message<br><audio controls preload="none" src="` + file + `"><a href="` + file + `">Voice message</a></audio></p>`,
		},
		"animated sticker": {
			post: telegram.Post{Content: telegram.PostContent{Media: []telegram.Media{{Type: telegram.MediaSticker, URL: "u", Format: "tgs"}}}},
			want: `<p><a href="` + file + `">Sticker</a></p>`,
		},
		"poll": {
			post: telegram.Post{Content: telegram.PostContent{Poll: &telegram.Poll{Question: "Tea?", Type: "Anonymous Poll", Votes: "1.2K",
				Options: []telegram.PollOption{{Name: "Yes", Percent: 84}, {Name: "<No>", Percent: 16}}}}},
			want: `<p>📊 <b>Tea?</b><br><i>Anonymous Poll, 1.2K votes</i></p><ul><li>Yes – 84%</li><li>&lt;No&gt; – 16%</li></ul>`,
		},
		"venue": {
			post: telegram.Post{Content: telegram.PostContent{Location: &telegram.Location{Title: "Mill", Address: "1 Lane", Map: "https://maps.example/?q=1&z=2"}}},
			want: `<p>📍 <a href="https://maps.example/?q=1&amp;z=2">Mill</a><br>1 Lane</p>`,
		},
		"point": {
			post: telegram.Post{Content: telegram.PostContent{Location: &telegram.Location{Latitude: 1.5, Longitude: -2}}},
			want: `<p>📍 <a href="https://www.openstreetmap.org/?mlat=1.5&amp;mlon=-2">1.5, -2</a></p>`,
		},
		"contact": {
			post: telegram.Post{Content: telegram.PostContent{Contact: &telegram.Contact{Name: "Ann", Phone: "+1 555 0100"}}},
			want: `<p>👤 Ann<br>+1 555 0100</p>`,
		},
		"link preview": {
			post: telegram.Post{Content: telegram.PostContent{PreviewLink: &telegram.LinkPreview{URL: "https://e.example", Title: "T", SiteName: "S",
				Description: &description, Video: &telegram.PreviewVideo{Thumb: "https://cdn.example/t"}}}},
			want: `<blockquote><a href="https://e.example"><b>T</b></a> – S<br>About &lt;it&gt;<br>` +
				`<a href="https://e.example"><img src="https://cdn.example/t" alt="T"></a></blockquote>`,
		},
		"buttons": {
			post: telegram.Post{Content: telegram.PostContent{Inline: []telegram.Button{{Title: "A", URL: "https://a.example"}, {Title: "B", URL: "javascript:x"}}}},
			want: `<p><a href="https://a.example">A</a> · B</p>`,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tt.post.ID = 9
			got := newEntry(&Item{Channel: garden(), Post: tt.post}, request).content
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("content (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTagsAndAuthors(t *testing.T) {
	t.Parallel()
	c := text("🙂 #News and #news and #other@quiet_garden",
		telegram.Entity{Offset: 3, Length: 5, Type: telegram.EntityHashtag},
		telegram.Entity{Offset: 13, Length: 5, Type: telegram.EntityHashtag},
		telegram.Entity{Offset: 23, Length: 19, Type: telegram.EntityHashtag})
	it := post(2, 1, c)
	it.Post.Footer.Author = &telegram.RichText{String: "Ann"}
	for format, read := range all(t, Feed{Items: []Item{it}}, request) {
		got := read.Items[0]
		if diff := cmp.Diff([]string{"News", "other"}, got.Categories); diff != "" {
			t.Errorf("%s categories (-want +got):\n%s", format, diff)
		}
		var names []string
		for _, a := range got.Authors {
			names = append(names, a.Name)
		}
		if format == RSS {
			names = got.DublinCoreExt.Creator
		}
		if want := "Quiet & Garden, Ann"; strings.Join(names, ", ") != want {
			t.Errorf("%s authors = %q, want %q", format, names, want)
		}
	}
}

// An edit, a new token of a picture and another spelling of the name leave the id and the dates alone.
func TestStableIDs(t *testing.T) {
	t.Parallel()
	before, after := post(521, 1740823200, text("Old words")), post(521, 1740823200, text("New words"))
	before.Post.Content.Media = media(telegram.MediaImage).Media
	after.Post.Content.Media = []telegram.Media{{Type: telegram.MediaImage, URL: "https://cdn.example/f?token=2"}}
	after.Post.Footer.Edited, after.Channel.Username = true, "quiet_GARDEN"
	first := all(t, Feed{Items: []Item{before}}, request)
	rq := Request{SelfURL: "https://other.example/f", BaseURL: "https://other.example"}
	for format, read := range all(t, Feed{Items: []Item{after}}, rq) {
		a, b := first[format].Items[0], read.Items[0]
		if a.GUID != b.GUID || a.GUID != "https://t.me/quiet_garden/521" || a.Published != b.Published || a.Updated != b.Updated {
			t.Errorf("%s: %q %q %q, then %q %q %q", format, a.GUID, a.Published, a.Updated, b.GUID, b.Published, b.Updated)
		}
		if a.Title == b.Title {
			t.Errorf("%s title is still %q", format, b.Title)
		}
	}
}
