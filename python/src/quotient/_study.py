"""What is known after an extraction, for people and for programs."""

from __future__ import annotations

import dataclasses
import html
import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from quotient._automaton import Automaton, CounterAutomaton
from quotient._convert import library
from quotient._probabilistic import ProbabilisticAutomaton
from quotient._records import (
    Agreement,
    Closeness,
    Contestant,
    Count,
    Counterexample,
    CrossValidated,
    Data,
    Divergence,
    Point,
    Queries,
    Target,
    at_most,
    percent,
    record,
)
from quotient._voices import Said
from quotient._words import Alphabet, Word

Row = TypeVar("Row")


@dataclasses.dataclass
class Study:
    """Everything that is known after one extraction.

    `automaton` is what was extracted, `agreement` how far it agrees with the network, `raw` all of it as
    docs/study-json.md describes. In a notebook a study shows the picture, how the network was read, and
    the certificate; printed, the table.

    >>> import quotient
    >>> study = quotient.extract("zoo:tomita5", target="tomita5")
    >>> study.automaton.accepts("abba"), study.states, study.target.equal
    (True, 4, True)
    >>> print(study.agreement.certificate)
    with confidence 99%, the two disagree on fewer than 0.46% of all words drawn in this way

    Of a language model, which predicts the next symbol, the automaton is a `ProbabilisticAutomaton`, and in place of `agreement`
    there is `certificate`.
    """

    model: str = ""
    network: str = ""
    reading: str = ""
    notes: list[str] = dataclasses.field(default_factory=list)
    settings: dict[str, str] = dataclasses.field(default_factory=dict)
    method: str = ""
    chosen: str = ""
    kappa: float = 0.0
    why: str = ""
    seed: int = 1
    states: int = 0
    agreement: Agreement | None = None
    certificate: Closeness | None = None
    words: int = 0
    prefixes: int = 0
    target: Target | None = None
    data: Data | None = None
    counterexamples: list[Counterexample] = dataclasses.field(default_factory=list)
    queries: Queries | None = None
    warnings: list[str] = dataclasses.field(default_factory=list)
    asked: int = 0
    interrupted: bool = False
    error: str | None = None
    seconds: float = 0.0
    automaton: Any = dataclasses.field(default=None, init=False)
    _known: dict[tuple[int, ...], Said] = dataclasses.field(default_factory=dict, init=False, repr=False, compare=False)
    raw: dict[str, Any] = dataclasses.field(default_factory=dict, init=False, repr=False)
    _again: Callable[[str | os.PathLike[str]], None] | None = dataclasses.field(default=None, init=False, repr=False, compare=False)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Study:
        """Returns a study from what `quotient extract --json` prints."""
        study = record(cls, data)
        study.raw = dict(data)
        study.automaton = automaton_of(data.get("automaton"))
        return study

    def to_json(self) -> dict[str, Any]:
        """Returns the JSON form."""
        return {**self.raw, "notes": list(self.notes)} if self.notes else dict(self.raw)

    @property
    def answers(self) -> dict[str | tuple[str, ...], Any]:
        """The words that a live model was asked about, each with its probability; empty for a file.

        Of a language model it is a list: the probabilities of each next symbol and, last, of the end.
        """
        alphabet = Alphabet(self.automaton.symbols) if self._known else None
        return {} if alphabet is None else {alphabet.word(w): p for w, p in self._known.items()}

    @property
    def tradeoff(self) -> list[Point] | list[Divergence]:
        """Error against states, of all automata that the method explore met; empty for other methods.

        Of a language model it is divergence against states, of any method.
        """
        if self.certificate is not None:
            return [record(Divergence, p) for p in self.raw.get("tradeoff", [])]
        return [record(Point, p) for p in (self.raw.get("explored") or {}).get("tradeoff", [])]

    def report(self, file: str | os.PathLike[str]) -> Path:
        """Writes a report as one HTML page.

        The network is asked again for what the page shows beside the study, but not about words whose
        answers are remembered.
        """
        if self._again is None:
            raise ValueError("a study that was loaded or pickled has lost its network: extract again, then report")
        self._again(file)
        return Path(file)

    def frame(self, words: Iterable[Word] | None = None) -> Any:
        """Returns words and answers as a pandas.DataFrame: word, length, network (the probability), automaton.

        Without words they are those that a live model was asked about; of a file, the counterexamples. Of a language model, network
        and automaton are the probabilities of the words, which are those that differ most if none are given.
        """
        pandas = library("pandas", "pandas")
        if isinstance(self.automaton, ProbabilisticAutomaton):
            return pandas.DataFrame(self._spoken(self.automaton, words), columns=["word", "length", "network", "automaton"])
        known: dict[Any, Any] = {**{e.word: float(e.network) for e in self.counterexamples}, **self.answers}
        alphabet = Alphabet(self.automaton.symbols)
        rows = []
        for w in known if words is None else words:
            key = w if not alphabet.strings and isinstance(w, tuple) else alphabet.word(alphabet.indices(w))
            rows.append((key, len(alphabet.indices(w)), known.get(key), self.automaton.accepts(w)))
        return pandas.DataFrame(rows, columns=["word", "length", "network", "automaton"])

    def _spoken(self, automaton: ProbabilisticAutomaton, words: Iterable[Word] | None) -> list[tuple[Any, ...]]:
        """Returns words with the probabilities that network and automaton give them; None where the network was not asked."""
        alphabet = Alphabet(automaton.symbols)
        known = {e.word: e.network for e in self.certificate.words_apart} if self.certificate is not None else {}
        rows = []
        for w in known if words is None else words:
            indices = alphabet.indices("" if w == "ε" else w)
            after = [self._known.get(tuple(indices[:k])) for k in range(len(indices) + 1)]
            factors = [a[s] for a, s in zip(after, [*indices, -1]) if isinstance(a, list)]
            p = math.prod(factors) if len(factors) == len(after) else known.get(w) if isinstance(w, str) else None
            rows.append((alphabet.word(indices), len(indices), p, automaton.probability(alphabet.word(indices))))
        return rows

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_again": None}

    def _head(self) -> list[str]:
        """What stands before the table."""
        lines = [f"{self.model}: {self.network}", f"read as: {self.reading}"]
        lines += [f"warning: {note}" for note in self.notes]
        why = self.chosen or (self.why if self.certificate is not None else "")
        lines += [f"method {self.method}" + (f": {why}" if why else "")]
        lines += [f"note: {w}" for w in self.warnings]
        return lines + (["interrupted: this is the best so far"] if self.interrupted else [])

    def _tail(self) -> list[str]:
        """What stands behind it."""
        lines = []
        if self.agreement is not None:
            lines = ["agreement with the network:", *(f"  {x}" for x in str(self.agreement).splitlines()),
                     f"certificate: {self.agreement.certificate}"]
        if self.certificate is not None:
            lines = [*str(self.certificate).splitlines(), f"certificate: {self.certificate.certificate}"]
        if self.data is not None:
            first, *more = str(self.data).splitlines()
            lines += [f"your words: {first}", *(f"  {x}" for x in more)]
        if self.data is not None and self.data.agreement is not None:
            lines.append(f"certificate: {self.data.certificate}")
        lines += [f"counterexample: the network {'accepts' if e.network else 'rejects'} {e.word or 'ε'}" for e in self.counterexamples[:5]]
        return lines + ([str(self.target)] if self.target is not None else []) + ([f"error: {self.error}"] if self.error else [])

    def __str__(self) -> str:
        middle = str(self.automaton) if self.automaton is not None else "there is no finite automaton"
        return "\n".join([*self._head(), "", middle, "", *self._tail()])

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        picture = self.automaton.svg() if self.automaton is not None else ""
        return page(picture, self._head(), self._tail())


