package web

import (
	"net/url"
	"testing"
)

// Whatever stands in a query, it is understood within bounds or refused, and what was
// understood is understood again.
func FuzzQuery(f *testing.F) {
	f.Add("model=zoo:tomita5&method=fold&kappa=0.1&strings=300&length=10&seed=7")
	f.Add("kappa=NaN&strings=-1&length=99999999999999999999&view=near&focus=0&radius=99")
	f.Add("kappa=1e-300&seed=18446744073709551615&method=explore&strings=5")
	f.Add("view=collapsed&dead=1&focus=1000000&model=%00")
	f.Fuzz(func(t *testing.T, query string) {
		q, err := url.ParseQuery(query)
		if err != nil {
			return
		}
		if l, err := readLook(q); err == nil && (l.focus < 1 || l.radius < 1 || l.radius > 20) {
			t.Errorf("%+v", l)
		}
		s, err := readSettings(q, "")
		if err != nil {
			return
		}
		if s.Strings < 0 || s.Length < 0 || s.Strings*s.Length > maxSample || !(s.Kappa >= 0 && s.Kappa <= 2) {
			t.Errorf("%+v", s)
		}
		if again := (settings{s.model, s.Normal(), s.weights}); again.key() != s.key() {
			t.Errorf("%s means %s", s.key(), again.key())
		}
	})
}
