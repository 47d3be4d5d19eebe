package telegram

// PostType tells apart what the page draws as a post.
type PostType string

// The types of posts. Unsupported posts are those whose content the page withholds.
const (
	PostMessage     PostType = "message"
	PostService     PostType = "service"
	PostUnsupported PostType = "unsupported"
)

// Post is one message of a channel.
type Post struct {
	ID        int         `json:"id"`
	Content   PostContent `json:"content"`
	Footer    Footer      `json:"footer"`
	Forwarded *Forwarded  `json:"forwarded,omitempty"`
	// View is the data-view token as the page gives it.
	View string   `json:"view,omitempty"`
	Type PostType `json:"type"`
	URL  string   `json:"url"`
	// Album lists the message ids of a media group, the post's own among them; nil for a single message.
	Album []int `json:"album,omitempty"`
}

// PostContent is what a post shows. Every part may be absent.
type PostContent struct {
	Text        *Text        `json:"text,omitempty"`
	Media       []Media      `json:"media,omitempty"`
	Poll        *Poll        `json:"poll,omitempty"`
	Inline      []Button     `json:"inline,omitempty"`
	Reply       *Reply       `json:"reply,omitempty"`
	PreviewLink *LinkPreview `json:"preview_link,omitempty"`
	Reacts      []Reaction   `json:"reacts,omitempty"`
	Location    *Location    `json:"location,omitempty"`
	Contact     *Contact     `json:"contact,omitempty"`
}

// RichText is a text as a person reads it and as sanitised HTML.
type RichText struct {
	String string `json:"string"`
	HTML   string `json:"html"`
}

// Text is the body of a post.
type Text struct {
	String   string   `json:"string"`
	HTML     string   `json:"html"`
	Entities []Entity `json:"entities,omitempty"`
}

// EntityType names a kind of formatting.
type EntityType string

// The entity types of the contract.
const (
	EntityBold                 EntityType = "bold"
	EntityItalic               EntityType = "italic"
	EntityUnderline            EntityType = "underline"
	EntityStrikethrough        EntityType = "strikethrough"
	EntitySpoiler              EntityType = "spoiler"
	EntityCode                 EntityType = "code"
	EntityPre                  EntityType = "pre"
	EntityTextLink             EntityType = "text_link"
	EntityURL                  EntityType = "url"
	EntityHashtag              EntityType = "hashtag"
	EntityEmoji                EntityType = "emoji"
	EntityAnimoji              EntityType = "animoji"
	EntityMention              EntityType = "mention"
	EntityCashtag              EntityType = "cashtag"
	EntityEmail                EntityType = "email"
	EntityBlockquote           EntityType = "blockquote"
	EntityExpandableBlockquote EntityType = "expandable_blockquote"
)

// Entity marks a range of a text. Offset and Length are UTF-16 code units.
type Entity struct {
	Offset   int        `json:"offset"`
	Length   int        `json:"length"`
	Type     EntityType `json:"type"`
	Language string     `json:"language,omitempty"`
	URL      string     `json:"url,omitempty"`
	EmojiID  string     `json:"emoji_id,omitempty"`
}

// Footer is the line below a post.
type Footer struct {
	// Views is as shown, e.g. "1.48M"; empty for posts without a view counter.
	Views  string    `json:"views,omitempty"`
	Edited bool      `json:"edited"`
	Author *RichText `json:"author,omitempty"`
	// Date is nil where the page gives no readable date.
	Date       *Date  `json:"date,omitempty"`
	ViewsCount *int64 `json:"views_count,omitempty"`
	ViaBot     string `json:"via_bot,omitempty"`
}

// Date is a moment as RFC 3339 in UTC ("+00:00") and in seconds since 1970.
type Date struct {
	String string `json:"string"`
	Unix   int64  `json:"unix"`
}

// Forwarded names the source of a forwarded post; URL is empty for hidden sources.
type Forwarded struct {
	Name   RichText `json:"name"`
	URL    string   `json:"url,omitempty"`
	Author string   `json:"author,omitempty"`
}

// Button is an inline keyboard button.
type Button struct {
	Title string `json:"title"`
	URL   string `json:"url"`
}

// Reply quotes the post that is answered; ToMessage is 0 where the page's address names no post.
type Reply struct {
	Cover     string   `json:"cover,omitempty"`
	Name      RichText `json:"name"`
	Text      RichText `json:"text"`
	ToMessage int      `json:"to_message,omitempty"`
	Channel   string   `json:"channel,omitempty"`
	URL       string   `json:"url,omitempty"`
}

// LinkPreview is the card below a post with a link.
type LinkPreview struct {
	Title       string        `json:"title,omitempty"`
	URL         string        `json:"url"`
	SiteName    string        `json:"site_name,omitempty"`
	Description *RichText     `json:"description,omitempty"`
	Thumb       string        `json:"thumb,omitempty"`
	Video       *PreviewVideo `json:"video,omitempty"`
}

// PreviewVideo is the video of a LinkPreview.
type PreviewVideo struct {
	URL      string    `json:"url"`
	Thumb    string    `json:"thumb,omitempty"`
	Duration *Duration `json:"duration,omitempty"`
}

// ReactionType tells apart the forms of a reaction.
type ReactionType string

// The forms of reactions.
const (
	ReactionStars       ReactionType = "telegram_stars"
	ReactionEmoji       ReactionType = "emoji"
	ReactionCustomEmoji ReactionType = "custom_emoji"
)

// Reaction is one reaction and how often it was given; Count is as shown ("23.4K"), Total the same as an integer.
type Reaction struct {
	Count      string       `json:"count"`
	Type       ReactionType `json:"type"`
	Emoji      string       `json:"emoji,omitempty"`
	EmojiID    string       `json:"emoji_id,omitempty"`
	EmojiImage string       `json:"emoji_image,omitempty"`
	Total      int64        `json:"total"`
}

// Location is a point or, with Title and Address, a venue. Degrees.
type Location struct {
	Latitude  float64 `json:"latitude"`
	Longitude float64 `json:"longitude"`
	Title     string  `json:"title,omitempty"`
	Address   string  `json:"address,omitempty"`
	Map       string  `json:"map,omitempty"`
}

// Contact is a shared contact.
type Contact struct {
	Name  string `json:"name"`
	Phone string `json:"phone"`
}
