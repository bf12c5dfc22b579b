// Package secret keeps passwords and keys that stand in addresses out of what is printed.
package secret

import (
	"cmp"
	"encoding/base64"
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// userinfo is what stands before a host: a user and a password, or a token.
var userinfo = regexp.MustCompile(`://[^\s/,@]*@`)

// query is the value of a parameter of an address, and parameter what stands there without a name.
var (
	query     = regexp.MustCompile(`([?&][^\s=&#"?]*=)[^\s&#"]+`)
	parameter = regexp.MustCompile(`(://[^\s?#"]*\?)[^\s&=#"]+?(&|#|"|:?\s|$)`)
)

// Redact replaces what is secret about an address, or several with commas, in a text, and
// what looks like it.
func Redact(address, text string) string {
	for _, s := range secrets(address) {
		text = strings.ReplaceAll(text, s, "***")
	}
	text = userinfo.ReplaceAllString(text, "://***@")
	return parameter.ReplaceAllString(query.ReplaceAllString(text, "${1}***"), "${1}***${2}")
}

// short is how long a value in a query is at least that is looked for elsewhere, too: a 1 stands in
// every other sentence.
const short = 6

// secrets returns what stands before the hosts of an address, the passwords in it and the values of
// its query, as they are written, as they are meant and as a header has them, the longest first.
func secrets(address string) []string {
	var list []string
	address, values := cutQuery(address)
	for _, s := range values {
		plain, _ := url.QueryUnescape(s)
		list = append(list, s, plain)
	}
	list = slices.DeleteFunc(list, func(s string) bool { return len(s) < short })
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
			list = append(list, s, plain, base64.StdEncoding.EncodeToString([]byte(plain)))
		}
	}
	list = slices.DeleteFunc(list, func(s string) bool { return len(s) < 3 }) // in its address it is hidden still
	slices.SortStableFunc(list, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return list
}

// cutQuery takes the query off an address, and returns its values. What is no address may have a
// question mark in its password, and stays whole.
func cutQuery(address string) (before string, values []string) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.RawQuery == "" {
		return address, nil
	}
	for _, part := range strings.Split(u.RawQuery, "&") {
		_, value, named := strings.Cut(part, "=")
		if !named {
			value = part
		}
		values = append(values, value)
	}
	before, _, _ = strings.Cut(address, "?")
	return before, values
}

// Hide returns an error without the secrets of an address in its text.
func Hide(address string, err error) error {
	if text := err.Error(); Redact(address, text) != text {
		return errors.New(Redact(address, text))
	}
	return err
}
