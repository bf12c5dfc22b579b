package f32

// The elementwise work of recurrent cells, forward and backward. Matrices have
// no gaps between rows. With w columns to a hidden state, g has 4*w: the four
// parts of a row of gates one after the other.
//
// In backward functions the gradient of the new state is dh[i] + dy[i]*head: what
// later steps have added to dh, and the share of a linear unit with weights head,
// whose own gradient for row i is dy[i]. They replace the gates by their gradients
// before activation, and dh by what of it passes to the previous state other than
// through the gates.

// Tanh maps src: for i { dst[i] = tanh(src[i]) }. The error is below 5e-7.
func Tanh(dst, src []float32) {
	same("Tanh", len(dst), len(src))
	done := tanhFast(dst, src)
	for i, x := range src[done:] {
		dst[done+i] = tanh(x)
	}
}

// Sigmoid maps src: for i { dst[i] = 1/(1+exp(-src[i])) }. The error is below 3e-7.
func Sigmoid(dst, src []float32) {
	same("Sigmoid", len(dst), len(src))
	done := sigmoidFast(dst, src)
	for i, x := range src[done:] {
		dst[done+i] = sigmoid(x)
	}
}

// tanh is x·P(x²)/Q(x²) for |x| <= 9, a fit of least greatest relative error
// (2e-8), scaled by 1 - 2e-7 so that no rounding takes it past 1.
func tanh(x float32) float32 {
	x = max(-9, min(9, x))
	y := x * x
	p := (((1.3354771e-08*y+2.0609165e-05)*y+0.0034955930)*y+0.13381028)*y + 0.9999998
	q := (((7.776606e-07*y+0.00032856437)*y+0.025877003)*y+0.46714346)*y + 1
	return x * p / q
}

func sigmoid(x float32) float32 { return 0.5*tanh(0.5*x) + 0.5 }

// ElmanBackward is the derivative of h = tanh(z), d being dh + dy*head:
//
//	dz = d * (1 - h*h)
//	dh = 0
func ElmanBackward(dz, dh, h Matrix, dy, head []float32) {
	shape("ElmanBackward", h.Rows, h.Cols, dz, dh, h)
	same("ElmanBackward", h.Rows, len(dy))
	same("ElmanBackward", h.Cols, len(head))
	if elmanBackwardFast(dz, dh, h, dy, head) {
		return
	}
	for i, y := range dy {
		dz, dh := dz.Row(i), dh.Row(i)
		for j, x := range h.Row(i) {
			dz[j] = (dh[j] + y*head[j]) * (1 - x*x)
			dh[j] = 0
		}
	}
}

// GRUForward makes the new state h of a GRU from its gates before activation,
// which it replaces by their values. A row of g holds the recurrent share of the
// candidate, the reset gate, the update gate, and the candidate's input share:
//
//	r, z = sigmoid(r), sigmoid(z)
//	n = tanh(n + r*hn)
//	h = n + z*(prev - n)
func GRUForward(g, h, prev Matrix) {
	shape("GRUForward", h.Rows, h.Cols, h, prev)
	shape("GRUForward", h.Rows, 4*h.Cols, g)
	if gruForwardFast(g, h, prev) {
		return
	}
	for i := range h.Rows {
		hn, r, z, n := parts(g.Row(i))
		for j, p := range prev.Row(i) {
			r[j], z[j] = sigmoid(r[j]), sigmoid(z[j])
			n[j] = tanh(n[j] + r[j]*hn[j])
			h.Row(i)[j] = n[j] + z[j]*(p-n[j])
		}
	}
}

