package regex

import "slices"

// count writes repeated factors as counts where that is shorter: aaaaa is a{5},
// and aaaa?a? is a{3,5}.
func (g *algebra) count(e *Expr) *Expr {
	if e.op == class {
		return e
	}
	subs := make([]*Expr, len(e.subs))
	for i, x := range e.subs {
		subs[i] = g.count(x)
	}
	if e.op == repeat {
		return newRepeat(subs[0], e.min, e.max)
	}
	if e.op == concat {
		subs = countFactors(subs)
	}
	return join(e.op, subs)
}

func countFactors(subs []*Expr) []*Expr {
	var list []*Expr
	for len(subs) > 0 {
		x, n := subs[0], 1
		saved := 0
		for period := 1; period <= min(maxPeriod, len(subs)); period++ {
			y, m := fold(subs, period)
			if save := join(concat, subs[:m]).cost - width(y, byComplement); save > saved {
				x, n, saved = y, m, save
			}
		}
		list = append(list, x)
		subs = subs[n:]
	}
	return list
}

// fold returns the repetitions of the first factors of subs as one, and how many
// factors it takes the place of.
func fold(subs []*Expr, period int) (*Expr, int) {
	if period > 1 {
		n := period
		for n+period <= len(subs) && slices.EqualFunc(subs[:period], subs[n:n+period], equal) {
			n += period
		}
		return newRepeat(join(concat, subs[:period]), n/period, n/period), n
	}
	base, lo, hi := power(subs[0])
	n := 1
	for ; n < len(subs); n++ {
		y, lo2, hi2 := power(subs[n])
		if !equal(y, base) {
			break
		}
		lo += lo2
		if hi == unbounded || hi2 == unbounded {
			hi = unbounded
		} else {
			hi += hi2
		}
	}
	return newRepeat(base, lo, hi), n
}
