"""Makes networks in many styles of defining and saving them, and what they say of some words.

    python python/fixtures_styles.py model/testdata/styles

needs torch, numpy and safetensors. The networks have random weights: they are here to be read.
Beside each is a JSON file as `quotient model FILE --check` reads it. The table in docs/models.md
says what becomes of each; networks that other scripts make are rows of it, too.
"""

import argparse
import collections
import copy
import dataclasses
import gzip
import io
import json
import os
import pickle
import random
import sys

import numpy
import safetensors.torch
import torch
from torch import nn
from torch.nn import functional

H = 5  # units
E = 4  # the embedding's size
VOCAB = {"a": 0, "b": 1, "c": 2}
FOLDER = None


def write(name, logit, save):
    """Records cases, and lets save(buffer) write the file; names that end in .gz are packed."""
    torch.manual_seed(len(name))
    rng = random.Random(name)
    cases = []
    for n in range(14):
        word = [rng.choice("abc") for _ in range(1 + n % 7)]
        with torch.no_grad():
            y = logit(torch.tensor([[VOCAB[s] for s in word]])).reshape(-1).tolist()
        cases.append({"word": "".join(word), "logit": round(y[1] - y[0] if len(y) == 2 else y[0], 6)})
    buffer = io.BytesIO()
    save(buffer)
    data = buffer.getvalue()
    if name.endswith(".gz"):
        data = gzip.compress(data, mtime=0)
    with open(os.path.join(FOLDER, name), "wb") as f:
        f.write(data)
    with open(os.path.join(FOLDER, name.split(".")[0] + ".json"), "w", encoding="utf-8") as f:
        json.dump({"vocab": VOCAB, "cases": cases}, f)
        f.write("\n")


def draw(module):
    for p in module.parameters():
        nn.init.normal_(p, std=0.7)
    return module.eval()


def states(name, module):
    """The most usual style: the state_dict."""
    draw(module)
    write(name, module, lambda f: torch.save(module.state_dict(), f))


def saved(name, module, value):
    """Anything that torch.save writes of a module."""
    draw(module)
    write(name, module, lambda f: torch.save(value(module), f))


class Net(nn.Module):
    """An embedding, PyTorch's recurrent layers, a head."""

    def __init__(self, recurrent=None, head=None, embedding=None, read=None):
        super().__init__()
        self.embedding = embedding or nn.Embedding(3, E)
        self.rnn = recurrent or nn.GRU(E, H, batch_first=True)
        self.fc = head or nn.Linear(H, 1)
        self.read = read or (lambda out, hidden: out[:, -1])

    def forward(self, tokens):
        return self.fc(self.read(*self.rnn(self.embedding(tokens))))

    def __getstate__(self):
        return {k: v for k, v in self.__dict__.items() if k != "read"}


class Loop(nn.Module):
    """A loop over a cell of one's own: what step() says."""

    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(3, E)
        self.build()
        self.out = nn.Linear(H, 1)

    def forward(self, tokens):
        x, h = self.embedding(tokens), torch.zeros(1, H)
        c = torch.zeros(1, H)
        for t in range(x.shape[1]):
            h, c = self.step(x[:, t], h, c)
        return self.out(h)


def lstm(i, f, g, o, c):
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


class StackedLSTM(Loop):
    order = "ifgo"

    def build(self):
        self.x2h, self.h2h = nn.Linear(E, 4 * H), nn.Linear(H, 4 * H)

    def step(self, x, h, c):
        parts = dict(zip(self.order, (self.x2h(x) + self.h2h(h)).chunk(4, 1)))
        return lstm(parts["i"], parts["f"], parts["g"], parts["o"], c)


class OtherOrder(StackedLSTM):
    order = "fiog"


class StackedGRU(Loop):
    def build(self):
        self.x2h, self.h2h = nn.Linear(E, 3 * H), nn.Linear(H, 3 * H)

    def step(self, x, h, c):
        (ir, iz, i_n), (hr, hz, hn) = self.x2h(x).chunk(3, 1), self.h2h(h).chunk(3, 1)
        r, z = torch.sigmoid(ir + hr), torch.sigmoid(iz + hz)
        n = torch.tanh(i_n + r * hn)
        return n + z * (h - n), c


