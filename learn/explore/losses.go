package explore

import (
	"slices"

	"quotient/internal/parallel"
)

// losses say how many answers go wrong, soon, if an automaton is in one group and the network in another. Where a
// symbol leads the states of a group to several others, most of them do not decide well where it leads the automaton: a group from which all
// others soon come back is better than the one that has some more. So errors last less long, by a tenth on the networks of TAYSIR.
type losses struct {
	groups int
	after  []float32 // groups of the network × groups of the automaton
}

// soon is how many symbols later an error is still put down to where the two parted.
const soon = 12

// losses follows all pairs of groups side by side, as if the network went where the transitions lead, by symbols as often as words go on with them.
func (p *partition) losses(next []int32) losses {
	n := p.Len()
	share := p.shares()
	now, before := make([]float32, n*n), make([]float32, n*n)
	for range soon {
		now, before = before, now
		parallel.Do(0, n, func(x int) {
			for y := range n {
				now[x*n+y] = p.loss(x, y, next, share, before)
			}
		})
	}
	return losses{n, now}
}

// loss returns what is lost while the network is in x and the automaton in y, and after a symbol more.
func (p *partition) loss(x, y int, next []int32, share, after []float32) float32 {
	if x == y {
		return 0
	}
	sum := float32(0)
	if p.accept[x] != p.accept[y] {
		sum = 1
	}
	of, to := next[x*p.k:(x+1)*p.k], next[y*p.k:(y+1)*p.k]
	for s, f := range share[x*p.k : (x+1)*p.k] {
		if of[s] != to[s] {
			sum += f * after[int(of[s])*p.Len()+int(to[s])]
		}
	}
	return sum
}

// shares returns how many of the states of every group go on with each symbol, as a share of them.
func (p *partition) shares() []float32 {
	share := make([]float32, p.Len()*p.k)
	for g, prefixes := range p.of {
		for s, list := range p.ways(prefixes) {
			share[g*p.k+s] = float32(len(list)) / float32(len(prefixes))
		}
	}
	return share
}

// least returns the group of a list with which the least is lost, by all of the list; of equals the one that most are in.
func (l losses) least(list, counts []int32) int32 {
	groups := slices.Clone(list)
	slices.Sort(groups)
	groups = slices.Compact(groups)
	best := majority(list, counts)
	for _, g := range list {
		counts[g]++
	}
	lost := func(y int32) float32 {
		sum := float32(0)
		for _, x := range groups {
			sum += float32(counts[x]) * l.after[int(x)*l.groups+int(y)]
		}
		return sum
	}
	least := lost(best)
	for _, y := range groups {
		if sum := lost(y); sum < least {
			best, least = y, sum
		}
	}
	for _, g := range groups {
		counts[g] = 0
	}
	return best
}
