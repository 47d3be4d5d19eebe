package scrape

import (
	"math"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"channelapi/shared/telegram"
)

// location reads a point from the address of its map: https://maps.google.com/maps?q=LAT,LON&ll=….
func (r *reader) location(n *html.Node) {
	href := attr(n, "href")
	if lat, lon, ok := coordinates(href); ok {
		l := r.place()
		l.Latitude, l.Longitude = lat, lon
		l.Map = webAddress(href)
	}
	r.children(n)
}

// place is the point that is being read. The name and address of a venue stand beside or below its map.
func (r *reader) place() *telegram.Location {
	c := &r.post.Content
	if c.Location == nil {
		c.Location = &telegram.Location{}
	}
	return c.Location
}

func coordinates(href string) (lat, lon float64, ok bool) {
	address, err := url.Parse(webAddress(href))
	if err != nil {
		return 0, 0, false
	}
	a, b, ok := strings.Cut(address.Query().Get("q"), ",")
	if !ok {
		return 0, 0, false
	}
	lat, errLat := strconv.ParseFloat(strings.TrimSpace(a), 64)
	lon, errLon := strconv.ParseFloat(strings.TrimSpace(b), 64)
	// NaN is not below any bound either.
	inside := math.Abs(lat) <= 90 && math.Abs(lon) <= 180
	return lat, lon, errLat == nil && errLon == nil && inside
}

func (r *reader) contact(n *html.Node) {
	c := telegram.Contact{
		Name:  r.side.plain(find(n, "tgme_widget_message_contact_name")),
		Phone: r.side.plain(find(n, "tgme_widget_message_contact_phone")),
	}
	if c != (telegram.Contact{}) {
		r.post.Content.Contact = &c
	}
}
