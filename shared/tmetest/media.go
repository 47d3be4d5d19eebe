package tmetest

import (
	"fmt"
	"strconv"
	"strings"

	"channelapi/shared/telegram"
)

// media draws the attachments: an album as one group, files one below the other.
func (m *message) media() {
	if m.p.Type == telegram.PostService {
		for n, a := range m.p.Content.Media {
			m.f(`<a class="tgme_widget_message_service_photo" href="%s"><img src="%s"></a>`, m.href(0), m.picture(a.URL, n, ".jpg"))
		}
		return
	}
	if len(m.p.Album) > 1 && visual(m.p.Content.Media) {
		m.album()
		return
	}
	for n, a := range m.p.Content.Media {
		item := 0
		if n < len(m.p.Album) && len(m.p.Album) > 1 {
			item = m.p.Album[n]
		}
		m.single(n, a, item)
	}
}

func visual(media []telegram.Media) bool {
	return len(media) > 0 && media[0].Type != telegram.MediaDocument && media[0].Type != telegram.MediaAudio
}

func (m *message) single(n int, a telegram.Media, item int) {
	switch a.Type {
	case telegram.MediaImage:
		m.photo(n, a)
	case telegram.MediaVideo, telegram.MediaGIF:
		m.video(n, a)
	case telegram.MediaRoundVideo:
		m.roundVideo(n, a)
	case telegram.MediaVoice:
		m.voice(n, a)
	case telegram.MediaSticker:
		m.sticker(n, a)
	case telegram.MediaDocument, telegram.MediaAudio:
		m.document(a, item)
	}
}

// size gives the shape of a picture, 800 × 450 where none is given.
func size(a telegram.Media) (width int, percent string) {
	w, h := a.Width, a.Height
	if w == 0 || h == 0 {
		w, h = 800, 450
	}
	return w, trimNumber(float64(h) / float64(w) * 100)
}

// trimNumber writes a number with the up to 14 digits that t.me gives.
func trimNumber(f float64) string {
	return strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.11f", f), "0"), ".")
}

func (m *message) photo(n int, a telegram.Media) {
	width, percent := size(a)
	id := a.ID
	if id == "" {
		id = strconv.FormatInt(5_000_000_000_000_000_000+seeded(m.d.c.Username, m.p.ID, n, "photo").Int64N(500_000_000_000_000_000), 10)
	}
	m.f("<a class=\"tgme_widget_message_photo_wrap %s %d_%d\" href=\"%s\" style=\"width:%dpx;background-image:url('%s')\">\n"+
		"  <div class=\"tgme_widget_message_photo\" style=\"padding-top:%s%%\"></div>\n</a>",
		id, 1_200_000_000+m.p.ID, 460_000_000+n, m.href(0), width, m.picture(a.URL, n, ".jpg"), percent)
}

const loop = ` preload muted autoplay loop playsinline`

// video draws a player: of a video, of a GIF (no button, no duration), or an empty one where the file is too big.
func (m *message) video(n int, a telegram.Media) {
	withheld := !a.Available && a.URL == "" && a.Thumb != "" && a.Type == telegram.MediaVideo
	class, label := "", "This media is not supported in your browser"
	if withheld {
		class, label = " not_supported", "Media is too big"
	}
	width, percent := size(a)
	m.f(`<a class="tgme_widget_message_video_player%s js-message_video_player" href="%s">`, class, m.href(0))
	m.f("<i class=\"tgme_widget_message_video_thumb\" style=\"background-image:url('%s')\"></i>\n\n", m.picture(a.Thumb, n, ""))
	m.f("<div class=\"tgme_widget_message_video_wrap\" style=\"width:%dpx;padding-top:%s%%\">\n", width, percent)
	if !withheld {
		m.videoTag(n, a)
	}
	m.f("</div>\n")
	m.videoEnd(a, label)
}

func (m *message) videoTag(n int, a telegram.Media) {
	flags := ""
	if a.Type == telegram.MediaGIF {
		flags = loop
	}
	m.f("  <video src=\"%s\" class=\"tgme_widget_message_video js-message_video\" width=\"100%%\" height=\"100%%\"%s></video>\n",
		m.file(a.URL, a.ID, n, ".mp4"), flags)
}

func (m *message) videoEnd(a telegram.Media, label string) {
	if a.Type == telegram.MediaVideo {
		m.f("<div class=\"message_video_play js-message_video_play\"></div>\n")
		m.f("<time class=\"message_video_duration js-message_video_duration\">%s</time>\n", duration(a.Duration))
	} else {
		m.f("\n")
	}
	m.notSupported(label, "")
	m.f("</a>")
}

func duration(d *telegram.Duration) string {
	switch {
	case d == nil:
		return "0:15"
	case d.Formatted != "":
		return d.Formatted
	case d.Raw >= 3600:
		return fmt.Sprintf("%d:%02d:%02d", d.Raw/3600, d.Raw/60%60, d.Raw%60)
	}
	return fmt.Sprintf("%d:%02d", d.Raw/60, d.Raw%60)
}

