#!/usr/bin/env python3
"""Quotient beside its peers, as one table: processor time of the same work on the same inputs.

    go build ./cmd/quotient
    python3 bench/table.py --quotient ./quotient

The inputs are written by the sections of 'quotient bench'. Peers are AutomataLib 0.11
and LearnLib 0.17, which Maven brings (bench/java). Each row is measured in turns, the least time of each
counts, and a ratio above 1 says that Quotient is faster. Where a peer is not installed, it says so and
shows our time alone.

The sections kmeans, files, network and tree have tables of their own. Their peers are scikit-learn, PyTorch and
safetensors, run by --python; a tree is measured against the bytes of its own states.
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
parser.add_argument("--sections", default="automata,learn,words,formats,kmeans,files,network,tree")
parser.add_argument("--states", default="100000,1000000", help="of the automata")
parser.add_argument("--families", default="cycle,counter,blown-up,random,near-minimal,sparse")
parser.add_argument("--learned", default="50,200,1000", help="states of the automata that are learned")
parser.add_argument("--symbols", default="2,10,64", help="of the automata that are learned")
parser.add_argument("--words", default="10000,50000,500000", help="numbers of words that RPNI learns from")
parser.add_argument("--rounds", type=int, default=5)
parser.add_argument("--turns", type=int, default=1, help="how often each row is measured, ours and theirs in turns")
parser.add_argument("--python", default=sys.executable, help="which Python has the peers of kmeans, files and network")
parser.add_argument("--points", default="100000,1000000", help="of k-means")
parser.add_argument("--clouds", default="states,early,normal", help="points of k-means")
parser.add_argument("--starts", default="1,10", help="of k-means")
parser.add_argument("--nodes", default="4250000", help="of the prefix tree")
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
    write = ["--write", folder] if folder else []
    command = [args.quotient, "bench", section, "--json", "--rounds", str(args.rounds), *write, *flags]
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


def python(program, *words):
    """What a Python peer says, or nothing."""
    done = subprocess.run([args.python, HERE / program, *map(str, words)], stdout=subprocess.PIPE)
    return json.loads(done.stdout or "{}") if done.returncode == 0 else {}


def head(*columns):
    print("\n| " + " | ".join(columns) + " |\n" + "|---" * len(columns) + "|", flush=True)


def cells(*values):
    print("| " + " | ".join(map(str, values)) + " |", flush=True)


def over(peer, ours_, key):
    """The peer's figure over ours."""
    return f"{peer[key] / ours_[key]:.2f}" if key in peer else "-"


def kmeans(folder):
    head("points", "starts", "threads", "an iteration", "scikit-learn's", "ratio", "all", "ratio", "inertia, ours over its")
    for points in args.points.split(","):
        for cloud in args.clouds.split(","):
            for starts in args.starts.split(","):
                for threads in ("1", "2"):
                    f, = ours(folder, "kmeans", "--inputs", cloud, "--points", points, "--starts", starts, "--threads", threads)
                    peer = python("kmeans.py", f["files"][0], starts, threads, args.rounds)
                    its = f"{peer['iteration'] * 1e3:.1f} ms" if peer else "-"
                    inertia = f"{f['inertia'] / peer['inertia']:.4f}" if peer else "-"
                    cells(f"{cloud}, {points}", starts, threads, f"{f['iteration'] * 1e3:.1f} ms", its, over(peer, f, "iteration"),
                          f"{f['seconds']:.2f} s", over(peer, f, "seconds"), inertia)


def files(folder):
    head("file", "Quotient", "memory over file", "peer", "its time", "with every number checked", "ratio of the latter", "its memory over file")
    made, = ours(folder, "files")
    path = Path(made["files"][0])
    torch = path.with_suffix(".pt")
    subprocess.run([args.python, HERE / "files.py", "convert", path, torch])
    for file, name in ((path, "safetensors"), (torch, "torch.load")):
        if file.exists():
            f, = ours(None, "files", str(file))
            peer = python("files.py", "read", file, args.rounds)
            its = [f"{peer[k] * 1e3:.1f} ms" for k in ("seconds", "checked")] if peer else ["-", "-"]
            cells(file.name, f"{f['seconds'] * 1e3:.1f} ms", f"{f['memory'] / f['size']:.2f}", name, *its,
                  f"{peer['checked'] / f['seconds']:.2f}" if peer else "-", f"{peer['memory'] / f['size']:.2f}" if peer else "-")


def network(_):
    head("a step of", "Quotient", "PyTorch", "ratio")
    f, = ours(None, "network")
    peer = python("network.py", 1024, 3, 64, f["size"], 2, args.rounds)
    cells(f"{f['size']} states, {f['input']}", f"{f['seconds']:.2f} s", f"{peer['seconds']:.2f} s" if peer else "-", over(peer, f, "seconds"))


def tree(_):
    head("merging", "nodes", "Quotient", "memory", "over the states' own bytes")
    for f in ours(None, "tree", "--nodes", args.nodes):
        cells(f["work"], f["size"], f"{f['seconds']:.2f} s", f"{f['memory'] / 1e9:.2f} GB", f"{f['memory'] / f['states_bytes']:.2f}")


ALONE = {"kmeans": kmeans, "files": files, "network": network, "tree": tree}


def main():
    sections = args.sections.split(",")
    shared = [s for s in sections if s not in ALONE]
    with tempfile.TemporaryDirectory() as folder:
        if shared:
            peer = java()
            print("| work | input | Quotient | peer | its time | ratio | ours | its |")
            print("|---|---|---|---|---|---|---|---|")
        for section in shared:
            {"automata": automata, "growth": growth, "learn": learn, "words": words, "formats": formats}[section](peer, folder)
        for section in sections:
            if section in ALONE:
                ALONE[section](folder)


if __name__ == "__main__":
    main()
