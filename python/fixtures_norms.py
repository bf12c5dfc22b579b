"""Makes networks with normalization and with several heads, and what they say of some words.

    python python/fixtures_norms.py model/testdata/norms

needs torch and onnx. The networks have random weights: they are here to be read. Beside each is
a JSON file as `quotient model FILE --check` reads it.
"""

import json
import os
import random
import sys
import warnings

import onnx
import torch
import torch.nn.functional as F
from torch import nn

from fixtures_pack import pack

warnings.filterwarnings("ignore")
TOKENS, SIZE, UNITS = 3, 4, 6


class Net(nn.Module):
    """An embedding, recurrent layers and a head, with norms where it is told to have some."""

    def __init__(self, embedded=None, cells=1, between=None, last=None, head=None, cell=nn.GRU, both=False):
        super().__init__()
        self.embedding = nn.Embedding(TOKENS, SIZE)
        if embedded:
            self.norm_in = embedded
        self.rnn = cell(SIZE, UNITS, batch_first=True, bidirectional=both)
        if between:
            self.between = between
        if cells > 1:
            self.rnn2 = cell(UNITS, UNITS, batch_first=True)
        if last:
            self.norm_out = last
        self.head = head or nn.Linear(UNITS * (1 + both), 1)

    def forward(self, tokens):
        x = self.embedding(tokens)
        if hasattr(self, "norm_in"):
            x = steps(self.norm_in, x)
        x = self.rnn(x)[0]
        if hasattr(self, "between"):
            x = steps(self.between, x)
        if hasattr(self, "rnn2"):
            x = self.rnn2(x)[0]
        x = x[:, -1]
        if hasattr(self, "norm_out"):
            x = self.norm_out(x)
        return self.head(x)


def steps(norm, x):
    """Batch norms want features before time."""
    return norm(x.transpose(1, 2)).transpose(1, 2) if isinstance(norm, nn.BatchNorm1d) else norm(x)


class Head(nn.Module):
    """A head whose code says where the norm stands."""

    def __init__(self, before):
        super().__init__()
        self.fc1 = nn.Linear(UNITS, 5)
        self.norm = nn.LayerNorm(5)
        self.fc2 = nn.Linear(5, 1)
        self.before = before

    def forward(self, x):
        x = self.fc1(x)
        return self.fc2(F.relu(self.norm(x)) if self.before else self.norm(F.relu(x)))


class Pooled(Net):
    def forward(self, tokens):
        return self.head(self.norm_out(self.rnn(self.embedding(tokens))[0]).mean(1))


