package study

import (
	"fmt"
	"time"

	"quotient/extract"
	"quotient/internal/text"
	"quotient/model"
	"quotient/oracle"
)

// Plan says in words about how many words a model that runs elsewhere will be asked, and how long
// that takes if a word takes so long; nothing is said of the time if that is 0. A network that is hard
// to learn takes more.
func Plan(m *model.Model, o Options, each time.Duration) string {
	_, states := m.Net.(oracle.Stepper)
	n := evaluation
	if !m.Witnessed() {
		n += extract.Estimate(o.Options, m.Net.Alphabet().Len(), states)
	}
	at := "about"
	if o.Budget > 0 && n > o.Budget {
		n, at = o.Budget, "at most"
	}
	plan := fmt.Sprintf("%s %s", at, text.Plural(n, "word"))
	if each > 0 {
		plan += fmt.Sprintf(", %v at the measured speed", round(each*time.Duration(n)))
	}
	return plan
}

// evaluation is about how many words a certificate asks of a model that runs elsewhere.
const evaluation = 1200

// round leaves one or two digits.
func round(d time.Duration) time.Duration {
	unit := time.Millisecond
	for d >= 100*unit {
		unit *= 10
	}
	switch {
	case d >= 10*time.Minute:
		unit = time.Minute
	case d >= 10*time.Second:
		unit = time.Second
	}
	return d.Round(unit)
}
