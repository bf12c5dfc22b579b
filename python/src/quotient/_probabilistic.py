"""Probabilistic automata, which language models become, as Python values."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from quotient import _convert
from quotient._automaton import Automaton, PathLike, draw, picture
from quotient._program import run
from quotient._words import Alphabet, Word


class ProbabilisticAutomaton:
    """A deterministic probabilistic automaton: in every state each symbol has a probability, and so has the end.

    >>> even = ProbabilisticAutomaton("ab", {0: {"a": (1, 0.5), "b": (0, 0.25)}, 1: {"a": (0, 0.75), "b": (1, 0.25)}}, end={0: 0.25})
    >>> even.next("a"), even.next("")
    ({'a': 0.75, 'b': 0.25, None: 0.0}, {'a': 0.5, 'b': 0.25, None: 0.25})
    >>> even.probability("aa")
    0.09375
    >>> round(even.log_probability("aa"), 3), even.log_probability("a")
    (-2.367, -inf)
    >>> round(even.perplexity(["aa", "", "b"]), 3)
    2.967
    >>> even.sample(3, seed=1) == even.sample(3, seed=1), even.most_probable(3)
    (True, ['', 'aa', 'b'])

    States are numbered from 0. Logarithms are natural. `==` means the same states and probabilities.
    """

    __slots__ = ("_alphabet", "_end", "_rows", "_start")

    def __init__(self, symbols: str | Iterable[str], transitions: Mapping[Any, Mapping[str, tuple[Any, float]]],
                 end: Mapping[Any, float], start: Any = 0) -> None:
        """Takes the symbols in their order, for each state where its symbols lead and how probably, and how probably words end there."""
        self._alphabet = Alphabet(symbols)
        names = list(dict.fromkeys([start, *transitions, *(t for row in transitions.values() for t, _ in row.values()), *end]))
        place = {name: i for i, name in enumerate(names)}
        self._start = place[start]
        self._end = tuple(float(end.get(n, 0.0)) for n in names)
        self._rows: tuple[dict[str, tuple[int, float]], ...] = tuple(
            {s: (place[row[s][0]], float(row[s][1])) for s in self._alphabet.names if s in row}
            for row in (transitions.get(n, {}) for n in names))
        for name, row, last in zip(names, self._rows, self._end):
            strange = set(transitions.get(name, {})) - set(self._alphabet.names)
            if strange:
                raise ValueError(f"state {name!r}: {sorted(strange)[0]!r} is none of the symbols {list(self.symbols)}")
            numbers = [last, *(p for _, p in row.values())]
            if not all(0 <= p <= 1 for p in numbers) or abs(sum(numbers) - 1) > 1e-6:
                raise ValueError(f"state {name!r}: the probabilities of its symbols and of the end are {numbers}; they must sum to 1")

    @classmethod
    def from_json(cls, value: str | Mapping[str, Any]) -> ProbabilisticAutomaton:
        """Returns an automaton from the JSON that docs/probabilistic-json.md describes."""
        data: Mapping[str, Any] = json.loads(value) if isinstance(value, str) else value
        if data.get("format") != "quotient-probabilistic" or data.get("version") != 1:
            raise ValueError("this is no probabilistic automaton: format quotient-probabilistic, version 1 is expected")
        if data["start"] is None:
            raise ValueError("this automaton has no words, and so no probabilities")
        steps: dict[Any, dict[str, tuple[Any, float]]] = {s["id"]: {} for s in data["states"]}
        for t in data["transitions"]:
            steps[t["from"]][t["on"]] = t["to"], t["probability"]
        return cls(data["alphabet"], steps, {s["id"]: s["end"] for s in data["states"]}, data["start"])

    @classmethod
    def load(cls, name: PathLike) -> ProbabilisticAutomaton:
        """Returns an automaton from a file: our JSON or DOT, AT&T's or AALpy's."""
        return cls.from_json(run("convert", os.fspath(name), "-", "--probabilistic", "--to", "json"))

    def to_json(self) -> dict[str, Any]:
        """Returns the automaton as docs/probabilistic-json.md describes, for `json.dumps`."""
        return {
            "format": "quotient-probabilistic",
            "version": 1,
            "alphabet": list(self.symbols),
            "states": [{"id": q + 1, "end": p} for q, p in enumerate(self._end)],
            "start": self._start + 1,
            "transitions": [{"from": p + 1, "on": s, "to": q + 1, "probability": x} for p, s, q, x in self.transitions],
        }

    @property
    def symbols(self) -> tuple[str, ...]:
        """The alphabet, in its order."""
        return self._alphabet.names

    @property
    def states(self) -> range:
        """The states."""
        return range(len(self._end))

    @property
    def start(self) -> int:
        """The state in which words begin."""
        return self._start

    @property
    def ends(self) -> tuple[float, ...]:
        """Of each state, the probability that a word ends there."""
        return self._end

    @property
    def transitions(self) -> list[tuple[int, str, int, float]]:
        """The transitions: from, symbol, to, probability."""
        return [(p, s, q, x) for p, row in enumerate(self._rows) for s, (q, x) in row.items()]

    def step(self, state: int | None, symbol: str) -> int | None:
        """Returns the state after a symbol, or None if that never comes."""
        if state is None or symbol not in self._rows[state]:
            return None
        return self._rows[state][symbol][0]

    def _names(self, word: Word) -> list[str]:
        return [self.symbols[i] for i in self._alphabet.indices(word)]

    def next(self, prefix: Word = "") -> dict[str | None, float]:
        """Returns the probabilities of what comes after a prefix: of each symbol and, under None, of the end. After what never comes they are 0."""
        state: int | None = self._start
        for s in self._names(prefix):
            state = self.step(state, s)
        if state is None:
            return {s: 0.0 for s in (*self.symbols, None)}
        row = self._rows[state]
        return {**{s: row[s][1] if s in row else 0.0 for s in self.symbols}, None: self._end[state]}

    def _factors(self, word: Word) -> list[float]:
        """Returns the probabilities of a word's symbols and of its end, up to one that is zero."""
        state, factors = self._start, []
        for s in self._names(word):
            state, p = self._rows[state].get(s, (state, 0.0))
            factors.append(p)
            if p == 0:
                return factors
        return [*factors, self._end[state]]

    def log_probability(self, word: Word) -> float:
        """Returns the natural logarithm of a word's probability, -inf if that is zero."""
        factors = self._factors(word)
        return sum(map(math.log, factors)) if factors[-1] > 0 else -math.inf

    def probability(self, word: Word) -> float:
        """Returns the probability of a word."""
        return math.prod(self._factors(word))

    def perplexity(self, words: Iterable[Word]) -> float:
        """Returns the perplexity of words, a symbol: their ends count as symbols. A word of probability zero makes it infinite."""
        words = list(words)
        if not words:
            raise ValueError("there are no words")
        symbols = sum(len(self._names(w)) + 1 for w in words)
        return math.exp(-sum(map(self.log_probability, words)) / symbols)

    def sample(self, count: int = 1, seed: int = 1) -> list[str | tuple[str, ...]]:
        """Draws words with their probabilities."""
        return self._listed("-n", str(count), "--seed", str(seed))

    def most_probable(self, count: int = 10) -> list[str | tuple[str, ...]]:
        """Returns the most probable words."""
        return self._listed("-n", str(count), "--first")

    def _listed(self, *args: str) -> list[str | tuple[str, ...]]:
        lines = run("sample", "-", "--json", *args, text=json.dumps(self.to_json())).splitlines()
        return [self._alphabet.word(self._alphabet.place[s] for s in json.loads(line)["symbols"]) for line in lines]

    def likely(self, threshold: float) -> Automaton:
        """Returns the automaton of what is likely: of words whose every symbol, and whose end, has at least a probability."""
        text = json.dumps(self.to_json())
        return Automaton.from_json(run("convert", "-", "-", "--to", "json", "--threshold", repr(float(threshold)), text=text))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ProbabilisticAutomaton):
            return NotImplemented
        return self.to_json() == other.to_json()

    def __hash__(self) -> int:
        return hash((self.symbols, self._end, tuple(self.transitions)))

    def __reduce__(self) -> tuple[Any, ...]:
        return ProbabilisticAutomaton.from_json, (self.to_json(),)

    def __copy__(self) -> ProbabilisticAutomaton:
        return self

    def __deepcopy__(self, memo: object) -> ProbabilisticAutomaton:
        return self

    def table(self) -> str:
        """Returns probabilities, and where symbols lead, as a table of text."""
        head = ["", "state", "end", *self.symbols]
        rows = [["→" if q == self._start else "", f"q{q}", f"{self._end[q]:.3g}",
                 *(f"{row[s][1]:.3g} q{row[s][0]}" if s in row else "·" for s in self.symbols)] for q, row in enumerate(self._rows)]
        width = [max(len(r[i]) for r in [head, *rows]) for i in range(len(head))]
        return "\n".join("  ".join(c.ljust(w) for c, w in zip(r, width)).rstrip() for r in [head, *rows])

    def __repr__(self) -> str:
        n = len(self._end)
        return f"<ProbabilisticAutomaton: {n} {'state' if n == 1 else 'states'} over {{{', '.join(self.symbols)}}}>"

    def __str__(self) -> str:
        return f"{repr(self)[25:-1]}\n{self.table()}"

    def svg(self, title: str = "") -> str:
        """Returns the picture, as `quotient draw` makes it."""
        return picture(self.to_json(), title)

    def _repr_svg_(self) -> str:
        return self.svg()

    def to(self, format: str) -> str:
        """Returns the automaton in a format of docs/probabilistic-json.md: dot, att, aalpy, aalpy-smm, weights."""
        return run("convert", "-", "-", "--to", format, text=json.dumps(self.to_json()))

    def draw(self, file: PathLike, title: str = "") -> Path:
        """Draws the automaton, or writes it, in the format of the file's extension: .svg, .pdf, .png, .dot, .att, .json."""
        return draw(file, lambda to: picture(self.to_json(), title, to), self.to_json)

    def to_networkx(self) -> Any:
        """Returns a networkx.MultiDiGraph: nodes have `end` and `start`, edges have `symbol` and `probability`."""
        return _convert.probabilistic_to_networkx(self)
