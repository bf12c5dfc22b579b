"""Automata for other libraries. Each is imported when it is asked for, and only then."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from quotient._automaton import Automaton
    from quotient._probabilistic import ProbabilisticAutomaton


def library(module: str, distribution: str) -> Any:
    """Returns a library, or says how it is installed."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError(f"{distribution} is not installed: pip install {distribution}") from error


def _complete(automaton: Automaton) -> tuple[int, dict[int, dict[str, int]]]:
    """Returns the start and all transitions, with a dead state at the end where one is needed."""
    dead = len(automaton.states)
    steps = {q: {s: dead for s in automaton.symbols} for q in automaton.states}
    for p, s, q in automaton.transitions:
        steps[p][s] = q
    if not steps or any(dead in row.values() for row in steps.values()):
        steps[dead] = {s: dead for s in automaton.symbols}
    return (0 if automaton else dead), steps


def to_networkx(automaton: Automaton) -> Any:
    graph = library("networkx", "networkx").MultiDiGraph()
    for q in automaton.states:
        graph.add_node(q, accept=q in automaton.accepting, start=q == automaton.start)
    for p, s, q in automaton.transitions:
        graph.add_edge(p, q, key=s, symbol=s)
    return graph


def probabilistic_to_networkx(automaton: ProbabilisticAutomaton) -> Any:
    graph = library("networkx", "networkx").MultiDiGraph()
    for q, end in enumerate(automaton.ends):
        graph.add_node(q, end=end, start=q == automaton.start)
    for p, s, q, probability in automaton.transitions:
        graph.add_edge(p, q, key=s, symbol=s, probability=probability)
    return graph


def to_automata_lib(automaton: Automaton) -> Any:
    dfa = library("automata.fa.dfa", "automata-lib").DFA
    start, steps = _complete(automaton)
    return dfa(states=set(steps), input_symbols=set(automaton.symbols), transitions=steps,
               initial_state=start, final_states=set(automaton.accepting))


def to_aalpy(automaton: Automaton) -> Any:
    automata = library("aalpy.automata", "aalpy")
    start, steps = _complete(automaton)
    states = {q: automata.DfaState(f"q{q}", q in automaton.accepting) for q in steps}
    for q, row in steps.items():
        for s, target in row.items():
            states[q].transitions[s] = states[target]
    dfa = automata.Dfa(states[start], list(states.values()))
    dfa.compute_prefixes()
    return dfa


def to_pythomata(automaton: Automaton) -> Any:
    dfa = library("pythomata", "pythomata").SimpleDFA
    start, steps = _complete(automaton)
    return dfa(states=set(steps), alphabet=set(automaton.symbols), initial_state=start,
               accepting_states=set(automaton.accepting), transition_function=steps)
