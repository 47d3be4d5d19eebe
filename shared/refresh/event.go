// Package refresh is the renewal of stored answers off the request path: the event that one environment sends to
// another and its sender, and the tick that looks after the pages that are asked for most. Which pages there are, how
// they are fetched and what is kept of them is left to package channels; who is asked for, to package popular.
package refresh

import "channelapi/shared/cache"

// Event is what functions/refresh is invoked with: keys to renew, each with the token of the lease that its sender
// holds, and names of channels to bring up to date. Tick, alone, asks for a run over the popular channels.
type Event struct {
	Keys     []cache.Renewal `json:"keys,omitempty"`
	Channels []string        `json:"channels,omitempty"`
	Tick     bool            `json:"tick,omitempty"`
}

// Summary is what an invocation for keys and names did.
type Summary struct {
	Renewed int `json:"renewed"`
	// Dropped renewals came with a token that was no longer good: delivered twice, or late.
	Dropped int `json:"dropped"`
	Failed  int `json:"failed"`
}
