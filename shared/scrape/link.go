package scrape

import (
	"net/url"
	"strings"

	"golang.org/x/net/html"

	"channelapi/shared/sanitize"
	"channelapi/shared/telegram"
)

const home = "https://t.me/"

// address gives an element's href as absolute, "" where none may be given. t.me escapes the addresses of links that it
// asks about (onclick) twice. Only &amp; is undone the second time: &copy=2 would else become ©=2.
// Hashtags link into the channel's own search, "?q=%23tag": relative to the page, made absolute here.
func (c *composer) address(n *html.Node) string {
	href := attr(n, "href")
	if hasAttr(n, "onclick") {
		href = strings.ReplaceAll(href, "&amp;", "&")
	}
	switch {
	case strings.HasPrefix(href, "?"):
		if c.channel == "" {
			return ""
		}
		href = home + "s/" + c.channel + "?" + strings.ReplaceAll(href[1:], "#", "%23")
	case strings.HasPrefix(href, "/") && !strings.HasPrefix(href, "//"):
		href = home + href[1:]
	}
	address, ok := sanitize.Address(href)
	if !ok {
		return ""
	}
	return address
}

func (c *composer) link(n *html.Node) {
	c.settleSpace()
	address := c.address(n)
	if address == "" || !c.html.Link(address) {
		c.children(n)
		return
	}
	i, start, offset := c.begin(telegram.EntityTextLink), len(c.str), c.units
	c.children(n)
	if moved := c.ents[i].Offset - offset; moved > 0 {
		start += moved // a pending character came before the link: one unit, one byte
	}
	if start < len(c.str) {
		c.ents[i].Type, c.ents[i].URL = linkType(string(c.str[start:]), address, attr(n, "href"))
	}
	c.end(i)
	c.html.Close()
}

// linkType tells what a link is by the text it stands under. Those whose text says all carry no address.
func linkType(text, address, href string) (telegram.EntityType, string) {
	if strings.HasPrefix(href, "?") {
		switch text[0] {
		case '#':
			return telegram.EntityHashtag, ""
		case '$':
			return telegram.EntityCashtag, ""
		}
		return telegram.EntityTextLink, address
	}
	if to, ok := strings.CutPrefix(address, "mailto:"); ok && strings.EqualFold(to, text) {
		return telegram.EntityEmail, ""
	}
	if name, ok := strings.CutPrefix(text, "@"); ok && isTelegram(address, name) {
		return telegram.EntityMention, address
	}
	if sameAddress(text, address) {
		return telegram.EntityURL, address
	}
	return telegram.EntityTextLink, address
}

// isTelegram reports whether address is that of the name on t.me.
func isTelegram(address, name string) bool {
	_, rest, _ := strings.Cut(address, "://")
	host, path, _ := strings.Cut(rest, "/")
	switch strings.ToLower(host) {
	case "t.me", "telegram.me", "telegram.dog":
		return strings.EqualFold(strings.TrimSuffix(path, "/"), name)
	}
	return false
}

// sameAddress reports whether text is the address as somebody typed it: t.me adds the scheme and may escape letters.
// Only scheme and host may differ in case. Words before an address are another text, and so is another scheme.
func sameAddress(text, address string) bool {
	scheme, host, path := splitAddress(address)
	textScheme, textHost, textPath := splitAddress(text)
	if textScheme != "" && !strings.EqualFold(textScheme, scheme) || !strings.EqualFold(textHost, host) {
		return false
	}
	if textPath == path {
		return true
	}
	a, errA := url.PathUnescape(textPath)
	b, errB := url.PathUnescape(path)
	return errA == nil && errB == nil && a == b
}

// splitAddress gives what stands before "://" and, of the rest, host and path without a closing slash.
func splitAddress(s string) (scheme, host, path string) {
	host = s
	if before, after, ok := strings.Cut(s, "://"); ok {
		scheme, host = before, after
	}
	if i := strings.IndexAny(host, "/?#"); i >= 0 {
		host, path = host[:i], host[i:]
	}
	return scheme, host, strings.TrimSuffix(path, "/")
}
