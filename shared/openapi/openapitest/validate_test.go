package openapitest

import (
	"encoding/json"
	"testing"

	"channelapi/shared/telegram"
)

func TestValidate(t *testing.T) {
	t.Parallel()
	count := int64(0)
	full := telegram.Post{ID: 1, Type: telegram.PostMessage, URL: "https://t.me/quiet_garden/1", View: "x", Album: []int{1, 2},
		Forwarded: &telegram.Forwarded{URL: "https://t.me/abcd/1"},
		Content: telegram.PostContent{
			Text:        &telegram.Text{Entities: []telegram.Entity{{Length: 1, Type: telegram.EntityMention, URL: "https://t.me/abcd"}}},
			Media:       []telegram.Media{{Type: telegram.MediaSticker, Format: "tgs", Width: 1, Height: 1, Size: &telegram.Size{}, Duration: &telegram.Duration{}}},
			Poll:        &telegram.Poll{Options: []telegram.PollOption{{}}, VotesCount: &count},
			Inline:      []telegram.Button{{}},
			Reply:       &telegram.Reply{ToMessage: 3, Channel: "abcd"},
			PreviewLink: &telegram.LinkPreview{URL: "https://e.example", Video: &telegram.PreviewVideo{URL: "https://e.example"}},
			Reacts:      []telegram.Reaction{{Type: telegram.ReactionStars}},
			Location:    &telegram.Location{Latitude: 1.5},
			Contact:     &telegram.Contact{},
		},
		Footer: telegram.Footer{Date: &telegram.Date{String: "2025-03-01T10:00:00+00:00"}, ViewsCount: &count, Author: &telegram.RichText{}},
	}
	channel := telegram.Channel{Username: "quiet_garden", Description: &telegram.RichText{}, Labels: []string{"verified"}, ID: 1 << 40}
	for name, v := range map[string]any{
		"Post":        full,
		"ChannelBody": telegram.ChannelBody{Channel: channel, Content: telegram.Content{Posts: []telegram.Post{full}}},
		"More":        telegram.More{Posts: []telegram.Post{}, Meta: telegram.Meta{Offset: telegram.Offset{Before: 5, After: 9}, Truncated: true}},
		"Preview":     telegram.Preview{Type: telegram.KindBot, Count: &count},
		"Previews":    map[string]telegram.Preview{"abcd": {Type: telegram.KindUser}},
	} {
		doc, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if err := Validate(name, doc); err != nil {
			t.Errorf("Validate(%s): %v\n%s", name, err, doc)
		}
	}
	for doc, schema := range map[string]string{
		`{"posts":null,"meta":{"offset":{}}}`:                      "More",
		`{"posts":[],"meta":{"offset":{"before":0}}}`:              "More",
		`{"posts":[],"meta":{}}`:                                   "More",
		`{"posts":[],"meta":{"offset":{}},"more":1}`:               "More",
		`{"posts":[],"meta":{"offset":{},"truncated":false}}`:      "More",
		`{"string":"x"}`:                                           "RichText",
		`{"offset":0,"length":1,"type":"bold","url":""}`:           "Entity",
		`{"string":"2025-03-01T10:00:00Z","unix":1740823200}`:      "Date",
		`{"status":"fine"}`:                                        "Health",
		`{"title":"x","status":404,"detail":"x","code":"missing"}`: "Problem",
		`{`:  "Post",
		`{}`: "Nothing",
	} {
		if err := Validate(schema, []byte(doc)); err == nil {
			t.Errorf("Validate(%s, %s) finds no fault", schema, doc)
		}
	}
}
