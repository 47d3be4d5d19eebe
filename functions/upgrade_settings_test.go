package functions_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"channelapi/shared/config"
)

// TestOldSettings: what an operator has set for an earlier release is still understood, and means the same. Settings
// that this program does not know, as after a rollback, are passed over.
func TestOldSettings(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(upgrades + "/settings-*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no settings of earlier releases: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var old struct{ Environment, Means map[string]string }
		if err := json.Unmarshal(text, &old); err != nil {
			t.Fatalf("read %s: %v", file, err)
		}
		environ := []string{"SETTING_OF_THE_FUTURE=on"}
		for k, v := range old.Environment {
			environ = append(environ, k+"="+v)
		}
		cfg, err := config.Load(environ)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		text, err = json.Marshal(cfg)
		if err != nil {
			t.Fatal(err)
		}
		var fields map[string]any
		if err := json.Unmarshal(text, &fields); err != nil {
			t.Fatal(err)
		}
		for field, want := range old.Means {
			got, err := json.Marshal(fields[field])
			if err != nil || string(got) != want {
				t.Errorf("%s: %s = %s, want %s", file, field, got, want)
			}
		}
	}
}
