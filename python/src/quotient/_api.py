"""What one calls: extract, methods, learn, compare, check, explore."""

from __future__ import annotations

import csv
import dataclasses
import difflib
import io
import json
import os
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from numbers import Integral, Number
from pathlib import Path
from typing import Any, overload

from quotient._automaton import Automaton
from quotient._probabilistic import ProbabilisticAutomaton
from quotient._program import QuotientError, failure, flags, in_html, in_json, knows, run, shown
from quotient._progress import Progress, Wanted
from quotient._protocol import Outcome, converse
from quotient._records import Check, Comparison, Contestant, Divergences, record
from quotient._serve import write_cases
from quotient._study import Contest, CrossValidation, Learned, Study
from quotient._voices import Memory, Reading, voice
from quotient._words import Alphabet, numbered, parts, short

READING = {f.name for f in dataclasses.fields(Reading)}
GIVEN = "the given words"
VOCABULARY = "the given vocabulary"
FILES = ("vocab", "weights", "exec", "http", "timeout")  # flags that a model in Python has no use for, or that stand for it
TOLD = ("bos", "eos", "pad", "pad_to", "pad_side", "yes")  # of a reading, what the program is told about a file


def extract(model: Any, symbols: str | Iterable[str] | None = None, *, data: Any = None, labels: Iterable[Any] | None = None,
            method: str | None = None, budget: int | None = None, seed: int | None = None, states: Any = None,
            target: Any = None, answers: str | os.PathLike[str] | None = None,
            progress: Wanted = None, **options: Any) -> Study:
    """Extracts an automaton from a model, and says how far the two agree.

    >>> import quotient
    >>> study = quotient.extract(lambda w: w.count("a") % 2 == 0, symbols="ab")
    >>> study.automaton.accepts("abba"), study.automaton.expression
    (True, '(b|ab*a)*')

    model     a torch.nn.Module, asked where it lives; a function from a word to a probability or to True
              or False; the name of a file (.pt, .safetensors, .onnx, .keras, ...) or of a network of the zoo.
    symbols   the alphabet: a string of characters, and then words are strings, or a list of names, and then
              words are lists of names.
    data      words that you have: a list, a dict from words to labels, or a file; labels is a list beside it.
              Four fifths lead the method, the others are held out and judge the answer.
    method    auto, fold, explore, ttt, lstar, edsm, rpni, spectral, counter, ...: see docs/extraction.md.
    budget    the most words that the model is asked about, all in all.
    seed      of all random words; 1 if it is not given.
    states    the state after a word, for methods that merge states. Of a module True, its only recurrent
              layer, or the name of a submodule, or a function of tokens; of a function, a function from a
              word to numbers. Where it turns out that words can be read on from the states of a module's only
              recurrent layer, these are shown unasked; False leaves it at words. An integer is another thing:
              the most states that the automaton may have, of a file, a language model or such a module.
    target    a language to compare the answer with: its name, a file, an automaton, or a study, whose automaton counts.
    answers   a file that remembers what was asked, so that a second run does not ask again.
    progress  True or False, or a function of words and seconds; otherwise shown where somebody watches.

    How a model in Python is read (see docs/python.md): bos, eos, tokens, tokenizer, batch, output, empty,
    pad, pad_to, pad_side, yes, size, max_length, name, kind. Every other keyword is a flag of `quotient extract`:
    kappa, lengths, max_states, equivalence, words_from, time, vocab, ...

    A language model, which predicts the next symbol, gives a `ProbabilisticAutomaton`. In Python it is a function from a word to a list, the
    probabilities of each next symbol and, last, of the end, or a module with an output for each token; kind="lm" or "recognizer" says which
    of the two a model is where its outputs do not show it.

    >>> study = quotient.extract(lambda w: [0.5, 0.2, 0.3] if w.count("a") % 2 == 0 else [0.25, 0.75, 0], symbols="ab")
    >>> study.states, round(study.automaton.probability("aba"), 4)
    (2, 0.0281)

    An exception of the model comes back as itself. An interrupt stops the work and returns the best that
    was found, with `study.interrupted`, or is raised if there is nothing yet.
    """
    named = {"data": data, "labels": labels, "method": method, "budget": budget, "seed": seed, "states": states,
             "target": target, "answers": answers}
    job = Job("extract", model, symbols, {**named, **options})
    study = job.study(progress)
    study._again = lambda file: job.write(file, progress)
    return study


