"""Writes what AALpy's ALERGIA learns from small files of words, for the tests of
learn/stochastic:

    pip install aalpy==2.0.0
    python python/fixtures_alergia.py learn/stochastic/testdata

AALpy learns from sequences of outputs. What stands for a file of words:

- a stochastic Mealy machine ('smm') in which every step has the same input and shows a
  symbol, and a last step shows the end: [("", "a"), ("", "b"), ("", "$")]. This is ALERGIA as
  it was published.
- a Markov chain ('mc') that starts with a symbol of its own and ends with the end:
  ["^", "a", "b", "$"]. States then show the symbol that leads to them, so it merges less; it is
  the option Chain of learn/stochastic.
"""
import json
import random
import sys
from pathlib import Path

from aalpy.learning_algs import run_Alergia

END = "$"


def machine(rng, states, symbols):
    """A random automaton: for each state a list of (weight, symbol or END, target)."""
    table = []
    for _ in range(states):
        moves = [(rng.random() ** 2, s, rng.randrange(states)) for s in symbols if rng.random() < 0.8]
        table.append(moves + [(0.1 + 0.2 * rng.random(), END, None)])
    return table


def draw(rng, table):
    state, word = 0, []
    while len(word) < 60:
        _, symbol, state = rng.choices(table[state], [m[0] for m in table[state]])[0]
        if symbol == END:
            break
        word.append(symbol)
    return word


def learn(words, eps, kind):
    """The states of AALpy's automaton: prefix, end, and for each symbol target and probability."""
    if kind == "smm":
        model = run_Alergia([[("", s) for s in w + [END]] for w in words], "smm", eps=eps)
        moves = lambda q: [(o, t, p) for t, o, p in q.transitions[""]]
        spell = lambda q: [o for _, o in q.prefix]
    else:
        model = run_Alergia([["^"] + w + [END] for w in words], "mc", eps=eps)
        moves = lambda q: [(t.output, t, p) for t, p in q.transitions]
        spell = lambda q: list(q.prefix)
    states = [q for q in model.states if not (kind == "mc" and q.output == END)]
    number = {q.state_id: i for i, q in enumerate(states)}
    result = []
    for q in states:
        row = {"prefix": "".join(spell(q)), "end": 0.0, "moves": {}}
        for symbol, target, p in moves(q):
            if symbol == END:
                row["end"] = p
            else:
                row["moves"][symbol] = [number[target.state_id], p]
        result.append(row)
    return result


def main(folder):
    cases = []
    for seed, (states, symbols, count) in enumerate([(2, "ab", 60), (3, "abc", 80), (6, "ab", 700), (4, "abcd", 300)]):
        rng = random.Random(10 + seed)
        table = machine(rng, states, symbols)
        words = [draw(rng, table) for _ in range(count)]
        for eps in (0.05, 1.1):
            for kind in ("smm", "mc"):
                cases.append({"words": seed, "epsilon": eps, "kind": kind, "states": learn(words, eps, kind)})
        Path(folder, f"words{seed}.txt").write_text("".join(("".join(w) or "ε") + "\n" for w in words))
    lines = ",\n".join(json.dumps(c, separators=(",", ":"), sort_keys=True) for c in cases)
    Path(folder, "aalpy.json").write_text("[\n" + lines + "\n]\n")


if __name__ == "__main__":
    main(sys.argv[1])