class Pair(Loop):
    function = torch.tanh

    def build(self):
        self.i2h, self.h2h = nn.Linear(E, H), nn.Linear(H, H, bias=False)

    def step(self, x, h, c):
        return type(self).function(self.i2h(x) + self.h2h(h)), c


class PairReLU(Pair):
    function = torch.relu


class EachGate(Loop):
    """A Linear for each gate and source, as PyTorch's documentation names them."""

    def build(self):
        for g in "ifgo":
            setattr(self, "W_i" + g, nn.Linear(E, H))
            setattr(self, "W_h" + g, nn.Linear(H, H))

    def step(self, x, h, c):
        return lstm(*(getattr(self, "W_i" + g)(x) + getattr(self, "W_h" + g)(h) for g in "ifgo"), c)


class EachGateGRU(Loop):
    def build(self):
        for g in "rzn":
            setattr(self, "W_i" + g, nn.Linear(E, H))
            setattr(self, "W_h" + g, nn.Linear(H, H))

    def step(self, x, h, c):
        r = torch.sigmoid(self.W_ir(x) + self.W_hr(h))
        z = torch.sigmoid(self.W_iz(x) + self.W_hz(h))
        n = torch.tanh(self.W_in(x) + r * self.W_hn(h))
        return (1 - z) * n + z * h, c


class Concatenated(Loop):
    """A Linear for each gate over [x, h]."""

    names = dict(i="Wi", f="Wf", g="Wc", o="Wo")
    first = "x"

    def build(self):
        for name in self.names.values():
            setattr(self, name, nn.Linear(E + H, H))

    def step(self, x, h, c):
        both = torch.cat([x, h] if self.first == "x" else [h, x], 1)
        return lstm(*(getattr(self, self.names[g])(both) for g in "ifgo"), c)


class ConcatenatedHX(Concatenated):
    first = "h"


class NamedGates(Concatenated):
    names = dict(i="input_gate", f="forget_gate", g="cell_gate", o="output_gate")


class WordGates(Concatenated):
    names = dict(i="linear_input", f="linear_forget", g="linear_candidate", o="linear_output")


class ConcatenatedGRU(Loop):
    """As in the blog posts: [h, x], and z is the share of what is new."""

    def build(self):
        self.W_z, self.W_r, self.W_h = (nn.Linear(E + H, H) for _ in range(3))

    def step(self, x, h, c):
        both = torch.cat([h, x], 1)
        z, r = torch.sigmoid(self.W_z(both)), torch.sigmoid(self.W_r(both))
        n = torch.tanh(self.W_h(torch.cat([r * h, x], 1)))
        return (1 - z) * h + z * n, c


class PlainGRU(ConcatenatedGRU):
    def build(self):
        self.reset_gate, self.update_gate, self.candidate = (nn.Linear(E + H, H) for _ in range(3))

    def step(self, x, h, c):
        both = torch.cat([x, h], 1)
        z, r = torch.sigmoid(self.update_gate(both)), torch.sigmoid(self.reset_gate(both))
        n = torch.tanh(self.candidate(torch.cat([x, r * h], 1)))
        return (1 - z) * n + z * h, c


class OneLinear(Loop):
    def build(self):
        self.gates = nn.Linear(E + H, 4 * H)

    def step(self, x, h, c):
        return lstm(*self.gates(torch.cat([x, h], 1)).chunk(4, 1), c)


class Whole(Loop):
    """One matrix W for inputs and U for states, as raw parameters: x @ W + h @ U + bias."""

    def build(self):
        self.W = nn.Parameter(torch.empty(E, 4 * H))
        self.U = nn.Parameter(torch.empty(H, 4 * H))
        self.bias = nn.Parameter(torch.empty(4 * H))

    def step(self, x, h, c):
        return lstm(*(x @ self.W + h @ self.U + self.bias).chunk(4, 1), c)


