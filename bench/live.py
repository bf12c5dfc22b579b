#!/usr/bin/env python3
"""Measure what a live PyTorch module costs beside the same weights in a file.

    python3 bench/live.py [FOLDER...]

Takes networks of random weights with 8 to 128 units and, of each folder, model.pt and model.json as
train/foreign.py writes them. Prints seconds of processor time, the program's and Python's together, the least of three
runs, and the ratios of live to file, in processor time and by the clock on the wall. Where PyTorch or the package quotient is not installed it says so, and exits with 0.
"""
import json
import pathlib
import resource
import sys
import tempfile
import time

try:
    import torch
    import quotient
except ImportError as missing:
    print(f"{missing.name} is not installed here")
    raise SystemExit(0)


class Net(torch.nn.Module):
    """An embedding, a recurrent layer, and a decision about its last output."""

    def __init__(self, cell, tokens, embedding, hidden, layers):
        super().__init__()
        self.embedding = torch.nn.Embedding(tokens, embedding)
        self.rnn = getattr(torch.nn, cell)(embedding, hidden, num_layers=layers, batch_first=True)
        self.classifier = torch.nn.Linear(hidden, 1)

    def forward(self, x):
        return self.classifier(self.rnn(self.embedding(x))[0][:, -1])


def seconds():
    return sum(u.ru_utime + u.ru_stime for u in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))


def measure(name, module, path, symbols, bos):
    for method in (None, "fold"):
        least = [(float("inf"), float("inf"))] * 2
        for _ in range(3):
            for i, model in enumerate((path, module)):
                before = seconds(), time.perf_counter()
                study = quotient.extract(model, symbols, bos=bos, output="logits" if i else None, **({"method": method} if method else {}))
                took = seconds() - before[0], time.perf_counter() - before[1]
                least[i] = tuple(map(min, least[i], took))
        (file, wall), (live, waited) = least
        print(f"{name:30} {study.method:8} {study.states:4} states   file {file:6.2f} s   live {live:6.2f} s   "
              f"ratio {live / file:.1f}   on the wall {waited / wall:.1f}", flush=True)


def main():
    with tempfile.TemporaryDirectory() as folder:
        for hidden in (8, 24, 64, 128):
            torch.manual_seed(hidden + 1)
            module = Net("GRU", 3, 8, hidden, 1)
            with torch.no_grad():  # half of the words are accepted
                words = torch.cat([torch.full((256, 1), 2), torch.randint(2, (256, 15))], 1)
                module.classifier.bias -= module(words).median()
            path = pathlib.Path(folder) / f"gru{hidden}.pt"
            torch.save(module.state_dict(), path)
            measure(f"random, {hidden} units", module, path, "ab", 2)
    for folder in map(pathlib.Path, sys.argv[1:]):
        weights = torch.load(folder / "model.pt", weights_only=True)
        vocabulary = json.loads((folder / "model.json").read_text())["vocab"]
        rows, hidden = weights["rnn.weight_hh_l0"].shape
        module = Net({1: "RNN", 3: "GRU", 4: "LSTM"}[rows // hidden], *weights["embedding.weight"].shape, hidden,
                     sum(k.startswith("rnn.weight_hh") for k in weights))
        module.load_state_dict(weights)
        measure(folder.name, module, folder / "model.pt", [s for s in vocabulary if not s.startswith("<")], vocabulary["<bos>"])


main()
