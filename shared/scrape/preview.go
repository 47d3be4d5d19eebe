package scrape

import (
	"golang.org/x/net/html"

	"channelapi/shared/sanitize"
	"channelapi/shared/telegram"
)

// preview reads the card of a link. Its pictures and videos are never the post's media.
func (r *reader) preview(n *html.Node) {
	p := &telegram.LinkPreview{URL: r.side.address(n)}
	if p.URL == "" {
		return
	}
	var video telegram.PreviewVideo
	for d := range n.Descendants() {
		if d.Type != html.ElementNode {
			continue
		}
		switch {
		case d.Data == "video":
			if address := webAddress(attr(d, "src")); address != "" && video.URL == "" {
				video.URL = address
			}
		case sanitize.HasClass(d, "link_preview_site_name"):
			p.SiteName = r.side.plain(d)
		case sanitize.HasClass(d, "link_preview_title"):
			p.Title = r.side.plain(d)
		case sanitize.HasClass(d, "link_preview_description"):
			if text := r.side.rich(d); text.String != "" {
				p.Description = &text
			}
		case sanitize.HasClass(d, "link_preview_right_image"), sanitize.HasClass(d, "link_preview_image"):
			p.Thumb = background(d)
		case sanitize.HasClass(d, "link_preview_video_thumb"):
			video.Thumb = background(d)
		case sanitize.HasClass(d, "message_video_duration"):
			video.Duration = r.duration(d)
		}
	}
	if p.Thumb == "" {
		p.Thumb = video.Thumb
	}
	if video.URL != "" {
		p.Video = &video
	}
	r.post.Content.PreviewLink = p
}
