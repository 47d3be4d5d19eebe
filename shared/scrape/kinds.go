package scrape

import "strings"

// kind is what the reader does with an element of a post.
type kind uint8

const (
	kindOther kind = iota // look inside
	kindSkip
	kindRefusal
	kindText
	kindAuthor
	kindForward
	kindReply
	kindGroup
	kindPhoto
	kindVideo
	kindRound
	kindVoice
	kindDocument
	kindSticker
	kindPoll
	kindLocation
	kindPlaceTitle
	kindPlaceAddress
	kindContact
	kindCard
	kindPreview
	kindServicePhoto
	kindReactions
	kindFooter
	kindKeyboard
)

// kindOf reads an element's classes. Full lists of classes change from year to year; one class names the construct.
// media_not_supported_cont beats every other: it marks what t.me shows only where it cannot show the post.
func kindOf(classes string) kind {
	found := kindOther
	for classes != "" {
		class := classes
		if i := strings.IndexByte(classes, ' '); i >= 0 {
			class, classes = classes[:i], classes[i+1:]
		} else {
			classes = ""
		}
		if class == "media_not_supported_cont" {
			return kindSkip
		}
		if found == kindOther {
			found = kindOfClass(class)
		}
	}
	return found
}

func kindOfClass(class string) kind {
	name, ok := strings.CutPrefix(class, "tgme_widget_message_")
	if !ok {
		if class == "message_media_not_supported_wrap" {
			return kindRefusal
		}
		return kindOther
	}
	switch name {
	case "user", "bubble_tail", "bubble_logo", "service_date_wrap":
		return kindSkip
	case "text":
		return kindText
	case "author":
		return kindAuthor
	case "forwarded_from":
		return kindForward
	case "reply":
		return kindReply
	case "grouped_wrap":
		return kindGroup
	case "photo_wrap":
		return kindPhoto
	case "video_player":
		return kindVideo
	case "roundvideo_player":
		return kindRound
	case "voice_player":
		return kindVoice
	case "document_wrap":
		return kindDocument
	case "sticker_wrap", "sticker", "tgsticker_wrap", "tgsticker", "videosticker":
		return kindSticker
	case "poll":
		return kindPoll
	case "location_wrap", "venue_wrap":
		return kindLocation
	case "location_title", "venue_title":
		return kindPlaceTitle
	case "location_address", "venue_address":
		return kindPlaceAddress
	case "contact_wrap", "contact":
		return kindContact
	case "game_title", "game_description", "invoice_title", "invoice_description":
		return kindCard
	case "link_preview":
		return kindPreview
	case "service_photo":
		return kindServicePhoto
	case "reactions":
		return kindReactions
	case "footer":
		return kindFooter
	case "inline_keyboard":
		return kindKeyboard
	}
	return kindOther
}
