package lambdahttp

import (
	"encoding/base64"
	"math/rand/v2"
	"testing"
)

func TestBase64IsTheStandardOne(t *testing.T) {
	t.Parallel()
	src := make([]byte, 4096)
	if _, err := rand.NewChaCha8([32]byte{}).Read(src); err != nil {
		t.Fatalf("read random bytes: %v", err)
	}
	for n := range 300 {
		want := base64.StdEncoding.EncodeToString(src[n : 2*n])
		// Room right behind the answer must stay as it is.
		dst := make([]byte, 1, 1+len(want)+64)
		got := appendBase64(dst, src[n:2*n])
		if string(got[1:]) != want {
			t.Fatalf("appendBase64 of %d bytes = %q, want %q", n, got[1:], want)
		}
		for i, c := range got[len(got):cap(got)] {
			if c != 0 {
				t.Fatalf("appendBase64 of %d bytes wrote %d bytes past its end", n, i+1)
			}
		}
	}
	if got, want := string(appendBase64([]byte("x"), src)), "x"+base64.StdEncoding.EncodeToString(src); got != want {
		t.Error("append after a prefix differs")
	}
}
