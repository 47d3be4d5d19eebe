// Package cache keeps finished answers in two levels and sees to it that each is fetched once.
//
// L1 is the memory of this process, bounded in bytes; L2 is a Store shared by all processes. A lease that
// lives in the value's own key lets one process fetch while the others wait, and callers of one key inside a
// process share one fetch. The package owns the envelope around a payload, ages, leases, negatives and the
// circuit breaker; what a payload means, where it comes from and which commands a store speaks are left to
// others.
//
// Ages are wall-clock times of the entry itself, never the monotonic clock, which stands still while a process
// is frozen. Everything is safe for concurrent use. Payloads are shared between callers and levels: nobody may
// change their bytes.
package cache
