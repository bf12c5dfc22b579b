"""ALERGIA beside AALpy's, on the same file of words: whether the automata are equal, and the
processor time of both.

    pip install aalpy==2.0.0
    go build ./cmd/quotient
    python3 bench/alergia.py --quotient ./quotient

Whole programs read the file, learn and write what they learned. Learning alone is run_Alergia
for AALpy, and for us the same: from words in memory to an automaton. Words come from random automata; --words sets how many. Where AALpy is not
installed, it says so and shows our time alone.
"""

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "python" / "fixtures"))

try:
    import fixtures_alergia
except ImportError:
    fixtures_alergia = None

END = "$"


def machine(rng, states, symbols):
    """A random automaton: for each state a list of (weight, symbol or END, target)."""
    table = []
    for _ in range(states):
        moves = [(rng.random() ** 2, s, rng.randrange(states)) for s in symbols if rng.random() < 0.8]
        table.append(moves + [(sum(m[0] for m in moves) / 9 + 1e-3, END, None)])
    return table


def draw(rng, table):
    state, word = 0, []
    while True:
        _, symbol, state = rng.choices(table[state], [m[0] for m in table[state]])[0]
        if symbol == END:
            return "".join(word) or "ε"
        word.append(symbol)


def processor(command):
    """What a program prints, and its processor time in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return out, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def ours(program, source, eps, kind):
    """Our automaton, the processor time in seconds, and that of learning alone."""
    command = [program, "learn", source, "--method", "alergia", "--epsilon", str(eps), "--json"]
    out, seconds = processor(command + (["--chain"] if kind == "mc" else []))
    result = json.loads(out)
    return result["automaton"], seconds, result["processor_seconds"]


def peer(source, eps, kind):
    """Prints AALpy's automaton and the processor time of run_Alergia."""
    words = [[] if line == "ε" else list(line) for line in Path(source).read_text().split()]
    run, spent = fixtures_alergia.run_Alergia, []

    def timed(*arguments, **options):
        begin = time.process_time()
        model = run(*arguments, **options)
        spent.append(time.process_time() - begin)
        return model

    fixtures_alergia.run_Alergia = timed
    json.dump({"states": fixtures_alergia.learn(words, float(eps), kind), "alone": spent[0]}, sys.stdout)


def difference(model, states):
    """The largest difference of a probability, or what else differs."""
    if len(model["states"]) != len(states):
        return f"{len(model['states'])} states, AALpy has {len(states)}"
    most = max(abs(q["end"] - want["end"]) for q, want in zip(model["states"], states))
    moves = [dict() for _ in states]
    for t in model["transitions"]:
        moves[t["from"] - 1][t["on"]] = (t["to"] - 1, t["probability"])
    for got, want in zip(moves, states):
        if got.keys() != want["moves"].keys():
            return "other transitions"
        for symbol, (to, p) in want["moves"].items():
            if got[symbol][0] != to:
                return "a transition leads elsewhere"
            most = max(most, abs(got[symbol][1] - p))
    return most


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--quotient", default="quotient", help="the program")
    parser.add_argument("--words", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=3, help="how often ours is measured; the median counts")
    args = parser.parse_args()
    if fixtures_alergia is None:
        print("AALpy is not installed here: our time alone is shown")
    print("                                      whole programs           learning alone          largest difference")
    print("states symbols   words   eps kind  learned  AALpy    ours  ratio   AALpy    ours  ratio  of a probability")
    for seed, (states, symbols) in enumerate([(5, "ab"), (10, "abcd"), (20, "abcdefgh")]):
        rng = random.Random(100 + seed)
        table = machine(rng, states, symbols)
        with tempfile.TemporaryDirectory() as folder:
            source = str(Path(folder, "words.txt"))
            Path(source).write_text("".join(draw(rng, table) + "\n" for _ in range(args.words)))
            for eps in (0.05, 0.005):
                for kind in ("smm", "mc"):
                    runs = [ours(args.quotient, source, eps, kind) for _ in range(args.rounds)]
                    model, middle = runs[0][0], len(runs) // 2
                    whole, alone = sorted(r[1] for r in runs)[middle], sorted(r[2] for r in runs)[middle]
                    line = f"{states:6} {len(symbols):7} {args.words:7} {eps:5g} {kind:4} {len(model['states']):8}"
                    if fixtures_alergia is None:
                        print(line + f"      - {whole:7.3f}      -       - {alone:7.3f}      -  -", flush=True)
                        continue
                    out, program = processor([sys.executable, __file__, "--peer", source, str(eps), kind])
                    theirs = json.loads(out)
                    line += f" {program:6.2f} {whole:7.3f} {program / whole:6.1f}  {theirs['alone']:6.2f} {alone:7.3f} {theirs['alone'] / alone:6.1f}"
                    print(f"{line}  {difference(model, theirs['states'])}", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--peer"]:
        peer(*sys.argv[2:])
    else:
        main()
