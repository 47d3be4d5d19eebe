package sanitize

import "strings"

// Address gives s as it may stand in an answer, and false where it may not: only absolute http, https, mailto and tg
// addresses may. One without a scheme ("//host/…") becomes https. The few characters that would end an address early
// in some reader are percent-encoded; a control character refuses the whole.
func Address(s string) (string, bool) {
	s = strings.Trim(s, " \t\n")
	if strings.HasPrefix(s, "//") {
		s = "https:" + s
	}
	scheme, rest, ok := strings.Cut(s, ":")
	if !ok || Clean(s) != s || strings.ContainsAny(s, "\t\n") {
		return "", false
	}
	lower := strings.ToLower(scheme)
	switch lower {
	case "http", "https", "tg":
		ok = len(rest) > 2 && rest[:2] == "//" && !strings.ContainsRune("/?#\\", rune(rest[2]))
	case "mailto":
		ok = rest != "" && rest[0] != '/'
	default:
		ok = false
	}
	if !ok {
		return "", false
	}
	if lower != scheme {
		s = lower + ":" + rest
	}
	if strings.ContainsAny(s, " \"<>`\\") {
		s = strings.NewReplacer(" ", "%20", `"`, "%22", "<", "%3C", ">", "%3E", "`", "%60", `\`, "%5C").Replace(s)
	}
	return s, true
}

// WebAddress is Address for what a browser fetches: http and https only.
func WebAddress(s string) (string, bool) {
	s, ok := Address(s)
	return s, ok && strings.HasPrefix(s, "http")
}
