package scrape

import (
	"fmt"
	"strings"

	"github.com/PuerkitoBio/goquery"
	"github.com/andybalholm/cascadia"

	"channelapi/shared/telegram"
)

const landingPage = "landing page"

var (
	selLanding     = single(".tgme_page")
	selLandingPart = single(".tgme_page_title, .tgme_page_icon, .tgme_page_description")
	selPageTitle   = single(".tgme_page_title")
	selPageText    = single(".tgme_page_description")
	selPageAction  = single(".tgme_page_action a, .tgme_action_button_new")
	selContextLink = single(`a.tgme_page_context_link[href^="/s/"]`)
	selPageExtra   = cascadia.MustCompile(".tgme_page_extra")
)

// Landing reads the page t.me/NAME. A name that does not exist, or that t.me shows nothing of, is telegram.ErrNotFound;
// one whose posts t.me blocks and tells nothing else of is telegram.ErrNoPublicPreview. HasPublicPage follows the page's
// own link to the posts: on a channel without one only /s/NAME itself would tell more. The bare middle of such a page is
// read as well.
func Landing(page []byte, name telegram.Username) (telegram.Preview, error) {
	document := isDocument(page)
	if document && !isWhole(page) || !document && !isBalanced(page) {
		return telegram.Preview{}, unreadable(landingPage, errCut)
	}
	root := goquery.NewDocumentFromNode(parse(page)).Selection
	body := root.FindMatcher(selLanding)
	if !document && body.Length() == 0 && root.FindMatcher(selLandingPart).Length() > 0 {
		body = root // the middle of a page without its frame
	}
	if body.Length() == 0 {
		return telegram.Preview{}, unreadable(landingPage, errNotPage)
	}
	l := landing{body: body}
	title := body.FindMatcher(selPageTitle)
	if title.Length() == 0 {
		return telegram.Preview{}, fmt.Errorf("read %s of %s: %w", landingPage, name, l.absence())
	}
	p := telegram.Preview{Username: name.String()}
	p.Channel.IsVerified = title.FindMatcher(selVerified).Length() > 0
	p.Channel.Title = l.title(title)
	p.Channel.Description = l.description()
	p.Channel.Avatar = avatar(body.FindMatcher(selPhoto))
	l.classify(&p)
	return p, nil
}

// landing is the middle of a landing page.
type landing struct {
	body *goquery.Selection
	text composer
}

// absence tells why a page has no title. A missing name's page offers to write to it; t.me's block speaks of posts.
func (l *landing) absence() error {
	if words := l.body.Text(); strings.Contains(words, "view posts") || strings.Contains(words, "view and join") {
		return telegram.ErrNoPublicPreview
	}
	return telegram.ErrNotFound
}

func (l *landing) title(title *goquery.Selection) string {
	if span := title.Find("span"); span.Length() > 0 {
		return l.text.plain(span.Get(0))
	}
	return l.text.plain(title.Get(0))
}

// description leaves out the sentence that t.me puts in place of one.
func (l *landing) description() string {
	d := l.body.FindMatcher(selPageText)
	if d.Length() == 0 {
		return ""
	}
	words := l.text.plain(d.Get(0))
	if strings.HasPrefix(words, "If you have Telegram, you can") || strings.HasPrefix(words, "You can contact @") {
		return ""
	}
	return words
}

// classify reads the lines below the title: "@name", "8 122 955 monthly users", "97 957 members, 4 138 online",
// "11 286 994 subscribers". Pages without a count are told apart by their button.
func (l *landing) classify(p *telegram.Preview) {
	l.body.FindMatcher(selPageExtra).Each(func(_ int, s *goquery.Selection) {
		l.line(p, l.text.plain(s.Get(0)))
	})
	if link := l.body.FindMatcher(selContextLink); link.Length() > 0 {
		p.HasPublicPage = true
		href, _ := link.Attr("href")
		if name := strings.TrimPrefix(href, "/s/"); isName(name) {
			p.Username = name
		}
		if p.Type == "" {
			p.Type = telegram.KindChannel
		}
	}
	button := strings.TrimSpace(l.body.FindMatcher(selPageAction).Text())
	switch {
	case strings.HasPrefix(button, "Start Bot"):
		p.Type = telegram.KindBot
	case p.Type != "":
	case strings.HasPrefix(button, "Send Message"):
		p.Type = telegram.KindUser
	case strings.Contains(button, "Group"):
		p.Type = telegram.KindGroup
	default:
		p.Type = telegram.KindChannel
	}
}

// line reads one line below the title.
func (l *landing) line(p *telegram.Preview, line string) {
	if name, ok := strings.CutPrefix(line, "@"); ok {
		if isName(name) {
			p.Username = name
		}
		return
	}
	first, second, _ := strings.Cut(line, ", ")
	number, word, n := shownCount(first)
	switch {
	case strings.HasPrefix(word, "subscriber"):
		p.Type = telegram.KindChannel
	case strings.HasPrefix(word, "member"):
		p.Type = telegram.KindGroup
		if _, word, online := shownCount(second); word == "online" {
			p.Online = &online
		}
	case strings.HasPrefix(word, "monthly user"):
		p.Type = telegram.KindBot
	default:
		return
	}
	p.Channel.Subscribers, p.Count = number, &n
}

// shownCount splits "6 400 358 subscribers" into the number as shown, the word, and the number.
func shownCount(s string) (number, word string, n int64) {
	i := strings.IndexFunc(s, func(r rune) bool { return 'a' <= r && r <= 'z' })
	if i < 0 {
		return "", "", 0
	}
	number = strings.Join(strings.Fields(s[:i]), " ")
	n, ok := count(number)
	if !ok {
		return "", "", 0
	}
	return number, strings.TrimSpace(s[i:]), n
}
