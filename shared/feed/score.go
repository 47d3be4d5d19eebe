package feed

import (
	"math"

	"channelapi/shared/pack"
)

// score is what a post is worth at a moment in a channel of so many subscribers. Its parts are telegram-me's, made
// continuous at a week.
func score(e *pack.Entry, subscribers, now int64) float64 {
	s := 0.4*engagement(e, subscribers) + 0.2*content(e)
	if e.Flags&pack.Edited != 0 {
		s += 0.02
	}
	return s * (freshness(now-e.Unix) + 0.1)
}

// engagement compares views and reactions with the number of subscribers.
func engagement(e *pack.Entry, subscribers int64) float64 {
	n := float64(max(subscribers, 1))
	return (min(float64(e.Views)/n, 10) + min(float64(e.Reactions)/n, 1)) / 3
}

// content values what a post brings.
func content(e *pack.Entry) float64 {
	count := func(n int) float64 { return float64(min(n, 10)) }
	return min(3, 0.3*count(e.Photos)+0.5*count(e.Videos)+0.2*count(e.GIFs)+0.3*count(e.Polls)+
		0.1*min(float64(e.Length)/500, 2))
}

// freshness falls by a fifth in the first day, then by half each day, after a week by more than that each week.
func freshness(seconds int64) float64 {
	h := max(float64(seconds)/3600, 0)
	switch {
	case h <= 24:
		return 1 - 0.2*h/24
	case h <= 168:
		return 0.8 * math.Exp(-0.8*(h/24-1))
	}
	return max(0.001, 0.0066*math.Exp(-2*(h/168-1)))
}
