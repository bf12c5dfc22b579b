"""Models as the protocol asks them: a voice answers for words, which are lists of indices of symbols."""

from __future__ import annotations

import dataclasses
import math
import operator
import sys
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any, Protocol, Union

from quotient._words import Alphabet, short

Indices = Sequence[int]
Said = Union[float, "list[float]"]  # of a word: the probability of a yes, or a language model's of each next symbol and the end
Numbers = array  # of 32 bits: Numbers("f")
Answer = tuple["list[Said]", "Numbers[float] | None"]  # of each word, and all their states one after another


@dataclasses.dataclass(frozen=True)
class Reading:
    """How a model in Python is read. Its fields are keyword arguments of `extract`, `serve`, `cases`, `check`."""

    bos: int | None = None
    eos: int | None = None
    tokens: Any = None
    tokenizer: Any = None
    states: Any = None
    batch: bool = False
    output: str = "auto"
    empty: float | Sequence[float] | None = None
    pad: int | None = None
    pad_to: int | None = None
    pad_side: str = "right"
    yes: int | None = None
    size: int = 1024
    max_length: int | None = None
    name: str | None = None
    kind: str | None = None

    def __post_init__(self) -> None:
        if self.output not in ("auto", "logits", "probabilities"):
            raise ValueError(f"output is {self.output!r}, not auto, logits or probabilities")
        if self.kind not in (None, "lm", "recognizer"):
            raise ValueError(f"kind is {self.kind!r}, not lm or recognizer")
        if self.pad_side not in ("left", "right"):
            raise ValueError(f"pad_side is {self.pad_side!r}, not left or right")
        if self.pad_to is not None and self.pad is None:
            raise ValueError("pad_to needs pad, the token that words are filled up with")
        if self.kind == "lm" and self.yes is not None:
            raise ValueError('yes is the class of a recognizer that accepts, and kind="lm" says that this is a language model')
        for name in ("bos", "eos", "pad", "pad_to", "yes", "size", "max_length"):
            value = getattr(self, name)
            try:
                value is None or operator.index(value)
            except TypeError:
                raise TypeError(f"{name} is {short(value)}: of a model in Python it is a whole number") from None

    def given(self, names: Sequence[str]) -> list[str]:
        """Returns which of these are not as they are if nothing is told."""
        plain = {f.name: f.default for f in dataclasses.fields(self)}
        return [n for n in names if getattr(self, n) is not plain[n] and getattr(self, n) != plain[n]]


# Of a reading, what says nothing to a function.
MODULES = ("bos", "eos", "tokens", "tokenizer", "output", "empty", "pad", "pad_to", "pad_side", "yes", "size")


class Voice(Protocol):
    """What answers for words."""

    alphabet: Alphabet
    notes: list[str]
    tell: Callable[[int], None]  # is told how many words were answered
    known: dict[tuple[int, ...], Said]  # what it was asked before, to find out what it is

    @property
    def predicts(self) -> bool: ...  # whether it is a language model, which is known when it is awake

    def greeting(self) -> dict[str, Any]: ...

    def answer(self, words: list[list[int]], states: bool) -> Answer: ...

    def awake(self) -> AbstractContextManager[Any]: ...


def voice(model: Any, symbols: Any, reading: Reading) -> Voice:
    """Returns the voice of a module or a function."""
    if isinstance(model, Mapping):
        raise TypeError(f"the model is a dict of {len(model)} entries, as a state_dict is: give the torch.nn.Module that has loaded it, "
                        'or the name of a file that it is saved in, as by torch.save(model, "net.pt")')
    if not symbols and callable(model):
        raise TypeError('symbols is missing: symbols="ab", or a list of names, says what words are made of')
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(model, torch.nn.Module):
        from quotient._torch import ModuleVoice

        return ModuleVoice(model, symbols, reading)
    if not callable(model):
        raise TypeError(f"{short(model)} is neither a torch.nn.Module, a function, nor the name of a network")
    return FunctionVoice(model, symbols, reading)


