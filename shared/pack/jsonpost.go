package pack

import "channelapi/shared/telegram"

// The functions below write the members of package telegram's types in the order of their fields. What they write with
// address is left out of the hash: t.me signs such addresses anew every few hours.

func (w *writer) post(p *telegram.Post) {
	w.raw("{")
	w.int(`"id":`, int64(p.ID))
	w.content(&p.Content)
	w.footer(&p.Footer)
	if f := p.Forwarded; f != nil {
		w.key(`"forwarded":{`)
		w.richText(`"name":`, &f.Name)
		w.optStr(`"url":`, f.URL)
		w.optStr(`"author":`, f.Author)
		w.raw("}")
	}
	w.optAddress(`"view":`, p.View)
	w.str(`"type":`, string(p.Type))
	w.str(`"url":`, p.URL)
	if len(p.Album) > 0 {
		w.key(`"album":[`)
		for _, id := range p.Album {
			w.comma()
			w.buf = appendInt(w.buf, id)
		}
		w.raw("]")
	}
	w.raw("}")
}

func (w *writer) content(c *telegram.PostContent) {
	w.key(`"content":{`)
	if c.Text != nil {
		w.text(c.Text)
	}
	if len(c.Media) > 0 {
		w.key(`"media":[`)
		for i := range c.Media {
			w.comma()
			w.media(&c.Media[i])
		}
		w.raw("]")
	}
	if c.Poll != nil {
		w.poll(c.Poll)
	}
	w.inline(c.Inline)
	if c.Reply != nil {
		w.reply(c.Reply)
	}
	if c.PreviewLink != nil {
		w.linkPreview(c.PreviewLink)
	}
	w.reacts(c.Reacts)
	if l := c.Location; l != nil {
		w.key(`"location":{`)
		w.float(`"latitude":`, l.Latitude)
		w.float(`"longitude":`, l.Longitude)
		w.optStr(`"title":`, l.Title)
		w.optStr(`"address":`, l.Address)
		w.optStr(`"map":`, l.Map)
		w.raw("}")
	}
	if c.Contact != nil {
		w.key(`"contact":{`)
		w.str(`"name":`, c.Contact.Name)
		w.str(`"phone":`, c.Contact.Phone)
		w.raw("}")
	}
	w.raw("}")
}

func (w *writer) text(t *telegram.Text) {
	w.key(`"text":{`)
	w.str(`"string":`, t.String)
	w.str(`"html":`, t.HTML)
	if len(t.Entities) > 0 {
		w.key(`"entities":[`)
		for i := range t.Entities {
			e := &t.Entities[i]
			w.comma()
			w.raw("{")
			w.int(`"offset":`, int64(e.Offset))
			w.int(`"length":`, int64(e.Length))
			w.str(`"type":`, string(e.Type))
			w.optStr(`"language":`, e.Language)
			w.optStr(`"url":`, e.URL)
			w.optStr(`"emoji_id":`, e.EmojiID)
			w.raw("}")
		}
		w.raw("]")
	}
	w.raw("}")
}

func (w *writer) richText(quoted string, t *telegram.RichText) {
	w.key(quoted)
	w.raw("{")
	w.str(`"string":`, t.String)
	w.str(`"html":`, t.HTML)
	w.raw("}")
}

func (w *writer) optRichText(quoted string, t *telegram.RichText) {
	if t != nil {
		w.richText(quoted, t)
	}
}

func (w *writer) footer(f *telegram.Footer) {
	w.key(`"footer":{`)
	w.optStr(`"views":`, f.Views)
	w.bool(`"edited":`, f.Edited)
	w.optRichText(`"author":`, f.Author)
	if f.Date != nil {
		w.key(`"date":{`)
		w.str(`"string":`, f.Date.String)
		w.int(`"unix":`, f.Date.Unix)
		w.raw("}")
	}
	w.optIntPtr(`"views_count":`, f.ViewsCount)
	w.optStr(`"via_bot":`, f.ViaBot)
	w.raw("}")
}

func (w *writer) inline(buttons []telegram.Button) {
	if len(buttons) == 0 {
		return
	}
	w.key(`"inline":[`)
	for i := range buttons {
		w.comma()
		w.raw("{")
		w.str(`"title":`, buttons[i].Title)
		w.str(`"url":`, buttons[i].URL)
		w.raw("}")
	}
	w.raw("]")
}

func (w *writer) reacts(reacts []telegram.Reaction) {
	if len(reacts) == 0 {
		return
	}
	w.key(`"reacts":[`)
	for i := range reacts {
		r := &reacts[i]
		w.comma()
		w.raw("{")
		w.str(`"count":`, r.Count)
		w.str(`"type":`, string(r.Type))
		w.optStr(`"emoji":`, r.Emoji)
		w.optStr(`"emoji_id":`, r.EmojiID)
		w.optAddress(`"emoji_image":`, r.EmojiImage)
		w.int(`"total":`, r.Total)
		w.raw("}")
	}
	w.raw("]")
}
