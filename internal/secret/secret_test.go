package secret

import "testing"

func TestRedact(t *testing.T) {
	for _, c := range []struct{ address, text, want string }{
		{"http://u5er:pa55@host/", "http://u5er:pa55@host/", "http://***@host/"},
		{"http://host/?key=s3cr3t-key&n=1", "http://host/?key=s3cr3t-key&n=1", "http://host/?key=***&n=***"},
		{"http://host/?key=s3cr3t-key", `invalid key "s3cr3t-key", 1 of 1`, `invalid key "***", 1 of 1`},
		{"http://host/?n=1", "1 of 1", "1 of 1"},
		{"http://host/?s3cr3t-key", "http://host/?s3cr3t-key: no", "http://host/?***: no"},
		{"http://host/?key=s3cr3t%20key", "the key s3cr3t key", "the key ***"},
		{"http://host/?mail=a@b", "http://host/?mail=a@b", "http://host/?mail=***"},
		{"http://u5er:pa55@host/", "Basic dTVlcjpwYTU1 is wrong", "Basic *** is wrong"},
		{"http://u5er:p?55@host/", "http://u5er:p?55@host/", "http://***@host/"},
		{"http://u:p@host/", "http://u:p@host/: up", "http://***@host/: up"},
		{"http://host/a", "what is asked? a=b", "what is asked? a=b"},
	} {
		if got := Redact(c.address, c.text); got != c.want {
			t.Errorf("%s in %q: %q, want %q", c.address, c.text, got, c.want)
		}
	}
}
