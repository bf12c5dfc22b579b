"""Words, as people write them and as the program counts them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Union

Word = Union[str, Sequence[str]]
"""A word: a string, or a sequence of names of symbols."""


class Alphabet:
    """The symbols in their order, and words over them.

    >>> ab = Alphabet("ab")
    >>> ab.word([0, 1, 1]), ab.indices("abb")
    ('abb', [0, 1, 1])
    >>> Alphabet(["open", "close"]).word([0, 1])
    ('open', 'close')
    >>> Alphabet(["open", "close"]).indices("open close")
    [0, 1]
    """

    def __init__(self, symbols: str | Iterable[str]) -> None:
        if not isinstance(symbols, Iterable):
            raise TypeError(f'symbols is {symbols!r}: it must be a string such as "ab", or a list of names')
        self.names = tuple(str(s) for s in symbols)
        self.strings = all(len(s) == 1 for s in self.names)
        self.place = {s: i for i, s in enumerate(self.names)}
        if len(self.place) < len(self.names) or "" in self.place:
            raise ValueError(f"symbols must be different and not empty: {list(self.names)}")

    def word(self, indices: Iterable[int]) -> str | tuple[str, ...]:
        """Returns a word: a string if every symbol is one character, else a tuple of names."""
        names = [self.names[i] for i in indices]
        return "".join(names) if self.strings else tuple(names)

    def indices(self, word: Word) -> list[int]:
        """Returns the places of a word's symbols. A string over long names is split at spaces."""
        try:
            return [self.place[s] for s in parts(word, self.strings)]
        except KeyError as error:
            raise ValueError(f"{word!r}: {error.args[0]!r} is none of the symbols {list(self.names)}") from None


def parts(word: Iterable[str], strings: bool) -> Iterable[str]:
    """Returns the symbols of a word. A string is split at spaces unless words are strings of characters."""
    if not isinstance(word, Iterable):
        raise TypeError(f"{short(word)} is no word: a string is one, or a list of names of symbols")
    return word.split() if isinstance(word, str) and not strings else word


def numbered(tokens: Any, names: Sequence[str]) -> list[int]:
    """Returns the token of each symbol, from a list or a dict.

    >>> numbered({"a": 3, "b": 1, "c": 2}, ["a", "b"])
    [3, 1]
    """
    if isinstance(tokens, Mapping):
        missing = [s for s in names if s not in tokens]
        if missing:
            raise ValueError(f"tokens has none for the symbol {missing[0]!r}: {short(dict(tokens))}")
        tokens = [tokens[s] for s in names]
    if isinstance(tokens, str) or not isinstance(tokens, Iterable):
        raise TypeError(f"tokens is {short(tokens)}: a list is needed, a token for each symbol, or a dict from symbols to tokens")
    tokens = list(tokens)
    if len(tokens) != len(names):
        raise ValueError(f"tokens has {len(tokens)} for {len(names)} symbols")
    for t in tokens:
        if not hasattr(t, "__int__"):
            raise TypeError(f"tokens has {short(t)}, which is no number")
    return [int(t) for t in tokens]


def short(value: Any) -> str:
    """Returns a value for a message: what is long, as a table of numbers is, would hide the rest of it."""
    text = repr(value).partition("\n")[0]
    return text if len(text) <= 100 else text[:100] + "…"


def show(word: Word) -> str:
    """Returns a word for people: ε if it is empty."""
    text = word if isinstance(word, str) else " ".join(word)
    return text or "ε"
