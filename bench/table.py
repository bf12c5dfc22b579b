#!/usr/bin/env python3
"""Quotient beside its peers, as one table: processor time of the same work on the same inputs.

    go build ./cmd/quotient
    python3 bench/table.py --quotient ./quotient

The inputs are written by the sections of 'quotient bench'. Peers are AutomataLib 0.11
and LearnLib 0.17, which Maven brings (bench/java). Each row is measured in turns, the least time of each
counts, and a ratio above 1 says that Quotient is faster. Where a peer is not installed, it says so and
shows our time alone.
"""
import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
parser.add_argument("--quotient", default="quotient", help="the program")
parser.add_argument("--sections", default="automata,learn,words,formats")
parser.add_argument("--states", default="100000,1000000", help="of the automata")
parser.add_argument("--families", default="cycle,counter,blown-up,random,near-minimal,sparse")
parser.add_argument("--learned", default="50,200,1000", help="states of the automata that are learned")
parser.add_argument("--symbols", default="2,10,64", help="of the automata that are learned")
parser.add_argument("--words", default="10000,50000,500000", help="numbers of words that RPNI learns from")
parser.add_argument("--rounds", type=int, default=5)
parser.add_argument("--turns", type=int, default=1, help="how often each row is measured, ours and theirs in turns")
args = parser.parse_args()


def java():
    """The command that runs the Java peers, or None."""
    if not (shutil.which("java") and shutil.which("mvn")):
        print("Java or Maven is not installed here: our times alone are shown", file=sys.stderr)
        return None
    target = HERE / "java" / "target"
    paths = target / "classpath"
    built = subprocess.run(["mvn", "-q", "-B", "-f", str(HERE / "java"), "compile", "dependency:build-classpath",
                            f"-Dmdep.outputFile={paths.resolve()}"], stdout=sys.stderr)
    if built.returncode != 0:
        print("Maven cannot build the Java peers here: our times alone are shown", file=sys.stderr)
        return None
    return ["java", "-Xmx12g", "-XX:+UseSerialGC", "-cp", f"{target / 'classes'}:{paths.read_text().strip()}", "Peers"]


def ours(folder, section, *flags):
    command = [args.quotient, "bench", section, "--json", "--rounds", str(args.rounds), *(["--write", folder] if folder else []), *flags]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def theirs(peer, work, files):
    """What a Java peer says, or None."""
    if peer is None:
        return None
    done = subprocess.run([*peer, work, str(args.rounds + 1), *files], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return json.loads(done.stdout) if done.returncode == 0 else None


def row(work, figure, name, peer):
    """Prints a measurement. Of several, taken in turns, the least times count; behind the ratio stand the extremes."""
    figures, peers = (x if isinstance(x, list) else [x] for x in (figure, peer))
    figure, peer = figures[0], peers[0]
    us = min(f["seconds"] for f in figures)
    cells = [work, figure["input"], f"{us * 1e3:.2f} ms", name]
    if peer:
        them, ratios = min(p["seconds"] for p in peers), [p["seconds"] / f["seconds"] for f, p in zip(figures, peers)]
        spread = f" ({min(ratios):.2f} to {max(ratios):.2f})" if len(ratios) > 1 else ""
        cells += [f"{them * 1e3:.2f} ms", f"{them / us:.2f}{spread}"]
    else:
        cells += ["-", "-"]
    print("| " + " | ".join(cells + [remark(x) for x in (figure, peer)]) + " |", flush=True)


def remark(x):
    """What else is known of a measurement: queries, or what was learned from words."""
    if x and "membership_queries" in x:
        return f"{x['membership_queries']} queries"
    if x and "accuracy" in x:
        return f"{x['states']} states, {100 * x['accuracy']:.2f}%"
    return ""


def turns(measure):
    """Prints the rows of a measurement, which is a generator of them, after several turns."""
    for taken in zip(*(list(measure()) for _ in range(args.turns))):
        work, figure, name, peer = zip(*taken)
        row(work[0], list(figure), name[0], list(peer))


PEERS = {
    "ttt": [("ttt", "LearnLib's TTT"), ("pack", "LearnLib's ObservationPack")],
    "lstar": [("lstar", "LearnLib's Rivest and Schapire"), ("lstar-cache", "the same with its cache")],
    "kv": [("kv", "LearnLib's Kearns and Vazirani")],
}


def automata(peer, folder):
    def pair(states, family):
        for f in ours(folder, "automata", "--families", family, "--states", states):
            f["input"] += f", {f['size']} states"
            name = "AutomataLib's Hopcroft" if f["work"] == "minimize" else "AutomataLib's near-linear test"
            yield f["work"], f, name, theirs(peer, f["work"], f["files"])

    for states in args.states.split(","):
        for family in args.families.split(","):
            turns(lambda: pair(states, family))


def growth(peer, folder):
    """How minimizing grows with the states, by medians of ten runs: no peer."""
    few, many = args.states.split(",")[0], args.states.split(",")[-1]
    print("| family | states | median | states | median | growth |\n|---|---|---|---|---|---|")
    for family in args.families.split(","):
        found = [ours(None, "automata", "--families", family, "--states", n, "--rounds", "10")[0] for n in (few, many)]
        a, b = (f["median"] for f in found)
        print(f"| {family} | {few} | {a * 1e3:.2f} ms | {many} | {b * 1e3:.2f} ms | {b / a:.1f} |", flush=True)


def learn(peer, folder):
    def pair(symbols, states):
        for f in ours(folder, "learn", "--states", states, "--symbols", symbols):
            for work, name in PEERS[f["work"]]:
                yield f["work"], f, name, theirs(peer, work, f["files"])

    for symbols in args.symbols.split(","):
        for states in args.learned.split(","):
            turns(lambda: pair(symbols, states))


def words(peer, folder):
    def pair(method, states, n):
        for f in ours(folder, "words", "--methods", method, "--states", states, "--words", n):
            yield method, f, f"LearnLib's {method.upper()}", theirs(peer, method, f["files"])

    for n in args.words.split(","):
        turns(lambda: pair("rpni", "50", n))


def formats(peer, folder):
    def pair():
        found = {(f["work"], f["input"]): f for f in ours(None, "formats")}
        for work in ("read", "write"):
            for other, name in (("att", "our own AT&T"), ("encoding/json", "encoding/json alone")):
                f = found[work, "json"]
                yield work, {**f, "input": f"JSON, {f['size']} states"}, name, found[work, other]

    turns(pair)


def main():
    peer = java()
    print("| work | input | Quotient | peer | its time | ratio | ours | its |")
    print("|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for section in args.sections.split(","):
            {"automata": automata, "growth": growth, "learn": learn, "words": words, "formats": formats}[section](peer, folder)


if __name__ == "__main__":
    main()
