package upstash

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	vector "github.com/upstash/vector-go"

	"channelapi/shared/meaning"
)

// Query asks the namespaces of all kept weeks at once and merges what they find. It fails if one of them does: an answer
// without a week would be kept as if it were whole.
func (x *Index) Query(ctx context.Context, q meaning.Query) ([]meaning.Hit, error) {
	text := meaning.Clip(q.Text)
	conditions, possible := filter(q)
	if text == "" || !possible {
		return nil, nil
	}
	limit := max(1, min(q.Limit, meaning.MaxHits))
	asked := vector.QueryData{Data: text, TopK: limit, IncludeMetadata: true}
	if conditions != "" {
		asked.Filter = conditions
	}
	weeks := since(meaning.KeptWeeks(x.o.Now()), q.Since)
	found, errs := make([][]meaning.Hit, len(weeks)), make([]error, len(weeks))
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var all sync.WaitGroup
	for i, week := range weeks {
		all.Go(func() {
			errs[i] = x.call(ctx, x.o.QueryTimeout, "query week "+week, func(c *vector.Index) error {
				scores, err := c.Namespace(week).QueryData(asked)
				found[i] = hits(scores)
				return err
			})
			switch {
			case lacksNamespace(errs[i]):
				errs[i] = nil // nothing was posted in that week, or kept of it
			case errs[i] != nil:
				cancel() // the others' answers would not be used
			}
		})
	}
	all.Wait()
	if err := first(errs); err != nil {
		return nil, err
	}
	return meaning.Merge(limit, found...), nil
}

// first gives the failure that made the others be cancelled: any that is not a cancellation, where there is one.
func first(errs []error) error {
	var one error
	for _, err := range errs {
		if err != nil && (one == nil || errors.Is(one, context.Canceled)) {
			one = err
		}
	}
	return one
}

// since leaves out the weeks that ended before a moment in Unix seconds. Names of weeks sort by time.
func since(weeks []string, unix int64) []string {
	if unix <= 0 {
		return weeks
	}
	from := min(meaning.Week(time.Unix(unix, 0)), weeks[0])
	for i, week := range weeks {
		if week < from {
			return weeks[:i]
		}
	}
	return weeks
}

// filter writes a query's conditions in the service's language, "" for none; false where nothing can meet them. Usernames
// hold nothing that would have to be escaped; what is none is left out.
func filter(q meaning.Query) (string, bool) {
	var conditions, names []string
	for _, c := range q.Channels {
		if c = strings.ToLower(c); strings.Trim(c, "abcdefghijklmnopqrstuvwxyz0123456789_") == "" {
			names = append(names, "'"+c+"'")
		}
	}
	switch {
	case len(names) > 0:
		conditions = append(conditions, "channel IN ("+strings.Join(names, ", ")+")")
	case len(q.Channels) > 0:
		return "", false
	}
	if q.Since > 0 {
		conditions = append(conditions, fmt.Sprintf("time >= %d", q.Since))
	}
	return strings.Join(conditions, " AND "), true
}

// hits reads what the service found; ids of another form, written by others, are passed over.
func hits(scores []vector.VectorScore) []meaning.Hit {
	list := make([]meaning.Hit, 0, len(scores))
	for _, s := range scores {
		channel, id, ok := meaning.ParseKey(s.Id)
		if !ok {
			continue
		}
		unix, _ := s.Metadata["time"].(float64)
		address, _ := s.Metadata["url"].(string)
		list = append(list, meaning.Hit{
			Channel: channel, ID: id, Score: max(0, min(float64(s.Score), 1)), Unix: int64(unix), URL: address,
		})
	}
	return list
}
