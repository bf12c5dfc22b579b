"""Makes networks that a file of weights can be misread for, and what they say of some words.

    python python/fixtures_reading.py model/testdata/reading

needs torch. The networks have random weights: they are here to be read. Beside each is a JSON
file as `quotient model FILE --check` reads it.
"""

import json
import os
import random
import sys

import torch
from torch import nn


class Net(nn.Module):
    """An embedding, a recurrent layer, a linear one, and what only code says between them."""

    def __init__(self, recurrent, tokens=2, outputs=1, padding=None, how="last"):
        super().__init__()
        self.embedding = nn.Embedding(tokens, 4, padding_idx=padding)
        self.rnn = recurrent
        width = recurrent.hidden_size * (2 if recurrent.bidirectional else 1)
        self.fc = nn.Linear(width, outputs)
        self.how = how
        if how == "norm":
            self.norm = nn.LayerNorm(width, elementwise_affine=False)

    def forward(self, tokens):
        x = self.embedding(tokens)
        if self.how == "scaled":
            x = 2 * x
        if self.how == "reversed":
            x = x.flip(1)
        out, hidden = self.rnn(x)
        return self.fc(self.summary(out, hidden))

    def summary(self, out, hidden):
        if self.how == "mean":
            return out.mean(1)
        if self.how == "max":
            return out.max(1).values
        if self.how == "memory":
            return hidden[1][-1]
        if self.how == "first":
            return hidden[0]
        if self.how == "norm":
            return self.norm(out[:, -1])
        return out[:, -1]


def rnn(cell, **settings):
    return cell(4, 6, batch_first=True, **settings)


def write(folder, name, net, shift=0, symbols=2, around=None, logit=lambda y: y[0], threshold=None, vocab=None, whole=False):
    """Saves a network and cases. Symbol i is token i + shift; around says what is read with them."""
    net.eval()
    cases = []
    for i in range(30):
        word = [random.randrange(symbols) for _ in range(1 + i % 9)]
        tokens = [x + shift for x in word]
        with torch.no_grad():
            y = net(torch.tensor([around(tokens) if around else tokens]))[0].tolist()
        case = {"word": "".join("abc"[x] for x in word)}
        if threshold is None:
            case["logit"] = round(logit(y), 6)
        else:
            case["accepts"] = y[0] > threshold
        cases.append(case)
    torch.save(net if whole else net.state_dict(), os.path.join(folder, name + ".pt"))
    with open(os.path.join(folder, name + ".json"), "w", encoding="utf-8") as f:
        json.dump({"vocab": vocab, "cases": cases} if vocab else {"cases": cases}, f)


def main(folder):
    os.makedirs(folder, exist_ok=True)
    torch.manual_seed(7)
    random.seed(7)
    write(folder, "relu", Net(rnn(nn.RNN, nonlinearity="relu")))
    write(folder, "last", Net(rnn(nn.LSTM, bidirectional=True)))
    write(folder, "class", Net(rnn(nn.GRU), outputs=2), logit=lambda y: y[0] - y[1])
    squared = Net(rnn(nn.GRU))
    squared.fc.weight.data *= 3
    squared.fc.bias.data[:] = 0
    write(folder, "threshold", squared, threshold=0.5)
    write(folder, "padding", Net(rnn(nn.GRU), tokens=4, padding=0), shift=1, symbols=3)
    write(folder, "begin", Net(rnn(nn.GRU), tokens=3), around=lambda t: [2] + t, vocab={"a": 0, "b": 1})
    names = {"_PAD_": 0, "<go>": 1, "UNK": 2, "a": 3, "b": 4}
    write(folder, "names", Net(rnn(nn.GRU), tokens=5), shift=3, around=lambda t: [1] + t, vocab=names)
    for how in ["scaled", "reversed", "mean", "max"]:
        write(folder, how, Net(rnn(nn.GRU), how=how))
    write(folder, "memory", Net(rnn(nn.LSTM), how="memory"))
    write(folder, "first", Net(rnn(nn.GRU, num_layers=2), how="first"))
    write(folder, "norm", Net(rnn(nn.GRU), how="norm"), whole=True)
    write(folder, "left", Net(rnn(nn.GRU), tokens=3, padding=0), shift=1, around=lambda t: [0] * (12 - len(t)) + t)
    write(folder, "right", Net(rnn(nn.GRU), tokens=3, padding=0), shift=1, around=lambda t: t + [0] * (12 - len(t)))


if __name__ == "__main__":
    main(sys.argv[1])