func (m *message) roundVideo(n int, a telegram.Media) {
	m.f("<div class=\"tgme_widget_message_roundvideo_player js-message_roundvideo_player\">\n  <div class=\"tgme_widget_message_roundvideo_wrap\">\n")
	m.f("    <i class=\"tgme_widget_message_roundvideo_thumb\" style=\"background-image:url('%s')\"></i>\n", m.picture(a.Thumb, n, ""))
	m.f("    <video class=\"tgme_widget_message_roundvideo js-message_roundvideo\" src=\"%s\" width=\"100%%\" height=\"100%%\"%s></video>\n",
		m.file(a.URL, a.ID, n, ".mp4"), loop)
	m.f("    <div class=\"tgme_widget_message_roundvideo_muted\"></div>\n    <div class=\"tgme_widget_message_roundvideo_border\"></div>\n  </div>\n")
	m.notSupported("This media is not supported in your browser", m.href(0))
	m.f("\n  <time class=\"tgme_widget_message_roundvideo_duration js-message_roundvideo_duration\">%s</time>\n</div>", duration(a.Duration))
}

// voice draws a player with its waveform: once as numbers, twice as bars, which are <s> elements.
func (m *message) voice(n int, a telegram.Media) {
	waves := a.Waves
	if waves == "" {
		r, s := seeded(m.d.c.Username, m.p.ID, "waves"), make([]string, 100)
		for i := range s {
			s[i] = strconv.Itoa(r.IntN(32))
		}
		waves = strings.Join(s, ",")
	}
	src := m.file(a.URL, a.ID, n, ".ogg")
	m.f(`<a class="tgme_widget_message_voice_player js-message_voice_player" href="%s">`, m.href(0))
	m.f("\n  <audio class=\"tgme_widget_message_voice js-message_voice\" src=\"%s\" data-ogg=\"%s\" width=\"100%%\" data-waveform=\"%s\"></audio>\n", src, src, waves)
	m.f("  <div class=\"tgme_widget_message_voice_play accent_bghover\"></div>\n  <div class=\"tgme_widget_message_voice_wrap\">\n")
	var bars strings.Builder
	for w := range strings.SplitSeq(waves, ",") {
		level, _ := strconv.Atoi(w) // an unreadable level is silence
		bars.WriteString(`<s style="height:` + strconv.Itoa(level*100/31) + `%"></s>`)
	}
	m.f("    <div class=\"tgme_widget_message_voice_progress_bg\"><div class=\"bar\">%s</div></div>\n", bars.String())
	m.f("    <div class=\"tgme_widget_message_voice_progress\"><div class=\"bar\">%s</div></div>\n", bars.String())
	m.f("    <time class=\"tgme_widget_message_voice_duration js-message_voice_duration\">%s</time>\n  </div>\n</a>", duration(a.Duration))
}

// document draws a file or a piece of music. t.me gives no address for either.
func (m *message) document(a telegram.Media, item int) {
	icon, title, extra := "", a.FileName, ""
	if a.Type == telegram.MediaAudio {
		icon, title, extra = " audio", a.Title, a.Performer
	} else {
		if title == "" {
			title = a.Title
		}
		if a.Size != nil {
			extra = a.Size.Formatted
		}
	}
	m.f("<a class=\"tgme_widget_message_document_wrap\" href=\"%s\">\n  <div class=\"tgme_widget_message_document_icon accent_bg%s\"></div>\n", m.href(item), icon)
	m.f("  <div class=\"tgme_widget_message_document\">\n    <div class=\"tgme_widget_message_document_title accent_color\" dir=\"auto\">%s</div>\n"+
		"    <div class=\"tgme_widget_message_document_extra\" dir=\"auto\">%s</div>\n  </div>\n</a>", escape(title), escape(extra))
}

const shimmer = "data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4="

// sticker draws one of the three kinds. The unsupported twin comes first here.
func (m *message) sticker(n int, a telegram.Media) {
	m.f("<div class=\"message_media_not_supported_wrap media_not_supported_cont\">\n  <div class=\"message_media_not_supported\">\n"+
		"    <div class=\"message_media_not_supported_label\">This media is not supported in your browser</div>\n"+
		"    <a href=\"%s\" class=\"message_media_view_in_telegram\">VIEW IN TELEGRAM</a>\n  </div>\n</div>\n", m.href(0))
	m.f(`<div class="tgme_widget_message_sticker_wrap media_supported_cont">`)
	switch a.Format {
	case "tgs":
		m.f(`<div class="tgme_widget_message_tgsticker_wrap"><picture class="tgme_widget_message_tgsticker js-tgsticker_image" style="width:256px;">`+
			`<div style="padding-top:100%%"></div><source type="application/x-tgsticker" srcset="%s"><source type="image/svg+xml" srcset="%s"></picture></div>`,
			m.file(a.URL, "sticker", n, ".tgs"), shimmer)
	case "webm":
		m.f(`<div class="tgme_widget_message_videosticker js-videosticker"><video class="js-videosticker_video" src="%s" width="256" height="256"%s><img src="%s"></video></div>`,
			m.file(a.URL, a.ID, n, ".webm"), loop, m.picture(a.Thumb, n, ".webp"))
	default:
		m.f(`<i class="tgme_widget_message_sticker js-sticker_image" style="background-image:url('%s');width:256px;" data-webp="%s"><div style="padding-top:100%%"></div></i>`,
			shimmer, m.file(a.URL, a.ID, n, ".webp"))
	}
	m.f("</div>\n")
}