def page(picture: str, head: Sequence[str], tail: Sequence[str]) -> str:
    """Returns a picture with text above and below, for a notebook."""
    texts = ["<br>".join(html.escape(line) for line in lines) for lines in (head, tail)]
    return (f'<div style="max-width: 60em"><p><small>{texts[0]}</small></p><div style="max-width: 40em">{picture}</div>'
            f"<p><small>{texts[1]}</small></p></div>")


def automaton_of(data: Mapping[str, Any] | None) -> Automaton | CounterAutomaton | ProbabilisticAutomaton | None:
    """Returns the automaton of a JSON object, whichever kind it is of."""
    if data is None:
        return None
    if data.get("format") == "quotient-probabilistic":
        return ProbabilisticAutomaton.from_json(data)
    return CounterAutomaton(data) if data.get("format") == "quotient-counter" else Automaton.from_json(data)


@dataclasses.dataclass
class Learned:
    """What was learned from labeled words."""

    method: str = ""
    states: int = 0
    accepted: int = 0
    noise: float = 0.0
    training: Count = dataclasses.field(default_factory=Count)
    test: Count | None = None
    target: Target | None = None
    warnings: list[str] = dataclasses.field(default_factory=list)
    seconds: float = 0.0
    automaton: Any = dataclasses.field(default=None, init=False)
    raw: dict[str, Any] = dataclasses.field(default_factory=dict, init=False, repr=False)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Learned:
        """Returns what `quotient learn --json` prints."""
        learned = record(cls, data)
        learned.raw, learned.automaton = dict(data), automaton_of(data["automaton"])
        return learned

    def _tail(self) -> list[str]:
        lines = [f"note: {w}" for w in self.warnings]
        if self.training.words:  # a language model is learned from words without labels
            lines.append(f"training words: {self.training.agree} of {self.training.words} right")
        if self.test is not None:
            lines.append(f"held-out words: {self.test.agree} of {self.test.words} right")
        return lines + ([str(self.target)] if self.target is not None else [])

    def __str__(self) -> str:
        return "\n".join([f"learned by {self.method}", "", str(self.automaton), "", *self._tail()])

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return page(self.automaton.svg(), [f"learned by {self.method}"], self._tail())


