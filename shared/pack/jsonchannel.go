package pack

import "channelapi/shared/telegram"

// channel writes a channel; description false leaves that out, as a FeedPost does.
func (w *writer) channel(c *telegram.Channel, description bool) {
	w.raw("{")
	w.str(`"username":`, c.Username)
	w.richText(`"title":`, &c.Title)
	if description {
		w.optRichText(`"description":`, c.Description)
	}
	w.optAddress(`"avatar":`, c.Avatar)
	w.key(`"counters":{`)
	w.optStr(`"subscribers":`, c.Counters.Subscribers)
	w.optStr(`"photos":`, c.Counters.Photos)
	w.optStr(`"videos":`, c.Counters.Videos)
	w.optStr(`"files":`, c.Counters.Files)
	w.optStr(`"links":`, c.Counters.Links)
	w.raw("}")
	if len(c.Labels) > 0 {
		w.key(`"labels":[`)
		for _, label := range c.Labels {
			w.comma()
			w.buf = appendString(w.buf, label)
		}
		w.raw("]")
	}
	w.key(`"counts":{`)
	w.optInt(`"subscribers":`, c.Counts.Subscribers)
	w.optInt(`"photos":`, c.Counts.Photos)
	w.optInt(`"videos":`, c.Counts.Videos)
	w.optInt(`"files":`, c.Counts.Files)
	w.optInt(`"links":`, c.Counts.Links)
	w.raw("}")
	w.optInt(`"id":`, c.ID)
	w.raw("}")
}

func (w *writer) meta(m *telegram.Meta) {
	w.key(`"meta":{"offset":{`)
	w.optInt(`"before":`, int64(m.Offset.Before))
	w.optInt(`"after":`, int64(m.Offset.After))
	w.raw("}")
	if m.Truncated {
		w.bool(`"truncated":`, true)
	}
	w.raw("}")
}

func (w *writer) preview(p *telegram.Preview) {
	w.raw(`{"channel":{`)
	w.str(`"title":`, p.Channel.Title)
	w.optStr(`"subscribers":`, p.Channel.Subscribers)
	w.optStr(`"description":`, p.Channel.Description)
	w.optAddress(`"avatar":`, p.Channel.Avatar)
	w.bool(`"is_verified":`, p.Channel.IsVerified)
	w.raw("}")
	w.str(`"type":`, string(p.Type))
	w.str(`"username":`, p.Username)
	w.bool(`"has_public_page":`, p.HasPublicPage)
	w.optIntPtr(`"count":`, p.Count)
	w.optIntPtr(`"online":`, p.Online)
	w.raw("}")
}
