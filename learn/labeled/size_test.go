package labeled

import (
	"runtime"
	"strings"
	"testing"
)

// What is no data costs little more than its bytes, however large it is.
func TestHostileSizes(t *testing.T) {
	const n = 20 << 20
	for name, text := range map[string]string{
		"commas":            strings.Repeat(",", n),
		"one word":          strings.Repeat("ab", n/2),
		"one word in JSON":  `{"word":"` + strings.Repeat("ab", n/2) + `","label":1}`,
		"one list of words": `[{"word":[` + strings.Repeat("1,", n/2) + `1],"label":1}]`,
		"one list a line":   "[" + strings.Repeat("1,", n/2) + "1]\n[0,1]\n",
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Read(strings.NewReader(text), "f", Options{})
		runtime.ReadMemStats(&after)
		if err == nil || len(err.Error()) > 400 {
			t.Errorf("%s: %.400v", name, err)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 32*n {
			t.Errorf("%s: %d MB allocated for %d MB: %v", name, used>>20, n>>20, err)
		}
	}
}
