package backprop

import "quotient/f32"

var lstm = rule{backward: lstmBackward}

// lstmBackward takes back [f32.LSTMForward]: of the gates (R × 4*w), tanh(c), the c
// before, dh and dc, R × w each, it makes the gates' gradients, a dh of zeros and the
// dc before.
func lstmBackward(b back) {
	f32.LSTMBackward(b.Gates, b.dh, b.dc, b.TanhC, b.CBefore, b.dy, b.head)
}
