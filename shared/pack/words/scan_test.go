package words_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"channelapi/shared/pack/words"
)

// scan gives the tokens of text; numbers are marked with #.
func scan(text string) []string {
	var got []string
	words.Scan(text, func(kind words.Kind, raw string) bool {
		mark := ""
		if kind == words.Number {
			mark = "#"
		}
		got = append(got, string(words.Normal([]byte(mark), kind, raw)))
		return true
	})
	return got
}

func TestScan(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, text, want string }{
		{"case and punctuation", "The City's bridge — re-opens, on MONDAY!", "the citys bridge re opens on monday"},
		{"russian", "Ещё ОДИН мост: «Ёлочка»…", "еще один мост елочка"},
		{"thousands", "1,200 and 1 200 and 1 200 000 and 3,14", "#1200 and #1200 and #1200000 and #3.14"},
		{"decimals", "41.20 41,2 10.00 10:30 01.03.2025", "#41.2 #41.2 #10 #10:30 #01.03.2025"},
		{"not thousands", "in 2024 100 people, 12 3456", "in #2024 #100 people #12 #3456"},
		{"units that hang on", "65k 5th G7 covid19", "#65k #5th g7 covid19"},
		{"end of sentence", "It cost 5. Then 6, then", "it cost #5 then #6 then"},
		{"addresses", "see https://example.com/a?b=c#d, (t.me/alpha/1) www.example.com and example.com/x", "see and"},
		{"bare name", "example.com says", "example com says"},
		{"mentions", "ask @alpha_news or (@beta): mail@example.com", "ask or mail example com"},
		{"hashtags", "#Мост #big_bridge", "мост big bridge"},
		{"emoji and marks", "❗️Срочно🔥 вой\u0301на и\u0306 a\u00ADb don’t", "срочно война й ab dont"},
		{"without spaces", "東京タワー 日本", "東 京 タ ワ ー 日 本"},
		{"nothing", " \n—…❗️", ""},
		{"not UTF-8", "a\xffb \xd0", "a b"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, strings.Join(scan(tc.text), " ")); diff != "" {
				t.Errorf("Scan(%q) (-want +got):\n%s", tc.text, diff)
			}
		})
	}
}

func TestScanStops(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"one two", "1 2"} {
		calls := 0
		words.Scan(text, func(words.Kind, string) bool { calls++; return false })
		if calls != 1 {
			t.Errorf("Scan(%q) called %d times after false, want 1", text, calls)
		}
	}
}

func TestStem(t *testing.T) {
	t.Parallel()
	for _, family := range []string{
		"raise raises raised raising", "city cities", "announce announced announces announcement", "elect election elected elections",
		"stop stopped stopping stops", "official officials officially", "company companies",
		"мост моста мосту мостом мосты мостов мостам", "город города городу городом городов городами",
		"открыли открыл открыла", "новый новая новые новых новому", "ставка ставки ставку ставкой",
		"компания компании компанию компанией", "сообщил сообщила сообщили сообщило", "погибший погибшие погибших",
	} {
		stems := map[string]bool{}
		for word := range strings.FieldsSeq(family) {
			stems[string(words.Stem([]byte(word)))] = true
		}
		if len(stems) != 1 {
			t.Errorf("Stem of %q gives %v, want one stem", family, stems)
		}
	}
	for _, pair := range [][2]string{{"bus", "bu"}, {"минск", "минский район"}, {"суд", "судно"}, {"цена", "центр"}} {
		if a, b := string(words.Stem([]byte(pair[0]))), string(words.Stem([]byte(pair[1]))); a == b {
			t.Errorf("Stem gives %q for both %q and %q", a, pair[0], pair[1])
		}
	}
	if got := string(words.Stem([]byte("漢"))); got != "漢" {
		t.Errorf("Stem(漢) = %q", got)
	}
}

func TestStop(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]bool{"the": true, "и": true, "который": true, "bridge": false, "мост": false} {
		if got := words.Stop([]byte(word)); got != want {
			t.Errorf("Stop(%q) = %v, want %v", word, got, want)
		}
	}
}

func FuzzScan(f *testing.F) {
	f.Add("The bridge (https://t.me/a) 1 200,50 — Ёж @b #c")
	f.Add("a\xff1,\u202F000 漢\u0301")
	f.Fuzz(func(t *testing.T, text string) {
		words.Scan(text, func(kind words.Kind, raw string) bool {
			token := words.Normal(nil, kind, raw)
			if len(token) == 0 || !utf8.Valid(token) {
				t.Errorf("Scan(%q) gives %q, normally %q", text, raw, token)
			}
			words.Stem(token)
			return true
		})
	})
}
