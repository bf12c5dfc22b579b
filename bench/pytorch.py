#!/usr/bin/env python3
"""Train with PyTorch on the figures of 'quotient bench train', for comparison.

Same cells, batch, length, hidden size, loss on every prefix and AdamW. Prints a
JSON document like that of 'quotient bench train --json', without shares of peak:

    python3 bench/pytorch.py [--threads 2] [--seconds 3]

Where PyTorch is not installed it says so, and exits with 0.
"""
import argparse
import json
import time

try:
    import torch
except ImportError:
    print(json.dumps({"torch": None, "note": "PyTorch is not installed here"}))
    raise SystemExit(0)

parser = argparse.ArgumentParser()
parser.add_argument("--threads", type=int, default=2)
parser.add_argument("--batch", type=int, default=64)
parser.add_argument("--length", type=int, default=100)
parser.add_argument("--hidden", type=int, default=100)
parser.add_argument("--embedding", type=int, default=10)
parser.add_argument("--seconds", type=float, default=3, help="time for each cell")
a = parser.parse_args()

torch.set_num_threads(a.threads)
torch.manual_seed(1)


class Recognizer(torch.nn.Module):
    """Embedding, one recurrent layer, one logit after every token."""

    def __init__(self, cell):
        super().__init__()
        self.embedding = torch.nn.Embedding(3, a.embedding)  # a, b, <bos>
        self.rnn = cell(a.embedding, a.hidden, batch_first=True)
        self.classifier = torch.nn.Linear(a.hidden, 1)

    def forward(self, tokens):
        return self.classifier(self.rnn(self.embedding(tokens))[0]).squeeze(-1)


def tokens_per_second(cell):
    """The best of several stretches of training."""
    net = Recognizer(cell)
    optimizer = torch.optim.AdamW(net.parameters())
    loss = torch.nn.BCEWithLogitsLoss()
    words = torch.randint(0, 2, (a.batch, a.length))
    even = 1 - torch.cumsum(words, 1) % 2
    labels = torch.cat([torch.ones(a.batch, 1), even], 1)
    tokens = torch.cat([torch.full((a.batch, 1), 2), words], 1)

    def step():
        optimizer.zero_grad()
        loss(net(tokens), labels).backward()
        optimizer.step()

    for _ in range(3):
        step()
    best, end = 0.0, time.perf_counter() + a.seconds
    while time.perf_counter() < end:
        begin = time.perf_counter()
        for _ in range(3):
            step()
        best = max(best, 3 * a.batch * a.length / (time.perf_counter() - begin))
    return best


results = [
    {"cell": name, "threads": a.threads, "batch": a.batch, "tokens_per_second": tokens_per_second(cell)}
    for name, cell in (("elman", torch.nn.RNN), ("gru", torch.nn.GRU), ("lstm", torch.nn.LSTM))
]
print(json.dumps({"torch": torch.__version__, "hidden": a.hidden, "length": a.length, "results": results}, indent=2))
