"""Typed records from the program's JSON: dataclasses whose fields have the names of docs/study-json.md."""

from __future__ import annotations

import dataclasses
import functools
import math
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

T = TypeVar("T")


def at_most(x: float, digits: int = 2) -> str:
    """Returns a bound with a few digits, rounded up as the program does it: what is promised holds.

    >>> at_most(2.4004), at_most(0.46), at_most(0.00101), at_most(123.0)
    ('2.5', '0.46', '0.0011', '1.3e+02')
    """
    return _rounded(x, digits, lambda n: math.ceil(n - 1e-9))


def at_least(x: float, digits: int = 2) -> str:
    """Returns a bound from below with a few digits, rounded down."""
    return _rounded(x, digits, lambda n: math.floor(n + 1e-9))


def _rounded(x: float, digits: int, whole: Callable[[float], int]) -> str:
    if x <= 0 or not math.isfinite(x):
        return f"{x:g}"
    scale = 10.0 ** (digits - 1 - math.floor(math.log10(x)))
    return f"{whole(x * scale) / scale:.{digits}g}"


def fewer_than(bound: float) -> str:
    """Returns a bound on a share in percent.

    >>> fewer_than(0.024004), fewer_than(0.992)
    ('2.5%', '100%')
    """
    return "100%" if bound >= 0.99 else f"{at_most(100 * bound)}%"


def percent(share: float) -> str:
    """Returns a share in percent, which is not rounded up to all.

    >>> percent(0.5), percent(0.99999), percent(1)
    ('50.00%', '99.99%', '100.00%')
    """
    return "99.99%" if 0.99995 <= share < 1 else f"{100 * share:.2f}%"


def record(kind: type[T], data: Mapping[str, Any]) -> T:
    """Returns a dataclass from a JSON object. What the object does not have takes its default, and what the
    class does not know is left out, so that a newer program is no error."""
    hints = _hints(kind)  # type: ignore[arg-type, unused-ignore]
    return kind(**{name: _value(hints[name], data[name]) for name in hints if data.get(name) is not None})


@functools.cache
def _hints(kind: type) -> dict[str, Any]:
    hints = typing.get_type_hints(kind)
    return {f.name: hints[f.name] for f in dataclasses.fields(kind) if f.init}


def _value(hint: Any, value: Any) -> Any:
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return _value(next(a for a in args if a is not type(None)), value)
    if origin is list:
        return [_value(args[0], v) for v in value]
    if origin is tuple:
        return tuple(_value(args[0], v) for v in value)
    if dataclasses.is_dataclass(hint) and isinstance(value, Mapping):
        return record(typing.cast("type[Any]", hint), value)
    return float(value) if hint is float else value


@dataclasses.dataclass(frozen=True)
class Counterexample:
    """A word on which network and automaton differ."""

    word: str = ""
    network: bool = False
    automaton: bool = False


@dataclasses.dataclass(frozen=True)
class Difference(Counterexample):
    """A held-out word of the data on which network and automaton differ; label is None if it is not known."""

    label: bool | None = None

    def __str__(self) -> str:
        known = "" if self.label is None else f"; its label: {'accepted' if self.label else 'rejected'}"
        return f"{self.word or 'ε'}, which the network {_does(self.network)} and the automaton {_does(self.automaton)}{known}"


def _does(accepts: bool) -> str:
    return "accepts" if accepts else "rejects"


@dataclasses.dataclass(frozen=True)
class Count:
    """On how many words two agree."""

    words: int = 0
    agree: int = 0


@dataclasses.dataclass(frozen=True)
class LengthCount(Count):
    """On how many words of some lengths two agree."""

    low: int = 0
    high: int = 0


@dataclasses.dataclass(frozen=True)
class Held(Count):
    """How far two agree on words that were held out."""

    different: int = 0  # words, each counted once, as the bound does
    accuracy: float = 0.0
    bound: float = 1.0
    confidence: float = 0.0


