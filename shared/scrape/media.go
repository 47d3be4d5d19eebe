package scrape

import (
	"slices"
	"strings"

	"golang.org/x/net/html"

	"channelapi/shared/sanitize"
	"channelapi/shared/telegram"
)

// add appends a media, one that has an address as available. The item of an album links to a post of its own.
func (r *reader) add(m telegram.Media, n *html.Node) {
	m.Available = m.URL != ""
	r.post.Content.Media = append(r.post.Content.Media, m)
	if href := attr(n, "href"); strings.HasSuffix(href, "?single") {
		r.addToAlbum(r.post.ID)
		r.addToAlbum(lastNumber(href))
	}
}

func (r *reader) addToAlbum(id int) {
	if id > 0 && !slices.Contains(r.post.Album, id) {
		r.post.Album = append(r.post.Album, id)
	}
}

func (r *reader) photo(n *html.Node) {
	m := telegram.Media{Type: telegram.MediaImage, URL: background(n), ID: photoID(n)}
	// In an album the element's style is layout: no size there.
	if !sanitize.HasClass(n, "grouped_media_wrap") {
		m.Width, m.Height = frameSize(n, find(n, "tgme_widget_message_photo"))
	}
	r.add(m, n)
}

// photoID gives the class of a photo that is all digits; it stays the same while the address changes.
func photoID(n *html.Node) string {
	for class := range strings.FieldsSeq(attr(n, "class")) {
		if strings.Trim(class, "0123456789") == "" {
			return class
		}
	}
	return ""
}

func (r *reader) video(n *html.Node) {
	m := telegram.Media{Type: telegram.MediaVideo}
	var player *html.Node
	shown := false // as something that is played: a button, a time
	for d := range n.Descendants() {
		if d.Type != html.ElementNode {
			continue
		}
		switch {
		case d.Data == "video":
			// A blurred copy for the background may come first.
			if !sanitize.HasClass(d, "js-message_video_blured") && player == nil {
				player = d
			}
		case sanitize.HasClass(d, "tgme_widget_message_video_thumb"):
			m.Thumb = background(d)
		case sanitize.HasClass(d, "tgme_widget_message_video_wrap"):
			m.Width, m.Height = frameSize(d, d)
		case sanitize.HasClass(d, "message_video_play"):
			shown = true
		case sanitize.HasClass(d, "message_video_duration"):
			m.Duration = r.duration(d)
			shown = true
		}
	}
	if player != nil {
		m.URL = webAddress(attr(player, "src"))
		m.ID = fileID(m.URL)
		if !shown && hasAttr(player, "loop") {
			m.Type = telegram.MediaGIF
		}
	}
	r.add(m, n)
}

func (r *reader) roundVideo(n *html.Node) {
	m := telegram.Media{Type: telegram.MediaRoundVideo}
	if thumb := find(n, "tgme_widget_message_roundvideo_thumb"); thumb != nil {
		m.Thumb = background(thumb)
	}
	if player := findTag(n, "video"); player != nil {
		m.URL = webAddress(attr(player, "src"))
		m.ID = fileID(m.URL)
	}
	if time := find(n, "tgme_widget_message_roundvideo_duration"); time != nil {
		m.Duration = r.duration(time)
	}
	r.add(m, n)
}

func (r *reader) voice(n *html.Node) {
	m := telegram.Media{Type: telegram.MediaVoice}
	if audio := findTag(n, "audio"); audio != nil {
		if m.URL = webAddress(attr(audio, "src")); m.URL == "" {
			m.URL = webAddress(attr(audio, "data-ogg"))
		}
		m.ID = fileID(m.URL)
		m.Waves = sanitize.Clean(attr(audio, "data-waveform"))
	}
	if time := find(n, "tgme_widget_message_voice_duration"); time != nil {
		m.Duration = r.duration(time)
	}
	r.add(m, n)
}

// servicePhoto is the new picture of a channel, in a service post.
func (r *reader) servicePhoto(n *html.Node) {
	if img := findTag(n, "img"); img != nil {
		if address := webAddress(attr(img, "src")); address != "" {
			r.add(telegram.Media{Type: telegram.MediaImage, URL: address}, n)
		}
	}
}

func (r *reader) duration(n *html.Node) *telegram.Duration {
	text := r.side.plain(n)
	raw, ok := seconds(text)
	if !ok {
		return nil
	}
	return &telegram.Duration{Formatted: text, Raw: raw}
}

// fileID gives the name of a file where it is one that outlives the address: ".../file/3d8e6da6a4.mp4?token=…".
func fileID(address string) string {
	if i := strings.IndexByte(address, '?'); i >= 0 {
		address = address[:i]
	}
	name, _, _ := strings.Cut(address[strings.LastIndexByte(address, '/')+1:], ".")
	if len(name) < 8 || len(name) > 32 || strings.Trim(name, "0123456789abcdef") != "" {
		return ""
	}
	return name
}
