"""Makes language models in many styles, and what they predict after some words.

    python python/fixtures_lm.py model/testdata/lm

needs torch, safetensors and onnx; with keras and h5py, also a file of Keras. The networks have
random weights: they are here to be read. Beside each is a JSON file as `quotient model FILE
--check` reads it: after every prefix a logit for each symbol and, last, for the end. The table in
docs/models.md says what becomes of each.
"""

import gzip
import io
import json
import os
import random
import sys

import safetensors.torch
import torch
from torch import nn

H = 6  # units
SYMBOLS = ["a", "b", "c"]
USUAL = {"a": 0, "b": 1, "c": 2, "<bos>": 3, "<eos>": 4}
FOLDER = None


class Net(nn.Module):
    """An embedding, a recurrent layer, a head, and what follows it."""

    def __init__(self, tokens=5, outputs=5, embedding=4, cell=nn.GRU, bias=True, last=None, layers=1):
        super().__init__()
        self.encoder = nn.Embedding(tokens, embedding)
        self.rnn = cell(embedding, H, layers, batch_first=True)
        self.decoder = nn.Linear(H, outputs, bias=bias)
        self.last = last or nn.Identity()
        for p in self.parameters():
            nn.init.normal_(p, std=0.8)

    def forward(self, tokens):
        return self.last(self.decoder(self.rnn(self.encoder(tokens))[0]))


class First(nn.Module):
    """What a Sequential needs behind a recurrent layer."""

    def forward(self, x):
        return x[0]


def record(name, logits, vocab, bos, outputs):
    """Writes cases: logits(tokens) gives time x outputs, of which some mean symbols and the end."""
    rng, cases = random.Random(name), []
    names = [s for s in vocab if s in SYMBOLS]
    for n in range(12):
        word = [rng.choice(names) for _ in range(n % 7)]
        with torch.no_grad():
            rows = logits(torch.tensor([[vocab[s] for s in [bos] + word]]))[0].tolist()
        cases.append({"word": word, "outputs": [[-1e9 if k is None else round(r[k], 5) for k in outputs] for r in rows]})
    with open(os.path.join(FOLDER, name.split(".")[0] + ".json"), "w", encoding="utf-8") as f:
        json.dump({"vocab": vocab, "cases": cases}, f)
        f.write("\n")


def save(name, write):
    buffer = io.BytesIO()
    write(buffer)
    data = buffer.getvalue()
    if name.endswith(".gz"):
        data = gzip.compress(data, mtime=0)
    with open(os.path.join(FOLDER, name), "wb") as f:
        f.write(data)


def states(name, net, vocab=USUAL, bos="<bos>", outputs=(0, 1, 2, 4)):
    record(name, net.eval(), vocab, bos, outputs)
    save(name, lambda f: torch.save(net.state_dict(), f))


def files():
    states("tokens.pt", Net())
    states("symbols.pt", Net(outputs=4, cell=nn.LSTM), outputs=(0, 1, 2, 3))
    states("elman.pt", Net(cell=nn.RNN, layers=2))
    padded = {"<pad>": 0, "<unk>": 1, "<bos>": 2, "<eos>": 3, "a": 4, "b": 5, "c": 6}
    states("padded.pt", Net(7, 7), padded, outputs=(4, 5, 6, 3))
    states("few.pt", Net(7, 4), padded, outputs=(1, 2, 3, 0))  # <eos>, a, b, c
    states("dot.pt", Net(4, 4), {".": 0, "a": 1, "b": 2, "c": 3}, ".", (1, 2, 3, 0))
    states("begin.pt", Net(4, 4), {"a": 0, "b": 1, "c": 2, "<bos>": 3}, outputs=(0, 1, 2, 3))
    states("end.pt", Net(4, 4), {"a": 0, "b": 1, "c": 2, "<eos>": 3}, "<eos>", (0, 1, 2, 3))
    states("endless.pt", Net(4, 3), {"a": 0, "b": 1, "c": 2, "<bos>": 3}, outputs=(0, 1, 2, None))
    states("one-symbol.pt", Net(3, 2), {"a": 0, "<bos>": 1, "<eos>": 2}, outputs=(0, 1))
    states("wide.pt", Net(5, 9))
    net = Net(embedding=H)
    net.decoder.weight = net.encoder.weight
    states("tied.pt", net)
    absent = {k: v.contiguous() for k, v in net.state_dict().items() if k != "decoder.weight"}
    record("tied-absent.safetensors", net, USUAL, "<bos>", (0, 1, 2, 4))
    save("tied-absent.safetensors", lambda f: f.write(safetensors.torch.save(absent)))
    net = Net()
    record("plain.safetensors", net.eval(), USUAL, "<bos>", (0, 1, 2, 4))
    save("plain.safetensors", lambda f: f.write(safetensors.torch.save(net.state_dict())))


