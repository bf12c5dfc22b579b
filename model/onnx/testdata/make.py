"""Makes the networks in this folder and expected.json, with PyTorch and onnx.

    python make.py

Each network is exported by torch.onnx.export, by the older exporter or the newer
one. expected.json holds what PyTorch says about some words: the logarithm of the
odds of a yes. Networks that are to be refused have the words of the error.
"""

import json
import os
import warnings

import onnx
import torch
import torch.nn.functional as F
from torch import nn

warnings.filterwarnings("ignore")
TOKENS = 3
EXAMPLE = torch.tensor([[0, 1, 2, 1, 0], [2, 2, 1, 0, 1]])
expected = {}


class Parts(nn.Module):
    """Layers to build networks from."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(TOKENS, 4)
        self.project = nn.Linear(4, 2)
        self.project_hot = nn.Linear(TOKENS, 4)
        self.gru = nn.GRU(4, 5, batch_first=True)
        self.gru_small = nn.GRU(2, 5, batch_first=True)
        self.gru_hot = nn.GRU(TOKENS, 5, batch_first=True)
        self.gru_time = nn.GRU(4, 5)
        self.relu = nn.RNN(4, 5, nonlinearity="relu", batch_first=True)
        self.tanh = nn.RNN(4, 5, batch_first=True)
        self.lstm2 = nn.LSTM(4, 5, 2, batch_first=True, dropout=0.3)
        self.lstm_top = nn.LSTM(5, 3, batch_first=True)
        self.both = nn.LSTM(4, 5, 2, batch_first=True, bidirectional=True)
        self.both1 = nn.GRU(4, 5, batch_first=True, bidirectional=True)
        self.middle = nn.Linear(5, 6)
        self.same = nn.Linear(5, 5)
        self.one = nn.Linear(5, 1)
        self.one_small = nn.Linear(3, 1)
        self.one_wide = nn.Linear(6, 1)
        self.one_both = nn.Linear(10, 1)
        self.two = nn.Linear(5, 2)
        self.two_wide = nn.Linear(6, 2)
        self.start = nn.Parameter(torch.ones(1, 1, 5))


def every_prefix(m, x):
    return m.one(m.gru(m.embed(x))[0]).squeeze(-1)


def stacked(m, x):
    return m.one(m.lstm2(m.embed(x))[0][:, -1])


def relu(m, x):
    return m.one(F.relu(m.relu(m.embed(x))[0]))[..., 0]


def mixed(m, x):
    return m.one_small(m.lstm_top(m.gru(m.embed(x))[0])[0])[:, -1]


def time_first(m, x):
    return m.one(m.gru_time(m.embed(x.t()))[0])[-1]


def both_last(m, x):
    return m.one_both(m.both1(m.embed(x))[0][:, -1])


def both_final(m, x):
    h = m.both(m.embed(x))[1][0]
    return m.one_both(torch.cat((h[-2], h[-1]), dim=1))


def both_view(m, x):
    h = m.both(m.embed(x))[1][0].view(2, 2, -1, 5)[-1]
    return m.one_both(h.transpose(0, 1).reshape(-1, 10))


def one_hot(m, x):
    return m.two(m.gru_hot(F.one_hot(x, TOKENS).float())[0])


def one_hot_input(m, x):
    return m.one(m.gru(m.project_hot(x))[1][-1])


def projected(m, x):
    return m.one(m.gru_small(m.project(m.embed(x) * 1.5))[0])[:, -1:, :].squeeze(1)


def gelu(m, x):
    return m.two_wide(F.gelu(m.middle(m.gru(m.embed(x))[0])))


def silu(m, x):
    return m.one_wide(F.silu(m.middle(m.gru(m.embed(x))[0][:, -1])))


def softmax_yes(m, x):
    return torch.softmax(m.two(m.gru(m.embed(x))[0][:, -1]), -1)[:, 1]


def log_softmax(m, x):
    return F.log_softmax(m.two(torch.tanh(m.same(m.gru(m.embed(x))[0]))), -1)


def sigmoid(m, x):
    return torch.sigmoid(m.one(m.gru(m.embed(x))[0]) / 2)


def flattened(m, x):
    o = m.gru(m.embed(x))[0]
    return m.one(o.reshape(-1, 5)).view(x.size(0), x.size(1)), o


def residual(m, x):
    o = m.gru(m.embed(x))[0]
    return m.one(o + m.same(o))


def mean(m, x):
    return m.one(m.gru(m.embed(x))[0].mean(1))


def learned_start(m, x):
    return m.one(m.gru(m.embed(x), m.start.expand(1, x.size(0), 5).contiguous())[0])


def unrolled(m, x):
    return m.one(m.tanh(m.embed(x))[0])


def export(name, forward, read=None, refused=None, dynamo=False, fixed=False, hot=False, **options):
    torch.manual_seed(1)
    m = Parts().eval()
    for p in m.parameters():  # far from zero, so that mistakes show
        if p is not m.start:
            p.data.uniform_(-1, 1)
    m.forward = forward.__get__(m)
    encode = (lambda x: F.one_hot(x, TOKENS).float()) if hot else (lambda x: x)
    if dynamo:
        options["external_data"] = False
        if not fixed:
            options["dynamic_shapes"] = ({0: torch.export.Dim("batch"), 1: torch.export.Dim("time")},)
    elif not fixed:
        options.update(input_names=["tokens"], dynamic_axes={"tokens": {0: "batch", 1: "time"}})
    example = encode(EXAMPLE[:1] if fixed else EXAMPLE)
    torch.onnx.export(m, (example,), name + ".onnx", dynamo=dynamo, verbose=False, **options)
    strip(name + ".onnx")
    case = {"refused": refused} if refused else {"cases": []}
    if not refused:
        generator = torch.Generator().manual_seed(2)
        for length in (1, 2, 3, 5, 9):
            word = torch.randint(0, TOKENS, (1, length), generator=generator)
            out = forward(m, encode(word))
            out = (out[0] if isinstance(out, tuple) else out).detach().double().reshape(-1)
            case["cases"].append({"word": word[0].tolist(), "logit": float(read(out))})
    expected[name] = case


def strip(path):
    """Removes what an exporter says about the machine it ran on."""
    m = onnx.load(path)
    m.doc_string = ""
    m.graph.doc_string = ""
    del m.metadata_props[:], m.graph.metadata_props[:], m.graph.value_info[:]
    for n in m.graph.node:
        n.doc_string = ""
        del n.metadata_props[:]
    for v in list(m.graph.input) + list(m.graph.output) + list(m.graph.initializer):
        del v.metadata_props[:]
    onnx.save(m, path)


one = lambda y: y[-1]  # noqa: E731
two = lambda y: y[-1] - y[-2]  # noqa: E731
probability = lambda y: torch.log(y[-1] / (1 - y[-1]))  # noqa: E731

os.chdir(os.path.dirname(os.path.abspath(__file__)))
export("every_prefix", every_prefix, one, opset_version=17)
export("every_prefix_fixed", every_prefix, one, fixed=True, opset_version=17)
export("every_prefix_new", every_prefix, one, dynamo=True)
export("stacked", stacked, one, opset_version=11)
export("stacked_new", stacked, one, dynamo=True)
export("relu", relu, one, opset_version=17)
export("mixed", mixed, one, opset_version=14, do_constant_folding=False)
export("time_first", time_first, one, opset_version=17)
export("both_last", both_last, one, dynamo=True)
export("both_final", both_final, one, opset_version=17)
export("both_view", both_view, one, fixed=True, opset_version=17)
export("one_hot", one_hot, two, opset_version=17)
export("one_hot_new", one_hot, two, dynamo=True)
export("one_hot_input", one_hot_input, one, hot=True, opset_version=17)
export("projected", projected, one, opset_version=17)
export("gelu", gelu, two, opset_version=17)
export("silu", silu, one, dynamo=True)
export("softmax_yes", softmax_yes, probability, opset_version=11)
export("log_softmax", log_softmax, two, dynamo=True)
export("sigmoid", sigmoid, probability, opset_version=17)
export("flattened", flattened, one, opset_version=17)
export("residual", residual, refused='node Add "/Add": it combines two branches', opset_version=17)
export("mean", mean, refused='node ReduceMean "/ReduceMean": this operator is not supported', opset_version=17)
export("learned_start", learned_start, refused='node GRU "/gru/GRU": it starts from a state that is not zero', opset_version=17)
export("unrolled", unrolled, refused="dynamo=False", dynamo=True)
# The newer exporter puts the numbers into a second file unless it is told otherwise.
onnx.save(onnx.load("every_prefix_new.onnx"), "outside.onnx", save_as_external_data=True, location="outside.onnx.data", size_threshold=16)
expected["outside"] = expected["every_prefix_new"]

with open("expected.json", "w") as f:
    json.dump(expected, f, indent=1)
    f.write("\n")
