package backprop

import "quotient/f32"

var elman = rule{elmanBackward, true}

// elmanBackward takes back h = tanh(z), all R × w: of h and dh it makes the gradient
// of the gates z, which need not be there, and a dh of zeros.
func elmanBackward(b back) { f32.ElmanBackward(b.Gates, b.dh, b.H, b.dy, b.head) }