def methods(model: Any, symbols: str | Iterable[str] | None = None, *, methods: Sequence[str] | None = None,
            progress: Wanted = None, **options: Any) -> Contest:
    """Puts methods of extraction side by side on one model. The arguments are those of `extract`.

    >>> import quotient
    >>> for row in quotient.methods("zoo:tomita5", methods=["fold", "ttt"]):
    ...     print(row.method, row.states, row.accuracy)
    fold 4 1.0
    ttt 4 1.0
    """
    job = Job("methods", model, symbols, {"methods": methods, **options})
    outcome = job.run(progress)
    rows = json.loads(job.checked(outcome))
    return Contest((record(Contestant, row) for row in rows), job.voice.notes if job.voice is not None else ())


class Job:
    """A command of the program about a model, with the files that it needs."""

    def __init__(self, command: str, model: Any, symbols: Any, options: dict[str, Any]) -> None:
        self.command = command
        self.folder = tempfile.TemporaryDirectory(prefix="quotient-")
        self.args: list[str] = []
        self.voice: Memory | None = None
        self.names: dict[str, str] = {}  # what stands in the answer in place of temporary files
        options = {k: v for k, v in options.items() if v is not None}
        self.total = options.get("budget")
        self.page = options.pop("report", None)
        states = options.get("states")
        if isinstance(states, Integral) and not isinstance(states, bool):
            options["states"], most = None, states
            self.args += ["--states", str(most)]
        reading = {k: options.pop(k) for k in list(options) if k in READING}
        reading = {k: v for k, v in reading.items() if v is not None}
        if isinstance(options.get("vocab"), (Mapping, list, tuple)):
            options["vocab"] = vocabulary_file(self.folder.name, options["vocab"], VOCABULARY, self.names)
        if isinstance(model, (str, os.PathLike)):
            self._file(os.fspath(model), symbols, reading, options)
        else:
            for key in FILES:
                if key in options:
                    raise TypeError(f"{key}: this is for files and for models elsewhere, and a model in Python is asked where it is"
                                    + ("; of a module, tokens= is the token of each symbol" if key == "vocab" else ""))
            self.voice = Memory(voice(model, symbols, Reading(**reading)))
        self._data(symbols, options.pop("data", None), options.pop("labels", None))
        if "target" in options:
            options["target"] = target_name(options["target"], self._write)
        self.args += settings(command, options)

    def _write(self, name: str, text: str, shown: str) -> str:
        path = Path(self.folder.name) / name
        path.write_text(text, encoding="utf-8")
        self.names[str(path)] = shown
        return str(path)

    def _json(self, name: str, value: Any, shown: str) -> str:
        return self._write(name, json.dumps(value), shown)

    def _file(self, name: str, symbols: Any, reading: dict[str, Any], options: Mapping[str, Any]) -> None:
        """Says how the program is to read a file."""
        self.args.append(name)
        if symbols is not None and name.startswith("zoo:"):
            raise TypeError(f"symbols: {name} knows its own, since it is a network of the zoo")
        tokens = reading.pop("tokens", None)
        if tokens is not None and "vocab" in options:
            raise TypeError("tokens and vocab both say which token is which: give one of them")
        if tokens is not None:
            self.args += ["--vocab", vocabulary_file(self.folder.name, vocabulary(tokens, symbols), "the given tokens", self.names)]
        elif symbols is not None:
            self.args += ["--symbols", comma(Alphabet(symbols).names)]
        if "kind" in reading:
            self.args += ["--as", reading.pop("kind")]
        for key in TOLD:
            if key in reading:
                self.args += [f"--{key.replace('_', '-')}", str(reading.pop(key))]
        if "states" in reading:
            raise TypeError(f"states is {reading['states']!r}: of {name}, which is read by the program, it is an integer, "
                            "the most states that the automaton may have")
        if reading:
            raise TypeError(f"{', '.join(sorted(reading))}: this is for models in Python, and {name} is read by the program")

    def _data(self, symbols: Any, data: Any, labels: Any) -> None:
        if data is None:
            if labels is not None:
                raise TypeError("labels are of words: give these as data")
            return
        if isinstance(data, (str, os.PathLike)):
            self.args += ["--data", words_file(data, labels)]
        else:
            self.args += ["--data", self._write("words.jsonl", labeled(data, labels, symbols), GIVEN)]

    def _weights(self) -> list[str]:
        """Hands the weights of a recurrent module to the program, which computes with them where they give what the module says."""
        one: Any = self.voice and self.voice.one
        if self.total is not None or not hasattr(one, "weights"):  # a budget is for models that are asked
            return []
        path = Path(self.folder.name) / "weights.pt"
        if not one.weights(path):
            return []
        self.names[str(path)] = "the module's weights"
        vocab = self._json("tokens.json", dict(zip(one.alphabet.names, one.tokens)), "the module's tokens")
        told = {"bos": one.before or ["none"], "eos": one.behind or ["none"], **({} if one.reading.yes is None else {"yes": [one.reading.yes]})}
        return ["--weights", str(path), "--vocab", vocab, *(x for name, value in told.items() for x in (f"--{name}", str(value[0])))]

    def run(self, wanted: Wanted) -> Outcome:
        """Runs the program, and answers for the model. A report is written if one is wanted."""
        progress = Progress(wanted, self.total, f"quotient {self.command}")
        page = Path(self.folder.name) / "report.html"
        args = [self.command, *self.args, "--json", *([] if self.page is None else self._report(page))]
        try:
            if self.voice is None:
                outcome = converse(args, None, progress.tick)
            else:
                self.voice.tell = progress.add
                with self.voice.awake():
                    outcome = converse([*args, *self._weights()], self.voice, progress.tick)
        finally:
            progress.close()
        outcome.output = shown(outcome.output, self.names, in_json)
        outcome.errors = shown(outcome.errors, self.names)
        if self.page is not None and page.exists():
            told = shown(page.read_bytes().decode(), {**self.names, **self._live(outcome)}, in_html)
            page.unlink()  # another run must not find it
            Path(self.page).write_bytes(told.encode())
        return outcome

    def _report(self, page: Path) -> list[str]:
        """Returns the flags for a report. A model and words that are here are out of reach of a command line."""
        return ["--report", str(page), *(["--no-command"] if self.voice is not None or self.names else [])]

    def _live(self, outcome: Outcome) -> dict[str, str]:
        """Returns what stands in a report in place of where a model was asked."""
        if self.voice is None:
            return {}
        name = self._name()
        return {outcome.address: name, f"{name}, a server": f"{name}, in this process"}

    def checked(self, outcome: Outcome) -> str:
        """Returns the output of a run, or raises what went wrong."""
        if outcome.status == 0:
            return outcome.output
        if outcome.interrupted:
            raise KeyboardInterrupt
        raise outcome.error or failure(outcome.status, outcome.errors)

    def study(self, wanted: Wanted) -> Study:
        """Extracts. What an interrupted or failing program still tells is not lost."""
        outcome = self.run(wanted)
        try:
            study = self._told(outcome)
        except ValueError:  # no JSON
            study = None
        if study is not None and (outcome.status == 0 or (outcome.interrupted and study.automaton is not None)):
            return study
        error = KeyboardInterrupt() if outcome.interrupted else outcome.error or failure(outcome.status, outcome.errors)
        if study is not None and study.automaton is not None:
            error.study = study  # type: ignore[union-attr]
            if hasattr(error, "add_note"):
                error.add_note("what was found until then is this exception's .study")
        raise error

    def _told(self, outcome: Outcome) -> Study:
        data = json.loads(outcome.output)
        if self.voice is None:
            return Study.from_json(data)
        data["model"] = self._name()
        data["network"] = str(data.get("network", "")).replace("a server", "in this process")
        study = Study.from_json(data)
        study.notes = [*self.voice.notes, *(n for n in study.notes if n not in self.voice.notes)]
        study._known = self.voice.known
        return study

    def _name(self) -> str:
        assert self.voice is not None
        one: Any = self.voice.one
        model = one.module if hasattr(one, "module") else one.function
        return str(one.reading.name or getattr(model, "__name__", type(model).__name__))

    def write(self, page: str | os.PathLike[str], wanted: Wanted) -> None:
        """Runs the command again for a report."""
        self.page = page
        self.checked(self.run(wanted))


