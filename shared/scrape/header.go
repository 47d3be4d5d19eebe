package scrape

import (
	"strings"

	"github.com/PuerkitoBio/goquery"
	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"

	"channelapi/shared/telegram"
)

// The parts of a page's frame. Single matchers stop at the first hit, so that looking for the frame never walks the posts.
var (
	selHistory     = single(".tgme_channel_history, .js-message_history")
	selInfo        = single(".tgme_channel_info")
	selBar         = single(".tgme_header_info")
	selMetaTitle   = single(`meta[property="og:title"][content]`)
	selInfoTitle   = single(".tgme_channel_info_header_title")
	selBarTitle    = single(".tgme_header_title")
	selUsername    = single(".tgme_channel_info_header_username a")
	selBarLink     = single("a.tgme_header_link[href]")
	selDescription = single(".tgme_channel_info_description")
	selPhoto       = single(".tgme_page_photo_image")
	selVerified    = single(".verified-icon")
	selCounter     = cascadia.MustCompile(".tgme_channel_info_counter")
	selValue       = single(".counter_value")
	selType        = single(".counter_type")
)

func single(selector string) goquery.Matcher {
	return goquery.SingleMatcher(cascadia.MustCompile(selector))
}

// firstNode gives the first node below n that matches, nil where there is none.
func firstNode(n *html.Node, m goquery.Matcher) *html.Node {
	found := goquery.NewDocumentFromNode(n).FindMatcher(m)
	if found.Length() == 0 {
		return nil
	}
	return found.Get(0)
}

// readHeader reads the column about the channel; older and narrower pages have only the bar above the posts. A page with
// neither still names the channel in its head.
func readHeader(root *html.Node) (telegram.Channel, error) {
	var text composer
	info, title := firstNode(root, selInfo), selInfoTitle
	if info == nil || firstNode(info, title) == nil {
		info, title = firstNode(root, selBar), selBarTitle
	}
	if info == nil || firstNode(info, title) == nil {
		meta := firstNode(root, selMetaTitle)
		if meta == nil {
			return telegram.Channel{}, errNoHeader
		}
		return telegram.Channel{Title: text.attribute(meta, "content")}, nil
	}
	column := goquery.NewDocumentFromNode(info)
	channel := telegram.Channel{Username: headerName(column)}
	text.channel = channel.Username
	channel.Title = text.rich(column.FindMatcher(title).Get(0))
	if description := column.FindMatcher(selDescription); description.Length() > 0 {
		if words := text.rich(description.Get(0)); words.String != "" {
			channel.Description = &words
		}
	}
	channel.Avatar = avatar(column.FindMatcher(selPhoto))
	if column.FindMatcher(selVerified).Length() > 0 {
		channel.Labels = []string{"verified"}
	}
	column.FindMatcher(selCounter).Each(func(_ int, counter *goquery.Selection) {
		value := strings.TrimSpace(counter.FindMatcher(selValue).Text())
		setCounter(&channel, strings.TrimSpace(counter.FindMatcher(selType).Text()), value)
	})
	return channel, nil
}

// headerName gives the channel's name as the page spells it, "" where the page has none.
func headerName(column *goquery.Document) string {
	name := strings.TrimPrefix(strings.TrimSpace(column.FindMatcher(selUsername).Text()), "@")
	if name == "" {
		href, _ := column.FindMatcher(selBarLink).Attr("href")
		name = strings.Trim(href[strings.LastIndexByte(href, '/')+1:], " ")
	}
	if !isName(name) {
		return ""
	}
	return name
}

// avatar gives the address of a channel's picture. It may stand on the element or on an img in it; a generated one is a
// data: address, which is none.
func avatar(photo *goquery.Selection) string {
	for _, s := range []*goquery.Selection{photo, photo.Find("img")} {
		if src, ok := s.Attr("src"); ok {
			return webAddress(src)
		}
	}
	return ""
}

// setCounter sets a counter by its word, "subscribers" or, at one, "subscriber". Others are left out.
func setCounter(channel *telegram.Channel, word, value string) {
	n, ok := count(value)
	if !ok {
		return
	}
	switch strings.TrimSuffix(word, "s") {
	case "subscriber":
		channel.Counters.Subscribers, channel.Counts.Subscribers = value, n
	case "photo":
		channel.Counters.Photos, channel.Counts.Photos = value, n
	case "video":
		channel.Counters.Videos, channel.Counts.Videos = value, n
	case "file":
		channel.Counters.Files, channel.Counts.Files = value, n
	case "link":
		channel.Counters.Links, channel.Counts.Links = value, n
	}
}
