package config

import (
	"errors"
	"log/slog"
	"strings"
)

// Mode is CACHE_MODE.
type Mode string

// The modes.
const (
	Off        Mode = "off"
	Normal     Mode = "normal"
	Aggressive Mode = "aggressive"
)

// UnmarshalText reads a mode.
func (m *Mode) UnmarshalText(text []byte) error {
	switch v := Mode(strings.ToLower(string(text))); v {
	case Off, Normal, Aggressive:
		*m = v
		return nil
	}
	return errors.New("give off, normal or aggressive")
}

// VectorMode is VECTOR.
type VectorMode string

// The ways of serving related and find without Upstash Vector.
const (
	VectorOff   VectorMode = "off"
	VectorLocal VectorMode = "local" // an index embedded in the process
)

// UnmarshalText reads a mode.
func (m *VectorMode) UnmarshalText(text []byte) error {
	switch v := VectorMode(strings.ToLower(string(text))); v {
	case VectorOff, VectorLocal:
		*m = v
		return nil
	}
	return errors.New("give off or local")
}

// Switch is a setting that is on or off; true, false, 1, 0, yes and no are read too.
type Switch bool

// UnmarshalText reads a switch.
func (s *Switch) UnmarshalText(text []byte) error {
	switch strings.ToLower(string(text)) {
	case "on", "true", "1", "yes":
		*s = true
	case "off", "false", "0", "no":
		*s = false
	default:
		return errors.New("give on or off")
	}
	return nil
}

// Secret is a value that never shows itself: it prints, logs and marshals as a placeholder.
type Secret string

const hidden = "[secret]"

// Reveal gives the value.
func (s Secret) Reveal() string { return string(s) }

// String hides the value.
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return hidden
}

// GoString hides the value from %#v.
func (s Secret) GoString() string { return s.String() }

// LogValue hides the value from logs.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalText hides the value from JSON.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// SSM gives NAME where the secret is ssm:NAME, the name of an SSM SecureString.
func (s Secret) SSM() (name string, ok bool) { return strings.CutPrefix(string(s), "ssm:") }

// checkParameter finds fault with a secret that names a parameter out of SSM's form.
func (s Secret) checkParameter() error {
	name, ok := s.SSM()
	if ok && (name == "" || len(name) > 1011 || strings.ContainsFunc(name, notInParameter)) {
		return errors.New("give the parameter's name after ssm:, for instance ssm:/channelapi/redis-url")
	}
	return nil
}

// notInParameter allows what stands in names and ARNs.
func notInParameter(c rune) bool {
	return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && !strings.ContainsRune("_.:/-", c)
}