def target_name(target: Any, write: Callable[[str, str, str], str]) -> str:
    """Returns a language as the program takes it: its name, or a file, which is written for an automaton or a study."""
    x = getattr(target, "automaton", target)
    if isinstance(x, (Automaton, ProbabilisticAutomaton)):
        return write("target.json", json.dumps(x.to_json()), "the given automaton")
    if not isinstance(x, (str, os.PathLike)):
        raise TypeError(f"target is {short(x)}: it is the name of a language, a file, a finite automaton, or a study that has one")
    return os.fspath(x)


def vocabulary(tokens: Any, symbols: Any) -> dict[str, Any]:
    """Returns the token of each symbol, and of others that are named in angle or square brackets, as <bos> is."""
    if symbols is None and not isinstance(tokens, Mapping):
        raise TypeError(f"tokens is {short(tokens)}: without symbols= it is a dict from symbols to tokens")
    if symbols is None:  # what is wrong with it, the program tells
        return dict(tokens)
    names = list(Alphabet(symbols).names)
    others = [s for s in tokens if s not in names] if isinstance(tokens, Mapping) else []
    strange = [s for s in others if not str(s).startswith(("<", "["))]
    if strange:
        raise ValueError(f"tokens has {strange[0]!r}, which is none of the symbols {names}")
    return dict(zip(map(str, [*names, *others]), numbered(tokens, names) + [int(tokens[s]) for s in others]))


