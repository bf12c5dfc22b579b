package extract

import (
	"fmt"

	"quotient/internal/processor"
)

// freeMemory tells how many bytes there are. Tests have less.
var freeMemory = processor.Memory

// fits reports whether the sample's prefix tree is larger than memory, before anything is drawn: a
// process that asks for too much is killed without a word. The states have so many numbers, or none.
func (o Options) fits(symbols, dim int) error {
	const perString, perPrefix = 250, 100 // bytes; a string is drawn, sorted and remembered by its symbols
	prefixes, level := 1.0, 1.0           // of one length: no more than there are words of it
	for i := range o.Length {
		if level *= float64(symbols); level >= float64(o.Strings) {
			prefixes += float64(o.Length-i) * float64(o.Strings)
			break
		}
		prefixes += level
	}
	need := prefixes * float64(perPrefix+4*dim)
	need += float64(o.Strings) * float64(perString+4*o.Length)
	free := float64(freeMemory())
	if need <= free {
		return nil
	}
	states := ""
	if dim > 0 {
		states = fmt.Sprintf(", with states of %d numbers", dim)
	}
	return fmt.Errorf("%d words of length %d are more than fit into memory: their up to %.3g prefixes%s take %.3g GB, and %.3g GB are free; fewer or shorter words take less",
		o.Strings, o.Length, prefixes, states, need/1e9, free/1e9)
}
