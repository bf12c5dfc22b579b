"""Makes networks with Keras and Flax, and beside each what it says of some words.

    KERAS_BACKEND=jax python python/fixtures_keras.py model

needs keras, jax, flax and h5py. The networks have random weights: they are here to be read.
A JSON file holds the vocabulary and cases: a word and the logit after each of its prefixes, the
empty one first, or null where a network has read nothing. Most files are packed with gzip, which
makes them small.
"""

import gzip
import json
import os
import random
import sys

import flax
import h5py
import jax
import keras
import numpy as np
from flax import linen
from keras import layers
from keras.src.legacy.saving import legacy_h5_format

UNITS = 5
PLAIN = {"<bos>": 3, "a": 0, "b": 1, "c": 2}
MASKED = {"<pad>": 0, "a": 1, "b": 2, "c": 3}


def logit(outputs, head):
    """The logarithm of the odds of a yes."""
    y = np.asarray(outputs, np.float64).reshape(-1)
    if head == "sigmoid":
        return float(np.log(y[0]) - np.log1p(-y[0]))
    if len(y) == 1:
        return float(y[0])
    return float(np.log(y[1]) - np.log(y[0])) if head == "softmax" else float(y[1] - y[0])


def record(name, vocab, says):
    """Writes what a network says, a function of a list of tokens."""
    rng = random.Random(name)
    cases = []
    for n in (0, 1, 4, 7):
        word = [rng.choice("abc") for _ in range(n)]
        before = [vocab["<bos>"]] if "<bos>" in vocab else []
        tokens = [before + [vocab[s] for s in word[:i]] for i in range(n + 1)]
        cases.append({"word": word, "logits": [says(t) for t in tokens]})
    with open(name + ".json", "w") as f:
        json.dump({"vocab": vocab, "cases": cases}, f)
        f.write("\n")


def pack(name):
    with open(name, "rb") as f:
        data = f.read()
    with open(name + ".gz", "wb") as f:
        f.write(gzip.compress(data, mtime=0))
    os.remove(name)


def draw(model):
    rng = np.random.default_rng(1)
    model.set_weights([rng.normal(0, 0.8, w.shape).astype(w.dtype) for w in model.get_weights()])
    for w in model.weights:
        if "variance" in w.name:
            w.assign(abs(np.asarray(w.value)) + 0.2)


def network(name, model, head, vocab=PLAIN, one_hot=False, packed=True, kinds=("keras", "h5")):
    """Records what a Keras model says, and saves it."""
    draw(model)

    def says(tokens):
        if vocab is MASKED:
            tokens = tokens + [0] * (9 - len(tokens))
        if not tokens:
            return None
        x = np.array([tokens])
        y = np.asarray(model(np.eye(4, dtype="float32")[x] if one_hot else x, training=False))[0]
        return logit(y[-1] if y.ndim == 2 else y, head)

    record(name, vocab, says)
    for kind in kinds:
        file = f"{name}.{kind}"
        if kind == "weights.h5":
            model.save_weights(file)
        elif kind == "old.h5":
            with h5py.File(file, "w") as f:
                legacy_h5_format.save_weights_to_hdf5_group(f, model)
        else:
            model.save(file)
        if packed:
            pack(file)
    keras.backend.clear_session()  # so that names are counted from the start


CELLS = {
    "tanh": lambda **k: layers.SimpleRNN(UNITS, **k),
    "relu": lambda **k: layers.SimpleRNN(UNITS, activation="relu", **k),
    "gru": lambda **k: layers.GRU(UNITS, **k),
    "before": lambda **k: layers.GRU(UNITS, reset_after=False, **k),
    "lstm": lambda **k: layers.LSTM(UNITS, **k),
}


def sequential(*stack, inputs=(None,)):
    return keras.Sequential([keras.Input(inputs), *stack])


