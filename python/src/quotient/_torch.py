"""PyTorch modules as voices: what their forward wants, what their outputs mean, and their states."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import inspect
import itertools
import sys
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from quotient._next import chosen, meaning
from quotient._recurrent import Part, Steps, in_order, part, recurrent_parts
from quotient._voices import Answer, Numbers, Reading, Said, greeting, number
from quotient._words import Alphabet, numbered

# What forward calls the lengths of words, and masks: these have 1 at a symbol, those at padding.
LENGTHS = {"lengths", "length", "lens", "seq_lens", "seq_len", "seq_lengths", "input_lengths", "x_lengths", "x_lens", "text_lengths"}
MASKS = {"attention_mask", "mask", "input_mask"}
PADDING_MASKS = {"key_padding_mask", "src_key_padding_mask", "padding_mask", "pad_mask"}

LONGEST = 512  # tokens up to which is tried how long a word a module can read: a certificate asks for 500 symbols


@dataclasses.dataclass(frozen=True)
class Batch:
    """Words as tokens, filled up to one length."""

    tokens: Any  # int64, batch x time
    lengths: list[int]
    left: bool  # padding stands before the words

    @property
    def padded(self) -> bool:
        return any(n < self.tokens.shape[1] for n in self.lengths)


class Call:
    """How forward is called: with tokens, and with what else it has a name for."""

    def __init__(self, module: Any, torch: Any) -> None:
        self.module, self.torch = module, torch
        self.lengths = self.mask = self.padding = ""
        self.by_name = self.no_cache = False
        try:
            parameters = list(inspect.signature(module.forward).parameters.values())
        except (TypeError, ValueError):
            parameters = []
        named = {p.name: p for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)}
        self.by_name = "input_ids" in named
        self.no_cache = "use_cache" in named
        first = "input_ids" if self.by_name else next(iter(named), "")
        for name, p in named.items():
            needed = p.default is p.empty
            if name == first:
                continue
            if name.lower() in LENGTHS:
                self.lengths = name
            elif name.lower() in MASKS and (needed or name == "attention_mask"):
                self.mask = name
            elif name.lower() in PADDING_MASKS:
                self.padding = name
            elif needed:
                raise ValueError(f"forward() of {type(module).__name__} wants {name!r}, which words alone do not tell: "
                                 "wrap it in a function of words (batch=True reads many at once)")
        self.on_device = False  # lengths are on the CPU, where packing wants them

    @property
    def mixes(self) -> bool:
        """Whether words of different lengths can be read together."""
        return bool(self.lengths or self.mask or self.padding)

    def __call__(self, batch: Batch) -> Any:
        try:
            return self._call(batch)
        except RuntimeError as error:
            if not self.lengths or self.on_device or "device" not in str(error):
                raise
            self.on_device = True  # a mask that forward makes of them wants them beside the tokens
            return self._call(batch)

    def _call(self, batch: Batch) -> Any:
        torch, tokens = self.torch, batch.tokens
        named: dict[str, Any] = {"use_cache": False} if self.no_cache else {}
        lengths = torch.tensor(batch.lengths)
        if self.lengths:
            named[self.lengths] = lengths.to(tokens.device) if self.on_device else lengths
        if self.mask or self.padding:
            place = torch.arange(tokens.shape[1])[None, :]
            n = lengths[:, None]
            real = (place >= tokens.shape[1] - n if batch.left else place < n).to(tokens.device)
            if self.mask:
                named[self.mask] = real.long()
            if self.padding:
                named[self.padding] = ~real
        return self.module(input_ids=tokens, **named) if self.by_name else self.module(tokens, **named)


# Modules with fewer parameters are asked in one thread. Their products of matrices are so small that
# several threads spend more time on waiting for each other, and most of all where others work beside them.
FEW = 1 << 18


class ModuleVoice:
    """A torch.nn.Module from tokens to one logit or to classes or, of a language model, to what comes next."""

    def __init__(self, module: Any, symbols: Any, reading: Reading) -> None:
        self.torch: Any = sys.modules["torch"]
        self.module, self.reading, self.alphabet = module, reading, Alphabet(symbols)
        self.notes: list[str] = []
        self.tell: Callable[[int], None] = lambda n: None
        self.known: dict[tuple[int, ...], Said] = {}
        self.before, self.behind, self.tokens, self.pad = frame(module, self.alphabet.names, reading)
        self.table = self.torch.tensor([*self.tokens, *self.before, *self.behind], dtype=self.torch.int64)
        self.ending = self.behind  # the tokens that end words, which a language model predicts and does not read
        self.predicts = reading.kind == "lm"
        first = next(iter(module.parameters()), None)
        self.device = first.device if first is not None else self.torch.device("cpu")
        self.call = Call(module, self.torch)
        self.size = reading.size
        self.reads_empty = True
        self.alone = False  # one of several outputs is a probability of its own, whatever the others are
        self.watched: Part | None = None  # whose states are told
        self.steps: Steps | None = None  # if words are read on from the states of their prefixes
        self.looked = False

    @contextmanager
    def awake(self) -> Iterator[None]:
        """The module in evaluation mode and without gradients; afterwards it is as it was."""
        training = [(m, m.training) for m in self.module.modules()]
        hooks: list[Any] = []
        threads = self.torch.get_num_threads()
        self.module.eval()
        try:
            if sum(p.numel() for p in self.module.parameters()) < FEW:
                self.torch.set_num_threads(1)
            with self.torch.no_grad():
                if not self.looked:
                    self._choose()
                for one in self._parts():
                    hooks += one.hooks()
                if not self.looked:
                    self._look()
                    self.looked = True
                yield
        finally:
            for hook in hooks:
                hook.remove()
            for m, mode in training:
                m.training = mode
            self.torch.set_num_threads(threads)

    def greeting(self) -> dict[str, Any]:
        says = greeting(self, self.reading, type(self.module).__name__, self._dim)
        if not self.reads_empty and self.reading.empty is None:
            says["empty"] = False
        return says

    def weights(self, path: Any) -> bool:
        """Writes the weights to a file, unless the program could not compute with them.

        It can where words are read on from the states of a recurrent layer. Whether it then says what the module
        says is tried by the program, since the rest of the module may be anything.
        """
        on = self.steps is not None and self.steps.part.layer and self.watched is self.steps.part
        if not on or self.predicts or len(self.before) > 1 or len(self.behind) > 1:
            return False
        self.torch.save({name: x.detach().cpu() for name, x in self.module.state_dict().items() if hasattr(x, "detach")}, path)
        return True

    # What the module's outputs mean.

    def _look(self) -> None:
        """Finds out, from a few words, how the module is read."""
        by_length = {5: self._first()}
        limit = self._longest()
        for length in (1, 2, 3, 8, 13, 21):
            if length <= limit:
                by_length[length] = self._raw(self._words(length, 20))[0]
        self._shape(by_length)
        groups = [self._picked(raw, [len(self.before) + n + len(self.behind)] * len(raw)) for n, raw in by_length.items()]
        self._scale(groups)
        if self.predicts:
            limit += len(self.behind)  # which is not read any more
            self._ends()
        if limit < LONGEST and self.reading.max_length is None:
            self.reading = dataclasses.replace(self.reading, max_length=limit)
            self.notes.append(f"the model reads no word of more than {limit} symbols; nothing longer is asked")
        self._try_empty()
        if self.steps is not None and not self._goes_on(by_length, min(limit, 100)):
            self.steps = None
        if self.steps is not None and self.reading.states is None and not self.predicts:  # then states cost nothing, and more methods can be had
            self.watched, self.reading = self.steps.part, dataclasses.replace(self.reading, states=True)
            self.notes.append(f"the states of {self.watched.name} are shown, since words can be read on from them; "
                              "states=False asks about words alone")

    def _scale(self, groups: list[Any]) -> None:
        """Finds out whether the outputs are probabilities. What they are taken for is said, unless it was told."""
        told = self.reading.output
        unit = all(bool(((x >= 0) & (x <= 1)).all()) for x in groups)
        together = self.classes == 1 or all(_sum_to_one(x) for x in groups)
        self.probabilities = told == "probabilities" or (told == "auto" and unit and (together or not self.predicts))
        if not self.probabilities:
            return
        if unit and not together and not self.predicts:
            self._apart()
        elif told == "auto":
            self.notes.append('the outputs lie between 0 and 1 and are taken for probabilities; output="logits" says otherwise')

    def _apart(self) -> None:
        """Takes outputs between 0 and 1 that do not sum to 1: of two the larger decides, as of a file, and of more each by itself."""
        if self.classes == 2:
            self.probabilities = False  # softmax is above one half where the output is the larger one
            if self.reading.yes is None:
                self.notes.append("there are two outputs between 0 and 1 that do not sum to 1, as those of a sigmoid each, which are no two "
                                  "classes of one decision: class 1 above class 0 is taken to be a yes; yes=CLASS says which class is")
            return
        self.alone = True
        self.notes.append(f"the {self.classes} outputs lie between 0 and 1 and do not sum to 1: that of class {self._yes} is taken for a "
                          'probability of its own; output="logits" says otherwise')

    def _ends(self) -> None:
        """Finds out what a language model's outputs mean. It predicts the end of a word, and does not read it."""
        told = [*self.behind, getattr(self.reading.tokenizer, "eos_token_id", None)]
        eos = next((t for t in told if t is not None), None)
        self.outputs = meaning(self.classes, self.tokens, self.before[0] if self.before else None, eos)
        self.ending, self.behind = self.behind if eos is None else [eos], []
        if self.reading.kind is None:
            self.notes.append(f"the {self.classes} outputs are taken for those of a language model, which predicts the next symbol; "
                              "yes=CLASS, or kind=\"recognizer\", says otherwise")
        left = self.classes - sum(k is not None for k in self.outputs)
        if left:
            self.notes.append(f"{left} of {self.classes} outputs mean neither a symbol nor the end: they are left out, and the others renormalized")

    def _first(self) -> Any:
        """Reads some words together or, if the module cannot, one at a time."""
        try:
            return self._raw(self._words(5, 20))[0]
        except Exception as error:
            try:
                alone = self._raw(self._words(5, 1))[0]
            except Exception as inner:
                raise inner from None
            self.size = 1
            self.notes.append(f"the module reads one word at a time: of several it says {type(error).__name__}: {str(error).splitlines()[0][:200]}")
            return alone

    def _words(self, length: int, count: int) -> list[list[int]]:
        n = len(self.tokens)
        words = [[(i * (j + 3) // 2 + j) % n for j in range(length)] for i in range(count)]
        return words[: self.size]

    def _longest(self) -> int:
        """Returns the length of the longest word that the module can read, LONGEST if there seems to be no end.

        A position that is not there stops a GPU for good, so longer words are tried on a copy on the CPU.
        """
        edges = len(self.before) + len(self.behind)
        if self.reading.max_length is not None:
            return self.reading.max_length
        if self.reading.pad_to is not None:
            return self.reading.pad_to - edges
        told = getattr(getattr(self.module, "config", None), "max_position_embeddings", None)
        if isinstance(told, int) and told > 0:
            return min(told - edges, LONGEST)
        module, device = self.call.module, self.device
        try:
            if device.type != "cpu":
                self.call.module, self.device = copy.deepcopy(module).cpu(), self.torch.device("cpu")
            good, bad = 5, LONGEST + 1
            trial = LONGEST
            while good < bad - 1:
                try:
                    self._raw(self._words(trial, 1))
                    good = trial
                except (IndexError, RuntimeError, ValueError, AssertionError):
                    bad = trial
                trial = (good + bad) // 2
            return good
        finally:
            self.call.module, self.device = module, device

    def _shape(self, by_length: dict[int, Any]) -> None:
        """Finds out where in an output time and classes are."""
        edges = len(self.before) + len(self.behind)
        raw = by_length[5]
        time = [n + edges if self.reading.pad_to is None else self.reading.pad_to for n in by_length]
        timed = raw.dim() > 1 and all(r.dim() > 1 and r.shape[1] == t for r, t in zip(by_length.values(), time))
        self.every_position = timed and not (raw.dim() == 2 and len(set(time)) == 1 and raw.shape[1] <= 2)
        if self.predicts:  # it is told, and what has two dimensions has no time
            self.every_position = raw.dim() == 3
        rest = raw.dim() - (2 if self.every_position else 1)
        self.classes = int(raw.shape[-1]) if rest == 1 else 1
        self.predicts = self.predicts or (rest == 1 and self.classes > 2 and self.reading.yes is None and self.reading.kind is None)
        if rest > 1 or (rest < 1 and self.predicts) or (self.classes > 2 and self.reading.yes is None and not self.predicts):
            raise ValueError(f"the module's output has the shape {tuple(raw.shape)} for {len(raw)} words of {time[0]} tokens: one logit or "
                             "two classes are needed; yes=CLASS says which of more classes is a yes; a language model has an output for each token")
        if not self.predicts and not 0 <= self._yes < max(self.classes, 2):
            raise ValueError(f"yes is {self.reading.yes}, and the module has {self.classes} output{'s' * (self.classes > 1)}: "
                             f"it is one of the classes 0 to {max(self.classes, 2) - 1}")

    def _try_empty(self) -> None:
        """The empty word is tried; a module that cannot read it is not asked about it."""
        if self.before or self.behind or self.reading.pad_to is not None:
            return
        why = "its answer is no number"
        try:
            raw, lengths = self._raw([[]])
            answer = self._picked(raw, lengths)
            self.reads_empty = answer.numel() > 0 and bool(self.torch.isfinite(answer).all())
        except Exception as error:
            self.reads_empty, why = False, f"{type(error).__name__}: {(str(error).splitlines() or [''])[0][:200]}"
        if not self.reads_empty and self.reading.empty is None and self.predicts:
            raise ValueError(f"the language model cannot read the empty word ({why}): bos= is the token that it reads before every word; "
                             "or empty= is a list, what it predicts there")
        if not self.reads_empty and self.reading.empty is None:
            self.notes.append(f"the model cannot read the empty word ({why}), which counts as rejected: it says nothing about the model")

    # From words to numbers.

    def _batch(self, words: Sequence[Sequence[int]], end: bool = True, begin: bool = True, left: bool = False) -> Batch:
        torch, before, behind = self.torch, self.before if begin else [], self.behind if end else []
        first, last = len(self.tokens), len(self.tokens) + len(self.before)  # their places in the table of tokens
        edges = tuple(range(first, first + len(before))), tuple(range(last, last + len(behind)))
        rows = [(*edges[0], *w, *edges[1]) for w in words] if any(edges) else words
        lengths = list(map(len, rows))
        width = max([self.reading.pad_to or 0, *lengths]) if end else max(lengths)
        left = left or self.reading.pad_side == "left"
        places = array("q", itertools.chain.from_iterable(rows))  # of which a tensor is a view: one of a list takes longer
        symbols = self.table[torch.frombuffer(places, dtype=torch.int64)] if places else self.table[:0]
        if min(lengths) < width:  # fill up
            place, n = torch.arange(width), torch.tensor(lengths)[:, None]
            filled = torch.full((len(rows), width), self.pad)
            filled[place >= width - n if left else place < n] = symbols
            symbols = filled
        return Batch(symbols.reshape(len(rows), width).to(self.device), lengths, left)

    def _raw(self, words: Sequence[Sequence[int]]) -> tuple[Any, list[int]]:
        batch = self._batch(words)
        return self._output(batch), [batch.tokens.shape[1]] * len(words) if batch.left else batch.lengths

    def _output(self, batch: Batch) -> Any:
        result = self.call(batch)
        result = getattr(result, "logits", result)
        if isinstance(result, dict):
            result = result["logits"] if "logits" in result else next(iter(result.values()))
        if isinstance(result, (tuple, list)) and not hasattr(result, "batch_sizes"):
            result = result[0]
        if hasattr(result, "batch_sizes"):
            result = self.torch.nn.utils.rnn.pad_packed_sequence(result, batch_first=True)[0]
        return result.float()

    def _picked(self, raw: Any, lengths: list[int]) -> Any:
        """Returns what belongs to the end of each word: a number, or a row of classes."""
        if self.every_position:
            last = self.torch.tensor(lengths, device=raw.device) - 1
            raw = raw[self.torch.arange(len(lengths), device=raw.device), last]
        return raw.reshape(len(lengths), -1)

    def _next(self, picked: Any) -> Any:
        """Returns a language model's logits of each symbol and, last, of the end."""
        return chosen(self.torch.log(picked) if self.probabilities else picked, self.outputs, self.torch)

    def _probability(self, picked: Any) -> Any:
        if self.probabilities and not bool(((picked >= 0) & (picked <= 1)).all()):
            odd = picked[(picked < 0) | (picked > 1) | picked.isnan()][0]
            raise ValueError(f"the module gave {float(odd):g}, which is no probability, and others looked like some; "
                             'output="logits" says that they are none')
        if self.predicts:
            return self.torch.softmax(self._next(picked), -1)
        if self.alone:
            return picked[:, self._yes]
        if self.classes > 1:  # of probabilities, too, the larger of two is then above one half, however they were rounded
            shares = picked / picked.sum(-1, keepdim=True).clamp(min=1e-30) if self.probabilities else self.torch.softmax(picked, -1)
            return shares[:, self._yes]
        p = picked[:, 0] if self.probabilities else self.torch.sigmoid(picked[:, 0])
        return 1 - p if self.reading.yes == 0 else p

    @property
    def _yes(self) -> int:
        return 1 if self.reading.yes is None else self.reading.yes

    def logits(self, words: list[list[int]]) -> list[float]:
        """Returns the logarithm of the odds of a yes for each word."""
        numbers: list[float] = []
        for w in words:
            p = self._picked(*self._raw([w]))
            if self.alone:
                p = self.torch.logit(p[:, self._yes])
            elif self.classes > 1:
                p = self.torch.log(p) if self.probabilities else p
                others = self.torch.cat([p[:, : self._yes], p[:, self._yes + 1 :]], 1)
                p = p[:, self._yes] - self.torch.logsumexp(others, 1)
            else:
                p = self.torch.logit(p[:, 0]) if self.probabilities else p[:, 0]
                p = -p if self.reading.yes == 0 else p
            numbers.append(float(p[0]))
        return numbers

    def predictions(self, words: list[list[int]]) -> list[list[list[float]]]:
        """Returns a language model's logits of each symbol and the end, after every prefix of each word."""
        if not self.reads_empty:
            raise ValueError("the language model cannot read the empty word, with which all prefixes begin: bos= is the token before every word")
        prefixes = [[w[:k] for k in range(len(w) + 1)] for w in words]
        return [[self._next(self._picked(*self._raw([p]))).clamp(min=-1e9)[0].tolist() for p in of] for of in prefixes]

    def readable(self, word: Sequence[int]) -> bool:
        """Reports whether the module can read a word."""
        limit = self.reading.max_length
        return (len(word) > 0 or self.reads_empty) and (limit is None or len(word) <= limit)

    def answer(self, words: list[list[int]], states: bool) -> Answer:
        """Answers for words in batches. States are read without padding, and so by length."""
        answers: list[Said] = [0.0] * len(words)
        found: list[tuple[list[int], Any]] = []  # the states of words at these places
        on = self.steps is not None and (not states or self.watched is self.steps.part)
        once = on or (states and self.watched is not None and not self.behind and self.reading.pad_to is None)
        for group in self._groups(words, on or (not once and (self.call.mixes or self.reading.pad_to is not None))):
            part = [words[i] for i in group]
            told, state = self._stepped(part) if on and (part[0] or self.before) else (self._answers(part), None)
            for i, p in zip(group, told):
                answers[i] = p
            if states and once:  # what was read for the answers has left its states
                found.append((group, self._states(part, read=True) if state is None else self._finite(state)))
            self.tell(len(group))
        if states and not once:
            found = [(group, self._states([words[i] for i in group])) for group in self._groups(words, False)]
        return answers, flat(in_order(found, self.torch)) if states else None

    def _groups(self, words: list[list[int]], mixed: bool) -> Iterator[list[int]]:
        """Yields the places of words that are read together: long ones first, as packing wants them."""
        lengths = list(map(len, words))
        order = sorted(range(len(words)), key=lengths.__getitem__, reverse=True)
        at = 0
        while at < len(order):
            length = lengths[order[at]]
            size = max(1, min(self.size, (1 << 18) // (length + 1)))
            together = range(1, length + 1) if mixed and length else (length,)  # nothing cannot be packed
            group = [i for i in order[at : at + size] if lengths[i] in together]
            at += len(group)
            yield group

    def _answers(self, words: list[list[int]]) -> list[Said]:
        if not words[0] and not self.reads_empty:
            empty = self.reading.empty or 0.0
            return [[number(p) for p in empty] if isinstance(empty, Sequence) else empty] * len(words)
        return self._said(words, self._picked(*self._raw(words)))

    def _said(self, words: Sequence[Sequence[int]], picked: Any) -> list[Said]:
        p = self._probability(picked)
        if not bool(self.torch.isfinite(p).all()):
            i = int((~self.torch.isfinite(p)).nonzero()[0][0])
            raise ValueError(f"the model gave {p[i].tolist()} for {self.alphabet.word(words[i])!r}")
        answers: list[Said] = p.clamp(0, 1).tolist()
        return answers

    # States.

    def _choose(self) -> None:
        """Chooses the part whose states are told and, if there is one, the recurrent one that words are read on with."""
        which = self.reading.states
        if which is True or isinstance(which, str):
            self.watched = part(self.module, which, self.torch)
            if not self.watched.recurrent:
                self.notes.append(f"the state is the output of {which} at the last position: it need not determine what follows, and where it "
                                  "does not, methods that merge states go wrong")
        found = recurrent_parts(self.module, self.torch)
        if len(found) != 1 or self.call.mixes or self.reading.pad_to is not None or self.size == 1:
            return
        with contextlib.suppress(ValueError):  # of a bidirectional one
            one = self.watched if self.watched is not None and self.watched.name == found[0] else part(self.module, found[0], self.torch)
            self.steps = Steps(one, self._segment, self._end if self.behind else None, len(self.before))

    def _parts(self) -> list[Part]:
        """Returns the parts that are watched."""
        parts = [] if self.steps is None else [self.steps.part]
        return parts if self.watched is None or self.watched in parts else [*parts, self.watched]

    def _segment(self, words: Sequence[Sequence[int]], first: bool) -> Any:
        """Returns what the module says after symbols that words begin with, or go on with; words of different lengths end together."""
        batch = self._batch(words, end=False, begin=first, left=True)
        return self._picked(self._output(batch), [batch.tokens.shape[1]] * len(words))

    def _end(self, count: int) -> Any:
        """Returns what the module says at the end of words."""
        tokens = self.torch.tensor([self.behind] * count, dtype=self.torch.int64, device=self.device)
        return self._picked(self._output(Batch(tokens, [len(self.behind)] * count, False)), [len(self.behind)] * count)

    def _goes_on(self, by_length: dict[int, Any], longest: int) -> bool:
        """Reports whether a module says the same if words are read on from states of its recurrent part.

        Of a layer, nothing but the last output may count: the others are no numbers then, and neither is a mean of them.
        """
        assert self.steps is not None
        if self.size == 1:  # as has turned out
            return False
        self.steps.end = self._end if self.behind else None  # a language model predicts it
        one, words = self.steps.part, [w for n in by_length for w in self._words(n, 20)]
        try:
            whole = self.torch.cat([self._picked(raw, [len(self.before) + n + len(self.behind)] * len(raw)) for n, raw in by_length.items()])
            pairs = [(self.steps.after(words)[0], whole)]
            long = self._words(longest, 5)
            self.steps.after([w[:-1] for w in long])
            pairs.append((self.steps.after(long)[0], self._picked(*self._raw(long))))
            return all(bool(((a - b).abs() <= 1e-5 * (1 + b.abs().max())).all()) for a, b in pairs)
        except Exception:  # it is read as a whole, as it wants
            return False
        finally:
            one.start = one.lengths = None

    def _stepped(self, words: Sequence[Sequence[int]]) -> tuple[list[Said], Any]:
        assert self.steps is not None
        picked, states = self.steps.after(words)
        return self._said(words, picked), states

    def _state(self, words: Sequence[Sequence[int]]) -> Any:
        batch = self._batch(words, end=False)
        if self.watched is None:
            return self.reading.states(batch.tokens)
        self.call(batch)
        return self.watched.state(len(words))

    def _dim(self) -> int:
        return int(self._state([[0]]).shape[1])

    def _states(self, words: list[list[int]], read: bool = False) -> Any:
        if not words[0] and not self.before:  # nothing is read, and all states are zero
            return self.torch.zeros(len(words), self._dim(), device=self.device)
        return self._finite(self.watched.state(len(words)) if read and self.watched is not None else self._state(words))

    def _finite(self, states: Any) -> Any:
        if not bool(self.torch.isfinite(states).all()):
            raise ValueError("the model gave a state that has no finite numbers")
        return states.float()


def _sum_to_one(rows: Any) -> bool:
    """Reports whether rows may be probabilities, of 8 bits at least."""
    return bool(((rows.sum(-1) - 1).abs() < 1e-2).all())


def flat(rows: Any) -> Numbers[float]:
    """Returns the numbers of a tensor."""
    numbers: Numbers[float] = Numbers("f")
    try:
        numbers.frombytes(rows.float().cpu().contiguous().numpy().tobytes())
    except RuntimeError:  # there is no NumPy
        numbers.extend(rows.float().flatten().tolist())
    return numbers


def frame(module: Any, names: Sequence[str], reading: Reading) -> tuple[list[int], list[int], list[int], int]:
    """Returns the tokens before a word and behind it, those of the symbols, and padding."""
    before = [] if reading.bos is None else [reading.bos]
    behind = [] if reading.eos is None else [reading.eos]
    tokens = reading.tokens
    if reading.tokenizer is not None:
        tokens = [_token(reading.tokenizer, s) for s in names] if tokens is None else tokens
        if reading.bos is None and reading.eos is None:
            before, behind = _specials(reading.tokenizer, numbered(tokens, names)[0])
    if tokens is None:
        free = (t for t in range(len(names) + 3) if t not in (reading.bos, reading.eos, reading.pad))
        tokens = [next(free) for _ in names]
    return before, behind, numbered(tokens, names), _padding(module, reading)


def _token(tokenizer: Any, symbol: str) -> int:
    """Returns the one token that a tokenizer has for a symbol."""
    ids = tokenizer(symbol, add_special_tokens=False)["input_ids"]
    if len(ids) != 1:
        raise ValueError(f"the tokenizer reads {symbol!r} as {len(ids)} tokens: tokens= says which one is meant")
    return int(ids[0])


def _specials(tokenizer: Any, token: int) -> tuple[list[int], list[int]]:
    """Returns the tokens that a tokenizer puts around a sentence."""
    whole = list(tokenizer.build_inputs_with_special_tokens([token]))
    at = whole.index(token)
    return whole[:at], whole[at + 1 :]


def _padding(module: Any, reading: Reading) -> int:
    """Returns the token of padding: as it is told, or as the tokenizer, the configuration or an embedding say."""
    told = [reading.pad, getattr(reading.tokenizer, "pad_token_id", None),
            getattr(getattr(module, "config", None), "pad_token_id", None)]
    told += [getattr(m, "padding_idx", None) for m in module.modules()]
    return int(next((t for t in told if t is not None and t >= 0), 0))
