"""Automata as Python values."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Union

from quotient import _convert, _dfa
from quotient._program import QuotientError, run
from quotient._words import Alphabet, Word, parts

PathLike = Union[str, "os.PathLike[str]"]


class Automaton:
    """A deterministic finite automaton: immutable, minimal, and equal to whatever accepts the same words.

    >>> even = Automaton("ab", {0: {"a": 1, "b": 0}, 1: {"a": 0, "b": 1}}, accept=[0])
    >>> even.accepts("abba"), "ab" in even
    (True, False)
    >>> from itertools import islice
    >>> list(islice(even, 5))
    ['', 'b', 'aa', 'bb', 'aab']
    >>> (~even).shortest()
    'a'
    >>> even | ~even == Automaton.all("ab")
    True
    >>> len(even.states), even.expression
    (2, '(b|ab*a)*')

    States are numbered from 0, the start, breadth first. A missing transition rejects: the dead
    state is not listed. Iteration is in shortlex order, `len` counts the words of a finite language,
    and `|`, `&`, `-`, `^`, `~`, `<=` are those of sets of words, `~` over the automaton's own symbols.
    """

    __slots__ = ("_accept", "_alphabet", "_table")

    def __init__(self, symbols: str | Iterable[str], transitions: Mapping[Any, Mapping[str, Any]],
                 accept: Iterable[Any], start: Any = 0) -> None:
        """Takes the symbols in their order, for each state where its symbols lead, and who accepts."""
        alphabet = Alphabet(symbols)
        names = list(dict.fromkeys([start, *transitions, *(t for row in transitions.values() for t in row.values())]))
        place = {name: i for i, name in enumerate(names)}
        table = [[_dfa.DEAD] * len(alphabet.names) for _ in names]
        for name, row in transitions.items():
            for symbol, target in row.items():
                if symbol not in alphabet.place:
                    raise ValueError(f"state {name!r}: {symbol!r} is none of the symbols {list(alphabet.names)}")
                table[place[name]][alphabet.place[symbol]] = place[target]
        accepting = set(accept)
        if not accepting <= set(names):
            raise ValueError(f"these accept, and are no states: {accepting - set(names)}")
        self._set(alphabet, *_dfa.minimize(table, [n in accepting for n in names], 0))

    def _set(self, alphabet: Alphabet, table: _dfa.Table, accept: tuple[bool, ...]) -> None:
        self._alphabet, self._table, self._accept = alphabet, table, accept

    @classmethod
    def _of(cls, alphabet: Alphabet, table: _dfa.Table, accept: tuple[bool, ...]) -> Automaton:
        made = cls.__new__(cls)
        made._set(alphabet, table, accept)
        return made

    @classmethod
    def all(cls, symbols: str | Iterable[str]) -> Automaton:
        """Returns the automaton of all words."""
        alphabet = Alphabet(symbols)
        return cls._of(alphabet, ((0,) * len(alphabet.names),), (True,))

    @classmethod
    def load(cls, name: PathLike) -> Automaton:
        """Returns an automaton from a file of any format that the program reads, or by name.

        >>> Automaton.load("regex:(ab)*").accepts("abab")
        True
        >>> len(Automaton.load("tomita5").states)
        4
        """
        return cls.from_json(run("minimize", os.fspath(name), "--to", "json"))

    @classmethod
    def from_json(cls, value: str | Mapping[str, Any]) -> Automaton:
        """Returns an automaton from the JSON that docs/automaton-json.md describes."""
        data: Mapping[str, Any] = json.loads(value) if isinstance(value, str) else value
        if data.get("format") != "quotient-automaton" or data.get("version") != 1:
            raise ValueError("this is no automaton: format quotient-automaton, version 1 is expected")
        steps: dict[Any, dict[str, Any]] = {s["id"]: {} for s in data["states"]}
        for t in data["transitions"]:
            if t.get("on") is None or t["on"] in steps[t["from"]] or len(data["start"]) > 1:
                return cls.from_json(run("minimize", "-", "--to", "json", text=json.dumps(data)))
            steps[t["from"]][t["on"]] = t["to"]
        if not data["start"]:
            return cls._of(Alphabet(data["alphabet"]), (), ())
        return cls(data["alphabet"], steps, [s["id"] for s in data["states"] if s.get("accept")], data["start"][0])

    def to_json(self) -> dict[str, Any]:
        """Returns the automaton as docs/automaton-json.md describes, for `json.dumps`."""
        return {
            "format": "quotient-automaton",
            "version": 1,
            "alphabet": list(self.symbols),
            "states": [{"id": q + 1, "accept": a} for q, a in enumerate(self._accept)],
            "start": [1] if self._table else [],
            "transitions": [{"from": p + 1, "on": s, "to": q + 1} for p, s, q in self.transitions],
        }

    @property
    def symbols(self) -> tuple[str, ...]:
        """The alphabet, in its order."""
        return self._alphabet.names

    @property
    def states(self) -> range:
        """The states, the dead one left out; 0 is the start."""
        return range(len(self._table))

    @property
    def start(self) -> int | None:
        """The start state, or None if nothing is accepted."""
        return 0 if self._table else None

    @property
    def accepting(self) -> frozenset[int]:
        """The states that accept."""
        return frozenset(q for q, a in enumerate(self._accept) if a)

    @property
    def transitions(self) -> list[tuple[int, str, int]]:
        """The transitions: from, symbol, to."""
        return [(p, self.symbols[s], q) for p, row in enumerate(self._table) for s, q in enumerate(row) if q != _dfa.DEAD]

    def step(self, state: int | None, symbol: str) -> int | None:
        """Returns the state after a symbol; None is the dead one."""
        s = self._alphabet.place.get(symbol)
        if state is None or s is None or self._table[state][s] == _dfa.DEAD:
            return None
        return self._table[state][s]

    def accepts(self, word: Word) -> bool:
        """Reports whether a word is in the language. A symbol that the automaton does not know is not."""
        state = self.start
        for symbol in parts(word, self._alphabet.strings):
            state = self.step(state, symbol)
        return state is not None and self._accept[state]

    def __contains__(self, word: object) -> bool:
        return isinstance(word, (str, Sequence)) and self.accepts(word)

    def __iter__(self) -> Iterator[str | tuple[str, ...]]:
        return (self._alphabet.word(w) for w in _dfa.shortlex(self._table, self._accept))

    def __len__(self) -> int:
        """Returns the number of words, which must be finite; `count` tells those of one length."""
        if not self.is_finite:
            raise ValueError("the language is infinite: len(automaton.states) is the number of states, count(n) that of words")
        return sum(self.count(n) for n in range(len(self._table)))

    def __bool__(self) -> bool:
        return bool(self._table)

    @property
    def is_finite(self) -> bool:
        """Whether finitely many words are accepted."""
        return _dfa.is_finite(self._table)

    def count(self, length: int) -> int:
        """Returns how many words of a length are accepted.

        >>> Automaton.load("tomita5").count(10)
        512
        """
        return _dfa.count(self._table, self._accept, length)

    def shortest(self) -> str | tuple[str, ...] | None:
        """Returns the first word in shortlex order, or None if there is none."""
        return next(iter(self), None)

    def _combine(self, other: object, keep: Callable[[bool, bool], bool]) -> Any:
        if not isinstance(other, Automaton):
            return NotImplemented
        alphabet = Alphabet(dict.fromkeys(self.symbols + other.symbols))
        sides = [(a._over(alphabet), a._accept) for a in (self, other)]
        return self._of(alphabet, *_dfa.product(sides[0], sides[1], keep, len(alphabet.names)))

    def _over(self, alphabet: Alphabet) -> _dfa.Table:
        """Returns the table with the columns of a larger alphabet."""
        at = [self._alphabet.place.get(name) for name in alphabet.names]
        return tuple(tuple(_dfa.DEAD if s is None else row[s] for s in at) for row in self._table)

    def __or__(self, other: object) -> Automaton:
        return self._combine(other, lambda a, b: a or b)  # type: ignore[no-any-return]

    def __and__(self, other: object) -> Automaton:
        return self._combine(other, lambda a, b: a and b)  # type: ignore[no-any-return]

    def __sub__(self, other: object) -> Automaton:
        return self._combine(other, lambda a, b: a and not b)  # type: ignore[no-any-return]

    def __xor__(self, other: object) -> Automaton:
        return self._combine(other, lambda a, b: a != b)  # type: ignore[no-any-return]

    def __invert__(self) -> Automaton:
        return Automaton.all(self.symbols) - self

    def __le__(self, other: object) -> bool:
        if not isinstance(other, Automaton):
            return NotImplemented
        return not self - other

    def __ge__(self, other: object) -> bool:
        if not isinstance(other, Automaton):
            return NotImplemented
        return not other - self

    def _canonical(self) -> tuple[Any, ...]:
        """What automata of the same language have in common: symbols without use, and their order, do not count."""
        used = sorted({s for _, s, _ in self.transitions})
        if not used:
            return (self._accept,)
        return (tuple(used), *_dfa.minimize(self._over(Alphabet(used)), self._accept, 0))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Automaton):
            return NotImplemented
        return self._canonical() == other._canonical()

    def __hash__(self) -> int:
        return hash(self._canonical())

    def __reduce__(self) -> tuple[Any, ...]:
        return Automaton.from_json, (self.to_json(),)

    def __copy__(self) -> Automaton:
        return self

    def __deepcopy__(self, memo: object) -> Automaton:
        return self

    @property
    def expression(self) -> str:
        """A regular expression for the language, as the program writes it."""
        told = run("minimize", "-", text=json.dumps(self.to_json()))
        return told.rpartition("expression: ")[2].strip() if "expression: " in told else ""

    def table(self) -> str:
        """Returns the transitions as a table of text."""
        head = ["", "state", "accepts", *self.symbols]
        rows = [["→" if q == 0 else "", f"q{q}", "yes" if self._accept[q] else "",
                 *("·" if t == _dfa.DEAD else f"q{t}" for t in row)] for q, row in enumerate(self._table)]
        width = [max(len(r[i]) for r in [head, *rows]) for i in range(len(head))]
        return "\n".join("  ".join(c.ljust(w) for c, w in zip(r, width)).rstrip() for r in [head, *rows])

    def __repr__(self) -> str:
        n = len(self._table)
        return f"<Automaton: {n} {'state' if n == 1 else 'states'} over {{{', '.join(self.symbols)}}}>"

    def __str__(self) -> str:
        return f"{repr(self)[12:-1]}\n{self.table()}" if self._table else "no word is accepted"

    def svg(self, title: str = "") -> str:
        """Returns the picture, as `quotient draw` makes it."""
        return picture(self.to_json(), title)

    def _repr_svg_(self) -> str:
        return self.svg()

    def to_dot(self) -> str:
        """Returns Graphviz DOT."""
        return self.to("dot")

    def to(self, format: str) -> str:
        """Returns the automaton in a format of `quotient convert`: dot, aalpy, att, mata, jff, mermaid, tikz, go, python, svg."""
        return run("convert", "-", "-", "--to", format, text=json.dumps(self.to_json()))

    def draw(self, file: PathLike, title: str = "") -> Path:
        """Draws the automaton, or writes it, in the format of the file's extension.

        .svg, .dot, .tex, .mmd and the other formats of `quotient convert` are the program's own, and so are .pdf and .png;
        of a program that has none of these two yet, they need CairoSVG (`pip install cairosvg`) or the program rsvg-convert.
        """
        return draw(file, lambda to: picture(self.to_json(), title, to), self.to_json)

    def to_networkx(self) -> Any:
        """Returns a networkx.MultiDiGraph: nodes have `accept` and `start`, edges have `symbol`."""
        return _convert.to_networkx(self)

    def to_automata_lib(self) -> Any:
        """Returns an automata.fa.dfa.DFA of automata-lib."""
        return _convert.to_automata_lib(self)

    def to_aalpy(self) -> Any:
        """Returns an aalpy.automata.Dfa. Its dead state is there only if something leads to it."""
        return _convert.to_aalpy(self)

    def to_pythomata(self) -> Any:
        """Returns a pythomata.SimpleDFA."""
        return _convert.to_pythomata(self)


def picture(data: Mapping[str, Any], title: str = "", to: str = "") -> str:
    """Lets the program draw an automaton, as SVG or into a file."""
    return run("draw", "-", *(["--title", title] if title else []), *(["-o", to] if to else []), text=json.dumps(data))


def draw(file: PathLike, picture: Callable[[str], str], data: Callable[[], dict[str, Any]]) -> Path:
    """Writes an automaton in the format of the extension. picture writes one into a file, or returns it as SVG."""
    path = Path(file)
    extension = path.suffix.lower()
    if extension == ".svg":
        path.write_text(picture(""), encoding="utf-8")
    elif extension in (".pdf", ".png"):
        try:
            picture(str(path))
        except QuotientError as error:
            if "svg" not in str(error).lower():  # it is not the format that it refuses
                raise
            _rasterize(path, picture(""))
    elif extension == ".json":
        path.write_text(json.dumps(data(), indent=2) + "\n", encoding="utf-8")
    else:
        run("convert", "-", str(path), text=json.dumps(data()))
    return path


def _rasterize(path: Path, svg: str) -> None:
    """Writes an SVG as PDF or PNG, by whichever converter is installed."""
    kind = path.suffix.lower()[1:]
    try:
        import cairosvg  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except (ImportError, OSError):  # the latter where the library cairo is missing
        program = shutil.which("rsvg-convert")
        if not program:
            raise QuotientError(f"{path}: the program draws SVG; for {kind.upper()} install CairoSVG "
                                f"(pip install cairosvg) or rsvg-convert, or draw {path.with_suffix('.svg')}") from None
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "picture.svg"
            source.write_text(svg, encoding="utf-8")
            done = subprocess.run([program, "-f", kind, "-o", str(path), str(source)], capture_output=True, text=True, check=False)
            if done.returncode != 0:
                raise QuotientError(f"{path}: {done.stderr.strip()}") from None
        return
    getattr(cairosvg, f"svg2{kind}")(bytestring=svg.encode(), write_to=str(path))


class CounterAutomaton:
    """An automaton with a counter, which the method "counter" finds.

    docs/counter-json.md describes its JSON form, which `to_json` returns.
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        if data.get("format") != "quotient-counter" or data.get("version") != 1:
            raise ValueError("this is no automaton with a counter: format quotient-counter, version 1 is expected")
        self._data = dict(data)
        self._accept = {s["id"]: frozenset(s["accept"]) for s in data["states"]}
        self._moves = {(m["from"], m["on"], test): (m["to"], m.get("add", 0)) for m in data["moves"]
                       for test in ([m["if"]] if m.get("if") else ["zero", "nonzero"])}

    @property
    def symbols(self) -> tuple[str, ...]:
        """The alphabet, in its order."""
        return tuple(self._data["alphabet"])

    def accepts(self, word: Word) -> bool:
        """Reports whether a word is in the language."""
        state, counter = self._data["start"], 0
        for symbol in parts(word, all(len(s) == 1 for s in self.symbols)):
            move = self._moves.get((state, symbol, "nonzero" if counter else "zero"))
            if move is None:
                return False
            state, counter = move[0], counter + move[1]
        return state is not None and ("nonzero" if counter else "zero") in self._accept[state]

    def to_json(self) -> dict[str, Any]:
        """Returns the JSON form."""
        return dict(self._data)

    def _picture(self, to: str = "") -> str:
        with tempfile.TemporaryDirectory() as folder:
            source, target = Path(folder) / "counter.json", Path(to or Path(folder) / "counter.svg")
            source.write_text(json.dumps(self._data), encoding="utf-8")
            run("counter", str(source), "-o", str(target))
            return "" if to else target.read_text(encoding="utf-8")

    def svg(self) -> str:
        """Returns the picture."""
        return self._picture()

    def _repr_svg_(self) -> str:
        return self.svg()

    def draw(self, file: PathLike) -> Path:
        """Writes the picture as .svg, .pdf or .png, or the automaton as .json."""
        if Path(file).suffix.lower() not in (".svg", ".pdf", ".png", ".json"):
            raise ValueError(f"{file}: an automaton with a counter is drawn as .svg, .pdf or .png, or written as .json")
        return draw(file, self._picture, self.to_json)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CounterAutomaton) and self._data == other._data

    def __hash__(self) -> int:
        return hash(json.dumps(self._data, sort_keys=True))

    def __repr__(self) -> str:
        return f"<CounterAutomaton: {len(self._accept)} states over {{{', '.join(self.symbols)}}}>"


