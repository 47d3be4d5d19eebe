package scrape_test

import (
	"fmt"

	"channelapi/shared/scrape"
)

func ExampleChannel() {
	page := []byte(`<div class="tgme_widget_message_wrap"><div class="tgme_widget_message" data-post="harbour_notes/7">
  <div class="tgme_widget_message_text" dir="auto"><i class="emoji"><b>⚓️</b></i> Fog <b>until noon</b>.<br/>Then clear.</div>
</div></div>`)
	p, err := scrape.Channel(page)
	if err != nil {
		fmt.Println(err)
		return
	}
	text := p.Posts[0].Content.Text
	fmt.Printf("%q\n%s\n", text.String, text.HTML)
	for _, e := range text.Entities {
		fmt.Println(e.Type, e.Offset, e.Length)
	}
	// Output:
	// "⚓️ Fog until noon.\nThen clear."
	// ⚓️ Fog <b>until noon</b>.<br>Then clear.
	// emoji 0 2
	// bold 7 10
}
