"""Makes the networks in this folder, and beside each what PyTorch says of some words.

    python make.py

needs torch, safetensors and cloudpickle. The networks have random weights: they are here to be read.
Only tomita4 has learned something.
A JSON file holds what a user would have to tell (options, vocab), and cases: a word and
the logit after each of its prefixes, the empty one first, or null where a network that
reads no <bos> says nothing of it.
"""

import json
import pickle
import random

import cloudpickle
import torch
from safetensors.torch import save_file
from torch import nn
from torch.nn import functional

VOCAB = {"a": 0, "b": 1, "<bos>": 2}


class Tagger(nn.Module):
    """The usual network: embedding, recurrent layers, a head on the last output."""

    def __init__(self, recurrent, head, embedding=None):
        super().__init__()
        if embedding is not None:
            self.embedding = embedding
        self.rnn = recurrent
        self.classifier = head

    def forward(self, tokens):
        if hasattr(self, "embedding"):
            x = self.embedding(tokens)
        else:
            x = functional.one_hot(tokens, self.rnn.input_size).float()
        out, hidden = self.rnn(x)
        if self.rnn.bidirectional:
            h = hidden[0] if isinstance(hidden, tuple) else hidden
            return self.classifier(torch.cat([h[-2], h[-1]], -1))
        return self.classifier(out[:, -1])


class Cells(nn.Module):
    """A loop over cells, as in a textbook."""

    def __init__(self):
        super().__init__()
        self.lookup = nn.Embedding(3, 4)
        self.cells = nn.ModuleList([nn.GRUCell(4, 5), nn.GRUCell(5, 3)])
        self.out = nn.Linear(3, 1)

    def forward(self, tokens):
        h = [torch.zeros(len(tokens), c.hidden_size) for c in self.cells]
        for t in range(tokens.shape[1]):
            x = self.lookup(tokens[:, t])
            for i, c in enumerate(self.cells):
                x = h[i] = c(x, h[i])
        return self.out(x)


class Functional(nn.Module):
    """The activation is an attribute, and the code says where it is used."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(3, 4)
        self.rnn = nn.LSTM(4, 4, batch_first=True, bias=False)
        self.fc1 = nn.Linear(4, 4)
        self.fc2 = nn.Linear(4, 2)
        self.activation = torch.tanh

    def forward(self, tokens):
        out, _ = self.rnn(self.embed(tokens))
        return self.fc2(self.activation(self.fc1(out[:, -1])))


class Stacked(nn.Module):
    """Layers of several kinds, whose names sort in another order than they run."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(3, 4)
        self.lower = nn.GRU(4, 6, batch_first=True)
        self.higher = nn.LSTM(6, 3, batch_first=True)
        self.fc = nn.Linear(3, 1)

    def forward(self, tokens):
        x, _ = self.lower(self.embed(tokens))
        x, _ = self.higher(x)
        return self.fc(x[:, -1])


def logit(model, word, bos=2, eos=None):
    tokens = ([] if bos is None else [bos]) + word + ([] if eos is None else [eos])
    if not tokens:
        return None
    with torch.no_grad():
        y = model(torch.tensor([tokens]))[0]
    if len(y) == 2:
        return float(y[1] - y[0])
    return float(y[0])


def draw(model):
    for p in model.parameters():
        nn.init.normal_(p, std=0.8)


def train(model):
    """Trains a network that says after every symbol whether there was no aaa so far."""
    optimizer = torch.optim.Adam(model.parameters(), 0.01)
    for _ in range(600):
        words = torch.randint(0, 2, (64, 24))
        run = words == 0
        aaa = (run[:, 2:] & run[:, 1:-1] & run[:, :-2]).cumsum(1) > 0
        good = torch.cat([torch.ones(64, 3), (~aaa).float()], 1)
        tokens = torch.cat([torch.full((64, 1), 2), words], 1)
        logits = model.classifier(model.rnn(model.embedding(tokens))[0])[..., 0]
        loss = functional.binary_cross_entropy_with_logits(logits, good)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def fixture(name, model, files, options=None, vocab=VOCAB, bos=2, eos=None, seed=1, weights=draw):
    """Makes weights, records what the network says, and lets files() save it."""
    torch.manual_seed(seed)
    weights(model)
    model.eval()
    model = files(model) or model
    rng = random.Random(seed)
    symbols = [s for s, t in (vocab or {}).items() if not s.startswith("<")] or [str(t) for t in range(3)]
    token = vocab or {s: int(s) for s in symbols}
    cases = []
    for n in (0, 1, 4, 7):
        word = [rng.choice(symbols) for _ in range(n)]
        logits = [logit(model, [token[s] for s in word[:i]], bos, eos) for i in range(n + 1)]
        cases.append({"word": word, "logits": logits})
    with open(name + ".json", "w") as f:
        about = {"options": options or {}}
        if vocab:
            about["vocab"] = vocab
        json.dump(about | {"cases": cases}, f)
        f.write("\n")


