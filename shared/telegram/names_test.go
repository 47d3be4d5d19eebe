package telegram

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
)

func TestParseUsername(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"example_channel":                                "example_channel",
		"@Example_Channel":                               "Example_Channel",
		" example_channel\u00a0":                         "example_channel",
		"%20example_channel%0A":                          "example_channel",
		"HTTPS://T.ME/S/Example_Channel?before=10":       "Example_Channel",
		"http://www.t.me/example_channel/12?single":      "example_channel",
		"t.me/example_channel/12/34":                     "example_channel",
		"telegram.dog/s/example_channel/":                "example_channel",
		"https://telegram.me/example_channel#top":        "example_channel",
		"https%3A%2F%2Ft.me%2Fs%2Fexample_channel%2F123": "example_channel",
		strings.Repeat("a", 32):                          strings.Repeat("a", 32),
	} {
		got, err := ParseUsername("channel", given)
		if err != nil || got.String() != want {
			t.Errorf("ParseUsername(%q) = %q, %v; want %q", given, got, err, want)
		}
		if got.Key() != strings.ToLower(want) {
			t.Errorf("ParseUsername(%q).Key() = %q", given, got.Key())
		}
	}
}

func TestParseUsernameRefuses(t *testing.T) {
	t.Parallel()
	for _, given := range []string{
		"", "@", "abc", "1channel", "_channel", "example-channel", "example_channel/12", "example_channel/../other",
		"example_channel?x=1", "приклад", strings.Repeat("a", 33), "+AbCdEf123", "joinchat/AbC", "t.me/joinchat/AbC",
		"t.me/+AbCdEf123", "t.me/addstickers/Some", "t.me/", "t.me/s/", "https://t.me/example_channel/../other",
		"example\u200bchannel", "example\x00channel", "@t.me/example_channel", "example.com/example_channel", "%zz", "@@example",
	} {
		got, err := ParseUsername("channel", given)
		var invalid *InvalidError
		if !errors.As(err, &invalid) || invalid.Field != "channel" || !errors.Is(err, ErrInvalid) {
			t.Errorf("ParseUsername(%q) = %q, %v; want an *InvalidError for channel", given, got, err)
		}
	}
}

// TestUsernameForms holds the parser to the forms that people were seen to paste.
func TestUsernameForms(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../testdata/cases/username-forms/input.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Given string  `json:"given"`
		Want  *string `json:"want"`
	}
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		got, err := ParseUsername("channel", c.Given)
		switch {
		case c.Want == nil && err == nil:
			t.Errorf("ParseUsername(%q) = %q, want an error", c.Given, got)
		case c.Want != nil && (err != nil || got.Key() != strings.Fields(*c.Want)[0]):
			t.Errorf("ParseUsername(%q) = %q, %v; want %q", c.Given, got, err, *c.Want)
		}
	}
}

func TestParsePostID(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]int{"1": 1, "523": 523, "10000000": MaxPostID} {
		if got, err := ParsePostID("id", given); err != nil || got != want {
			t.Errorf("ParsePostID(%q) = %d, %v; want %d", given, got, err, want)
		}
	}
	for _, given := range []string{"", "0", "-1", "+1", "01", "1.0", "1e3", " 1", "10000001", "99999999999999999999", "١"} {
		if got, err := ParsePostID("id", given); !errors.Is(err, ErrInvalid) {
			t.Errorf("ParsePostID(%q) = %d, %v; want ErrInvalid", given, got, err)
		}
	}
}

func TestParseDirection(t *testing.T) {
	t.Parallel()
	for _, want := range []Direction{Before, After} {
		if got, err := ParseDirection("direction", string(want)); err != nil || got != want {
			t.Errorf("ParseDirection(%q) = %q, %v", want, got, err)
		}
	}
	if _, err := ParseDirection("direction", "Before"); !errors.Is(err, ErrInvalid) {
		t.Errorf("ParseDirection(Before) error = %v, want ErrInvalid", err)
	}
}

func TestCode(t *testing.T) {
	t.Parallel()
	for want, err := range map[string]error{
		"invalid":           &InvalidError{"channel", "x"},
		"not_a_channel":     &NotAChannelError{KindGroup},
		"no_public_preview": ErrNoPublicPreview,
		"not_found":         ErrNotFound,
		"unreadable_page":   ErrUnreadable,
		"upstream":          &UpstreamError{Err: os.ErrDeadlineExceeded},
		"internal":          os.ErrClosed,
	} {
		if got := Code(errors.Join(errors.New("outer"), err)); got != want {
			t.Errorf("Code(%v) = %q, want %q", err, got, want)
		}
	}
}

func TestParseUsernames(t *testing.T) {
	t.Parallel()
	got, err := ParseUsernames("channels", []string{"alpha_news", "@Beta_News"})
	if err != nil || len(got) != 2 || got[1].String() != "Beta_News" {
		t.Errorf("ParseUsernames() = %v, %v", got, err)
	}
	_, err = ParseUsernames("channels", []string{"alpha_news", "x", "beta_news", "y z"})
	if err == nil || !strings.Contains(err.Error(), "channels[1]") || !strings.Contains(err.Error(), "channels[3]") {
		t.Errorf("ParseUsernames() error = %v, want both faults named", err)
	}
	for _, n := range []int{0, MaxNames + 1} {
		if _, err := ParseUsernames("channels", make([]string, n)); !errors.Is(err, ErrInvalid) {
			t.Errorf("ParseUsernames(%d names) error = %v, want ErrInvalid", n, err)
		}
	}
}

func TestDistinct(t *testing.T) {
	t.Parallel()
	for want, identity := range map[string]func(Username) string{
		"Alpha_News beta_news":            Username.Key,
		"Alpha_News beta_news alpha_news": Username.String,
	} {
		names, err := ParseUsernames("channels", []string{"Alpha_News", "beta_news", "@alpha_news", "t.me/Alpha_News", "beta_news"})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, n := range Distinct(names, identity) {
			got = append(got, n.String())
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("Distinct() = %s, want %s", s, want)
		}
	}
	if got := Distinct(nil, Username.Key); len(got) != 0 {
		t.Errorf("Distinct(nil) = %v", got)
	}
}

func TestCheckQuery(t *testing.T) {
	t.Parallel()
	if got, err := CheckQuery("q", "  мост "); err != nil || got != "мост" {
		t.Errorf("CheckQuery() = %q, %v", got, err)
	}
	for _, q := range []string{"", " ", strings.Repeat("ж", MaxQuery+1)} {
		if _, err := CheckQuery("q", q); !errors.Is(err, ErrInvalid) {
			t.Errorf("CheckQuery(%q) error = %v, want ErrInvalid", q, err)
		}
	}
	if _, err := CheckQuery("q", strings.Repeat("ж", MaxQuery)); err != nil {
		t.Errorf("CheckQuery at the limit: %v", err)
	}
}
