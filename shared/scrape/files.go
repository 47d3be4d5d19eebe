package scrape

import (
	"strings"

	"golang.org/x/net/html"

	"channelapi/shared/sanitize"
	"channelapi/shared/telegram"
)

// document is a file or a piece of music. The page shows its name and never an address.
func (r *reader) document(n *html.Node) {
	title := r.side.plain(find(n, "tgme_widget_message_document_title"))
	extra := r.side.plain(find(n, "tgme_widget_message_document_extra"))
	m := telegram.Media{Type: telegram.MediaDocument, FileName: title}
	if icon := find(n, "tgme_widget_message_document_icon"); icon != nil && sanitize.HasClass(icon, "audio") {
		m = telegram.Media{Type: telegram.MediaAudio, Title: title, Performer: extra}
	} else if bytes, ok := size(extra); ok {
		m.Size = &telegram.Size{Formatted: extra, Bytes: bytes}
	}
	if thumb := find(n, "tgme_widget_message_document_thumb"); thumb != nil {
		m.Thumb = background(thumb)
	}
	r.add(m, n)
}

// sticker is one of three: a picture, a vector animation, a video. n is its wrap or, in older pages, itself.
func (r *reader) sticker(n *html.Node) {
	m := telegram.Media{Type: telegram.MediaSticker}
	stickerPart(&m, n)
	for d := range n.Descendants() {
		if d.Type == html.ElementNode {
			stickerPart(&m, d)
		}
	}
	m.ID = fileID(m.URL)
	if m.Format == "" {
		return
	}
	r.add(m, n)
}

func stickerPart(m *telegram.Media, n *html.Node) {
	switch {
	case n.Data == "video":
		m.URL, m.Format = webAddress(attr(n, "src")), "webm"
	case n.Data == "source":
		stickerSource(m, attr(n, "type"), firstSource(attr(n, "srcset")))
	case n.Data == "img":
		if still := webAddress(attr(n, "src")); still != "" && m.Thumb == "" {
			m.Thumb = still
		}
	case sanitize.HasClass(n, "tgme_widget_message_sticker"):
		m.Format = "webp"
		// The background is only a shimmer while the picture loads, except in pages without data-webp.
		if m.URL = webAddress(attr(n, "data-webp")); m.URL == "" {
			m.URL = background(n)
		}
	case sanitize.HasClass(n, "tgme_widget_message_videosticker"), sanitize.HasClass(n, "tgme_widget_message_tgsticker"):
		if m.Format = "tgs"; sanitize.HasClass(n, "tgme_widget_message_videosticker") {
			m.Format = "webm"
		}
	}
}

func stickerSource(m *telegram.Media, kind, address string) {
	switch kind {
	case "application/x-tgsticker":
		m.URL, m.Format = address, "tgs"
	case "image/webp", "image/png":
		m.Thumb = address
	}
}

// firstSource gives the first address of a srcset.
func firstSource(srcset string) string {
	address, _, _ := strings.Cut(strings.TrimSpace(srcset), " ")
	return webAddress(address)
}
