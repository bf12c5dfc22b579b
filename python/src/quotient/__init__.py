"""Finite automata from neural networks over sequences, and how far the two agree.

    import quotient
    study = quotient.extract(model, symbols="ab")   # a module, a function, a file, a network of the zoo
    study                                           # the picture, the reading, the certificate
    study.automaton.accepts("abba")

docs/python.md describes all of it.
"""

from quotient import _protocol  # first: what is printed from here on is no answer of a model
from quotient._api import check, compare, extract, learn, methods
from quotient._automaton import Automaton, CounterAutomaton
from quotient._explore import Page, explore
from quotient._probabilistic import ProbabilisticAutomaton
from quotient._program import QuotientError, program
from quotient._records import (
    Agreement,
    Check,
    Closeness,
    Comparison,
    Contestant,
    Counterexample,
    CrossValidated,
    Data,
    Difference,
    Differing,
    Divergence,
    Divergences,
    Point,
    Target,
)
from quotient._serve import cases, serve
from quotient._study import Contest, CrossValidation, Learned, Study

__version__ = "0.1.0"
__all__ = [
    "Agreement", "Automaton", "Check", "Closeness", "Comparison", "Contest", "Contestant", "CounterAutomaton", "Counterexample",
    "CrossValidated", "CrossValidation", "Data", "Difference", "Differing", "Divergence", "Divergences", "Learned", "Page", "Point",
    "ProbabilisticAutomaton", "QuotientError", "Study", "Target",
    "cases", "check", "compare", "explore", "extract", "learn", "methods", "program", "serve",
]

del _protocol
