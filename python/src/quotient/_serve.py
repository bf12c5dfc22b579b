"""Models for programs that run elsewhere: answered over the protocol, or written down."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Sequence
from typing import Any

from quotient import _protocol
from quotient._voices import Reading, number, voice
from quotient._words import Word


def serve(model: Any, symbols: Any, *, http: int | None = None, **reading: Any) -> None:
    """Answers questions about words until the asking program ends.

    model is a function from a word to the probability (or True or False) that it is in the language, or a
    torch.nn.Module from tokens, batch x time, to one logit or two classes. A language model, which predicts
    the next symbol, is a function from a word to a list, the probabilities of each next symbol and, last, of
    the end; or a module with more than two outputs, one for each token or for each symbol and the end. It
    does not read eos, whose output is that of the end; without eos, that of bos is. kind, "lm" or
    "recognizer", says which of the two a model is; otherwise it is found out.

    In a script of its own, `quotient.serve(model, symbols="ab")` makes a model of
    `quotient extract --exec 'python script.py'`; with http, a port, it answers there. The rest is as
    in `extract`: bos, eos, tokens, tokenizer, states, batch, output, empty, pad, pad_to, pad_side, yes,
    size, max_length, name. For a language model, empty is a list.
    """
    out = None if http is not None else _protocol.reserved or _protocol.take_stdout()
    one = voice(model, symbols, Reading(**reading))
    with one.awake():
        for note in one.notes:
            print("quotient:", note, file=sys.stderr)
        if out is None:
            _protocol.over_http(one, int(http or 0))
        else:
            _protocol.over_pipes(one, out)


def cases(model: Any, symbols: Any, words: int | Sequence[Word] = 50, file: str = "cases.json", **reading: Any) -> None:
    """Writes what a model says of some words, as `quotient model FILE --check cases.json` reads it.

    words are a list, or how many to draw, of up to 12 symbols. The rest is as in `serve`. Of a module,
    logits are written, and which token is which; of a language model, what it predicts after every prefix.
    """
    for note in write_cases(model, symbols, words, file, reading):
        print("quotient:", note, file=sys.stderr)


def write_cases(model: Any, symbols: Any, words: int | Sequence[Word], file: str, reading: dict[str, Any]) -> list[str]:
    """Writes what a model says of some words, and returns what was guessed about it."""
    one = voice(model, symbols, Reading(**reading))
    names, rng = one.alphabet.names, random.Random(0)
    if isinstance(words, int):
        indices = [[rng.randrange(len(names)) for _ in range(1 + i % 12)] for i in range(words)]
    else:
        indices = [one.alphabet.indices(w) for w in words]
    about: dict[str, Any] = {}
    with one.awake():
        if hasattr(one, "logits"):
            indices = [w for w in indices if one.readable(w)]  # type: ignore[attr-defined]
            about["vocab"] = vocabulary(one)
        what, numbers = _claims(one, indices)
    about["cases"] = [{"word": [names[i] for i in w], what: _numbers(x)} for w, x in zip(indices, numbers)]
    with open(file, "w", encoding="utf-8") as f:
        json.dump(about, f)
    return one.notes


def _claims(one: Any, words: list[list[int]]) -> tuple[str, list[Any]]:
    """Returns what a model says of words, and what this is called."""
    if hasattr(one, "logits"):
        return ("outputs", one.predictions(words)) if one.predicts else ("logit", one.logits(words))
    if one.predicts:
        return "next", [one.answer([w[:k] for k in range(len(w) + 1)], False)[0] for w in words]
    return "probability", one.answer(words, False)[0]


def _numbers(x: Any) -> Any:
    """Returns a finite number, or lists of such."""
    return [_numbers(y) for y in x] if isinstance(x, list) else number(x)


def vocabulary(one: Any) -> dict[str, int]:
    """Returns which token is which, for the program."""
    vocab = dict(zip(one.alphabet.names, one.tokens))
    before = [] if one.predicts and one.before == one.ending else one.before  # that of the end begins words, too
    for name, around in (("<bos>", before), ("<eos>", one.ending)):
        if len(around) > 1:
            raise ValueError(f"the program knows one token {name}, and the tokenizer has {around}")
        vocab.update((name, t) for t in around)
    return vocab