class Keraslike(Loop):
    """W_i, U_i, b_i and so on, raw."""

    def build(self):
        for g in "ifco":
            setattr(self, "W_" + g, nn.Parameter(torch.empty(E, H)))
            setattr(self, "U_" + g, nn.Parameter(torch.empty(H, H)))
            setattr(self, "b_" + g, nn.Parameter(torch.empty(H)))

    def step(self, x, h, c):
        return lstm(*(x @ getattr(self, "W_" + g) + h @ getattr(self, "U_" + g) + getattr(self, "b_" + g) for g in "ifco"), c)


class Unknown(nn.Module):
    """A cell in a module of its own whose names say nothing: only sizes do."""

    def __init__(self, inputs):
        super().__init__()
        self.first, self.second = nn.Linear(inputs, 4 * H), nn.Linear(H, 4 * H)

    def forward(self, x, h, c):
        return lstm(*(self.first(x) + self.second(h)).chunk(4, 1), c)


class BySizes(Loop):
    def build(self):
        self.cell = Unknown(E)

    def step(self, x, h, c):
        return self.cell(x, h, c)


class HandCell(nn.Module):
    def __init__(self, inputs):
        super().__init__()
        self.x2h, self.h2h = nn.Linear(inputs, 4 * H), nn.Linear(H, 4 * H)

    def forward(self, x, h, c):
        return lstm(*(self.x2h(x) + self.h2h(h)).chunk(4, 1), c)


class CellList(nn.Module):
    """Cells upon cells, in a ModuleList."""

    def __init__(self, cells, step):
        super().__init__()
        self.embedding = nn.Embedding(3, E)
        self.layers = nn.ModuleList(cells)
        self.out = nn.Linear(H, 1)
        self.step = step

    def forward(self, tokens):
        state = [(torch.zeros(1, H), torch.zeros(1, H)) for _ in self.layers]
        for t in range(tokens.shape[1]):
            x = self.embedding(tokens[:, t])
            for i, cell in enumerate(self.layers):
                state[i] = self.step(cell, x, *state[i])
                x = state[i][0]
        return self.out(x)


class Tutorial(nn.Module):
    """PyTorch's tutorial of classifying names, over one-hot letters and [input, hidden]."""

    def __init__(self, function, reads):
        super().__init__()
        self.i2h = nn.Linear(3 + H, H)
        if reads == "both":
            self.i2o = nn.Linear(3 + H, 2)
        else:
            self.h2o = nn.Linear(H, 2)
        self.softmax = nn.LogSoftmax(dim=1)
        self.function, self.reads = function, reads

    def forward(self, tokens):
        hidden = torch.zeros(1, H)
        for t in range(tokens.shape[1]):
            both = torch.cat((functional.one_hot(tokens[:, t], 3).float(), hidden), 1)
            hidden = self.function(self.i2h(both))
            output = self.i2o(both) if self.reads == "both" else self.h2o(hidden)
        return self.softmax(output)


class Scratch(nn.Module):
    """Dive into Deep Learning, from scratch: one-hot inputs, raw parameters, x @ W."""

    def __init__(self, cell):
        super().__init__()
        self.cell = cell
        for g in {"lstm": "ifoc", "gru": "zrh"}[cell]:
            setattr(self, "W_x" + g, nn.Parameter(torch.empty(3, H)))
            setattr(self, "W_h" + g, nn.Parameter(torch.empty(H, H)))
            setattr(self, "b_" + g, nn.Parameter(torch.empty(H)))
        self.W_hq = nn.Parameter(torch.empty(H, 2))
        self.b_q = nn.Parameter(torch.empty(2))

    def gate(self, g, x, h):
        return x @ getattr(self, "W_x" + g) + h @ getattr(self, "W_h" + g) + getattr(self, "b_" + g)

    def forward(self, tokens):
        h = c = torch.zeros(1, H)
        for t in range(tokens.shape[1]):
            x = functional.one_hot(tokens[:, t], 3).float()
            if self.cell == "lstm":
                h, c = lstm(*(self.gate(g, x, h) for g in "ifco"), c)
            else:
                z, r = torch.sigmoid(self.gate("z", x, h)), torch.sigmoid(self.gate("r", x, h))
                h = z * h + (1 - z) * torch.tanh(x @ self.W_xh + (r * h) @ self.W_hh + self.b_h)
        return h @ self.W_hq + self.b_q


