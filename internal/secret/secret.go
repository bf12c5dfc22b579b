// Package secret keeps passwords that stand in addresses out of what is printed.
package secret

import (
	"cmp"
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// userinfo is what stands before a host: a user and a password, or a token.
var userinfo = regexp.MustCompile(`://[^\s/,@]*@`)

// Redact replaces what is secret about an address, or several with commas, in a text, and
// what looks like it.
func Redact(address, text string) string {
	for _, s := range secrets(address) {
		text = strings.ReplaceAll(text, s, "***")
	}
	return userinfo.ReplaceAllString(text, "://***@")
}

// secrets returns what stands before the hosts of an address and the passwords in it,
// as they are written and as they are meant, the longest first.
func secrets(address string) []string {
	var list []string
	// A password may hold a comma, so the address as a whole is looked at, too.
	for _, part := range append(strings.Split(address, ","), address) {
		end := strings.LastIndexByte(part, '@')
		if end < 0 {
			continue
		}
		info := part[:end]
		if _, rest, ok := strings.Cut(info, "://"); ok {
			info = rest
		}
		_, password, _ := strings.Cut(info, ":")
		for _, s := range []string{info, password} {
			plain, _ := url.PathUnescape(s) // what cannot be meant is nothing
			list = append(list, s, plain)
		}
	}
	list = slices.DeleteFunc(list, func(s string) bool { return s == "" })
	slices.SortStableFunc(list, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return list
}

// Hide returns an error without the secrets of an address in its text.
func Hide(address string, err error) error {
	if text := err.Error(); Redact(address, text) != text {
		return errors.New(Redact(address, text))
	}
	return err
}
