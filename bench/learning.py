#!/usr/bin/env python3
"""Learn with AALpy and with 'quotient learn' from the same words, for comparison.

A random automaton labels random words, which are written to a file in the Abbadingo
format. Both programs learn from them by EDSM and by RPNI, in turns; the best time of
each counts, without the reading of files. For AALpy that is the time on the processor,
for Quotient the time on the clock. Prints a JSON document:

    go build ./cmd/quotient
    python3 bench/learning.py --quotient ./quotient

Where AALpy is not installed it says so, and exits with 0.
"""
import argparse
import json
import os
import random
import subprocess
import tempfile
import time

try:
    from aalpy.learning_algs import run_EDSM, run_RPNI
except ImportError:
    print(json.dumps({"aalpy": None, "note": "AALpy is not installed here"}))
    raise SystemExit(0)

parser = argparse.ArgumentParser()
parser.add_argument("--quotient", default="quotient", help="the program")
parser.add_argument("--states", type=int, default=50)
parser.add_argument("--words", type=int, default=10_000)
parser.add_argument("--length", type=int, default=25, help="of the longest words")
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--rounds", type=int, default=3, help="how often each is measured")
a = parser.parse_args()
rng = random.Random(a.seed)


def minimal_size(delta, accept):
    """The number of states that can be reached and told apart (Moore 1956)."""
    reached, todo = {0}, [0]
    while todo:
        for q in delta[todo.pop()]:
            if q not in reached:
                reached.add(q)
                todo.append(q)
    block, count = {q: accept[q] for q in reached}, 0
    while len(set(block.values())) != count:
        count = len(set(block.values()))
        block = {q: (block[q], *(block[t] for t in delta[q])) for q in reached}
        numbers = {b: i for i, b in enumerate(sorted(set(block.values()), key=repr))}
        block = {q: numbers[b] for q, b in block.items()}
    return count


def target():
    """A random automaton that needs all its states."""
    while True:
        delta = [[rng.randrange(a.states) for _ in range(2)] for _ in range(a.states)]
        accept = [rng.random() < 0.5 for _ in range(a.states)]
        if minimal_size(delta, accept) == a.states:
            return delta, accept


delta, accept = target()
data = []
for _ in range(a.words):
    w = tuple(rng.randrange(2) for _ in range(rng.randint(0, a.length)))
    q = 0
    for s in w:
        q = delta[q][s]
    data.append((w, accept[q]))


def aalpy(run):
    begin = time.process_time()
    model = run(data, "dfa", print_info=False)
    return {"seconds": time.process_time() - begin, "states": len(model.states)}


def quotient(path, method):
    out = subprocess.run([a.quotient, "learn", path, "--method", method, "--json"], capture_output=True, check=True)
    result = json.loads(out.stdout)
    return {"seconds": result["seconds"], "states": result["states"]}


with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "words.txt")
    with open(path, "w") as f:
        print(a.words, 2, file=f)
        for w, label in data:
            print(int(label), len(w), *w, file=f)
    results = []
    for method, run in (("edsm", run_EDSM), ("rpni", run_RPNI)):
        theirs, ours = [], []
        for _ in range(a.rounds):
            theirs.append(aalpy(run))
            ours.append(quotient(path, method))
        them, us = (min(x, key=lambda r: r["seconds"]) for x in (theirs, ours))
        results.append({"method": method, "aalpy": them, "quotient": us, "ratio": them["seconds"] / us["seconds"]})
print(json.dumps({"states": a.states, "words": a.words, "length": a.length, "results": results}, indent=2))
