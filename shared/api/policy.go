package api

import (
	"fmt"
	"time"
)

// Endpoint names a policy of freshness.
type Endpoint uint8

// The endpoints by their freshness. GraphQL has none of its own: see Policies.Composed.
const (
	Page     Endpoint = iota // body, more, post
	Search                   // search
	Preview                  // preview, previews
	Feed                     // feed in all formats
	Meaning                  // related, find
	Document                 // openapi.json, the documentation page
)

// Policies gives the freshness of answers in one cache mode: "off", "normal" or "aggressive". In mode off it is the edge
// that lets nobody keep them, failures included.
type Policies struct{ mode string }

// NewPolicies gives the policies of a CACHE_MODE.
func NewPolicies(mode string) Policies { return Policies{mode} }

// Fresh gives how long an answer of e is fresh.
func (p Policies) Fresh(e Endpoint) time.Duration {
	switch e {
	case Page, Search:
		if p.mode == "aggressive" {
			return 2 * time.Minute
		}
		return 10 * time.Second
	case Preview:
		return 2 * time.Hour
	case Feed:
		return 30 * time.Second
	case Meaning:
		return 5 * time.Minute
	case Document:
		return time.Hour
	}
	return 0
}

// cacheControl gives the header of a fresh 200.
func (p Policies) cacheControl(e Endpoint) string {
	fresh := p.Fresh(e)
	revalidate := fresh
	if e == Page && p.mode == "aggressive" {
		revalidate = 2 * fresh
	}
	return control(fresh, revalidate)
}

func control(fresh, revalidate time.Duration) string {
	f := int(fresh / time.Second)
	return fmt.Sprintf("public, max-age=%d, s-maxage=%d, stale-while-revalidate=%d, stale-if-error=600",
		f, f, int(revalidate/time.Second))
}
