package f32

import "math"

// Logistic is the binary cross-entropy of logits x and its gradient. A sign is
// +1 where the answer is yes, -1 where it is no, and 0 where there is none and
// hence no loss:
//
//	for i {
//		z := -sign[i] * x[i]
//		loss[i] = sign[i]*sign[i] * log(1+exp(z))
//		dx[i] = -sign[i] * scale / (1+exp(-z))
//	}
func Logistic(dx, loss, x, sign []float32, scale float32) {
	same("Logistic", len(x), len(dx), len(loss), len(sign))
	for i := logisticFast(dx, loss, x, sign, scale); i < len(x); i++ {
		s := sign[i]
		z := float64(-s * x[i])
		e := math.Exp(-math.Abs(z))
		wrong := 1 / (1 + e)
		if z < 0 {
			wrong = e / (1 + e)
		}
		dx[i] = -s * float32(wrong) * scale
		loss[i] = s * s * float32(max(z, 0)+math.Log1p(e))
	}
}

// AdamW is the optimizer of Loshchilov and Hutter, "Decoupled Weight Decay
// Regularization" (2019), with PyTorch's order of operations.
type AdamW struct {
	Rate, Beta1, Beta2, Epsilon, Decay float64
}

// Update does the given step, counted from 1, on the parameters p with gradients
// g, and keeps the running means of g and g² in m and s:
//
//	for i {
//		m[i] += (1-Beta1) * (g[i] - m[i])
//		s[i] = Beta2*s[i] + (1-Beta2)*g[i]*g[i]
//		mean, square := m[i]/(1-pow(Beta1, step)), s[i]/(1-pow(Beta2, step))
//		p[i] -= Rate*Decay*p[i] + Rate*mean/(sqrt(square)+Epsilon)
//	}
func (o AdamW) Update(p, g, m, s []float32, step int) {
	same("AdamW", len(p), len(g), len(m), len(s))
	k := [7]float32{
		float32(1 - o.Rate*o.Decay),
		float32(1 - o.Beta1),
		float32(o.Beta2),
		float32(1 - o.Beta2),
		float32(1 / math.Sqrt(1-math.Pow(o.Beta2, float64(step)))),
		float32(o.Epsilon),
		float32(o.Rate / (1 - math.Pow(o.Beta1, float64(step)))),
	}
	for i := adamwFast(p, g, m, s, &k); i < len(p); i++ {
		m[i] += k[1] * (g[i] - m[i])
		s[i] = k[2]*s[i] + k[3]*(g[i]*g[i])
		root := float32(math.Sqrt(float64(s[i])))
		p[i] = k[0]*p[i] - k[6]*(m[i]/(root*k[4]+k[5]))
	}
}
