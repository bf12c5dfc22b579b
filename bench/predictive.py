"""Automata from language models beside the baselines, on many networks, in one table.

    go build ./cmd/quotient
    python3 bench/predictive.py --quotient ./quotient FOLDER...

A folder has a language model, model.pt, and model.json, which holds its vocabulary. The columns
of the baselines say how many times the divergence they have at the same number of states, or at
fewer where they find none of that size; weighted is the weighted automaton behind spectral, of that
rank. The floor is about the least divergence that any automaton of our size can have: what the best of
as many predictions leave, whatever follows what. Where model.json holds the automaton that the network was
trained on ("automaton": "next", "probabilities"), its states and the network's divergence from it
stand beside.
"""

import argparse
import json
import subprocess
import tempfile
from pathlib import Path


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


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--quotient", default="quotient", help="the program")
    args = parser.parse_args()
    print("                                          behind it                 ours                 times as much")
    print("network                           states divergence  states divergence seconds  floor  " + " ".join(f"{name:>10}" for name in BASELINES))
    for folder in args.folders:
        with tempfile.TemporaryDirectory() as scratch:
            target = Path(scratch, "behind.json")
            states, far = behind(folder, target), ""
            if states is not None:
                far = run(args.quotient, "extract", folder, "--target", str(target))["target"]["network"]
        rows = run(args.quotient, "methods", folder)
        ours, ratio = rows[0], {row["method"]: float("nan") if row["ratio"] is None else row["ratio"] for row in rows}
        before = f"{states:6} {far:10.4f}" if states else " " * 17
        print(f"{folder.name:33} {before}  {ours['states']:6} {ours['divergence']:10.4f} {ours['seconds']:7.1f} {ours['floor']:.4f}  "
              + " ".join(f"{ratio.get(name, float('nan')):10.2f}" for name in BASELINES), flush=True)


if __name__ == "__main__":
    main()