class Normed(Net):
    def __init__(self, norm, **settings):
        super().__init__(**settings)
        self.norm = norm

    def forward(self, tokens):
        return self.fc(self.norm(self.rnn(self.embedding(tokens))[0][:, -1]))


class Attention(Net):
    def __init__(self):
        super().__init__(nn.GRU(E, 4, batch_first=True), nn.Linear(4, 1))
        self.attention = nn.MultiheadAttention(4, 1, batch_first=True)

    def forward(self, tokens):
        out, _ = self.rnn(self.embedding(tokens))
        return self.fc(self.attention(out, out, out)[0][:, -1])


class Convolved(Net):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(E, E, 3, padding=1)

    def forward(self, tokens):
        x = self.conv(self.embedding(tokens).transpose(1, 2)).transpose(1, 2)
        return self.fc(self.rnn(x)[0][:, -1])


class Start(Net):
    def __init__(self):
        super().__init__()
        self.h0 = nn.Parameter(torch.empty(1, 1, H))

    def forward(self, tokens):
        return self.fc(self.rnn(self.embedding(tokens), self.h0)[0][:, -1])


class Projected(Net):
    def __init__(self):
        super().__init__()
        self.project = nn.Linear(E, E)

    def forward(self, tokens):
        return self.fc(self.rnn(self.project(self.embedding(tokens)))[0][:, -1])


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(3, E)
        self.first, self.second = nn.GRU(E, H, batch_first=True), nn.GRU(H, H, batch_first=True)
        self.fc = nn.Linear(H, 1)

    def forward(self, tokens):
        x = self.first(self.embedding(tokens))[0]
        return self.fc((x + self.second(x)[0])[:, -1])


class Lightning(nn.Module):
    """What a LightningModule keeps beside its network."""

    def __init__(self):
        super().__init__()
        self.model = Net(head=nn.Linear(H, 2))
        self.criterion = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 3.0]))
        self.loss_fn = nn.BCEWithLogitsLoss(pos_weight=torch.tensor([2.0]))
        self.register_buffer("global_step", torch.tensor(7))
        self.train_acc = nn.Module()
        self.train_acc.register_buffer("total", torch.tensor(100))
        self.train_acc.register_buffer("confmat", torch.zeros(2, 2))

    def forward(self, tokens):
        return self.model(tokens)


@dataclasses.dataclass
class Config:
    hidden: int = H
    name: str = "net"


class Ordered(collections.OrderedDict):
    pass