@dataclasses.dataclass(frozen=True)
class Agreement(Held):
    """The certificate: how far automaton and network agree, and how one knows."""

    drawn: str = ""
    by_length: list[LengthCount] = dataclasses.field(default_factory=list)
    exhaustive: LengthCount = LengthCount()
    long: LengthCount = LengthCount()
    max_length: int = 0  # that the network can be asked about, if there is such a thing
    no_empty_word: bool = False  # which it cannot be asked about
    searched: int = 0
    shortest_disagreement: str | None = None
    remarks: list[str] = dataclasses.field(default_factory=list)

    @property
    def certificate(self) -> str:
        """The certificate, as a sentence."""
        if not self.words:
            return "nothing is certified: no words were drawn"
        return (f"with confidence {100 * self.confidence:g}%, the two disagree on fewer than {fewer_than(self.bound)} "
                f"of all words drawn in this way{self._unsaid()}")

    def _unsaid(self) -> str:
        """Says of which words nothing is certified."""
        parts = [f"words longer than {self.max_length}, about which the network cannot be asked"] if self.max_length else []
        parts += ["the empty word, about which it cannot be asked"] if self.no_empty_word else []
        return f"; nothing is said of {', nor of '.join(parts)}" if parts else ""

    def __str__(self) -> str:
        lines = [f"{self.agree} of {self.words} words drawn at random: {self.drawn}"] if self.words else []
        if self.exhaustive.words:
            lines.append(f"{self.exhaustive.agree} of all {self.exhaustive.words} words up to length {self.exhaustive.high}"
                         + (", the empty one left out" if self.exhaustive.low else ""))
        if self.long.words:
            lines.append(f"{self.long.agree} of {self.long.words} words of length {self.long.high}")
        if self.shortest_disagreement is not None:
            lines.append(f"the shortest word of disagreement that was found: {self.shortest_disagreement or 'ε'}")
        elif self.searched:
            lines.append(f"a search along {self.searched} prefixes found no disagreement")
        return "\n".join(lines + self.remarks)


@dataclasses.dataclass(frozen=True)
class Target:
    """How an automaton compares with the language that was named as the target."""

    name: str = ""
    equal: bool = False
    witness: str | None = None
    target_accepts_witness: bool = False
    only_empty_word: bool = False
    agree_up_to: int = 0
    up_to: int = 0

    def __str__(self) -> str:
        if self.equal:
            return f"the language is exactly {self.name}"
        side = "accepts" if self.target_accepts_witness else "rejects"
        return f"the language is not {self.name}, which {side} {self.witness or 'ε'}"


@dataclasses.dataclass(frozen=True)
class Data:
    """What words of one's own show."""

    file: str = ""
    words: int = 0
    left_out: int = 0
    labeled: int = 0
    reading: dict[str, Any] = dataclasses.field(default_factory=dict)  # how the file was read
    used: str = ""
    held_out: int = 0
    held_labeled: int = 0
    accepted: int = 0
    agreement: Held | None = None
    network_accuracy: float | None = None
    automaton_accuracy: float | None = None
    differences: list[Difference] = dataclasses.field(default_factory=list)
    network_perplexity: float | None = None  # of a language model, a symbol, as are the next ones
    automaton_perplexity: float | None = None
    zero: int = 0
    squared_error: float | None = None

    @property
    def certificate(self) -> str:
        """What the held-out words promise of all words such as these, as a sentence."""
        held = self.agreement
        if held is None or not held.words:
            return "nothing is certified: no words were held out"
        once = f", each counted once: {held.different} different ones say so" if held.different < held.words else ""
        return (f"with confidence {100 * held.confidence:g}%, the two disagree on fewer than {fewer_than(held.bound)} "
                f"of all words such as those of {self.file}{once}")

    def __str__(self) -> str:
        left = f"{self.left_out} left out, " if self.left_out else ""
        used = f"; of the others, each once, {self.used}" if self.used else ""
        lines = [f"{self.file}: {self.words} words, {left}{self.held_out} of them held out{used}"]
        if self.agreement is None and self.held_out:  # of a language model
            lines.append(f"held-out words: perplexity {_perplexity(self.network_perplexity)} of the network and "
                         f"{_perplexity(self.automaton_perplexity)} of the automaton")
        return "\n".join(lines + self._compared())

    def _compared(self) -> list[str]:
        """Says what network and automaton decide of held-out words, and where they differ."""
        held, most = self.agreement, 5
        if held is None:
            return []
        lines = [f"held-out words: network and automaton agree on {held.agree} of {held.words} ({percent(held.accuracy)}), "
                 f"of which the network accepts {self.accepted}"]
        if self.network_accuracy is not None and self.automaton_accuracy is not None:
            some = f", which {self.held_labeled} have" if self.held_labeled < self.held_out else ""
            lines.append(f"their labels{some}: the network is right on {percent(self.network_accuracy)} of them, "
                         f"the automaton on {percent(self.automaton_accuracy)}")
        lines += [f"  {x}" for x in self.differences[:most]]
        return lines + (["  and others"] if held.words - held.agree > most else [])


