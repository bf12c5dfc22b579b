"""Words, as people write them and as the program counts them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Union

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
        parts: Iterable[str] = word.split() if isinstance(word, str) and not self.strings else word
        try:
            return [self.place[s] for s in parts]
        except KeyError as error:
            raise ValueError(f"{word!r}: {error.args[0]!r} is none of the symbols {list(self.names)}") from None


def show(word: Word) -> str:
    """Returns a word for people: ε if it is empty."""
    text = word if isinstance(word, str) else " ".join(word)
    return text or "ε"