def cells(folder):
    """Definitions, saved as state_dicts."""
    read_c = lambda out, hidden: hidden[1][-1]
    both = lambda out, h: torch.cat([h[-2], h[-1]], 1)
    states("plain-rnn.pt", Net(nn.RNN(E, H, batch_first=True)))
    states("plain-lstm.pt", Net(nn.LSTM(E, H, batch_first=True)))
    states("two-layers.pt", Net(nn.LSTM(E, H, 2, batch_first=True)))
    states("no-bias.pt", Net(nn.GRU(E, H, bias=False, batch_first=True)))
    states("cell-state.pt", Net(nn.LSTM(E, H, batch_first=True), read=read_c))
    states("both-ways.pt", Net(nn.GRU(E, H, bidirectional=True, batch_first=True), nn.Linear(2 * H, 1), read=both))
    states("mlp-relu.pt", Net(head=nn.Sequential(nn.Linear(H, 6), nn.ReLU(), nn.Dropout(0.5), nn.Linear(6, 1))))
    states("mlp-tanh.pt", Net(head=nn.Sequential(nn.Linear(H, 6), nn.Tanh(), nn.Linear(6, 2))))
    states("log-softmax.pt", Net(head=nn.Sequential(nn.Linear(H, 2), nn.LogSoftmax(-1))))
    states("lstm-cells.pt", CellList([nn.LSTMCell(E, H), nn.LSTMCell(H, H)], lambda cell, x, h, c: cell(x, (h, c))))
    states("gru-cells.pt", CellList([nn.GRUCell(E, H)], lambda cell, x, h, c: (cell(x, h), c)))
    states("rnn-cells.pt", CellList([nn.RNNCell(E, H), nn.RNNCell(H, H)], lambda cell, x, h, c: (cell(x, h), c)))
    states("hand-cells.pt", CellList([HandCell(E), HandCell(H)], lambda cell, x, h, c: cell(x, h, c)))
    for name, kind in {
        "x2h-lstm": StackedLSTM, "x2h-order": OtherOrder, "x2h-gru": StackedGRU, "i2h-pair": Pair, "i2h-relu": PairReLU,
        "each-gate-lstm": EachGate, "each-gate-gru": EachGateGRU, "concat-lstm": Concatenated, "concat-hx": ConcatenatedHX,
        "named-gates": NamedGates, "word-gates": WordGates, "concat-gru": ConcatenatedGRU, "named-gru": PlainGRU,
        "one-linear": OneLinear, "w-u-bias": Whole, "w-u-each": Keraslike, "by-sizes": BySizes,
    }.items():
        states(name + ".pt", kind())
    states("tutorial-h2o.pt", Tutorial(torch.tanh, "state"))
    states("tutorial-i2o.pt", Tutorial(lambda x: x, "both"))
    states("tutorial-tanh.pt", Tutorial(torch.tanh, "both"))
    states("scratch-lstm.pt", Scratch("lstm"))
    states("scratch-gru.pt", Scratch("gru"))
    states("layer-norm.pt", Normed(nn.LayerNorm(H)))
    saved("layer-norm-module.pt.gz", Normed(nn.LayerNorm(H, elementwise_affine=False)), lambda m: m)
    states("batch-norm.pt", Normed(nn.BatchNorm1d(H)))
    states("attention.pt", Attention())
    states("convolution.pt", Convolved())
    states("initial-state.pt", Start())
    states("projection.pt", Projected())
    states("residual.pt", Residual())
    states("proj-size.pt", Net(nn.LSTM(E, H, proj_size=3, batch_first=True), nn.Linear(3, 1)))
    states("three-classes.pt", Net(head=nn.Linear(H, 3)))
    states("all-layers.pt", Net(nn.GRU(E, H, 2, batch_first=True), nn.Linear(2 * H, 1), read=both))
    states("weight-norm.pt", Net(head=nn.utils.parametrizations.weight_norm(nn.Linear(H, 1))))
    states("spectral-norm.pt", Net(head=nn.utils.spectral_norm(nn.Linear(H, 1))))
    tied = Net(nn.GRU(E, E, batch_first=True), nn.Sequential(nn.Linear(E, 3, bias=False), nn.Linear(3, 1)))
    tied.fc[0].weight = tied.embedding.weight
    states("tied.pt", tied)
    np = numpy.random.default_rng(3)
    w = {k: np.normal(size=s).astype("f4") for k, s in
         {"Wxh": (H, 3), "Whh": (H, H), "Why": (2, H), "bh": (H, 1), "by": (2, 1)}.items()}

    def scratch(tokens):
        h = numpy.zeros((H, 1))
        for t in tokens[0]:
            h = numpy.tanh(w["Wxh"] @ numpy.eye(3)[:, [int(t)]] + w["Whh"] @ h + w["bh"])
        return torch.tensor(w["Why"] @ h + w["by"])

    write("min-char-rnn.npz", scratch, lambda f: numpy.savez(f, **w))


def prefixed(prefix, module):
    return collections.OrderedDict((prefix + k, v) for k, v in module.state_dict().items())