def modules():
    """Whole ones, whose last function shows."""
    logarithm = lambda y: torch.log(y)  # noqa: E731
    for name, last, undo in (("softmax", [nn.Softmax(-1)], logarithm), ("log-softmax", [nn.LogSoftmax(-1)], None),
                             ("sigmoid-softmax", [nn.Sigmoid(), nn.Softmax(-1)], logarithm), ("sigmoids", [nn.Sigmoid()], None)):
        net = nn.Sequential(nn.Embedding(5, 4), nn.GRU(4, H, batch_first=True), First(), nn.Linear(H, 5), *last).eval()
        for p in net.parameters():
            nn.init.normal_(p, std=0.8)
        record(name, (lambda x, net=net: undo(net(x))) if undo else net, USUAL, "<bos>", (0, 1, 2, 4))
        save(name + ".module.pt.gz", lambda f, net=net: torch.save(net, f))


class Heads(Net):
    """One that decides, and one that predicts."""

    def __init__(self):
        super().__init__()
        self.classifier, self.lm_head = nn.Linear(H, 1), self.decoder
        del self.decoder
        for p in self.classifier.parameters():
            nn.init.normal_(p, std=0.8)

    def forward(self, tokens):
        return self.lm_head(self.rnn(self.encoder(tokens))[0])


def graphs():
    import onnx

    for name, dynamo, last in (("graph", False, None), ("graph-softmax", False, nn.Softmax(-1)), ("graph-new", True, nn.LogSoftmax(-1))):
        net = Net(last=last).eval()
        path = os.path.join(FOLDER, name + ".onnx")
        example = torch.tensor([[3, 0, 1], [3, 2, 2]])
        if dynamo:
            options = {"external_data": False, "dynamic_shapes": ({0: torch.export.Dim("batch"), 1: torch.export.Dim("time")},)}
        else:
            options = {"input_names": ["tokens"], "dynamic_axes": {"tokens": {0: "batch", 1: "time"}}, "opset_version": 17}
        torch.onnx.export(net, (example,), path, dynamo=dynamo, verbose=False, **options)
        graph = onnx.load(path)
        for node in graph.graph.node:  # which says where on whose machine it was made
            node.doc_string = ""
            del node.metadata_props[:]
        del graph.metadata_props[:], graph.graph.metadata_props[:], graph.graph.value_info[:]
        onnx.save(graph, path)
        record(name, (lambda x, net=net: torch.log(net(x))) if name.endswith("softmax") else net, USUAL, "<bos>", (0, 1, 2, 4))


def of_keras():
    try:
        os.environ["KERAS_BACKEND"] = "torch"
        import keras
    except ImportError:
        print("no keras: its file is left as it is", file=sys.stderr)
        return
    keras.utils.set_random_seed(1)
    layers = keras.layers
    net = keras.Sequential([layers.Embedding(5, 4), layers.GRU(H, return_sequences=True), layers.Dense(5, activation="softmax")])
    net.build((None, None))
    net.set_weights([torch.randn(w.shape).numpy() for w in net.get_weights()])
    record("sequences", lambda x: torch.log(torch.tensor(net.predict(x.numpy(), verbose=0))), USUAL, "<bos>", (0, 1, 2, 4))
    path = os.path.join(FOLDER, "sequences.keras")
    net.save(path)
    with open(path, "rb") as f:
        data = f.read()
    os.remove(path)
    save("sequences.keras.gz", lambda f: f.write(data))


def main(folder):
    global FOLDER
    FOLDER = folder
    os.makedirs(folder, exist_ok=True)
    torch.manual_seed(16)
    files()
    modules()
    states("heads.pt", Heads())
    graphs()
    of_keras()


if __name__ == "__main__":
    main(sys.argv[1])
