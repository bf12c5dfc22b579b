"""States of a module's parts, and recurrent modules that are read on from a state."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

Key = tuple[int, ...]

# A search asks about a few words at a time that go on from where others ended: of so many at most, prefixes are looked
# for so many symbols back. Of more words most are new, and looking would take longer than reading.
FEW, BACK = 64, 16


class Part:
    """A submodule that is watched: what it last gave is the state.

    A recurrent one can be told with which states to begin, and a recurrent layer where words begin that end together.
    """

    def __init__(self, name: str, module: Any, torch: Any) -> None:
        nn = torch.nn
        self.name, self.module, self.torch = name, module, torch
        self.layer = isinstance(module, (nn.RNN, nn.GRU, nn.LSTM))
        self.recurrent = self.layer or isinstance(module, (nn.RNNCell, nn.GRUCell, nn.LSTMCell))
        self.start: Any = None  # states, a row for each word, that the next reading begins with
        self.lengths: list[int] | None = None  # of the words of the next reading, the longest first, at the ends of their rows
        self._result: Any = None

    def hooks(self) -> list[Any]:
        """Begins to watch, and returns what ends it."""
        hooks = [self.module.register_forward_hook(self._after)]
        if self.recurrent:
            hooks.append(self.module.register_forward_pre_hook(self._before, with_kwargs=True))
        return hooks

    def _before(self, _module: Any, args: Any, named: dict[str, Any]) -> Any:
        if self.lengths is not None:
            args = (self._packed(args[0]), *args[1:])
        if self.start is not None:  # a cell is called for every symbol, and goes on from its own states
            args, named = (args[0], self._hidden(self.start)), {k: v for k, v in named.items() if k != "hx"}
            self.start = None
        return args, named

    def _packed(self, rows: Any) -> Any:
        """Returns words that end together as a layer reads them: nothing stands before them."""
        torch = self.torch
        rows = rows if self.module.batch_first else rows.transpose(0, 1)
        lengths, at = torch.tensor(self.lengths), torch.arange(rows.shape[1])[:, None]
        there = at < lengths
        place, word = there.nonzero().unbind(1)
        return torch.nn.utils.rnn.PackedSequence(rows[word, rows.shape[1] - lengths[word] + place], there.sum(1))

    def _after(self, module: Any, inputs: Any, result: Any) -> Any:
        self._result = result
        if self.lengths is None:
            return None
        # Only the last output is told. Whatever reads another one gets what is no number, and shows it.
        count, width = len(self.lengths), max(self.lengths)
        last = self._finals()[0][-1]
        output = last.new_full((count, width, last.shape[1]), float("nan"))
        output[:, -1] = last
        self.lengths = None
        return output if module.batch_first else output.transpose(0, 1), result[1]

    def _finals(self) -> Sequence[Any]:
        """What a recurrent part hands on: h, or h and c; of a layer, layers x batch x hidden."""
        final = self._result[1] if self.layer else self._result
        return final if isinstance(final, tuple) else (final,)

    def state(self, count: int) -> Any:
        """Returns the state after each of so many words."""
        if self.recurrent:
            return self.torch.cat([(x.transpose(0, 1) if self.layer else x).reshape(count, -1) for x in self._finals()], dim=1)
        result = getattr(self._result, "last_hidden_state", self._result)
        result = result[0] if isinstance(result, tuple) else result
        return result[:, -1] if result.dim() == 3 else result

    def _hidden(self, rows: Any) -> Any:
        """Returns states as the part takes them. It has been read before, which shows how they look."""
        parts, at = [], 0
        for x in self._finals():
            shape = (x.shape[0], x.shape[2]) if self.layer else (x.shape[1],)
            width = shape[0] * shape[-1] if self.layer else shape[0]
            part = rows[:, at : at + width].reshape(len(rows), *shape)
            parts.append(part.transpose(0, 1).contiguous() if self.layer else part)
            at += width
        return tuple(parts) if len(parts) > 1 else parts[0]


def recurrent_parts(module: Any, torch: Any) -> list[str]:
    """Returns the names of the recurrent layers and cells of a module."""
    return [name for name, m in module.named_modules() if Part(name, m, torch).recurrent]


def part(module: Any, which: Any, torch: Any) -> Part:
    """Returns a submodule by name, or with True the only recurrent one."""
    parts = dict(module.named_modules())
    if which is True:
        found = recurrent_parts(module, torch)
        if len(found) != 1:
            raise ValueError(f"states=True needs one recurrent layer, and the module has {len(found)}: name a submodule, or give a function")
        which = found[0]
    if which not in parts:
        raise ValueError(f"the module has no part {which!r}; it has {', '.join(n for n in parts if n)}")
    if getattr(parts[which], "bidirectional", False):
        raise ValueError("a bidirectional layer has no state that belongs to a prefix")
    return Part(which, parts[which], torch)


def in_order(pieces: Sequence[tuple[Sequence[int], Any]], torch: Any) -> Any:
    """Returns all rows of some pieces, each of which knows the places of its own."""
    places = [i for piece in pieces for i in piece[0]]
    rows = torch.cat([piece[1] for piece in pieces])
    return rows if places == list(range(len(places))) else rows[torch.tensor(places).argsort()]


@dataclasses.dataclass
class Steps:
    """Words that are read on from the states of their prefixes, as recurrent modules allow.

    A word whose prefix was read before costs one symbol, and words of different lengths are read together. `read` calls
    the module with symbols, after what begins words if this is one, and returns an output for each; shorter ones are filled up
    on the left.
    """

    part: Part
    read: Callable[[Sequence[Sequence[int]], bool], Any]
    end: Callable[[int], Any] | None  # reads what ends so many words, if there is something
    edge: int  # how many tokens begin words
    pool: Any = None  # the states of words
    place: dict[Key, int] = dataclasses.field(default_factory=dict)  # which row those of a word are

    def after(self, words: Sequence[Sequence[int]]) -> tuple[Any, Any]:
        """Returns outputs and states after words, a row for each. Words behind others of them are read after those."""
        keys = [tuple(w) for w in words]
        inside = set(keys)
        later: dict[int, list[int]] = {}  # by length
        for i, k in enumerate(keys):
            waits = k[:-1] in inside and k and k[:-1] not in self.place
            later.setdefault(len(k) if waits else -1, []).append(i)
        pieces = [(group, *self._next([keys[i] for i in group])) for _, group in sorted(later.items())]
        if len(pieces) == 1:
            return pieces[0][1:]
        outputs, states = (in_order([(p[0], p[k]) for p in pieces], self.part.torch) for k in (1, 2))
        return outputs, states

    def _next(self, keys: Sequence[Key]) -> tuple[Any, Any]:
        """Returns outputs and states after words: on from their prefixes where these were read before."""
        torch = self.part.torch
        back = BACK if self.part.layer and len(keys) <= FEW else 1
        place = self.place
        read = [self._read(k, back) for k in keys] if back > 1 else [len(k) - 1 if k[:-1] in place else -1 for k in keys]
        near = [i for i, n in enumerate(read) if n >= 0]
        pieces = []
        if len(near) < len(keys):
            far = [i for i, n in enumerate(read) if n < 0]
            pieces = self._through(keys, sorted(far, key=lambda i: len(keys[i]), reverse=True))
        if near:
            near.sort(key=lambda i: len(keys[i]) - read[i], reverse=True)
            rest = [keys[i][read[i] :] for i in near]
            self.part.start = self.pool[[self.place[keys[i][: read[i]]] for i in near]]
            self.part.lengths = [len(r) for r in rest] if len(rest[0]) > 1 else None
            pieces.append((near, self.read(rest, False), self.part.state(len(near))))
        outputs, states = (in_order([(p[0], p[k]) for p in pieces], torch) for k in (1, 2))
        self._keep(keys, states)
        if self.end is not None:
            self.part.start = states
            outputs = self.end(len(keys))
        return outputs, states

    def _read(self, key: Key, back: int) -> int:
        """Returns how many symbols of a word were read before, -1 if that is not known or too far back."""
        return next((n for n in range(len(key) - 1, max(-1, len(key) - 1 - back), -1) if key[:n] in self.place), -1)

    def _through(self, keys: Sequence[Key], active: list[int]) -> list[tuple[list[int], Any, Any]]:
        """Reads words, the longest first, from their beginnings. A layer reads them together, and a cell up to where the next one ends."""
        if self.part.layer and active:
            words = [keys[i] for i in active]
            if len(words[0]) > len(words[-1]):  # words of one length need not be packed
                self.part.lengths = [self.edge + len(w) for w in words]
            return [(active, self.read(words, True), self.part.state(len(active)))]
        pieces: list[tuple[list[int], Any, Any]] = []
        at = 0
        while active:
            end = len(keys[active[-1]])
            output = self.read([keys[i][at:end] for i in active], not pieces)
            states = self.part.state(len(active))
            left = next((n for n, i in enumerate(active) if len(keys[i]) == end), 0)
            pieces.append((active[left:], output[left:], states[left:]))
            active, self.part.start, at = active[:left], states[:left] if left else None, end
        return pieces

    def _keep(self, keys: Sequence[Key], states: Any) -> None:
        """Remembers states, in a table that grows until it starts anew."""
        torch, most = self.part.torch, (1 << 25) // states.shape[1]
        at = len(self.place)
        if at + len(keys) > most:
            self.place.clear()
            at = 0
        if len(keys) > most:
            return
        if self.pool is None or at + len(keys) > len(self.pool):
            wider = torch.empty(2 * (at + len(keys)), states.shape[1], dtype=states.dtype, device=states.device)
            if at:
                wider[:at] = self.pool[:at]
            self.pool = wider
        new = {k: i for i, k in enumerate(keys) if k not in self.place}
        self.pool[at : at + len(new)] = states if len(new) == len(keys) else states[list(new.values())]
        self.place.update(zip(new, range(at, at + len(new))))
