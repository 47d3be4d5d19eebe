package telegram

// MediaType names a kind of attachment.
type MediaType string

// The media types of the contract.
const (
	MediaImage      MediaType = "image"
	MediaVideo      MediaType = "video"
	MediaVoice      MediaType = "voice"
	MediaRoundVideo MediaType = "roundvideo"
	MediaSticker    MediaType = "sticker"
	MediaGIF        MediaType = "gif"
	MediaDocument   MediaType = "document"
	MediaAudio      MediaType = "audio"
)

// Media is one attachment of a post. Addresses expire within hours.
type Media struct {
	Type     MediaType `json:"type"`
	URL      string    `json:"url,omitempty"`
	Thumb    string    `json:"thumb,omitempty"`
	Waves    string    `json:"waves,omitempty"`
	Duration *Duration `json:"duration,omitempty"`
	// Available is false for a file that the page withholds.
	Available bool `json:"available"`
	// ID outlives the address: the digits of a photo's class or the hex name of a file.
	ID        string `json:"id,omitempty"`
	Width     int    `json:"width,omitempty"`
	Height    int    `json:"height,omitempty"`
	Title     string `json:"title,omitempty"`
	Performer string `json:"performer,omitempty"`
	FileName  string `json:"file_name,omitempty"`
	Size      *Size  `json:"size,omitempty"`
	// Format is webp, tgs or webm for stickers.
	Format string `json:"format,omitempty"`
}

// Duration is a play time as shown ("1:02:05") and in seconds.
type Duration struct {
	Formatted string `json:"formatted"`
	Raw       int    `json:"raw"`
}

// Size is a file size as shown ("2.1 MB") and in bytes (units of 1024, rounded).
type Size struct {
	Formatted string `json:"formatted"`
	Bytes     int64  `json:"bytes"`
}

// Poll is a poll or quiz.
type Poll struct {
	Question  string       `json:"question"`
	Type      string       `json:"type"`
	Votes     string       `json:"votes,omitempty"`
	Options   []PollOption `json:"options"`
	Anonymous bool         `json:"anonymous"`
	Quiz      bool         `json:"quiz"`
	Closed    bool         `json:"closed"`
	Multiple  bool         `json:"multiple"`
	// VotesCount is nil where the page gives no voters.
	VotesCount *int64 `json:"votes_count,omitempty"`
}

// PollOption is one answer; Percent is as the page rounds it.
type PollOption struct {
	Name    string `json:"name"`
	Percent int    `json:"percent"`
}
