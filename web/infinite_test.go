package web

import (
	"strings"
	"testing"
)

// An automaton with a counter, and one with weights, run words, are judged, drawn and handed out.
func TestInfinite(t *testing.T) {
	h := serve(t, Options{})
	for _, c := range []struct {
		query, kind, word string
		states            int
	}{
		{"model=zoo:anbn-lstm&method=counter", counting, "aabb", 2},
		{"model=zoo:dyck1-lstm&method=spectral&as=weighted", weighing, "(())", 7},
	} {
		v := ask[extractView](t, h, "/api/extract?"+c.query, 200)
		if v.Kind != c.kind || v.States != c.states || v.Agree < v.Fresh*9/10 || !strings.HasPrefix(v.Drawn, "lengths uniform from 0 to ") || !strings.Contains(v.Drawing.SVG, `class="state"`) || len(v.Automaton) != 1+c.states {
			t.Errorf("%s: %s of %d states that agrees on %d of %d", c.query, v.Kind, v.States, v.Agree, v.Fresh)
		}
		rows := ask[struct{ Rows []row }](t, h, "/api/word?"+c.query+"&word="+c.word, 200).Rows
		last := rows[len(rows)-1]
		if len(rows) != 5 || !last.Automaton || !last.Network || (last.Counter == nil) == (c.kind == counting) || (last.Value == nil) == (c.kind == weighing) {
			t.Errorf("%s: %+v", c.query, last)
		}
		ask[any](t, h, "/api/check?"+c.query, 200)
		ask[any](t, h, "/api/points?"+c.query, 200)
		ask[any](t, h, "/api/expression?"+c.query, 200)
		if e := ask[problem](t, h, "/api/replay?"+c.query, 422); !strings.Contains(e.Error, "finite automaton") {
			t.Errorf("%s: %s", c.query, e.Error)
		}
		ask[problem](t, h, "/api/file?format=dot&"+c.query, 400)
		ask[any](t, h, "/api/file?format=json&"+c.query, 200)
	}
	if v := ask[extractView](t, h, "/api/extract?model=zoo:dyck1-lstm&method=explore", 200); v.Suggest != "counter" || len(v.Tradeoff) < 2 {
		t.Errorf("it suggests %q", v.Suggest)
	}
}