def usual(recurrent=None, head=None):
    return Tagger(recurrent or nn.GRU(4, 5, batch_first=True), head or nn.Linear(5, 1), nn.Embedding(3, 4))


def rounded(dtype, save):
    def files(model):
        state = {k: v.to(dtype) for k, v in model.state_dict().items()}
        save(state)
        model.load_state_dict({k: v.float() for k, v in state.items()})

    return files


def strided(model):
    """Weights as views of one another: transposed, at an offset, and two under one storage."""
    state = model.state_dict()
    state["rnn.weight_hh_l0"] = state["rnn.weight_hh_l0"].t().contiguous().t()
    both = torch.cat([state["rnn.bias_ih_l0"], state["rnn.bias_hh_l0"]])
    state["rnn.bias_ih_l0"], state["rnn.bias_hh_l0"] = both[:15], both[15:]
    state["alias.weight"] = state["embedding.weight"]
    torch.save(state, "strided.pt")


def main():
    # The older format carries the source of classes with the paths of their files.
    torch.serialization.get_source_lines_and_file = lambda *_, **__: (["the source of a class\n"], 0, "network.py")
    lstm = nn.LSTM(4, 5, num_layers=2, batch_first=True)

    def both_formats(model):
        torch.save(model.state_dict(), "lstm.pt")
        save_file(model.state_dict(), "lstm.safetensors")

    fixture("lstm", usual(lstm), both_formats)
    fixture("legacy", usual(), lambda m: torch.save(m.state_dict(), "legacy.pt", _use_new_zipfile_serialization=False))
    mlp = nn.Sequential(nn.Linear(5, 4), nn.Tanh(), nn.Dropout(0.5), nn.Linear(4, 2), nn.LogSoftmax(-1))
    fixture("module", usual(head=mlp), lambda m: torch.save(m, "module.pt"))
    fixture("module-legacy", usual(head=mlp), lambda m: torch.save(m, "module-legacy.pt", _use_new_zipfile_serialization=False))
    fixture("protocol4", usual(), lambda m: torch.save(m, "protocol4.pt", pickle_protocol=4))
    # MLflow saves like this. The class comes along, because it is one of a script.
    cloudpickle.Unpickler = pickle.Unpickler
    fixture("cloudpickle", usual(), lambda m: torch.save(m, "cloudpickle.pt", pickle_module=cloudpickle))
    fixture("before", usual(head=nn.Sequential(nn.ReLU(), nn.Linear(5, 1))), lambda m: torch.save(m, "before.pt"))
    fixture("half", usual(), rounded(torch.float16, lambda s: torch.save(s, "half.pt")))
    fixture("bfloat", usual(), rounded(torch.bfloat16, lambda s: save_file(s, "bfloat.safetensors")))
    fixture("double", usual(), rounded(torch.float64, lambda s: torch.save(s, "double.pt")))
    fixture("parallel", usual(), lambda m: torch.save(nn.DataParallel(m).state_dict(), "parallel.pt"))
    fixture("classes", usual(head=nn.Linear(5, 2)), lambda m: torch.save(m.state_dict(), "classes.pt"))
    relu = nn.Sequential(nn.Linear(5, 4), nn.ReLU(), nn.Linear(4, 1))
    fixture("mlp", usual(head=relu), lambda m: torch.save(m.state_dict(), "mlp.pt"))
    silu = nn.Sequential(nn.Linear(5, 4), nn.SiLU(), nn.Linear(4, 1))
    fixture("silu", usual(head=silu), lambda m: torch.save(m.state_dict(), "silu.pt"), options={"activation": "silu"})
    elman = nn.RNN(3, 4, nonlinearity="relu", batch_first=True)
    fixture("onehot", Tagger(elman, nn.Linear(4, 1)), lambda m: torch.save(m, "onehot.pt"), vocab=None, bos=None)
    two = nn.GRU(4, 3, num_layers=2, batch_first=True, bidirectional=True)
    fixture("bidirectional", usual(two, nn.Linear(6, 1)), lambda m: torch.save(m.state_dict(), "bidirectional.pt"),
            vocab={"a": 0, "b": 1, "<eos>": 2}, bos=None, eos=2)
    fixture("cells", Cells(), lambda m: torch.save(m.state_dict(), "cells.pt"))
    fixture("functional", Functional(), lambda m: torch.save(m, "functional.pt"))
    fixture("stacked", Stacked(), lambda m: save_file(m.state_dict(), "stacked.safetensors"))
    fixture("strided", usual(), strided)
    fixture("checkpoint", usual(), lambda m: torch.save(
        {"epoch": 3, "state_dict": m.state_dict(), "optimizer": torch.optim.SGD(m.parameters(), 0.1).state_dict()}, "checkpoint.pt"))

    trained = Tagger(nn.GRU(4, 12, batch_first=True), nn.Linear(12, 1), nn.Embedding(3, 4))
    fixture("tomita4", trained, lambda m: torch.save(m.state_dict(), "tomita4.pt"), weights=train)


if __name__ == "__main__":
    main()