def vocabulary_file(folder: str, value: Any, shown: str, names: dict[str, str]) -> str:
    """Writes a vocabulary, and says what it is called in place of the file."""
    path = Path(folder) / "vocab.json"
    path.write_text(json.dumps(value, default=int), encoding="utf-8")  # of NumPy, too
    names[f"vocabulary {path}"] = names[str(path)] = shown  # the program says the former
    return str(path)


def words_file(name: str | os.PathLike[str], labels: Any) -> str:
    """Returns the name of a file of words, which has its labels in it."""
    if labels is not None:
        raise TypeError(f"labels are beside words that are given here: those of {os.fspath(name)} stand in the file")
    return os.fspath(name)


def settings(command: str, options: Mapping[str, Any]) -> list[str]:
    """Returns flags for keywords; what the program does not know is an error that says so."""
    args = []
    for key, value in options.items():
        if value is None:
            continue
        name = key.replace("_", "-")
        if not knows(command, name):
            if key in ("budget", "answers"):
                raise QuotientError(f"this program is too old for {key}=: quotient {command} has no --{name}")
            near = difflib.get_close_matches(name, [*flags(command), *READING], 1)
            raise TypeError(f"{command}() has no setting {key!r}" + (f"; did you mean {near[0].replace('-', '_')!r}?" if near else ""))
        if isinstance(value, bool):
            args += [f"--{name}"] if value else []
        elif isinstance(value, (list, tuple)):
            args += [f"--{name}", comma([str(v) for v in value])]
        elif key == "time" and isinstance(value, (int, float)):
            args += ["--time", f"{value}s"]
        elif not isinstance(value, (str, os.PathLike, Number)):
            raise TypeError(f"{key} is {short(value)}: it is a text or a number")
        else:
            args += [f"--{name}", os.fspath(value) if isinstance(value, os.PathLike) else str(value)]
    return args


def comma(names: Sequence[str]) -> str:
    """Returns names as a flag takes several: one line of CSV."""
    out = io.StringIO()
    csv.writer(out, lineterminator="").writerow(names)
    return out.getvalue()


