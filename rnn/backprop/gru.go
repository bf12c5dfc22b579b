package backprop

import "quotient/f32"

var gru = rule{backward: gruBackward}

// gruBackward takes back [f32.GRUForward]: of the gates (R × 4*w), the h before and dh,
// R × w, it makes the gates' gradients and the dh before.
func gruBackward(b back) { f32.GRUBackward(b.Gates, b.dh, b.Before, b.dy, b.head) }
