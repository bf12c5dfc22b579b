#!/usr/bin/env python3
"""AALpy's learner of Kearns and Vazirani with a perfect teacher, as JSON: what bench/table.py puts beside 'quotient bench learn'.

    python3 bench/queries.py TEACHER.att

It asks every word once, as ours does, and the teacher's words of difference are shortest ones. Ends with status 3 where
AALpy is not installed.
"""
import json
import sys
import time
from collections import deque

try:
    from aalpy.automata import Dfa, DfaState
    from aalpy.base import Oracle
    from aalpy.learning_algs import run_KV
    from aalpy.SULs import AutomatonSUL
except ImportError:
    print("AALpy is not installed for this Python: our queries alone are shown", file=sys.stderr)
    sys.exit(3)


def read(path):
    """The automaton of an AT&T file, and its symbols in the order of the file, which is ours: which of several shortest words of
    difference is found depends on it, and on that how deep trees are."""
    states, edges, accepting = {}, [], set()
    for line in open(path):
        columns = line.split()
        states.setdefault(columns[0])
        if len(columns) > 2:
            states.setdefault(columns[1])
            edges.append(columns[:3])
        else:
            accepting.add(columns[0])
    states = {name: DfaState(name, name in accepting) for name in states}
    for a, b, s in edges:
        states[a].transitions[s] = states[b]
    return Dfa(next(iter(states.values())), list(states.values())), list(dict.fromkeys(s for *_, s in edges))


class Teacher(Oracle):
    """Answers equivalence queries with a shortest word of difference, and says how long that took."""

    seconds = 0

    def find_cex(self, hypothesis):
        begin = time.process_time()
        self.num_queries += 1
        w = self.difference(hypothesis.initial_state, self.sul.automaton.initial_state)
        self.seconds += time.process_time() - begin
        return w

    def difference(self, p, q):
        before = {(p, q): None}
        queue = deque(before)
        while queue:
            pair = queue.popleft()
            if pair[0].is_accepting != pair[1].is_accepting:
                w = []
                while before[pair]:
                    pair, s = before[pair]
                    w.append(s)
                return tuple(reversed(w))
            for s in self.alphabet:
                to = pair[0].transitions[s], pair[1].transitions[s]
                if to not in before:
                    before[to] = pair, s
                    queue.append(to)
        return None


target, symbols = read(sys.argv[1])
teacher = Teacher(symbols, AutomatonSUL(target))
begin = time.process_time()
_, found = run_KV(symbols, AutomatonSUL(target), teacher, automaton_type="dfa", cex_processing="rs", return_data=True, print_level=0)
print(json.dumps({"seconds": time.process_time() - begin - teacher.seconds, "membership_queries": found["queries_learning"],
                  "symbols": found["steps_learning"], "equivalence_queries": found["learning_rounds"]}))