def labeled(words: Any, labels: Any, symbols: Any) -> str:
    """Returns words and their labels, if there are any, as lines of JSON."""
    alphabet = None if symbols is None else Alphabet(symbols)
    if isinstance(words, Mapping):
        if labels is not None:
            raise TypeError("labels are beside a list of words: a dict has its own")
        words, labels = list(words), list(words.values())
    if not isinstance(words, Iterable):
        raise TypeError(f"{short(words)} are no words: a list of them is needed, a dict from words to labels, or the name of a file")
    words = list(words)
    if labels is None and words and _are_pairs(words, set() if alphabet is None else set(alphabet.names)):
        words, labels = [w[0] for w in words], [w[1] for w in words]
    labels = [None] * len(words) if labels is None else list(labels)
    if len(labels) != len(words):
        raise ValueError(f"there are {len(words)} words and {len(labels)} labels")
    lines = []
    for i, (w, label) in enumerate(zip(words, labels), 1):
        if not isinstance(w, Iterable):
            raise TypeError(f"{GIVEN}:{i}: {w!r} is no word: a string is one, or a list of names of symbols")
        line: dict[str, Any] = {"word": [str(s) for s in parts(w, alphabet is None or alphabet.strings)]}
        accepted = _label(label, i)
        if accepted is not None:
            line["label"] = accepted
        lines.append(json.dumps(line))
    if words and not any(map(len, words)) and all(label is None for label in labels):
        raise ValueError(f"{GIVEN}: the empty word is the only one, and has no label: give its label, or other words beside it")
    return "\n".join(lines) + "\n"


def _label(label: Any, at: int) -> str | bool | None:
    """Returns the label of one word as the program reads it: None and NaN, which pandas has for what is missing, are none."""
    if label is None or isinstance(label, str):
        return label
    if label != label:
        return None
    if label not in (0, 1, -1):
        raise ValueError(f"{GIVEN}:{at}: the label {label!r} is none of 1 and 0, 1 and -1, True and False; None is for unknown")
    return bool(label > 0)


LABELS = frozenset("1 true + accept accepted yes positive pos 0 false - reject rejected no negative neg t y in valid f n out invalid ?".split())  # noqa: SIM905


def _are_pairs(words: list[Any], symbols: set[str]) -> bool:
    """Reports whether these are words and their labels, all of them, and not words of two symbols.

    A word that is a list settles it, or a label that is no text, and so do symbols that are known. Otherwise labels are
    told by what they are called, as the program does it in files of JSON.
    """
    if not all(isinstance(w, (tuple, list)) and len(w) == 2 for w in words):
        return False
    if any(isinstance(w[0], (tuple, list)) or not isinstance(w[1], str) for w in words):
        return True
    if all(isinstance(s, str) and s in symbols for w in words for s in w):
        return False
    if any("" in w for w in words) or all(len(w[1]) > 1 and w[1] not in symbols and _is_over(w[0], symbols) for w in words):
        return True  # what is no label is told: nothing is called "", and symbols of the model are told by their names
    labels = sum(w[1].strip().lower() in LABELS for w in words)
    if any(len(str(part)) > 1 for w in words for part in w):
        return 2 * labels >= len(words)  # the others are mistakes, which are told
    if labels == len(words):
        raise ValueError("these may be words and their labels, or words of two symbols: give labels beside the words, or words as text")
    return False


def _is_over(word: str, symbols: set[str]) -> bool:
    return bool(symbols) and all(s in symbols for s in parts(word, all(len(s) == 1 for s in symbols)))


@overload
def learn(words: Any, labels: Iterable[Any] | None = None, *, symbols: str | Iterable[str] | None = None,
          folds: None = None, methods: None = None, **options: Any) -> Learned: ...


@overload
def learn(words: Any, labels: Iterable[Any] | None = None, *, symbols: str | Iterable[str] | None = None,
          folds: int | None = None, methods: str | Sequence[str] | None = None, **options: Any) -> CrossValidation: ...


