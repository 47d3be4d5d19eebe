package apptest

import (
	"runtime/debug"
	"slices"
)

// Raced tells whether the race detector is linked in.
func Raced() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}