class LayerNormLSTMCell(nn.Module):
    """As in PyTorch's benchmarks/fastrnns/custom_lstms.py."""

    def __init__(self, inputs, units, kept=True):
        super().__init__()
        self.weight_ih = nn.Parameter(torch.randn(4 * units, inputs) / 2)
        self.weight_hh = nn.Parameter(torch.randn(4 * units, units) / 2)
        self.layernorm_i = nn.LayerNorm(4 * units)
        self.layernorm_h = nn.LayerNorm(4 * units)
        self.layernorm_c = nn.LayerNorm(units)
        self.kept = kept

    def forward(self, x, state):
        h, c = state
        gates = self.layernorm_i(x @ self.weight_ih.t()) + self.layernorm_h(h @ self.weight_hh.t())
        i, f, g, o = gates.chunk(4, 1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        if self.kept:
            c = self.layernorm_c(c)
            return torch.sigmoid(o) * torch.tanh(c), c
        return torch.sigmoid(o) * torch.tanh(self.layernorm_c(c)), c


class LayerNormGRUCell(nn.GRUCell):
    def __init__(self, inputs, units):
        super().__init__(inputs, units)
        self.ln_ih = nn.LayerNorm(3 * units)
        self.ln_hh = nn.LayerNorm(3 * units)

    def forward(self, x, state):
        h = state[0]
        i = self.ln_ih(F.linear(x, self.weight_ih, self.bias_ih)).chunk(3, 1)
        s = self.ln_hh(F.linear(h, self.weight_hh, self.bias_hh)).chunk(3, 1)
        r, z = torch.sigmoid(i[0] + s[0]), torch.sigmoid(i[1] + s[1])
        h = (1 - z) * torch.tanh(i[2] + r * s[2]) + z * h
        return h, h


class LayerNormElmanCell(nn.RNNCell):
    def __init__(self, inputs, units):
        super().__init__(inputs, units)
        self.norm = nn.LayerNorm(units)

    def forward(self, x, state):
        h = torch.tanh(self.norm(F.linear(x, self.weight_ih, self.bias_ih) + F.linear(state[0], self.weight_hh, self.bias_hh)))
        return h, h


class StateNormCell(nn.Module):
    """A cell of PyTorch's, whose state is normalized after every step, as it goes on."""

    def __init__(self, inputs, units):
        super().__init__()
        self.gru = nn.GRUCell(inputs, units)
        self.norm = nn.LayerNorm(units)

    def forward(self, x, state):
        h = self.norm(self.gru(x, state[0]))
        return h, h


class Loop(nn.Module):
    """Steps cells through a word."""

    def __init__(self, *cells):
        super().__init__()
        self.embedding = nn.Embedding(TOKENS, SIZE)
        self.cells = nn.ModuleList(cells)
        self.fc = nn.Linear(UNITS, 1)

    def forward(self, tokens):
        xs = self.embedding(tokens)
        states = [(torch.zeros(len(tokens), UNITS), torch.zeros(len(tokens), UNITS)) for _ in self.cells]
        for t in range(xs.shape[1]):
            x = xs[:, t]
            for i, cell in enumerate(self.cells):
                states[i] = cell(x, states[i])
                x = states[i][0]
        return self.fc(x)


class HandLSTM(nn.Module):
    """A hand-written cell with an order of gates of its own, and norms in the same order."""

    def __init__(self, inputs, units):
        super().__init__()
        self.x2h = nn.Linear(inputs, 4 * units, bias=False)
        self.h2h = nn.Linear(units, 4 * units)
        self.ln_x = nn.LayerNorm(4 * units)
        self.ln_h = nn.LayerNorm(4 * units)
        self.ln_cell = nn.LayerNorm(units)

    def forward(self, x, state):
        h, c = state
        o, f, i, g = (self.ln_x(self.x2h(x)) + self.ln_h(self.h2h(h))).chunk(4, 1)
        c = self.ln_cell(torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g))
        return torch.sigmoid(o) * torch.tanh(c), c


class HandGRU(nn.Module):
    """One whose update gate is the share of what is new."""

    def __init__(self, inputs, units):
        super().__init__()
        self.x2h = nn.Linear(inputs, 3 * units, bias=False)
        self.h2h = nn.Linear(units, 3 * units, bias=False)
        self.norm1 = nn.LayerNorm(3 * units)
        self.norm2 = nn.RMSNorm(3 * units)

    def forward(self, x, state):
        h = state[0]
        i, s = self.norm1(self.x2h(x)).chunk(3, 1), self.norm2(self.h2h(h)).chunk(3, 1)
        r, z = torch.sigmoid(i[0] + s[0]), torch.sigmoid(i[1] + s[1])
        h = (1 - z) * h + z * torch.tanh(i[2] + r * s[2])
        return h, h


class HandReset(nn.Module):
    """A GRU that resets its state before the product, and normalizes what goes on."""

    def __init__(self, inputs, units):
        super().__init__()
        self.W_r, self.W_z, self.W_h = (nn.Linear(inputs + units, units) for _ in range(3))
        self.ln = nn.LayerNorm(units)

    def forward(self, x, state):
        h = state[0]
        both = torch.cat([x, h], 1)
        r, z = torch.sigmoid(self.W_r(both)), torch.sigmoid(self.W_z(both))
        h = self.ln(z * h + (1 - z) * torch.tanh(self.W_h(torch.cat([x, r * h], 1))))
        return h, h


