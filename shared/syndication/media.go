package syndication

import (
	"fmt"
	"strings"

	"channelapi/shared/telegram"
)

// enclosure is a file of a post under an address that does not expire.
type enclosure struct {
	url, thumb, mime, title string
	medium                  string // image, video, audio or document
	size                    int64  // 0: unknown
	seconds, width, height  int    // 0: unknown
}

// enclosures gives the files that the page gives addresses of; a withheld video or a document has none.
func enclosures(it Item, base string) []enclosure {
	var list []enclosure
	for n, m := range it.Post.Content.Media {
		if m.URL == "" {
			continue
		}
		e := enclosure{url: mediaURL(it, base, n), mime: mediaType(m), title: clean(mediaTitle(m)), medium: medium(m),
			width: m.Width, height: m.Height}
		if m.Thumb != "" {
			e.thumb = e.url + "?thumb=1"
		}
		if m.Size != nil {
			e.size = m.Size.Bytes
		}
		if m.Duration != nil {
			e.seconds = m.Duration.Raw
		}
		list = append(list, e)
	}
	return list
}

// mediaURL is the address of this API that redirects to the present address of a post's n-th media.
func mediaURL(it Item, base string, n int) string {
	return fmt.Sprintf("%s/v1/media/%s/%d/%d", base, key(it.Channel.Username), it.Post.ID, n)
}

func mediaType(m telegram.Media) string {
	switch m.Type {
	case telegram.MediaImage:
		return "image/jpeg"
	case telegram.MediaVideo, telegram.MediaRoundVideo, telegram.MediaGIF:
		return "video/mp4"
	case telegram.MediaVoice:
		return "audio/ogg"
	case telegram.MediaAudio:
		return "audio/mpeg"
	case telegram.MediaSticker:
		switch m.Format {
		case "webm":
			return "video/webm"
		case "tgs":
			return "application/x-tgsticker"
		}
		return "image/webp"
	}
	return "application/octet-stream"
}

func medium(m telegram.Media) string {
	kind, _, _ := strings.Cut(mediaType(m), "/")
	if kind == "image" || kind == "video" || kind == "audio" {
		return kind
	}
	return "document"
}

// mediaTitle names a file by its own words, "" where it has none.
func mediaTitle(m telegram.Media) string {
	switch {
	case m.Title != "" && m.Performer != "":
		return m.Performer + " – " + m.Title
	case m.Title != "":
		return m.Title
	}
	return m.FileName
}

// mediaName says what kind of thing a media is.
func mediaName(m telegram.Media) string {
	switch m.Type {
	case telegram.MediaImage:
		return "Photo"
	case telegram.MediaVideo:
		return "Video"
	case telegram.MediaGIF:
		return "GIF"
	case telegram.MediaRoundVideo:
		return "Video message"
	case telegram.MediaVoice:
		return "Voice message"
	case telegram.MediaAudio:
		return "Audio"
	case telegram.MediaSticker:
		return "Sticker"
	}
	return "File"
}