def files(folder):
    """Ways to save one and the same."""
    optimizer = lambda m: torch.optim.Adam(m.parameters())

    def trained(m):
        m = copy.deepcopy(m)
        o = optimizer(m)
        for p in m.parameters():
            p.grad = torch.ones_like(p)
        o.step()
        return o

    saved("module.pt.gz", Net(), lambda m: m)
    saved("checkpoint.pt.gz", Net(), lambda m: {
        "epoch": 3, "optimizer_state_dict": trained(m).state_dict(), "model_state_dict": m.state_dict(), "loss": torch.tensor(0.5)})
    saved("lightning.ckpt.gz", Lightning(), lambda m: {
        "epoch": 1, "global_step": 10, "pytorch-lightning_version": "2.0", "state_dict": m.state_dict(),
        "optimizer_states": [trained(m).state_dict()], "lr_schedulers": [], "callbacks": {"ModelCheckpoint": {"best": torch.tensor(0.1)}},
        "hyper_parameters": argparse.Namespace(hidden=H)})
    saved("lightning-module.pt.gz", Lightning(), lambda m: m)
    saved("parallel.pt", Net(), lambda m: prefixed("module.", m))
    saved("compiled.pt", Net(), lambda m: prefixed("_orig_mod.", m))
    saved("fsdp.pt", Net(), lambda m: prefixed("_fsdp_wrapped_module.module._checkpoint_wrapped_module.", m))
    saved("averaged.pt", Net(), lambda m: torch.optim.swa_utils.AveragedModel(m).state_dict())
    saved("under-best.pt", Net(), lambda m: {"best": m.state_dict(), "accuracy": 0.99})
    saved("module-under-key.pt.gz", Net(), lambda m: {"net": m, "epoch": 3})
    saved("parts.pt", Net(), lambda m: {"embedding": m.embedding.state_dict(), "rnn": m.rnn.state_dict(), "fc": m.fc.state_dict()})
    other = draw(Net(nn.LSTM(E, H, batch_first=True)))
    saved("ema.pt.gz", Net(), lambda m: {"model": m.state_dict(), "ema": other.state_dict(), "step": 5})
    saved("ema-flat.pt.gz", Net(), lambda m: {**prefixed("model.", m), **prefixed("ema_model.module.", other)})
    saved("two-models.pt.gz", Net(), lambda m: {"generator": other.state_dict(), "discriminator": m.state_dict()})
    saved("two-flat.pt.gz", Net(), lambda m: {**prefixed("teacher.", other), **prefixed("student.", m)})
    saved("folds.pt.gz", Net(), lambda m: {0: other.state_dict(), 1: m.state_dict()})
    saved("tuple.pt.gz", Net(), lambda m: (m.state_dict(), trained(m).state_dict(), 7))
    saved("list-of-three.pt.gz", Net(head=nn.Linear(H, 2)), lambda m: [m, nn.CrossEntropyLoss(torch.ones(2)), optimizer(m)])
    saved("parameters.pt", Net(), lambda m: list(m.parameters()))
    saved("items.pt", Net(), lambda m: list(m.state_dict().items()))
    saved("namespace.pt", Net(), lambda m: {"args": argparse.Namespace(lr=0.1), "model": m.state_dict(), "extra_state": {"epoch": 1}})
    saved("dataclass.pt", Net(), lambda m: {"config": Config(), "weights": m.state_dict()})
    saved("ordered.pt", Net(), lambda m: Ordered(m.state_dict()))
    saved("attributes.pt", Net(), lambda m: argparse.Namespace(net=m.state_dict(), lr=0.1))
    saved("arrays.pt", Net(), lambda m: {k: v.numpy() for k, v in m.state_dict().items()})
    saved("lists.pt", Net(), lambda m: {k: v.tolist() for k, v in m.state_dict().items()})
    saved("requires-grad.pt", Net(), lambda m: dict(m.named_parameters()))
    saved("rng.pt.gz", Net(), lambda m: {"model": m.state_dict(), "rng": torch.get_rng_state(), "numpy": numpy.random.get_state(),
                                         "recent": collections.deque([1.0, 2.0]), "counts": collections.Counter("aab")})
    for kind in ("double", "half", "bfloat16"):
        rounded = draw(Net()).to(getattr(torch, kind))
        exact = Net()
        exact.load_state_dict({k: v.float() for k, v in rounded.state_dict().items()})
        write(kind + ".pt", exact.eval(), lambda f: torch.save(rounded.state_dict(), f))
    net = draw(Net())
    legacy = lambda f: torch.save(net.state_dict(), f, _use_new_zipfile_serialization=False)
    write("legacy.pt", net, legacy)
    write("protocol4.pt", net, lambda f: torch.save(net.state_dict(), f, pickle_protocol=4))
    write("packed.pt.gz", net, lambda f: torch.save(net.state_dict(), f))
    write("weights.bin", net, lambda f: torch.save({"transformer." + k: v for k, v in net.state_dict().items()}, f))
    write("pickled.pkl", net, lambda f: pickle.dump(net.state_dict(), f))
    write("joblike.pkl", net, lambda f: pickle.dump({k: v.numpy() for k, v in net.state_dict().items()}, f))
    write("keys.npz", net, lambda f: numpy.savez_compressed(f, **{k: v.numpy() for k, v in net.state_dict().items()}))

    write("net.safetensors", net, lambda f: f.write(safetensors.torch.save(net.state_dict())))
    saved("optimizer.pt.gz", Net(), lambda m: trained(m).state_dict())
    saved("empty.pt", Net(), lambda m: {})
    saved("meta.pt", Net(), lambda m: {k: v.to("meta") for k, v in m.state_dict().items()})
    saved("sparse.pt", Net(), lambda m: {k: v.to_sparse() for k, v in m.state_dict().items()})
    saved("quantized.pt", Net(), lambda m: {
        k: torch.quantize_per_tensor(v, 0.1, 0, torch.qint8) for k, v in m.state_dict().items()})
    saved("complex.pt", Net(), lambda m: {k: v.to(torch.complex64) for k, v in m.state_dict().items()})
    saved("flat.pt", Net(), lambda m: {"_flat_param": torch.cat([p.reshape(-1) for p in m.parameters()])})
    saved("nan.pt", Net(), lambda m: {k: v / 0 * 0 if k == "fc.bias" else v for k, v in m.state_dict().items()})