class HandJoined(nn.Module):
    """An LSTM that is one matrix over input and state, with a norm of the sum."""

    def __init__(self, inputs, units):
        super().__init__()
        self.gates = nn.Linear(inputs + units, 4 * units)
        self.norm = nn.LayerNorm(4 * units)

    def forward(self, x, state):
        h, c = state
        i, f, g, o = self.norm(self.gates(torch.cat([x, h], 1))).chunk(4, 1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        return torch.sigmoid(o) * torch.tanh(c), c


class HandElman(nn.Module):
    """Two layers in the network's own module."""

    def __init__(self, layers):
        super().__init__()
        self.embedding = nn.Embedding(TOKENS, SIZE)
        for i in range(layers):
            self.add_module(f"i2h{i}", nn.Linear(UNITS if i else SIZE, UNITS))
            self.add_module(f"h2h{i}", nn.Linear(UNITS, UNITS))
            self.add_module(f"ln{i}", nn.LayerNorm(UNITS))
        self.fc = nn.Linear(UNITS, 1)
        self.layers = layers

    def forward(self, tokens):
        xs = self.embedding(tokens)
        h = [torch.zeros(len(tokens), UNITS) for _ in range(self.layers)]
        for t in range(xs.shape[1]):
            x = xs[:, t]
            for i in range(self.layers):
                part = lambda name: getattr(self, f"{name}{i}")  # noqa: E731
                x = h[i] = torch.tanh(part("ln")(part("i2h")(x) + part("h2h")(h[i])))
        return self.fc(x)


class Heads(nn.Module):
    """A classifier, and another head that only training needs."""

    def __init__(self, first, second, names=("classifier", "aux_head"), chosen=0):
        super().__init__()
        self.embedding = nn.Embedding(TOKENS, SIZE)
        self.lstm = nn.LSTM(SIZE, UNITS, batch_first=True)
        for name, head in zip(names, (first, second)):
            self.add_module(name, head)
        self.chosen = names[chosen]

    def forward(self, tokens):
        x = self.lstm(self.embedding(tokens))[0][:, -1]
        return getattr(self, self.chosen)(x)


def shake(net):
    """Numbers far from those that norms begin with, so that mistakes show."""
    for m in net.modules():
        if isinstance(m, nn.BatchNorm1d):
            m.running_mean.uniform_(-1, 1)
            m.running_var.uniform_(0.2, 2)
        if isinstance(m, (nn.LayerNorm, nn.BatchNorm1d, nn.RMSNorm)):
            for p in m.parameters():
                p.data.uniform_(-1.5, 1.5)
    return net.eval()


def logit(net, tokens):
    with torch.no_grad():
        y = net(torch.tensor([tokens]))[0].tolist()
    return y[0] if len(y) == 1 else y[1] - y[0]


def record(path, net):
    cases = []
    for i in range(20):
        word = [random.randrange(2) for _ in range(1 + i % 7)]
        cases.append({"word": "".join("ab"[x] for x in word), "logit": round(logit(net, word), 6)})
    with open(path + ".json", "w", encoding="utf-8") as f:
        json.dump({"vocab": {"a": 0, "b": 1, "<pad>": 2}, "cases": cases}, f)


def write(name, net, kinds=("pt",)):
    record(name, shake(net))
    example = torch.tensor([[0, 1, 1, 0, 1]])
    for kind in kinds:
        if kind == "pt":
            torch.save(net.state_dict(), name + ".pt")
        elif kind == "module":
            torch.save(net, name + ".module.pt")
        elif kind == "script":
            torch.jit.script(net).save(name + ".script.pt")
        elif kind == "trace":
            torch.jit.trace(net, example).save(name + ".trace.pt")
        elif kind == "pt2":
            torch.export.save(torch.export.export(net, (example,)), name + ".pt2")
        else:
            export(net, example, name + kind, int(kind.removeprefix(".opset").removesuffix(".onnx")))
        if kind in ("script", "trace"):
            pack(f"{name}.{kind}.pt")
        if kind == "pt2":
            pack(name + ".pt2")


def export(net, example, path, opset):
    torch.onnx.export(net, (example,), path, dynamo=False, opset_version=opset, input_names=["tokens"], dynamic_axes={"tokens": {1: "time"}})
    m = onnx.load(path)
    m.doc_string = m.graph.doc_string = ""
    for n in m.graph.node:
        n.doc_string = ""
    onnx.save(m, path)


def main(folder):
    os.makedirs(folder, exist_ok=True)
    os.chdir(folder)
    torch.manual_seed(13)
    random.seed(13)
    layer, batch = nn.LayerNorm, nn.BatchNorm1d
    all_kinds = ("pt", "module", "trace", "pt2", ".opset17.onnx", ".opset14.onnx")
    write("between", Net(layer(SIZE), 2, layer(UNITS), layer(UNITS)), all_kinds)
    write("batch", Net(batch(SIZE), 2, batch(UNITS), batch(UNITS)), all_kinds)
    write("free", Net(None, 1, None, layer(UNITS, elementwise_affine=False, eps=0.01)), ("module", "script", "pt2", ".opset17.onnx", ".opset14.onnx"))
    write("rms", Net(None, 1, None, nn.RMSNorm(UNITS)), ("pt", "module"))
    write("sequential", Net(head=nn.Sequential(layer(UNITS), nn.Linear(UNITS, 5), layer(5), nn.GELU(), batch(5), nn.Linear(5, 2))),
          ("module", ".opset17.onnx"))
    write("before", Net(head=Head(True)), ("pt", "module"))
    write("behind", Net(head=Head(False)), ("pt",))
    write("both", Net(last=layer(2 * UNITS), both=True), (".opset17.onnx",))
    write("pooled", Pooled(last=layer(UNITS)), ("pt",))
    write("cell-lstm", Loop(LayerNormLSTMCell(SIZE, UNITS), LayerNormLSTMCell(UNITS, UNITS)), ("pt",))
    write("cell-lstm-output", Loop(LayerNormLSTMCell(SIZE, UNITS, kept=False)), ("pt", "module"))
    write("cell-gru", Loop(LayerNormGRUCell(SIZE, UNITS)), ("pt",))
    write("cell-elman", Loop(LayerNormElmanCell(SIZE, UNITS)), ("pt",))
    write("cell-state", Loop(StateNormCell(SIZE, UNITS)), ("pt",))
    write("group", Net(last=nn.GroupNorm(2, UNITS)), ("pt", "module"))
    mlp = lambda n: nn.Sequential(nn.Linear(UNITS, 5), nn.Tanh(), nn.Linear(5, n))  # noqa: E731
    write("heads", Heads(mlp(1), nn.Linear(UNITS, 1)), ("pt", "module"))
    write("heads-two", Heads(nn.Linear(UNITS, 1), nn.Linear(UNITS, 2), ("first", "second"), 1), ("pt",))
    write("heads-lm", Heads(nn.Linear(UNITS, 2), nn.Linear(UNITS, TOKENS), ("decide", "lm_head")), ("pt",))
    student = Heads(nn.Linear(UNITS, 1), nn.Linear(UNITS, 1), ("yes", "maybe"))
    write("heads-key", student, ())
    torch.save({"student": student.state_dict(), "teacher": Net().state_dict()}, "heads-key.pt")
    write("hand-lstm", Loop(HandLSTM(SIZE, UNITS), HandLSTM(UNITS, UNITS)))
    write("hand-gru", Loop(HandGRU(SIZE, UNITS)))
    write("hand-reset", Loop(HandReset(SIZE, UNITS)))
    write("hand-joined", Loop(HandJoined(SIZE, UNITS)))
    write("hand-elman", HandElman(2))


if __name__ == "__main__":
    main(sys.argv[1])
