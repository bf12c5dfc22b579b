package web

import (
	"crypto/rand"
	"crypto/subtle"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// policy lets the page load what this server serves and nothing else. Pictures may
// also be made by the page itself, which is how it writes PNG files.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// cookie holds the token once it was given.
const cookie = "quotient_token"

// NewToken returns a token that nobody guesses.
func NewToken() string { return rand.Text() }

// guard answers requests that must not pass, and sets the headers of all answers.
//
// Without a token the server is for this machine alone, so a request must name it
// by an address or a name of this machine: a page elsewhere whose name was made to
// point here (DNS rebinding) still sends its own name. With a token, the token
// decides. In both cases a page of another origin gets no answer.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		switch {
		case s.o.Token == "" && !local(r.Host):
			http.Error(w, "this server answers to the names of its own machine only, such as localhost", http.StatusForbidden)
		case crossOrigin(r):
			http.Error(w, "this server answers to its own page only", http.StatusForbidden)
		case s.o.Token != "" && !s.admit(w, r):
			// Admit has answered.
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// local reports whether a Host header names this machine.
func local(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.Trim(name, "[]")
	if strings.EqualFold(name, "localhost") {
		return true
	}
	ip := net.ParseIP(name)
	return ip != nil && ip.IsLoopback()
}

// crossOrigin reports whether a page of another origin makes the request. Following a
// link to the page is no such thing.
func crossOrigin(r *http.Request) bool {
	if origin := r.Header.Get("Origin"); origin != "" {
		from, err := url.Parse(origin)
		return err != nil || from.Host != r.Host
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "none", "same-origin":
		return false
	}
	visit := r.Method == http.MethodGet && r.URL.Path == "/" && r.Header.Get("Sec-Fetch-Mode") == "navigate"
	return !visit
}

// admit reports whether the request has the token: in a cookie, as a bearer token,
// or in the address of the page, from where it goes into the cookie. Otherwise it
// answers.
func (s *Server) admit(w http.ResponseWriter, r *http.Request) bool {
	right := func(token string) bool {
		return subtle.ConstantTimeCompare([]byte(token), []byte(s.o.Token)) == 1
	}
	if c, err := r.Cookie(cookie); err == nil && right(c.Value) {
		return true
	}
	if bearer, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok && right(bearer) {
		return true
	}
	if q := r.URL.Query(); r.URL.Path == "/" && right(q.Get("token")) {
		http.SetCookie(w, &http.Cookie{Name: cookie, Value: s.o.Token, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode})
		q.Del("token")
		http.Redirect(w, r, (&url.URL{Path: "/", RawQuery: q.Encode()}).String(), http.StatusSeeOther)
		return false
	}
	http.Error(w, "this server asks for a token: open the address that it printed when it was started", http.StatusUnauthorized)
	return false
}
