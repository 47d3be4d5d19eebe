// Package refresh is the renewal of stored answers off the request path: the event that one environment sends to
// another, and the sender.
package refresh

import "channelapi/shared/cache"

// Event is what functions/refresh is invoked with: keys to renew, each with the token of the lease that its sender
// holds, and names of channels to bring up to date.
type Event struct {
	Keys     []cache.Renewal `json:"keys,omitempty"`
	Channels []string        `json:"channels,omitempty"`
}

// Summary is what an invocation did.
type Summary struct {
	Renewed int `json:"renewed"`
	// Dropped renewals came with a token that was no longer good: delivered twice, or late.
	Dropped int `json:"dropped"`
	Failed  int `json:"failed"`
}
