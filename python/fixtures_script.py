"""Makes programs of TorchScript, scripted and traced, and of torch.export, and beside each what it says of some words.

    python python/fixtures_script.py model/testdata/script

needs torch. The files are packed with gzip; the records are those of model/testdata/make.py.
"""

import json
import os
import random
import sys

import torch
from torch import nn

from fixtures_pack import pack

VOCAB = {"a": 0, "b": 1, "<bos>": 2}


class Net(nn.Module):
    def __init__(self, rnn, head):
        super().__init__()
        self.embedding = nn.Embedding(3, 4)
        self.rnn = rnn
        self.head = head

    def forward(self, tokens):
        out, _ = self.rnn(self.embedding(tokens))
        return self.head(out[:, -1])


class Functional(nn.Module):
    """A function between dense layers that only the code shows."""

    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(3, 4)
        self.rnn = nn.GRU(4, 5, batch_first=True)
        self.first = nn.Linear(5, 4)
        self.second = nn.Linear(4, 1)

    def forward(self, tokens):
        out, _ = self.rnn(self.embedding(tokens))
        return self.second(torch.tanh(self.first(out[:, -1])))


class Pooled(Net):
    def forward(self, tokens):
        out, _ = self.rnn(self.embedding(tokens))
        return self.head(out.mean(1))


def mlp(function):
    return nn.Sequential(nn.Linear(5, 4), function, nn.Dropout(0.5), nn.Linear(4, 2), nn.LogSoftmax(-1))


def save(name, model, scripted):
    torch.manual_seed(1)
    for p in model.parameters():
        nn.init.normal_(p, std=0.8)
    model.eval()

    def logit(tokens):
        with torch.no_grad():
            y = model(torch.tensor([tokens]))[0]
        return float(y[1] - y[0]) if len(y) == 2 else float(y[0])

    rng = random.Random(name)
    cases = []
    for n in (0, 1, 4, 7):
        word = [rng.choice("ab") for _ in range(n)]
        cases.append({"word": word, "logits": [logit([2] + [VOCAB[s] for s in word[:i]]) for i in range(n + 1)]})
    with open(name + ".json", "w") as f:
        json.dump({"vocab": VOCAB, "cases": cases}, f)
        f.write("\n")
    example = torch.tensor([[2, 0, 1]])
    program = torch.jit.script(model) if scripted else torch.jit.trace(model, example)
    program.save(name + ".pt")
    pack(name + ".pt")
    if not scripted:
        torch.export.save(torch.export.export(model, (example,)), name + ".pt2")
        pack(name + ".pt2")


if __name__ == "__main__":
    os.makedirs(sys.argv[1], exist_ok=True)
    os.chdir(sys.argv[1])
    for scripted in (True, False):
        kind = "script" if scripted else "trace"
        elman = nn.RNN(4, 5, nonlinearity="relu", batch_first=True)
        save(f"{kind}-relu", Net(elman, mlp(nn.Tanh())), scripted)
        save(f"{kind}-lstm", Net(nn.LSTM(4, 5, num_layers=2, batch_first=True), nn.Linear(5, 1)), scripted)
        save(f"{kind}-functional", Functional(), scripted)
    save("trace-leaky", Net(nn.GRU(4, 5, batch_first=True), mlp(nn.LeakyReLU(0.3))), False)
    save("trace-pooled", Pooled(nn.GRU(4, 5, batch_first=True), nn.Linear(5, 1)), False)
