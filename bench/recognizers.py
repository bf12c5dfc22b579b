#!/usr/bin/env python3
"""Automata from recognizers of the TAYSIR competition, with half of its words as data, in one table.

    go build ./cmd/quotient
    python3 bench/recognizers.py --quotient ./quotient --seeds 1-6 FOLDER...

A folder has a network, model.pth, and outputs.jsonl, a recorded word in each line: "word", its tokens, the first of
which begins and the last of which ends it, and "prefix_outputs", the answers for its prefixes, of which the last is the
whole word. Of the different words one half is given to the extraction, and the answers of its automaton on the other half
are compared with those recorded: --half says which half is given, every second word from the first or the second on
(even, odd), or the first or second half of the file. Words are few, so the share of all their prefixes on which the
automaton errs says more about which of two programs is better.
"""

import argparse
import json
import shutil
import subprocess
import tempfile
from pathlib import Path

from predictive import having

HALVES = {
    "even": lambda words: (words[::2], words[1::2]),
    "odd": lambda words: (words[1::2], words[::2]),
    "first": lambda words: (words[:len(words) // 2], words[len(words) // 2:]),
    "second": lambda words: (words[len(words) // 2:], words[:len(words) // 2]),
}


def recorded(folder):
    """The different words of a folder in the order of the file, with the tokens at both ends, and the answers for their prefixes."""
    answers = {}
    for line in (folder / "outputs.jsonl").open():
        row = json.loads(line)
        answers.setdefault(tuple(row["word"]), [output == 1 for output in row["prefix_outputs"]])
    return list(answers), answers


def extract(args, folder, data, seed):
    """What the program says of a network, given some of its words."""
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch, "words.txt")
        file.write_text("".join(" ".join(map(str, word[1:-1])) + "\n" for word in data))
        command = [args.quotient, "extract", str(folder / "model.pth"), "--bos", str(data[0][0]), "--eos", str(data[0][-1]), "--data", str(file),
                   "--seed", str(seed), "--json"]
        for flag, value in (("--max-states", args.max_states), ("--states", args.states)):
            command += [flag, str(value)] * bool(value)
        return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def acceptor(automaton):
    """A function that gives the answers of an automaton for the prefixes of a word, the empty one left out."""
    accept = {state["id"]: state.get("accept", False) for state in automaton["states"]}
    moves = {(move["from"], move["on"]): move["to"] for move in automaton["transitions"]}

    def accepts(word):
        at = automaton["start"][0] if automaton["start"] else None
        for token in word[1:-1]:
            at = moves.get((at, str(token)))
            yield accept.get(at, False)
    return accepts


def seeds(text):
    """Seeds as 3, or 1-6."""
    low, _, high = text.partition("-")
    return range(int(low), int(high or low) + 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folders", nargs="+", type=having("model.pth", "outputs.jsonl"))
    parser.add_argument("--quotient", default="quotient", help="the program")
    parser.add_argument("--half", default="even", choices=HALVES, help="of the words that is given as data")
    parser.add_argument("--seeds", default=seeds("1"), type=seeds, help="a number, or two with - between")
    parser.add_argument("--max-states", type=int, help="that a search may open")
    parser.add_argument("--states", type=int, help="that the automaton may have")
    args = parser.parse_args()
    if not shutil.which(args.quotient):
        parser.error(f"there is no program {args.quotient}: --quotient says where it is")
    print("network  seed  states  wrong  of  error prefixes  seconds")
    for folder in args.folders:
        words, answers = recorded(folder)
        data, rest = HALVES[args.half](words)
        for seed in args.seeds:
            found = extract(args, folder, data, seed)
            accepts = acceptor(found["automaton"])
            errors = [[a != b for a, b in zip(accepts(word), answers[word])] for word in rest if len(word) > 2]
            wrong, prefixes = sum(e[-1] for e in errors), sum(errors, [])
            print(f"{folder.name:7} {seed:5} {found['states']:7} {wrong:6} {len(errors):4} {wrong / len(errors):6.4f} "
                  f"{sum(prefixes) / len(prefixes):8.4f} {found['seconds']:8.1f}", flush=True)


if __name__ == "__main__":
    main()
