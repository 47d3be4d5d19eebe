package tmetest

import (
	"channelapi/shared/telegram"
)

// tile is the place of one item of an album.
type tile struct{ left, top, width, height, right, bottom int }

// albumWidth is the width in pixels that t.me lays albums out in.
const albumWidth = 453

// tiles lays an album out: the first item over the whole width, the others in a row below it.
func tiles(n int) (all []tile, height int) {
	const head, row, gap = 301, 169, 2
	if n == 1 {
		return []tile{{width: albumWidth, height: head}}, head
	}
	all = append(all, tile{width: albumWidth, height: head, bottom: gap})
	left := 0
	for i := 1; i < n; i++ {
		width, right := (albumWidth-gap*(n-2))/(n-1), gap
		if i == n-1 {
			width, right = albumWidth-left, 0
		}
		all = append(all, tile{left: left, top: head + gap, width: width, height: row, right: right})
		left += width + gap
	}
	return all, head + gap + row
}

// album draws photos and videos as one group. Only the addresses of the items tell their message ids.
func (m *message) album() {
	all, height := tiles(len(m.p.Content.Media))
	m.f("<div class=\"tgme_widget_message_grouped_wrap js-message_grouped_wrap\" data-margin-w=\"2\" data-margin-h=\"2\" style=\"width:%dpx;\">\n", albumWidth)
	m.f("  <div class=\"tgme_widget_message_grouped js-message_grouped\" style=\"padding-top:%.3f%%\">\n", float64(height)/albumWidth*100)
	m.f("    <div class=\"tgme_widget_message_grouped_layer js-message_grouped_layer\" style=\"width:%dpx;height:%dpx\">\n      ", albumWidth, height)
	for n, a := range m.p.Content.Media {
		item := m.p.ID + n
		if n < len(m.p.Album) {
			item = m.p.Album[n]
		}
		m.albumItem(n, a, item, all[n])
	}
	m.f("\n    </div>\n  </div>\n</div>")
}

func (m *message) albumItem(n int, a telegram.Media, item int, t tile) {
	w, h := a.Width, a.Height
	if w == 0 || h == 0 {
		w, h = 4, 3
	}
	ratio := trimNumber(float64(w) / float64(h))
	place := out{}
	place.f("left:%dpx;top:%dpx;width:%dpx;height:%dpx;margin-right:%dpx;margin-bottom:%dpx;", t.left, t.top, t.width, t.height, t.right, t.bottom)
	if a.Type == telegram.MediaImage {
		m.f("<a class=\"tgme_widget_message_photo_wrap grouped_media_wrap blured js-message_photo\" style=\"%sbackground-image:url('%s')\" data-ratio=\"%s\" href=\"%s\">\n",
			place.String(), m.picture(a.URL, n, ".jpg"), ratio, m.href(item))
		m.f("  <div class=\"grouped_media_helper\" style=\"left:0;right:0;top:%dpx;bottom:%dpx;\">\n"+
			"    <div class=\"tgme_widget_message_photo grouped_media\" style=\"left:0;right:0;top:-1px;bottom:0px;\"></div>\n  </div>\n</a>", t.height/2-19, t.height/2-18)
		return
	}
	m.f("<a class=\"tgme_widget_message_video_player grouped_media_wrap blured js-message_video_player\" style=\"%s\" data-ratio=\"%s\" href=\"%s\">\n",
		place.String(), ratio, m.href(item))
	m.f("  <i class=\"tgme_widget_message_video_thumb\" style=\"background-image:url('%s')\"></i>\n", m.picture(a.Thumb, n, ""))
	m.f("  <div class=\"tgme_widget_message_video_wrap grouped_media js-message_video_wrap\" style=\"left:0;right:0;top:-1px;bottom:0px;\">\n")
	m.videoTag(n, a)
	m.f("  </div>\n")
	m.videoEnd(a, "This media is not supported in your browser")
}
