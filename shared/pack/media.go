package pack

import (
	"encoding/json"
	"fmt"

	"channelapi/shared/telegram"
)

// Media gives the address of the n-th media (from 0) of the post that Find gives for id, or of its thumbnail. The error
// is telegram.ErrNotFound where the page gives no such post, media or address. An album's media are all of its post's,
// whichever of its ids is asked for.
func (p Pack) Media(id, n int, thumb bool) (string, error) {
	b, _, err := p.PostJSON(nil, id)
	if err != nil {
		return "", err
	}
	var post struct {
		Content struct {
			Media []struct{ URL, Thumb string }
		}
	}
	if err := json.Unmarshal(b, &post); err != nil {
		return "", fmt.Errorf("read the media of post %d: %w", id, ErrCorrupt)
	}
	if n < 0 || n >= len(post.Content.Media) {
		return "", fmt.Errorf("find media %d of post %d: %w", n, id, telegram.ErrNotFound)
	}
	address := post.Content.Media[n].URL
	if thumb {
		address = post.Content.Media[n].Thumb
	}
	if address == "" {
		return "", fmt.Errorf("find an address for media %d of post %d: %w", n, id, telegram.ErrNotFound)
	}
	return address, nil
}
