#!/usr/bin/env python3
"""EDSM by FlexFringe: the processor time of its merging alone, and how good its automaton is.

    python3 bench/flexfringe.py flexfringe train.txt test.txt default|full LIMIT

The words are files in Abbadingo's format, as 'quotient bench words --write' leaves them. FlexFringe says when it has made its tree and
begins to merge, and when it is done; in between, what the system says of its time on a processor is the time of merging. By
default, which is its own ini/edsm.ini, it looks at one state for each merge, the most frequent one; by the full search at all of
them. After LIMIT seconds of merging by the clock it is stopped. Fresh words are judged as ours are: a word for which there is no path is
rejected. Linux only.
"""
import argparse
import json
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

# What ini/edsm.ini has, but for which states are looked at.
SETTINGS = {
    "heuristic-name": "evidence_driven", "data-name": "edsm_data", "sinkson": 0, "lowerbound": 0,
    "printwhite": 0, "extend": 0, "output": "json",
}


def spent(process):
    """The time that a process has had a processor, in seconds."""
    return int(Path(f"/proc/{process.pid}/schedstat").read_text().split()[0]) / 1e9


def merge(program, train, search, limit, folder):
    """Runs FlexFringe. It returns the time of merging, or None if it took too long."""
    flags = [f"--{k}={v}" for k, v in {**SETTINGS, "largestblue": int(search == "default")}.items()]
    with subprocess.Popen([program, *flags, "--outputfile", "learned", "--logpath", "log", str(train)], cwd=folder,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        while b"Starting greedy merging" not in process.stderr.readline():
            if process.poll() is not None:
                sys.exit(f"flexfringe ends with {process.returncode} before it merges")
        late = threading.Timer(limit, process.kill)
        late.start()
        begin, seen, seconds = spent(process), b"", None
        while part := process.stdout.read1():
            seen = seen[-100:] + part
            if seconds is None and b"no more possible merges" in seen:
                seconds = spent(process) - begin
        late.cancel()
    return seconds


def judge(model, test):
    """The number of states of an automaton, and how many of the words it gets right."""
    types = [str(t) for t in model["types"]]
    count = lambda node, which: {types[int(t)]: n for t, n in node["data"][which].items()}
    accepts, next_ = {}, {}
    for node in model["nodes"]:
        # Where no word has ended, those that go on say what is more likely.
        known = next((c for c in (count(node, "final_counts"), count(node, "path_counts")) if any(c.values())), {})
        accepts[str(node["id"])] = known.get("1", 0) > known.get("0", 0)
    for edge in model["edges"]:
        next_[edge["source"], edge["name"]] = edge["target"]
    right, lines = 0, test.read_text().splitlines()[1:]
    for line in lines:
        label, _, *symbols = line.split()
        state = "-1"
        for symbol in symbols:
            state = next_.get((state, symbol))
        right += accepts.get(state, False) == (label == "1")
    return len(accepts), right / len(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("program", help="flexfringe")
    parser.add_argument("train", type=Path)
    parser.add_argument("test", type=Path)
    parser.add_argument("search", choices=("default", "full"))
    parser.add_argument("limit", type=float, help="seconds")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        seconds = merge(args.program, args.train.resolve(), args.search, args.limit, folder)
        if seconds is None:
            print(json.dumps({"stopped": args.limit}))
            return
        states, accuracy = judge(json.loads((Path(folder) / "learned.final.json").read_text()), args.test)
    print(json.dumps({"seconds": seconds, "states": states, "accuracy": accuracy}))


if __name__ == "__main__":
    main()