def _perplexity(x: float | None) -> str:
    return "∞" if x is None else f"{x:.4g}"


@dataclasses.dataclass(frozen=True)
class Point:
    """An automaton that was met: its states, and the share of words on which it errs."""

    states: int = 0
    error: float = 0.0
    chosen: bool = False


@dataclasses.dataclass(frozen=True)
class Divergence:
    """An automaton that was met of a language model: its states, and the divergence of the two in nats a symbol."""

    states: int = 0
    divergence: float = 0.0
    chosen: bool = False


@dataclasses.dataclass(frozen=True)
class Guess:
    """What somebody finds likeliest: a symbol, or None for the end."""

    symbol: str | None = None
    probability: float = 0.0


@dataclasses.dataclass(frozen=True)
class Parting:
    """A prefix after which a language model and an automaton predict differently."""

    prefix: str = ""
    share: float = 0.0
    divergence: float = 0.0
    network: Guess = Guess()
    automaton: Guess = Guess()


@dataclasses.dataclass(frozen=True)
class Apart:
    """A word with its probabilities."""

    word: str = ""
    network: float = 0.0
    automaton: float = 0.0


@dataclasses.dataclass(frozen=True)
class Closeness:
    """The certificate of a language model: how far both predict alike, on fresh words that it speaks. Units are nats a symbol."""

    words: int = 0
    symbols: int = 0
    divergence: float = 0.0
    bound: float = 0.0
    entropy: float = 0.0
    top: float = 0.0
    squared_error: float = 0.0
    parting: list[Parting] = dataclasses.field(default_factory=list)
    words_apart: list[Apart] = dataclasses.field(default_factory=list)

    @property
    def certificate(self) -> str:
        """The certificate, as a sentence."""
        return (f"with confidence 95%, the divergence of the two is at most {at_most(self.bound)} nats a symbol, beside an entropy of "
                f"{self.entropy:.3g}, on words that the network speaks")

    def __str__(self) -> str:
        return (f"divergence {self.divergence:.2g} nats a symbol on {self.words} fresh words that the network speaks, {self.symbols} symbols\n"
                f"the likeliest next symbol is the same after {percent(self.top)} of the prefixes")


@dataclasses.dataclass(frozen=True)
class Queries:
    """What a learner asked for."""

    membership_queries: int = 0
    cache_hits: int = 0
    equivalence_queries: int = 0
    test_words: int = 0


@dataclasses.dataclass(frozen=True)
class Comparison:
    """Whether two automata accept the same language, and if not, a shortest word of difference."""

    equal: bool
    witness: str | tuple[str, ...] | None = None
    a_accepts: bool | None = None
    b_accepts: bool | None = None

    def __bool__(self) -> bool:
        return self.equal

    def __str__(self) -> str:
        if self.equal:
            return "the languages are equal"
        word = self.witness if isinstance(self.witness, str) else " ".join(self.witness or ())
        return f"the languages differ: only {'a' if self.a_accepts else 'b'} accepts {word or 'ε'}"