class Table(Sequence[Row]):
    """Rows side by side: a sequence, printed as a table."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self.rows = list(rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, at: Any) -> Any:
        return self.rows[at]

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def frame(self) -> Any:
        """Returns a pandas.DataFrame."""
        return library("pandas", "pandas").DataFrame([dataclasses.asdict(r) for r in self.rows])  # type: ignore[call-overload]

    def _cells(self) -> list[list[str]]:
        raise NotImplementedError

    def _below(self) -> list[str]:
        """What stands below the table."""
        return []

    def __str__(self) -> str:
        cells = self._cells()
        width = [max(len(c[i]) for c in cells) for i in range(len(cells[0]))]
        return "\n".join(["  ".join(x.ljust(w) for x, w in zip(c, width)).rstrip() for c in cells] + self._below())

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        rows = ["".join(f"<td>{html.escape(x)}</td>" for x in c) for c in self._cells()]
        below = "<br>".join(map(html.escape, self._below()))
        return "<table>" + "".join(f"<tr>{r}</tr>" for r in rows) + "</table>" + (f"<p><small>{below}</small></p>" if below else "")


class Contest(Table[Contestant]):
    """All methods side by side: a sequence of rows, printed as a table. `notes` are what was guessed about a live model."""

    def __init__(self, rows: Iterable[Contestant], notes: Iterable[str] = ()) -> None:
        super().__init__(rows)
        self.notes = list(notes)

    def _below(self) -> list[str]:
        return [f"warning: {note}" for note in self.notes]

    def _cells(self) -> list[list[str]]:
        if any(r.divergence is not None for r in self.rows):  # of a language model
            head = ["method", "states", "divergence", "at most", "same likeliest", "seconds"]
            return [head, *([r.method, str(r.states), f"{r.divergence:.2g}", at_most(r.bound or 0.0), percent(r.top or 0.0), f"{r.seconds:.2f}"]
                            for r in self.rows)]
        cells = [["method", "states", "agreement", "words asked", "seconds", ""]]
        for r in self.rows:
            found = ["", ""] if r.error else [str(r.states), percent(r.accuracy)]
            cells.append([r.method, *found, str(r.membership_queries), f"{r.seconds:.2f}", r.error or ("exact" if r.equal else "")])
        return cells


class CrossValidation(Table[CrossValidated]):
    """Methods that learn from labeled words, side by side: a sequence of rows, printed as a table.

    The words are dealt into folds; each method learns from all but one of them and is judged by that one, in turn. `best` is the
    method that learns the smallest automata among those that are as accurate as any, within one standard error.
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        """Takes what `quotient learn --folds --json` prints."""
        super().__init__(record(CrossValidated, row) for row in data["methods"])
        self.raw = dict(data)
        self.file, self.words, self.folds, self.seed = str(data["file"]), int(data["words"]), int(data["folds"]), int(data["seed"])
        self.best: str | None = data.get("best")
        self.warnings: list[str] = list(data.get("warnings") or [])

    def frame(self) -> Any:
        """Returns a pandas.DataFrame, the single folds left out."""
        return super().frame().drop(columns="folds")

    def _cells(self) -> list[list[str]]:
        cells = [["method", "states", "held-out", "±", "training", "seconds", ""]]
        for r in self.rows:
            found = [""] * 4 if r.error else [f"{r.states:.1f}", percent(r.accuracy), percent(r.spread), percent(r.training)]
            cells.append([r.method, *found, f"{r.seconds:.2f}", r.error or ""])
        return cells

    def _below(self) -> list[str]:
        lines = [f"best: {self.best}, the smallest of those that are as accurate as any, within one standard error"] if self.best else []
        return [*lines, *(f"note: {w}" for w in self.warnings), f"{self.file}: {self.words} words with a label, in {self.folds} folds"]
