package telegram

// Channel is what a page tells about the channel itself.
type Channel struct {
	Username    string    `json:"username"`
	Title       RichText  `json:"title"`
	Description *RichText `json:"description,omitempty"`
	Avatar      string    `json:"avatar,omitempty"`
	Counters    Counters  `json:"counters"`
	Labels      []string  `json:"labels,omitempty"`
	Counts      Counts    `json:"counts"`
	// ID is the numeric channel id without the -100 prefix of the Bot API; 0 when no post tells it.
	ID int64 `json:"id,omitempty"`
}

// Counters are a channel's counters as the page shows them, e.g. "11.3M".
type Counters struct {
	Subscribers string `json:"subscribers,omitempty"`
	Photos      string `json:"photos,omitempty"`
	Videos      string `json:"videos,omitempty"`
	Files       string `json:"files,omitempty"`
	Links       string `json:"links,omitempty"`
}

// Counts are Counters read as integers, e.g. 11300000.
type Counts struct {
	Subscribers int64 `json:"subscribers,omitempty"`
	Photos      int64 `json:"photos,omitempty"`
	Videos      int64 `json:"videos,omitempty"`
	Files       int64 `json:"files,omitempty"`
	Links       int64 `json:"links,omitempty"`
}

// ChannelBody is one page of a channel together with the channel itself.
type ChannelBody struct {
	Channel Channel `json:"channel"`
	Content Content `json:"content"`
	Meta    Meta    `json:"meta"`
}

// Content holds the posts of a ChannelBody, oldest first.
type Content struct {
	Posts []Post `json:"posts"`
}

// More is one page of a channel's posts without the channel, oldest first.
type More struct {
	Posts []Post `json:"posts"`
	Meta  Meta   `json:"meta"`
}

// Meta carries the cursors of a page.
type Meta struct {
	Offset Offset `json:"offset"`
	// Truncated is true when posts were left out to keep the answer under the size that Lambda allows.
	Truncated bool `json:"truncated,omitempty"`
}

// Offset holds the cursors to older (Before) and newer (After) posts; 0 where the page names none.
type Offset struct {
	Before int `json:"before,omitempty"`
	After  int `json:"after,omitempty"`
}

// Kind says what a t.me name belongs to.
type Kind string

// The kinds of names that have a landing page.
const (
	KindChannel Kind = "channel"
	KindGroup   Kind = "group"
	KindUser    Kind = "user"
	KindBot     Kind = "bot"
)

// Preview is what a landing page (t.me/NAME) tells about a name.
type Preview struct {
	Channel       PreviewChannel `json:"channel"`
	Type          Kind           `json:"type"`
	Username      string         `json:"username"`
	HasPublicPage bool           `json:"has_public_page"`
	// Count is the number of subscribers, members or monthly users; nil where the page gives none.
	Count  *int64 `json:"count,omitempty"`
	Online *int64 `json:"online,omitempty"`
}

// PreviewChannel is the part of a Preview that telegram-me clients read; Subscribers is as shown, e.g. "6 400 358".
type PreviewChannel struct {
	Title       string `json:"title"`
	Subscribers string `json:"subscribers,omitempty"`
	Description string `json:"description,omitempty"`
	Avatar      string `json:"avatar,omitempty"`
	IsVerified  bool   `json:"is_verified"`
}