@dataclasses.dataclass(frozen=True)
class Differing:
    """A word with its probability in two automata."""

    word: str = ""
    a: float = 0.0
    b: float = 0.0


@dataclasses.dataclass(frozen=True)
class Divergences:
    """How far two probabilistic automata are apart. It is true if they are equal.

    kl_a is the divergence of a from b, in nats a word, infinite if a has a word that b has not, and kl_b that of b from a; the total
    variation is between `variation_low` and `variation_high`; `words` are those whose probabilities differ most.
    """

    equal: bool
    kl_a: float
    kl_b: float
    kl_a_per_symbol: float
    kl_b_per_symbol: float
    variation_low: float
    variation_high: float
    words: tuple[Differing, ...] = ()

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> Divergences:
        """Returns what `quotient compare --json` tells."""
        def number(side: str, key: str) -> float:
            value = told[side][key]
            return math.inf if value is None else float(value)

        apart = told["total_variation"]
        words = tuple(Differing(w["word"], w["a"], w["b"]) for w in told["words"] or ())
        return cls(bool(told["equal"]), number("a", "kl"), number("b", "kl"), number("a", "kl_per_symbol"), number("b", "kl_per_symbol"),
                   apart["low"], apart["high"], words)

    def __bool__(self) -> bool:
        return self.equal

    def __str__(self) -> str:
        if self.equal:
            return "the distributions are equal"
        return (f"the divergence of a from b is {self.kl_a:.4g} nats a word, of b from a {self.kl_b:.4g}; "
                f"total variation {at_least(self.variation_low, 4)} to {at_most(self.variation_high, 4)}")


@dataclasses.dataclass(frozen=True)
class Check:
    """Whether the program reads a file as a live model answers. It is true if so."""

    right: bool = False
    answers: int = 0
    wrong: int = 0
    largest_difference: float = 0.0
    spread: float = 0.0
    little: str = ""
    word: str | None = None
    got: float | None = None
    want: float | None = None
    tried: int = 0
    readings: list[list[str]] = dataclasses.field(default_factory=list)
    notes: list[str] = dataclasses.field(default_factory=list)

    def __bool__(self) -> bool:
        return self.right

    def __str__(self) -> str:
        lines = [f"right: {self.answers} answers, and none differs by more than {at_most(self.largest_difference)}" if self.right else
                 f"wrong: {self.wrong} of {self.answers} answers differ; after {self.word or 'ε'} it is {self.got}, and {self.want} was expected"]
        return "\n".join([*lines, *(f"this reading is right: {' '.join(r)}" for r in self.readings), *self.notes])


@dataclasses.dataclass(frozen=True)
class Contestant:
    """What one method found: a row of `methods`."""

    method: str = ""
    states: int = 0
    accuracy: float = 0.0
    equal: bool | None = None
    membership_queries: int = 0
    equivalence_queries: int = 0
    seconds: float = 0.0
    error: str | None = None
    data_accuracy: float | None = None
    divergence: float | None = None  # of a language model, in nats a symbol, as is its bound
    bound: float | None = None
    ratio: float | None = None
    top: float | None = None


@dataclasses.dataclass(frozen=True)
class Fold:
    """What a method learned from all other folds, and how many words of this one it has right."""

    states: int = 0
    training: Count = Count()
    test: Count = Count()
    seconds: float = 0.0
    alpha: float | None = None  # of rpni-star


@dataclasses.dataclass(frozen=True)
class CrossValidated:
    """What cross-validation says about a method: a row of what `learn` returns where it compares methods."""

    method: str = ""
    accuracy: float = 0.0  # on words while they are held out
    spread: float = 0.0  # of the folds' accuracies
    training: float = 0.0  # accuracy on the words that were learned from
    states: float = 0.0  # on average
    seconds: float = 0.0
    error: str | None = None
    folds: tuple[Fold, ...] = ()