def keras_networks():
    heads = [("sigmoid", 1), ("softmax", 2), ("linear", 1)]
    for i, (name, cell) in enumerate(CELLS.items()):
        head, outputs = heads[i % 3]
        for depth in (1, 2):
            stack = [cell(return_sequences=k + 1 < depth) for k in range(depth)]
            model = sequential(layers.Embedding(4, 3, mask_zero=depth == 2), *stack, layers.Dense(outputs, activation=head))
            network(f"{name}{depth}", model, head, MASKED if depth == 2 else PLAIN, packed=(name, depth) != ("gru", 1))
    embedding = lambda **k: layers.Embedding(4, 3, **k)
    network("mlp", sequential(embedding(), layers.SpatialDropout1D(0.1), layers.LSTM(UNITS, dropout=0.2), layers.Activation("relu"),
                              layers.Dropout(0.5), layers.Dense(4, activation="tanh", use_bias=False), layers.Dense(2), layers.Softmax()), "softmax")
    network("both", sequential(embedding(), layers.Bidirectional(layers.GRU(UNITS, return_sequences=True)), layers.Bidirectional(layers.LSTM(UNITS)),
                               layers.Dense(1, activation="sigmoid")), "sigmoid")
    network("every", sequential(embedding(), layers.Bidirectional(layers.SimpleRNN(UNITS, return_sequences=True)),
                                layers.TimeDistributed(layers.Dense(1, activation="sigmoid"))), "sigmoid")
    network("onehot", sequential(layers.Masking(), layers.GRU(UNITS, use_bias=False), layers.Dense(1), inputs=(None, 4)), "linear", one_hot=True)
    x = tokens = keras.Input((None,), dtype="int32")
    for layer in (embedding(mask_zero=True), layers.LSTM(UNITS, return_sequences=True), layers.Dropout(0.1), layers.GRU(UNITS),
                  layers.Dense(3, activation="relu"), layers.Dense(1, activation="sigmoid", name="decision")):
        x = layer(x)
    network("functional", keras.Model(tokens, x), "sigmoid", MASKED)
    weights = sequential(embedding(), layers.GRU(UNITS, return_sequences=True, reset_after=False), layers.GRU(4), layers.Dense(1))
    network("alone", weights, "linear", kinds=("weights.h5", "old.h5"))
    tokens = keras.Input((None,))
    sum_of_two = layers.Add()([layers.LSTM(UNITS)(y := embedding()(tokens)), layers.GRU(UNITS)(y)])
    network("branches", keras.Model(tokens, layers.Dense(1)(sum_of_two)), "linear", kinds=("keras",))
    network("pooled", sequential(embedding(), layers.LSTM(UNITS, return_sequences=True), layers.GlobalMaxPooling1D(), layers.Dense(1)), "linear",
            kinds=("h5",))


def normalized_networks():
    embedding, batch, layer = layers.Embedding(4, 3), layers.BatchNormalization, layers.LayerNormalization
    network("layernorm", sequential(embedding, layer(), layers.GRU(UNITS, return_sequences=True), layer(epsilon=0.01, center=False), layers.LSTM(4),
                                    layer(scale=False), layers.Dense(4), layer(), layers.Activation("relu"), layers.Dense(1, activation="sigmoid")), "sigmoid")
    network("batchnorm", sequential(layers.Embedding(4, 3), batch(), layers.LSTM(UNITS, return_sequences=True), batch(scale=False), layers.GRU(4),
                                    batch(), layers.Dense(4, activation="relu"), batch(center=False), layers.Dense(2, activation="softmax")), "softmax")
    network("normalone", sequential(layers.Embedding(4, 3), layers.GRU(UNITS), batch(), layers.Dense(4), layer(),
                                    layers.Activation("relu"), layers.Dense(1)), "linear",
            kinds=("weights.h5", "old.h5"))


def as_keras2():
    """A file as Keras 2 wrote it: bytes of fixed length, names with :0, and another configuration."""
    model = sequential(layers.Embedding(4, 3, mask_zero=True), layers.LSTM(UNITS), layers.Dense(1, activation="sigmoid"))
    network("keras2", model, "sigmoid", MASKED, kinds=())
    plain = lambda y, *names: {"class_name": type(y).__name__, "config": {k: y.get_config()[k] for k in ("name", *names)}}
    e, r, d = (plain(y, *names) for y, names in zip(model.layers, (["mask_zero"], ["activation", "recurrent_activation", "units"], ["activation"])))
    e["config"]["batch_input_shape"] = [None, None]
    with h5py.File("keras2.h5", "w") as f:
        f.attrs["keras_version"] = np.bytes_("2.3.1")
        f.attrs["model_config"] = np.bytes_(json.dumps({"class_name": "Sequential", "config": {"name": "sequential_1", "layers": [e, r, d]}}))
        group = f.create_group("model_weights")
        group.attrs["layer_names"] = [np.bytes_(y.name) for y in model.layers]
        for y in model.layers:
            g = group.create_group(y.name)
            g.attrs["weight_names"] = [np.bytes_(f"{y.name}/{w.name}:0") for w in y.weights]
            for w in y.weights:
                g[f"{y.name}/{w.name}:0"] = np.asarray(w.value)
    pack("keras2.h5")


