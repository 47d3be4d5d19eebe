package pick_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"channelapi/shared/pack/pick"
)

func TestAppend(t *testing.T) {
	t.Parallel()
	type f = pick.Fields
	const post = `{"id":7,"content":{"text":{"string":"a \"quoted\" \\","html":"{[,:]}"},"media":[{"type":"image","url":"u"},{"type":"video"}]},"footer":{}}`
	for name, tt := range map[string]struct {
		src    string
		fields f
		want   string
	}{
		"whole":            {post, nil, post},
		"a member":         {post, f{"id": nil}, `{"id":7}`},
		"deep":             {post, f{"content": {"text": {"string": nil}}}, `{"content":{"text":{"string":"a \"quoted\" \\"}}}`},
		"of each element":  {post, f{"content": {"media": {"type": nil}}}, `{"content":{"media":[{"type":"image"},{"type":"video"}]}}`},
		"order stays":      {post, f{"footer": nil, "id": nil}, `{"id":7,"footer":{}}`},
		"what is lacking":  {post, f{"id": nil, "view": nil}, `{"id":7}`},
		"nothing":          {post, f{}, `{}`},
		"lists of objects": {`[{"a":1,"b":2},{"b":3}]`, f{"a": nil}, `[{"a":1},{}]`},
		"empty":            {`{"a":{},"b":[]}`, f{"a": {"x": nil}, "b": {"x": nil}}, `{"a":{},"b":[]}`},
		"members of none":  {`{"a":null,"b":-1.5e3,"c":"s"}`, f{"a": {"x": nil}, "b": {"x": nil}, "c": {"x": nil}}, `{"a":null,"b":-1.5e3,"c":"s"}`},
	} {
		got, err := pick.Append([]byte("before "), []byte(tt.src), tt.fields)
		if err != nil || string(got) != "before "+tt.want {
			t.Errorf("%s: Append(%s, %v) = %s, %v; want %s", name, tt.src, tt.fields, got, err, tt.want)
		}
	}
	for _, src := range []string{``, `{`, `[`, `"`, `"\"`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,}`, `{"a" :1}`, `{a:1}`, `{"a":}`, `[1,]`, `[1`, `{}{}`, `{"a":{]`, `{"b":,"a":1}`} {
		if got, err := pick.Append(nil, []byte(src), f{"a": {"x": nil}}); !errors.Is(err, pick.ErrForm) && json.Valid(got) {
			t.Errorf("Append(%s) = %s, %v; want ErrForm", src, got, err)
		}
	}
}

func TestHas(t *testing.T) {
	t.Parallel()
	f := pick.Fields{"meta": {"cursor": nil}, "all": nil}
	for path, want := range map[*[]string]bool{
		{"meta", "cursor"}: true, {"meta", "stale"}: false, {"all", "of", "it"}: true, {"none"}: false, {}: true, {"meta"}: true,
	} {
		if got := f.Has(*path...); got != want {
			t.Errorf("Has(%q) = %t, want %t", *path, got, want)
		}
	}
}

// chosen is what Append does, by way of values.
func chosen(v any, f pick.Fields) any {
	if f == nil {
		return v
	}
	switch v := v.(type) {
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = chosen(v[i], f)
		}
		return list
	case map[string]any:
		m := map[string]any{}
		for k, kid := range f {
			if w, ok := v[k]; ok {
				m[k] = chosen(w, kid)
			}
		}
		return m
	}
	return v
}

// FuzzAppend: of JSON without blanks it gives what a decoder would choose, and of anything else it does not panic.
func FuzzAppend(f *testing.F) {
	files, err := filepath.Glob("../../../testdata/golden/scrape/*/*.json")
	if err != nil || len(files) == 0 {
		f.Fatalf("%d recorded answers: %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	for _, s := range []string{`{"content":[{"text":"\\\""},1,[{"text":{"string":2}}]]}`, `{"id":{"id":1},"text":"`, `[[[`} {
		f.Add([]byte(s))
	}
	fields := pick.Fields{"id": nil, "content": {"text": {"string": nil}, "media": {"type": nil, "url": nil}}, "channel": {"title": nil}, "posts": {"id": nil}}
	f.Fuzz(func(t *testing.T, text []byte) {
		_, _ = pick.Append(nil, text, fields)
		var v any
		if json.Unmarshal(text, &v) != nil {
			return
		}
		compact, err := json.Marshal(v) // no blanks, each key once
		if err != nil {
			t.Fatal(err)
		}
		picked, err := pick.Append(nil, compact, fields)
		if err != nil {
			t.Fatalf("Append(%s): %v", compact, err)
		}
		var got any
		if err := json.Unmarshal(picked, &got); err != nil {
			t.Fatalf("Append(%s) = %s: %v", compact, picked, err)
		}
		if err := json.Unmarshal(compact, &v); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(chosen(v, fields), got); diff != "" {
			t.Errorf("Append(%s) (-want +got):\n%s", compact, diff)
		}
	})
}
