package pack

import (
	"strconv"

	"channelapi/shared/telegram"
)

func appendInt(dst []byte, n int) []byte { return strconv.AppendInt(dst, int64(n), 10) }

func (w *writer) media(m *telegram.Media) {
	w.raw("{")
	w.str(`"type":`, string(m.Type))
	w.optAddress(`"url":`, m.URL)
	w.optAddress(`"thumb":`, m.Thumb)
	w.optStr(`"waves":`, m.Waves)
	w.duration(m.Duration)
	w.bool(`"available":`, m.Available)
	w.optStr(`"id":`, m.ID)
	w.optInt(`"width":`, int64(m.Width))
	w.optInt(`"height":`, int64(m.Height))
	w.optStr(`"title":`, m.Title)
	w.optStr(`"performer":`, m.Performer)
	w.optStr(`"file_name":`, m.FileName)
	if m.Size != nil {
		w.key(`"size":{`)
		w.str(`"formatted":`, m.Size.Formatted)
		w.int(`"bytes":`, m.Size.Bytes)
		w.raw("}")
	}
	w.optStr(`"format":`, m.Format)
	w.raw("}")
}

func (w *writer) duration(d *telegram.Duration) {
	if d == nil {
		return
	}
	w.key(`"duration":{`)
	w.str(`"formatted":`, d.Formatted)
	w.int(`"raw":`, int64(d.Raw))
	w.raw("}")
}

func (w *writer) poll(p *telegram.Poll) {
	w.key(`"poll":{`)
	w.str(`"question":`, p.Question)
	w.str(`"type":`, p.Type)
	w.optStr(`"votes":`, p.Votes)
	w.key(`"options":[`) // [] where encoding/json would write null: the contract has no null
	for i := range p.Options {
		w.comma()
		w.raw("{")
		w.str(`"name":`, p.Options[i].Name)
		w.int(`"percent":`, int64(p.Options[i].Percent))
		w.raw("}")
	}
	w.raw("]")
	w.bool(`"anonymous":`, p.Anonymous)
	w.bool(`"quiz":`, p.Quiz)
	w.bool(`"closed":`, p.Closed)
	w.bool(`"multiple":`, p.Multiple)
	w.optIntPtr(`"votes_count":`, p.VotesCount)
	w.raw("}")
}

func (w *writer) reply(r *telegram.Reply) {
	w.key(`"reply":{`)
	if r.Cover != "" {
		w.address(`"cover":`, r.Cover)
		w.raw(",") // before the next member, so that the hash does not see that there was one before it
		w.hashed = len(w.buf)
	}
	w.richText(`"name":`, &r.Name)
	w.richText(`"text":`, &r.Text)
	w.optInt(`"to_message":`, int64(r.ToMessage))
	w.optStr(`"channel":`, r.Channel)
	w.optStr(`"url":`, r.URL)
	w.raw("}")
}

func (w *writer) linkPreview(l *telegram.LinkPreview) {
	w.key(`"preview_link":{`)
	w.optStr(`"title":`, l.Title)
	w.str(`"url":`, l.URL)
	w.optStr(`"site_name":`, l.SiteName)
	w.optRichText(`"description":`, l.Description)
	w.optAddress(`"thumb":`, l.Thumb)
	if v := l.Video; v != nil {
		w.key(`"video":{`)
		w.address(`"url":`, v.URL)
		w.optAddress(`"thumb":`, v.Thumb)
		w.duration(v.Duration)
		w.raw("}")
	}
	w.raw("}")
}