def learn(words: Any, labels: Iterable[Any] | None = None, *, symbols: str | Iterable[str] | None = None,
          folds: int | None = None, methods: str | Sequence[str] | None = None, **options: Any) -> Learned | CrossValidation:
    """Learns an automaton from labeled words.

    >>> import quotient
    >>> words = list(quotient.Automaton.load("regex:[ab]{0,5}"))
    >>> learned = quotient.learn(words, [w == "ab" * (len(w) // 2) for w in words])
    >>> learned.automaton == quotient.Automaton.load("regex:(ab)*")
    True

    words are a list beside labels, a dict, a list of pairs, or a file in any format of `quotient learn`. Every
    other keyword is one of its flags: method, held_out, test, target, seed, alpha.

    With folds, a number, or methods, a list of names or "all", methods are compared by cross-validation, and no automaton is kept.

    >>> table = quotient.learn(words, [w == "ab" * (len(w) // 2) for w in words], methods=["edsm", "rpni"], folds=3)
    >>> [row.method for row in table], table.folds, table.best in ("edsm", "rpni")
    (['edsm', 'rpni'], 3, True)
    """
    options = {**options, "folds": folds, "methods": methods}
    with tempfile.TemporaryDirectory(prefix="quotient-") as folder:
        names = {}

        def write(name: str, text: str, shown: str) -> str:
            path = Path(folder) / name
            path.write_text(text, encoding="utf-8")
            names[str(path)] = shown
            return str(path)

        here = not isinstance(words, (str, os.PathLike))
        name = write("words.jsonl", labeled(words, labels, symbols), GIVEN) if here else words_file(words, labels)
        if options.get("target") is not None:
            options["target"] = target_name(options["target"], write)
        extra = [] if symbols is None else ["--symbols", comma(Alphabet(symbols).names)]
        told = json.loads(run("learn", name, "--json", *extra, *settings("learn", options), names=names))
        return CrossValidation(told) if "methods" in told else Learned.from_json(told)


def compare(a: Any, b: Any) -> Comparison | Divergences:
    """Decides whether two automata accept the same language, and if not, finds a shortest word of difference.

    >>> import quotient
    >>> quotient.compare("tomita4", "regex:~(.*aaa.*)").equal
    True
    >>> print(quotient.compare("tomita4", "tomita5"))
    the languages differ: only a accepts a

    Each is an Automaton, a Study, or whatever `Automaton.load` takes; expressions are read over the symbols of
    both. Probabilistic automata, or Studies of language models, give a `Divergences`.
    """
    with tempfile.TemporaryDirectory(prefix="quotient-") as folder:
        names = []
        for side, x in (("a", a), ("b", b)):
            x = getattr(x, "automaton", x)
            if isinstance(x, (Automaton, ProbabilisticAutomaton)):
                path = Path(folder) / f"{side}.json"
                path.write_text(json.dumps(x.to_json()), encoding="utf-8")
                x = str(path)
            if not isinstance(x, (str, os.PathLike)):
                raise TypeError(f"{side} is {short(x)}, and what is compared are automata: "
                                "an Automaton, a ProbabilisticAutomaton, a Study, a file or a language")
            names.append(os.fspath(x))
        told = json.loads(run("compare", *names, "--json", differ=True))
    if "total_variation" in told:
        return Divergences.from_json(told)
    if told["equal"]:
        return Comparison(True)
    word = tuple(told.get("witness_symbols") or ())
    joined = "".join(word) if all(len(s) == 1 for s in word) else word
    return Comparison(False, joined, bool(told["a"]["accepts"]), bool(told["b"]["accepts"]))


def check(model: Any, file: str | os.PathLike[str], symbols: str | Iterable[str], *, words: Any = 50, **options: Any) -> Check:
    """Says whether the program reads a file as the live model answers.

    model and its keywords are as in `extract`, words as in `cases`; other keywords are flags of
    `quotient model`: summary, activation, layer, ... What makes them agree, if they do not, stands in `readings`.
    """
    reading = {k: options.pop(k) for k in list(options) if k in READING}
    kind = ["--as", str(reading["kind"])] if reading.get("kind") else []
    with tempfile.TemporaryDirectory(prefix="quotient-") as folder:
        recorded = str(Path(folder) / "cases.json")
        notes = write_cases(model, symbols, words, recorded, reading)
        names = {recorded: "cases.json"}
        if isinstance(options.get("vocab"), (Mapping, list, tuple)):
            options["vocab"] = vocabulary_file(folder, options["vocab"], VOCABULARY, names)
        told = run("model", os.fspath(file), "--check", recorded, "--json", *kind, *settings("model", options), differ=True, names=names)
        result = record(Check, json.loads(told))
        return dataclasses.replace(result, notes=[*notes, *result.notes])
