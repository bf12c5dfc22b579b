"""Keras, JAX and scikit-learn, each through a function."""

import pytest
from conftest import needs

import quotient

BOUNDED = pytest.mark.skipif(not quotient._program.knows("extract", "budget"), reason="this program asks for longer words than the model can read")


@needs("sklearn", "numpy")
def test_scikit_learn():
    import numpy
    from sklearn.linear_model import LogisticRegression

    def features(words):
        return numpy.array([[w.count("a") > 0, w.count("b") > 0] for w in words], dtype=float)

    words = list(quotient.Automaton.load("regex:[ab]{0,6}"))
    model = LogisticRegression(C=100).fit(features(words), ["a" in w and "b" in w for w in words])
    study = quotient.extract(lambda ws: model.predict_proba(features(ws))[:, 1], "ab", batch=True)
    assert study.automaton == quotient.Automaton.load("regex:[ab]*(ab|ba)[ab]*")


@needs("jax", "numpy")
@BOUNDED
def test_jax():
    import jax
    import numpy

    weights = jax.numpy.array([[1.0, 0.0], [0.0, 1.0]]), jax.numpy.array([[0.0, 1.0], [1.0, 0.0]])

    def parity(tokens, mask):  # the state turns at every a
        def step(h, x):
            turned = jax.numpy.where(x[0] == 0, weights[1] @ h, weights[0] @ h)
            return jax.numpy.where(x[1], turned, h), None

        return jax.lax.scan(step, jax.numpy.array([1.0, 0.0]), (tokens, mask))[0][0]

    batched = jax.jit(jax.vmap(parity))

    def answer(words):
        tokens = numpy.zeros((-(-len(words) // 256) * 256, 40), int)  # few shapes, so that little is compiled
        for row, w in zip(tokens, words):
            row[: len(w)] = ["ab".index(s) for s in w]
        lengths = numpy.zeros(len(tokens), int)
        lengths[: len(words)] = [len(w) for w in words]
        return batched(tokens, numpy.arange(40)[None, :] < lengths[:, None])[: len(words)]

    study = quotient.extract(answer, "ab", batch=True, method="ttt", max_length=40, budget=1000)
    assert study.automaton == quotient.Automaton.load("regex:(b|ab*a)*")


@needs("keras", "numpy")
@BOUNDED
def test_keras(monkeypatch):
    monkeypatch.setenv("KERAS_BACKEND", "jax")
    import keras
    import numpy

    model = keras.Sequential([keras.layers.Embedding(4, 4, mask_zero=True), keras.layers.SimpleRNN(4), keras.layers.Dense(1, activation="sigmoid")])

    def answer(words):  # padding is 0, <bos> 1, a 2, b 3; few shapes, so that little is compiled
        tokens = numpy.zeros((-(-len(words) // 256) * 256, 32), "int32")
        for row, w in zip(tokens, words):
            row[: len(w) + 1] = [1, *("??ab".index(s) for s in w)]
        return model.predict_on_batch(tokens)[: len(words), 0]

    study = quotient.extract(answer, "ab", batch=True, method="ttt", max_states=5, max_length=30, budget=300)
    assert study.automaton is not None and 20 < len(study.answers) <= 300
