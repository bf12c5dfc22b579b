#!/usr/bin/env python3
"""Quotient beside its peers, as one table: processor time of the same work on the same inputs.

    go build ./cmd/quotient
    python3 bench/table.py --quotient ./quotient

The inputs are written by 'quotient bench automata' and 'quotient bench learn'. Peers are AutomataLib 0.11
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
parser.add_argument("--sections", default="automata,learn")
parser.add_argument("--states", default="100000,1000000", help="of the automata")
parser.add_argument("--families", default="cycle,counter,blown-up,random,near-minimal,sparse")
parser.add_argument("--learned", default="50,200,1000", help="states of the automata that are learned")
parser.add_argument("--symbols", default="2,10,64", help="of the automata that are learned")
parser.add_argument("--rounds", type=int, default=5)
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
    command = [args.quotient, "bench", section, "--json", "--rounds", str(args.rounds), "--write", folder, *flags]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def theirs(peer, work, files):
    """What a Java peer says, or None."""
    if peer is None:
        return None
    done = subprocess.run([*peer, work, str(args.rounds + 1), *files], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return json.loads(done.stdout) if done.returncode == 0 else None


def row(work, figure, name, peer):
    cells = [work, figure["input"], f"{figure['seconds'] * 1e3:.2f} ms", name]
    cells += [f"{peer['seconds'] * 1e3:.2f} ms", f"{peer['seconds'] / figure['seconds']:.2f}"] if peer else ["-", "-"]
    asked = [str(x["membership_queries"]) if x and "membership_queries" in x else "" for x in (figure, peer)]
    print("| " + " | ".join(cells + asked) + " |", flush=True)


PEERS = {
    "ttt": [("ttt", "LearnLib's TTT"), ("pack", "LearnLib's ObservationPack")],
    "lstar": [("lstar", "LearnLib's Rivest and Schapire"), ("lstar-cache", "the same with its cache")],
    "kv": [("kv", "LearnLib's Kearns and Vazirani")],
}


def automata(peer, folder):
    for states in args.states.split(","):
        for family in args.families.split(","):
            for f in ours(folder, "automata", "--families", family, "--states", states):
                f["input"] += f", {f['size']} states"
                name = "AutomataLib's Hopcroft" if f["work"] == "minimize" else "AutomataLib's near-linear test"
                row(f["work"], f, name, theirs(peer, f["work"], f["files"]))


def learn(peer, folder):
    for symbols in args.symbols.split(","):
        for states in args.learned.split(","):
            for f in ours(folder, "learn", "--states", states, "--symbols", symbols):
                for work, name in PEERS[f["work"]]:
                    row(f["work"], f, name, theirs(peer, work, f["files"]))


def main():
    peer = java()
    print("| work | input | Quotient | peer | its time | ratio | our queries | its queries |")
    print("|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for section in args.sections.split(","):
            {"automata": automata, "learn": learn}[section](peer, folder)


if __name__ == "__main__":
    main()