// GRUBackward is the derivative of [GRUForward], d being dh + dy*head:
//
//	dz = d*(prev-n) * z*(1-z)
//	dn = d*(1-z) * (1-n*n)
//	dr = dn*hn * r*(1-r)
//	dhn = dn*r
//	dh = d*z
func GRUBackward(g, dh, prev Matrix, dy, head []float32) {
	shape("GRUBackward", dh.Rows, dh.Cols, dh, prev)
	shape("GRUBackward", dh.Rows, 4*dh.Cols, g)
	same("GRUBackward", dh.Rows, len(dy))
	same("GRUBackward", dh.Cols, len(head))
	if gruBackwardFast(g, dh, prev, dy, head) {
		return
	}
	for i := range dh.Rows {
		hn, r, z, n := parts(g.Row(i))
		d := dh.Row(i)
		axpyPlain(d, dy[i], head)
		for j, p := range prev.Row(i) {
			dz := d[j] * (p - n[j]) * z[j] * (1 - z[j])
			dn := d[j] * (1 - z[j]) * (1 - n[j]*n[j])
			d[j] *= z[j]
			dr := dn * hn[j] * r[j] * (1 - r[j])
			hn[j], r[j], z[j], n[j] = dn*r[j], dr, dz, dn
		}
	}
}

// LSTMForward makes the new state h and c of an LSTM, and tc = tanh(c), from its
// gates before activation, which it replaces by their values. A row of g holds
// the input gate, the forget gate, the candidate and the output gate:
//
//	i, f, o = sigmoid(i), sigmoid(f), sigmoid(o)
//	g = tanh(g)
//	c = f*prev + i*g
//	h = o*tanh(c)
func LSTMForward(g, h, c, tc, prev Matrix) {
	shape("LSTMForward", h.Rows, h.Cols, h, c, tc, prev)
	shape("LSTMForward", h.Rows, 4*h.Cols, g)
	if lstmForwardFast(g, h, c, tc, prev) {
		return
	}
	for row := range h.Rows {
		i, f, g, o := parts(g.Row(row))
		h, c, tc := h.Row(row), c.Row(row), tc.Row(row)
		for j, p := range prev.Row(row) {
			i[j], f[j], g[j], o[j] = sigmoid(i[j]), sigmoid(f[j]), tanh(g[j]), sigmoid(o[j])
			c[j] = f[j]*p + i[j]*g[j]
			tc[j] = tanh(c[j])
			h[j] = o[j] * tc[j]
		}
	}
}

// LSTMBackward is the derivative of [LSTMForward], d being dh + dy*head. It
// replaces dc, the gradient of c by later steps, by the gradient of the previous c:
//
//	dc = dc + d*o*(1-tc*tc)
//	do = d*tc * o*(1-o)
//	di = dc*g * i*(1-i)
//	df = dc*prev * f*(1-f)
//	dg = dc*i * (1-g*g)
//	dc = dc*f
//	dh = 0
func LSTMBackward(g, dh, dc, tc, prev Matrix, dy, head []float32) {
	shape("LSTMBackward", dh.Rows, dh.Cols, dh, dc, tc, prev)
	shape("LSTMBackward", dh.Rows, 4*dh.Cols, g)
	same("LSTMBackward", dh.Rows, len(dy))
	same("LSTMBackward", dh.Cols, len(head))
	if lstmBackwardFast(g, dh, dc, tc, prev, dy, head) {
		return
	}
	for row := range dh.Rows {
		i, f, g, o := parts(g.Row(row))
		dh, dc, tc := dh.Row(row), dc.Row(row), tc.Row(row)
		axpyPlain(dh, dy[row], head)
		for j, p := range prev.Row(row) {
			d := dc[j] + dh[j]*o[j]*(1-tc[j]*tc[j])
			dc[j] = d * f[j]
			o[j] = dh[j] * tc[j] * o[j] * (1 - o[j])
			dh[j] = 0
			i[j], g[j] = d*g[j]*i[j]*(1-i[j]), d*i[j]*(1-g[j]*g[j])
			f[j] = d * p * f[j] * (1 - f[j])
		}
	}
}

// parts cuts a row of gates in four.
func parts(row []float32) (a, b, c, d []float32) {
	w := len(row) / 4
	return row[:w], row[w : 2*w], row[2*w : 3*w], row[3*w:]
}