class FunctionVoice:
    """A function from words to probabilities; a language model's returns lists."""

    def __init__(self, function: Callable[[Any], Any], symbols: Any, reading: Reading) -> None:
        if reading.states and not callable(reading.states):
            raise TypeError(f"states is {reading.states!r}: of a function it is another function, from a word to numbers")
        strange = reading.given(MODULES)
        if strange:
            raise TypeError(f"{', '.join(strange)}: this is for modules, which read tokens, and a function reads words itself")
        self.function, self.reading = function, reading
        self.alphabet = Alphabet(symbols)
        self.strings = isinstance(symbols, str)
        self.notes: list[str] = []
        self.tell: Callable[[int], None] = lambda n: None
        self.known: dict[tuple[int, ...], Said] = {}
        self.predicts = reading.kind == "lm"

    def greeting(self) -> dict[str, Any]:
        default = getattr(self.function, "__name__", type(self.function).__name__)
        if self.reading.states:
            self.dim = len(list(self.reading.states(self._word([]))))
        return greeting(self, self.reading, default, lambda: self.dim)

    @contextmanager
    def awake(self) -> Iterator[None]:
        """What the function says of the empty word shows what it is."""
        if self.reading.kind is None and not self.known:
            with suppress(Exception):  # which comes again when it is asked
                word = self._word([])
                first = next(iter(self.function([word]))) if self.reading.batch else self.function(word)
                self.predicts = _is_list(first)
                self.known[()] = self._said(first)
        yield

    def _word(self, indices: Indices) -> Any:
        names = [self.alphabet.names[i] for i in indices]
        return "".join(names) if self.strings else names

    def answer(self, words: list[list[int]], states: bool) -> Answer:
        asked = [self._word(w) for w in words]
        if self.reading.batch:
            given = self.function(asked)
            if not hasattr(given, "__iter__"):
                raise TypeError(f"the function gave {given!r} for a list of {len(words)} words: with batch=True, it gives a list or an array")
            answers = [self._said(p) for p in given]
            if len(answers) != len(words):
                raise ValueError(f"the function gave {len(answers)} probabilities for {len(words)} words")
            self.tell(len(words))
        else:
            answers = []
            for w in asked:
                answers.append(self._said(self.function(w)))
                self.tell(1)
        return answers, Numbers("f", [x for w in asked for x in self._state(w)]) if states else None

    def _state(self, word: Any) -> list[float]:
        state = [number(x) for x in self.reading.states(word)]
        if len(state) != self.dim:
            raise ValueError(f"the function gave {word!r} a state of {len(state)} numbers, and the empty word one of {self.dim}")
        return state

    def _said(self, p: Any) -> Said:
        if _is_list(p) != self.predicts:
            raise ValueError(f"the function gave {p!r}: " + (
                "a language model gives a list, the probabilities of each next symbol and of the end" if self.predicts else
                'one number is needed, and kind="lm" says that it is a language model'))
        if self.predicts and len(p) != len(self.alphabet.names) + 1:
            raise ValueError(f"the function gave {len(p)} probabilities: a language model over {len(self.alphabet.names)} symbols gives "
                             f"{len(self.alphabet.names) + 1}, those of each next symbol and, last, of the end")
        return [_probability(x) for x in p] if self.predicts else _probability(p)


def greeting(one: Voice, reading: Reading, default: str, dim: Callable[[], int]) -> dict[str, Any]:
    """Returns the first thing that a model says."""
    says: dict[str, Any] = {"quotient": 1, "name": reading.name or default, "symbols": list(one.alphabet.names), "packed": True}
    if one.predicts:
        says["outputs"] = "next"
    if reading.states:
        says.update(states=True, dim=dim())
    if reading.max_length is not None:
        says["max_length"] = reading.max_length
    return says


def _is_list(p: Any) -> bool:
    """Reports whether a function gave several numbers, and not one, or an array of one."""
    return hasattr(p, "__len__") and not isinstance(p, str) and getattr(p, "shape", None) != () and len(p) > 1


def _probability(p: Any) -> float:
    """Returns a number, also where it is the only one of an array."""
    return number(p.item() if hasattr(p, "item") else p)


def number(x: Any) -> float:
    """Returns a finite number."""
    try:
        value = float(x)
    except (TypeError, ValueError):
        raise TypeError(f"the model gave {x!r}, and a number is needed: a probability, or True or False") from None
    if not math.isfinite(value):
        raise ValueError(f"the model gave {value!r}")
    return value


class Memory:
    """A voice that asks another one, and remembers what it said of words, up to a million."""

    most = 1_000_000

    def __init__(self, one: Voice) -> None:
        self.one, self.alphabet, self.notes = one, one.alphabet, one.notes
        self.known = one.known
        self.greeting, self.awake = one.greeting, one.awake
        self.tried = False

    @property
    def predicts(self) -> bool:
        """Whether the other one is a language model."""
        return self.one.predicts

    @property
    def tell(self) -> Callable[[int], None]:
        return self.one.tell

    @tell.setter
    def tell(self, to: Callable[[int], None]) -> None:
        self.one.tell = to

    def _try(self, word: list[int]) -> None:
        """Asks about a word that was asked about: what throws dice has no automaton."""
        now, before = self.one.answer([word], False)[0][0], self.known[tuple(word)]
        pairs = zip(now, before) if isinstance(now, list) and isinstance(before, list) else [(now, before)]
        if any(abs(a - b) > 1e-3 for a, b in pairs):  # type: ignore[operator]
            raise ValueError(f"the model gives {self.alphabet.word(word)!r} the probability {before}, then {now}: does it throw dice?")

    def answer(self, words: list[list[int]], states: bool) -> Answer:
        keys = [tuple(w) for w in words]
        if not self.tried and () in self.known:
            self.tried = True
            self._try([])
        if states:
            answers, found = self.one.answer(words, True)
            self._keep(keys, answers)
            return answers, found
        new = list(dict.fromkeys(k for k in keys if k not in self.known))
        said: dict[tuple[int, ...], Said] = dict(zip(new, self.one.answer([list(k) for k in new], False)[0])) if new else {}
        self._keep(list(said), list(said.values()))
        return [said[k] if k in said else self.known[k] for k in keys], None

    def _keep(self, keys: list[tuple[int, ...]], answers: list[Said]) -> None:
        if len(self.known) + len(keys) <= self.most:
            self.known.update(zip(keys, answers))
