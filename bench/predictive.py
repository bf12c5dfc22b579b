"""Automata from language models beside the baselines, on many networks, in one table.

    go build ./cmd/quotient
    python3 bench/predictive.py --quotient ./quotient FOLDER...

A folder has a language model, model.pt, and model.json, which holds its vocabulary. The columns
of the baselines say how many times the divergence they have at the same number of states, or at
fewer where they find none of that size; weighted is the weighted automaton behind spectral, of that
rank. The floor is about the least divergence that any automaton of our size can have: what is left if its
state may be chosen anew after every prefix, and it has to go on from there for eight symbols. A baseline has an asterisk if half of its divergence is below
the floor: no automaton of the size can have that. Where model.json holds the automaton that the network was
trained on ("automaton": "next", "probabilities"), its states and the network's divergence from it
stand beside, and how many of its transitions ours does not have, up to the names of states: all that
differ, and those that at least one of a thousand of its words takes. What is rarer a network has
hardly ever seen; transitions.py looks at each.
"""

import argparse
import json
import subprocess
import tempfile
from pathlib import Path


def having(*files):
    """The type of an argument that is a folder with some files."""
    def folder(name):
        missing = [x for x in files if not Path(name, x).is_file()]
        if missing:
            raise argparse.ArgumentTypeError(f"there is no {' and no '.join(missing)} in {name}")
        return Path(name)
    return folder


BASELINES = ("kmeans", "quantize", "congruence", "spectral", "weighted", "ngrams")


def run(program, command, folder, *more):
    """What the program says of the network in a folder."""
    files = [str(folder / "model.pt"), "--vocab", str(folder / "model.json"), "--json"]
    return json.loads(subprocess.run([program, command, *files, *more], check=True, stdout=subprocess.PIPE).stdout)


def behind(folder, path):
    """Writes the automaton behind a network as we read it, and returns its number of states; None if there is none."""
    about = json.loads((folder / "model.json").read_text())
    if "automaton" not in about:
        return None
    moves, rows = about["automaton"]["next"], about["automaton"]["probabilities"]
    names = sorted((s for s in about["vocab"] if not s.startswith("<")), key=about["vocab"].get)
    path.write_text(json.dumps({
        "format": "quotient-probabilistic", "version": 1, "alphabet": names, "start": 1,
        "states": [{"id": i + 1, "end": row[-1]} for i, row in enumerate(rows)],
        "transitions": [
            {"from": i + 1, "on": names[s], "to": to + 1, "probability": rows[i][s]}
            for i, row in enumerate(moves) for s, to in enumerate(row)
        ],
    }))
    return len(moves)


def flow(moves, rows, ours, start):
    """How often a word of the automaton behind comes by each of its states, together with each of ours."""
    now, all_of_it = {(0, start): 1.0}, {}
    while sum(now.values()) > 1e-9:
        then = {}
        for (q, r), mass in now.items():
            all_of_it[q, r] = all_of_it.get((q, r), 0) + mass
            for s, to in enumerate(moves[q]):
                pair = to, ours.get((r, s))
                then[pair] = then.get(pair, 0) + mass * rows[q][s]
        now = then
    return all_of_it


def table(automaton):
    """Where symbols, by their numbers, lead from the states of an automaton of ours."""
    number = {s: i for i, s in enumerate(automaton["alphabet"])}
    return {(t["from"], number[t["on"]]): t["to"] for t in automaton["transitions"]}


def others(moves, ours, name):
    """The transitions of the automaton behind that ours does not have, as states and symbols."""
    return [(q, s) for q in sorted(name) for s, to in enumerate(moves[q]) if ours.get((name[q], s)) != name.get(to)]


def shared_names(about, ours, start):
    """How often a word comes by each state of the automaton behind, and that of ours which most words share with it."""
    visits, name = [0.0] * len(about["next"]), {}
    for (q, r), mass in sorted(flow(about["next"], about["probabilities"], ours, start).items(), key=lambda x: x[1]):
        visits[q] += mass
        name[q] = r  # the last is the one that most words share
    return visits, name


def different(folder, automaton):
    """How many transitions of the automaton behind a network ours does not have: all, and those that words take."""
    about, ours = json.loads((folder / "model.json").read_text())["automaton"], table(automaton)
    visits, name = shared_names(about, ours, automaton["start"])
    off = others(about["next"], ours, name)
    return len(off), sum(visits[q] * about["probabilities"][q][s] >= 1e-3 for q, s in off)


def times(ratio, ours):
    """How many times our divergence a baseline has, as a cell of the table."""
    mark = "*" if ratio * ours["divergence"] / 2 < ours["floor"] else " "
    return f"{ratio:9.2f}{mark}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folders", nargs="+", type=having("model.pt", "model.json"))
    parser.add_argument("--quotient", default="quotient", help="the program")
    args = parser.parse_args()
    print("                                          behind it             ours: other transitions               times as much")
    print("network                           states divergence  states divergence   all taken seconds  floor  " + " ".join(f"{name:>10}" for name in BASELINES))
    for folder in args.folders:
        with tempfile.TemporaryDirectory() as scratch:
            target = Path(scratch, "behind.json")
            states, far, off = behind(folder, target), "", ("", "")
            if states is not None:
                found = run(args.quotient, "extract", folder, "--target", str(target))
                far, off = found["target"]["network"], different(folder, found["automaton"])
        rows = run(args.quotient, "methods", folder)
        ours, ratio = rows[0], {row["method"]: float("nan") if row["ratio"] is None else row["ratio"] for row in rows}
        before = f"{states:6} {far:10.4f}" if states else " " * 17
        print(f"{folder.name:33} {before}  {ours['states']:6} {ours['divergence']:10.4f} {off[0]:>5} {off[1]:>5} {ours['seconds']:7.1f} {ours['floor']:.4f}  "
              + " ".join(times(ratio.get(name, float("nan")), ours) for name in BASELINES), flush=True)


if __name__ == "__main__":
    main()