class Ranked(nn.Module):
    """Two recurrent modules of the same sizes; the names say in which order they are made."""

    def __init__(self, *names):
        super().__init__()
        self.embedding = nn.Embedding(3, H)
        for name in names:
            setattr(self, name, nn.GRU(H, H, batch_first=True))
        self.fc = nn.Linear(H, 1)

    def forward(self, tokens):
        return self.fc(self.aggregator(self.encoder(self.embedding(tokens))[0])[0][:, -1])


class Last(nn.Module):
    """What a Sequential needs behind a recurrent layer."""

    def forward(self, x):
        return x[0][:, -1]


def sequences(folder):
    states("order.pt", Ranked("encoder", "aggregator"))
    states("order-made.pt", Ranked("aggregator", "encoder"))
    net = draw(Ranked("encoder", "aggregator"))
    write("order-sorted.safetensors", net, lambda f: f.write(safetensors.torch.save(net.state_dict())))

    def gru(inputs):
        return nn.GRU(inputs, H, batch_first=True)

    for name, layers in {
        "sequence-tanh.pt.gz": [nn.Embedding(3, E), nn.Tanh(), nn.Dropout(0.1), gru(E), Last(), nn.ReLU(), nn.Linear(H, 1)],
        "sequence-softmax.pt.gz": [nn.Embedding(3, E), nn.Softmax(-1), gru(E), Last(), nn.Linear(H, 1)],
        "max-norm.pt.gz": [nn.Embedding(3, E, max_norm=0.5), gru(E), Last(), nn.Linear(H, 1)],
    }.items():
        net = draw(nn.Sequential(*layers))
        whole = copy.deepcopy(net)  # looking up with max_norm changes the weights
        write(name, net, lambda f, whole=whole: torch.save(whole, f))


def main(folder):
    global FOLDER
    FOLDER = folder
    os.makedirs(folder, exist_ok=True)
    torch.manual_seed(13)
    numpy.random.seed(13)
    cells(folder)
    files(folder)
    sequences(folder)


if __name__ == "__main__":
    main(sys.argv[1])
