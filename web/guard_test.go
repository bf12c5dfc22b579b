package web

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// Who gets an answer: the page of this server, on this machine or with the token.
func TestGuard(t *testing.T) {
	type headers = map[string]string
	const token = "secret"
	for _, test := range []struct {
		name    string
		token   string // that the server wants
		method  string
		path    string
		host    string
		headers headers
		status  int
	}{
		{"the page", "", "GET", "/", "localhost:8421", nil, 200},
		{"the page by address", "", "GET", "/", "127.0.0.1:8421", nil, 200},
		{"the page by the new address", "", "GET", "/", "[::1]:8421", nil, 200},
		{"another name for this machine, as in rebinding", "", "GET", "/api/about", "evil.example:8421", nil, 403},
		{"an address that is not this machine", "", "GET", "/api/about", "192.168.1.5:8421", nil, 403},
		{"a name that begins like it", "", "GET", "/api/about", "localhost.evil.example", nil, 403},
		{"its own page", "", "GET", "/api/about", "localhost:8421", headers{"Origin": "http://localhost:8421"}, 200},
		{"another page", "", "GET", "/api/about", "localhost:8421", headers{"Origin": "http://evil.example"}, 403},
		{"another server on this machine", "", "GET", "/api/about", "localhost:8421", headers{"Origin": "http://localhost:3000"}, 403},
		{"a page without an origin", "", "POST", "/api/upload", "localhost:8421", headers{"Origin": "null"}, 403},
		{"a post from another page", "", "POST", "/api/upload", "localhost:8421", headers{"Origin": "http://evil.example"}, 403},
		{"a post from another site", "", "POST", "/api/upload", "localhost:8421", headers{"Sec-Fetch-Site": "cross-site"}, 403},
		{"a picture on another page", "", "GET", "/api/extract", "localhost:8421", headers{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, 403},
		{"a link on another page", "", "GET", "/", "localhost:8421", headers{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, 200},
		{"a link to the API", "", "GET", "/api/about", "localhost:8421", headers{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, 403},
		{"no token", token, "GET", "/api/about", "host.example", nil, 401},
		{"no token for the page", token, "GET", "/", "host.example", nil, 401},
		{"a wrong token", token, "GET", "/api/about", "host.example", headers{"Authorization": "Bearer secre"}, 401},
		{"a token for the page alone", token, "GET", "/api/about?token=secret", "host.example", nil, 401},
		{"the token", token, "GET", "/api/about", "host.example", headers{"Authorization": "Bearer secret"}, 200},
		{"the token in the cookie", token, "GET", "/api/about", "host.example", headers{"Cookie": cookie + "=secret"}, 200},
		{"the token in the address", token, "GET", "/?token=secret&model=zoo%3Atomita1", "host.example", nil, 303},
		{"the token, but another page", token, "GET", "/api/about", "host.example", headers{"Cookie": cookie + "=secret", "Origin": "http://evil.example"}, 403},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, err := New(Options{Token: test.token})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			r := httptest.NewRequest(test.method, test.path, nil)
			r.Host = test.host
			for name, value := range test.headers {
				r.Header.Set(name, value)
			}
			w := httptest.NewRecorder()
			s.ServeHTTP(w, r)
			if w.Code != test.status {
				t.Errorf("status %d, want %d: %s", w.Code, test.status, w.Body)
			}
			if test.status == 303 {
				if to := w.Header().Get("Location"); to != "/?model="+url.QueryEscape("zoo:tomita1") {
					t.Errorf("it leads to %q", to)
				}
				c := w.Result().Cookies()
				if len(c) != 1 || c[0].Value != token || !c[0].HttpOnly || c[0].SameSite != http.SameSiteLaxMode {
					t.Errorf("the cookie is %v", c)
				}
			}
			if got := w.Header().Get("Content-Security-Policy"); got != policy {
				t.Errorf("the policy is %q", got)
			}
		})
	}
	if a, b := NewToken(), NewToken(); a == b || len(a) < 20 {
		t.Errorf("tokens %q and %q", a, b)
	}
}

// The policy allows nothing from elsewhere and nothing inline, and the page does
// without both.
func TestPageKeepsToItsPolicy(t *testing.T) {
	if strings.Contains(policy, "unsafe") || strings.Contains(policy, "http") || strings.Contains(policy, "*") {
		t.Errorf("the policy is %q", policy)
	}
	files, err := embedded.ReadDir("page")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	size := 0
	outside := regexp.MustCompile(`(https?:)?//[a-z0-9.-]+\.[a-z]{2,}`)
	for _, f := range files {
		data, err := embedded.ReadFile("page/" + f.Name())
		if err != nil {
			t.Fatal(err)
		}
		size += len(data)
		text := strings.ReplaceAll(string(data), "http://www.w3.org/2000/svg", "")
		text = strings.ReplaceAll(text, `<a class="button" href="https://arxiv.org/abs/2201.12451"`, "") // the paper, for whoever clicks
		if at := outside.FindString(text); at != "" {
			t.Errorf("%s: an address elsewhere: %s", f.Name(), at)
		}
		if strings.HasSuffix(f.Name(), ".html") {
			if bad := regexp.MustCompile(`<script>|<style|\son\w+=|\sstyle=|javascript:`).FindString(text); bad != "" {
				t.Errorf("%s: %q is inline", f.Name(), bad)
			}
		}
	}
	if size > 300_000 {
		t.Errorf("the page has %d bytes", size)
	}
}
