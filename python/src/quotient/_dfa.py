"""Algorithms over tables of deterministic automata.

A table has a row for every state and a column for every symbol; DEAD stands for the state
from which nothing is accepted, which has no row. Each function is a plain one over plain data.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence

DEAD = -1
Table = tuple[tuple[int, ...], ...]


def minimize(table: Sequence[Sequence[int]], accept: Sequence[bool], start: int) -> tuple[Table, tuple[bool, ...]]:
    """Returns the smallest automaton, numbered breadth first from its start, which is state 0.

    That of the empty language has no states. Classes of states are split until nothing
    splits any more, after Moore.
    """
    live = _useful(table, accept, start)
    if not live:
        return (), ()
    group = {q: int(accept[q]) for q in live}
    groups = len(set(group.values()))
    while True:
        ids: dict[tuple[int, ...], int] = {}
        new = {}
        for q in live:
            signature = (group[q], *(group.get(t, DEAD) for t in table[q]))
            new[q] = ids.setdefault(signature, len(ids))
        group = new
        if len(ids) == groups:
            break
        groups = len(ids)
    member: dict[int, int] = {}
    for q in live:
        member.setdefault(group[q], q)
    order = {group[start]: 0}
    rows = []
    queue = deque([group[start]])
    while queue:
        row = []
        for t in table[member[queue.popleft()]]:
            g = group.get(t, DEAD)
            if g != DEAD and g not in order:
                order[g] = len(order)
                queue.append(g)
            row.append(order[g] if g != DEAD else DEAD)
        rows.append(tuple(row))
    return tuple(rows), tuple(bool(accept[member[g]]) for g in order)


def _useful(table: Sequence[Sequence[int]], accept: Sequence[bool], start: int) -> list[int]:
    """Returns the states that are reached and from which something is accepted, in their order."""
    if start == DEAD:
        return []
    reached = {start}
    queue = deque([start])
    back: dict[int, list[int]] = {}
    while queue:
        q = queue.popleft()
        for t in table[q]:
            if t == DEAD:
                continue
            back.setdefault(t, []).append(q)
            if t not in reached:
                reached.add(t)
                queue.append(t)
    alive = {q for q in reached if accept[q]}
    queue = deque(alive)
    while queue:
        for q in back.get(queue.popleft(), ()):
            if q not in alive:
                alive.add(q)
                queue.append(q)
    return sorted(alive) if start in alive else []


def product(
    a: tuple[Table, Sequence[bool]], b: tuple[Table, Sequence[bool]], keep: Callable[[bool, bool], bool], symbols: int
) -> tuple[Table, tuple[bool, ...]]:
    """Returns the smallest automaton of the words that keep takes, told whether a and b accept them."""

    def step(side: tuple[Table, Sequence[bool]], q: int, s: int) -> int:
        return DEAD if q == DEAD else side[0][q][s]

    first = (0 if a[0] else DEAD, 0 if b[0] else DEAD)
    place = {first: 0}
    rows: list[tuple[int, ...]] = []
    accept: list[bool] = []
    queue = deque([first])
    while queue:
        p, q = queue.popleft()
        accept.append(keep(p != DEAD and a[1][p], q != DEAD and b[1][q]))
        row = []
        for s in range(symbols):
            pair = (step(a, p, s), step(b, q, s))
            if pair not in place:
                place[pair] = len(place)
                queue.append(pair)
            row.append(place[pair])
        rows.append(tuple(row))
    return minimize(rows, accept, 0)


def shortlex(table: Table, accept: Sequence[bool]) -> Iterator[list[int]]:
    """Yields the accepted words, shorter ones first, those of one length in the symbols' order.

    Only states from which the right number of symbols leads to acceptance are entered, so
    that every step of the walk belongs to a word that is told.
    """
    if not table:
        return
    layers = [{q for q in range(len(table)) if accept[q]}]  # by how many symbols are missing
    while True:
        missing = len(layers) - 1
        if 0 in layers[missing]:
            yield from _walk(table, layers)
        before = {q for q, row in enumerate(table) if any(t in layers[missing] for t in row)}
        if not before:  # of a finite language, no path is longer than its states are many
            return
        layers.append(before)


def _walk(table: Table, layers: list[set[int]]) -> Iterator[list[int]]:
    """Yields the words of length len(layers)-1 that lead from state 0 into layers[0]."""
    length = len(layers) - 1
    word: list[int] = []
    states = [0]
    symbol = 0
    while True:
        if len(word) == length:
            yield list(word)
            symbol = len(table[0])
        row = table[states[-1]]
        while symbol < len(row) and row[symbol] not in layers[length - len(word) - 1]:
            symbol += 1
        if symbol < len(row):
            word.append(symbol)
            states.append(row[symbol])
            symbol = 0
        elif word:
            states.pop()
            symbol = word.pop() + 1
        else:
            return


def is_finite(table: Table) -> bool:
    """Reports whether a minimal automaton accepts finitely many words: its table has no circle."""
    degree = [0] * len(table)
    for row in table:
        for t in row:
            if t != DEAD:
                degree[t] += 1
    queue = deque(q for q, d in enumerate(degree) if d == 0)
    done = 0
    while queue:
        done += 1
        for t in table[queue.popleft()]:
            if t != DEAD:
                degree[t] -= 1
                if degree[t] == 0:
                    queue.append(t)
    return done == len(table)


def count(table: Table, accept: Sequence[bool], length: int) -> int:
    """Returns how many words of a length are accepted."""
    if not table:
        return 0
    ways = [int(x) for x in accept]
    for _ in range(length):
        ways = [sum(ways[t] for t in row if t != DEAD) for row in table]
    return ways[0]
