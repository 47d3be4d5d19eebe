package cache

import (
	"errors"
	"fmt"
	"time"
)

// ErrMiss says that a key is absent.
var ErrMiss = errors.New("cache: no such key")

// ErrRefused says that a Store answers reads but takes no writes at present: full, or read only.
var ErrRefused = errors.New("cache: store takes no writes")

// ErrBusy says that no connection of the Store was free in time; it says nothing about the Store's health.
var ErrBusy = errors.New("cache: no connection free")

// ErrTooLarge says that a reply or a value passes what is allowed; it says nothing about the Store's health.
var ErrTooLarge = errors.New("cache: too large")

// ErrUnavailable says that the Store is not asked at present, because it failed a moment ago.
var ErrUnavailable = errors.New("cache: store unavailable")

// ErrWait says that another's fetch was waited for in vain. Ask again later.
var ErrWait = errors.New("cache: waited too long for another fetch")

// ErrRenewal says that renewing failed a moment ago and that no copy is young enough to be served.
var ErrRenewal = errors.New("cache: renewal failed a moment ago")

// ErrBudget says that a value was not there when GetMany's budget ended.
var ErrBudget = errors.New("cache: not there within the budget")

// ErrDropped says that a renewal came with a token that is no longer good: it was delivered twice or late.
var ErrDropped = errors.New("cache: renewal dropped")

// ErrStopped says that a renewal was not begun before the end that was set.
var ErrStopped = errors.New("cache: stopped before it began")

// errLeaseLost says that a value came when its lease was over or another's: it was not kept.
var errLeaseLost = errors.New("cache: lease lost before the value was there")

// CoolError says that nothing is fetched for Rest, because the source asked for a pause.
type CoolError struct{ Rest time.Duration }

// Error implements error.
func (e *CoolError) Error() string {
	return fmt.Sprintf("cache: source asked for a pause, %v left", e.Rest)
}