class Tagger(linen.Module):
    cells: tuple

    @linen.compact
    def __call__(self, tokens):
        x = linen.Embed(4, 3)(tokens)
        for cell in self.cells:
            x = linen.RNN(cell)(x)
        return linen.Dense(1)(x)


def flax_networks():
    for name, cell in {"flax-lstm": linen.OptimizedLSTMCell, "flax-gru": linen.GRUCell, "flax-simple": linen.SimpleCell}.items():
        model = Tagger((cell(UNITS), cell(4)) if name != "flax-gru" else (cell(UNITS),))
        params = model.init(jax.random.key(1), np.zeros((1, 2), int))
        rng = np.random.default_rng(1)
        params = jax.tree.map(lambda w: rng.normal(0, 0.8, w.shape).astype(w.dtype), params)
        record(name, PLAIN, lambda tokens: float(model.apply(params, np.array([tokens]))[0, -1, 0]))
        with open(name + ".msgpack", "wb") as f:
            f.write(flax.serialization.to_bytes(params))
        np.savez(name + ".npz", **flax.traverse_util.flatten_dict(params, sep="/"))


def npz_networks():
    """Weights as get_weights gives them, and under names of one's own."""
    model = sequential(layers.Embedding(4, 3), layers.LSTM(UNITS), layers.Dense(1))
    network("listed", model, "linear", kinds=())
    np.savez_compressed("listed.npz", *[w.astype("float16").astype("float64") for w in model.get_weights()])
    model.set_weights([w.astype("float16") for w in model.get_weights()])
    record("listed", PLAIN, lambda t: logit(model(np.array([t])), "linear"))


def arrays(file, **options):
    """Files of HDF5 in which every array counts from 0 on, to be read in all types and layouts."""
    with h5py.File(file, "w", **options) as f:
        f.attrs["one"] = "a text"
        f.attrs["fixed"] = np.bytes_("of fixed length")
        f.attrs["list"] = [b"a", b"bcd", b""]
        f.attrs["texts"] = ["α", "", "b" * 300]
        f.attrs["number"] = 3
        for kind in ("<f2", "<f4", "<f8", ">f4", "<i8", ">i2", "u1"):
            f["types/" + kind] = np.arange(6, dtype=kind).reshape(2, 3)
        f["scalar"] = np.float32(0)
        if options:
            return
        for i in range(60):
            f[f"many/{i}"] = f["scalar"]
        for name, how in {
            "plain": {"chunks": (3, 4)},
            "gzip": {"chunks": (3, 4), "compression": "gzip"},
            "shuffled": {"chunks": (5, 2), "compression": "gzip", "shuffle": True, "fletcher32": True},
            "lzf": {"chunks": (3, 4), "compression": "lzf"},
            "missing": {"chunks": (3, 4)},
        }.items():
            d = f.create_dataset("chunks/" + name, (7, 9), "f4", **how)
            if name != "missing":
                d[:] = np.arange(63).reshape(7, 9)
        f.create_dataset("cube", data=np.arange(60, dtype="f8").reshape(3, 4, 5), chunks=(2, 3, 2))


if __name__ == "__main__":
    os.makedirs(os.path.join(sys.argv[1], "hdf5", "testdata"), exist_ok=True)
    arrays(os.path.join(sys.argv[1], "hdf5", "testdata", "usual.h5"))
    arrays(os.path.join(sys.argv[1], "hdf5", "testdata", "latest.h5"), libver="latest")
    os.makedirs(os.path.join(sys.argv[1], "testdata", "keras"), exist_ok=True)
    os.chdir(os.path.join(sys.argv[1], "testdata", "keras"))
    keras_networks()
    normalized_networks()
    as_keras2()
    flax_networks()
    npz_networks()
