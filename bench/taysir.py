#!/usr/bin/env python3
"""Automata from language models of the TAYSIR competition, on its words, in one table.

    go build ./cmd/quotient
    python3 bench/taysir.py --quotient ./quotient FOLDER...

A folder has a network, model.pth, and outputs.jsonl, a recorded word in each line: "word", its tokens, the
first of which begins and the last of which ends it. Of the words four fifths are given to the extraction, the others
are held out of it: on these stand the perplexities of the network and of the automaton, and how much larger
the latter is.
"""

import argparse
import json
import subprocess
import tempfile
from pathlib import Path

from predictive import having


def extract(args, folder):
    """What the program says of a network and its words."""
    words = [json.loads(line)["word"] for line in (folder / "outputs.jsonl").open()]
    with tempfile.TemporaryDirectory() as scratch:
        data = Path(scratch, "words.txt")
        data.write_text("".join(" ".join(map(str, word[1:-1])) + "\n" for word in words))
        command = [args.quotient, "extract", str(folder / "model.pth"), "--bos", str(words[0][0]), "--eos", str(words[0][-1]),
                   "--data", str(data), "--states", str(args.states), "--json"]
        return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folders", nargs="+", type=having("model.pth", "outputs.jsonl"))
    parser.add_argument("--quotient", default="quotient", help="the program")
    parser.add_argument("--states", type=int, default=300, help="that an automaton may have")
    args = parser.parse_args()
    print("network  states  held out  perplexity: network  automaton    more  seconds")
    for folder in args.folders:
        found = extract(args, folder)
        data = found["data"]
        net, ours = data["network_perplexity"], data["automaton_perplexity"]
        print(f"{folder.name:7} {found['states']:7} {data['held_out']:9} {net:20.3f} {ours:10.3f} {ours / net - 1:7.2%} {found['seconds']:8.1f}", flush=True)


if __name__ == "__main__":
    main()
