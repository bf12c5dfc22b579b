import copy
import itertools
import json
import pickle
import random
import sys

import pytest
from conftest import needs

import quotient
from quotient import Automaton


def words(symbols, longest):
    for n in range(longest + 1):
        for w in itertools.product(symbols, repeat=n):
            yield "".join(w)


def some(seed, symbols="ab", states=6):
    """Returns an automaton with random transitions, some of which are missing."""
    rng = random.Random(seed)
    steps = {q: {s: rng.randrange(states) for s in symbols if rng.random() < 0.8} for q in range(states)}
    return Automaton(symbols, steps, [q for q in range(states) if rng.random() < 0.5])


@pytest.mark.parametrize("seed", range(12))
def test_operations_are_those_of_sets(seed):
    a, b = some(seed), some(seed + 100, "bc" if seed % 3 == 0 else "ab")
    everything = list(words("abc", 5))
    sets = [{w for w in everything if x.accepts(w)} for x in (a, b)]
    for combined, want in [(a | b, sets[0] | sets[1]), (a & b, sets[0] & sets[1]), (a - b, sets[0] - sets[1]), (a ^ b, sets[0] ^ sets[1])]:
        assert {w for w in everything if w in combined} == want
        assert len(combined.states) <= (len(a.states) + 1) * (len(b.states) + 1)
    assert {w for w in words("ab", 5) if w in ~a} == {w for w in words("ab", 5) if w not in a}
    assert (a - b <= a) and (a <= a | b) and (a | b >= b)


@pytest.mark.parametrize("seed", range(12))
def test_iteration_is_shortlex_and_complete(seed):
    a = some(seed)
    want = [w for w in words("ab", 7) if a.accepts(w)]
    assert list(itertools.takewhile(lambda w: len(w) <= 7, a)) == want or (a.is_finite and list(a) == want)
    assert [a.count(n) for n in range(8)] == [sum(len(w) == n for w in want) for n in range(8)]


def test_finite_languages_have_a_length():
    finite = Automaton.load("regex:a|bb|()")
    assert len(finite) == 3 and list(finite) == ["", "a", "bb"] and bool(finite)
    nothing = finite - finite
    assert len(nothing) == 0 and not nothing and nothing.start is None and nothing.shortest() is None
    with pytest.raises(ValueError, match="infinite"):
        len(~finite)


@pytest.mark.parametrize("seed", range(8))
def test_equal_means_the_same_language(seed):
    a = some(seed)
    with_more = Automaton("bxa", {q: {s: t for p, s, t in a.transitions if p == q} for q in [0, *a.states]}, a.accepting)
    assert a == with_more and hash(a) == hash(with_more)
    assert (a == some(seed + 50)) == quotient.compare(a, some(seed + 50)).equal
    for other in (pickle.loads(pickle.dumps(a)), copy.copy(a), copy.deepcopy(a), Automaton.from_json(json.dumps(a.to_json()))):
        assert other == a and other.symbols == a.symbols
    assert a != "a" and a != 3


@pytest.mark.parametrize("seed", range(6))
def test_minimal_as_the_program_says(seed):
    a = some(seed, states=12)
    told = json.loads(quotient._program.run("minimize", "-", "--to", "json", text=json.dumps(a.to_json())))
    assert told == a.to_json()


def test_names_of_several_characters():
    a = Automaton(["open", "close"], {0: {"open": 1}, 1: {"close": 0}}, [0])
    assert a.accepts(["open", "close"]) and a.accepts("open close") and a.accepts(()) and not a.accepts(["open"])
    assert list(itertools.islice(a, 2)) == [(), ("open", "close")]
    assert a.expression and Automaton.from_json(a.to_json()) == a


def test_wrong_tables_are_refused():
    with pytest.raises(ValueError, match="none of the symbols"):
        Automaton("ab", {0: {"c": 0}}, [0])
    with pytest.raises(ValueError, match="no states"):
        Automaton("ab", {0: {"a": 0}}, [7])
    with pytest.raises(ValueError, match="different"):
        Automaton("aa", {}, [])
    with pytest.raises(quotient.QuotientError, match="no language"):
        Automaton.load("no-such-language")
    with pytest.raises(ValueError, match="quotient-automaton"):
        Automaton.from_json({"format": "else"})


def test_nondeterministic_json_is_determinized():
    data = {"format": "quotient-automaton", "version": 1, "alphabet": ["a"], "states": [{"id": 1, "accept": False}, {"id": 2, "accept": True}],
            "start": [1, 2], "transitions": [{"from": 1, "on": "a", "to": 2}, {"from": 1, "on": "a", "to": 1}]}
    assert Automaton.from_json(data) == Automaton.load("regex:a*")


def test_pictures(tmp_path):
    a = Automaton.load("tomita5")
    assert a._repr_svg_().startswith("<svg") and "Even" in a.svg(title="Even")
    for name in ("a.svg", "a.dot", "a.tex", "a.mmd", "a.json", "a.py", "a.jff"):
        assert a.draw(tmp_path / name).stat().st_size > 50
    assert Automaton.load(tmp_path / "a.dot") == a == Automaton.load(tmp_path / "a.json")
    assert "digraph" in a.to_dot() and "tikz" in a.to("tikz")
    with pytest.raises(quotient.QuotientError, match="extension"):
        a.draw(tmp_path / "a.xyz")


def test_the_program_draws_pdf_and_png(tmp_path, monkeypatch):
    monkeypatch.setattr("shutil.which", lambda name: None)
    monkeypatch.setitem(sys.modules, "cairosvg", None)
    one = quotient.ProbabilisticAutomaton("a", {0: {"a": (0, 0.5)}}, end={0: 0.5})
    for automaton in (Automaton.load("tomita1"), one):
        assert automaton.draw(tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")
        assert automaton.draw(tmp_path / "a.PNG").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(quotient.QuotientError, match="no such"):
        one.draw(tmp_path / "none" / "a.pdf")


def test_a_program_without_pdf_says_what_is_missing(tmp_path, monkeypatch):
    def refuses(data, title="", to=""):
        if to:
            raise quotient.QuotientError("pictures are SVG")
        return "<svg/>"

    monkeypatch.setattr("quotient._automaton.picture", refuses)
    monkeypatch.setattr("shutil.which", lambda name: None)
    monkeypatch.setitem(sys.modules, "cairosvg", None)
    with pytest.raises(quotient.QuotientError, match="cairosvg"):
        Automaton.load("tomita1").draw(tmp_path / "a.pdf")


@needs("networkx")
def test_networkx():
    import networkx

    a = Automaton.load("tomita3")
    g = a.to_networkx()
    assert g.number_of_nodes() == len(a.states) and g.number_of_edges() == len(a.transitions)
    assert [n for n, start in g.nodes(data="start") if start] == [0]
    assert {n for n, accept in g.nodes(data="accept") if accept} == a.accepting
    assert networkx.has_path(g, 0, 3)


@needs("automata")
def test_automata_lib():
    for a in (Automaton.load("tomita3"), Automaton.load("tomita5"), Automaton("ab", {}, []), Automaton.load("regex:a?")):
        d = a.to_automata_lib()
        assert all(d.accepts_input(w) == a.accepts(w) for w in words(a.symbols, 6)), a


@needs("aalpy")
def test_aalpy():
    for name in ("tomita3", "tomita5"):
        a = Automaton.load(name)
        d = a.to_aalpy()
        for w in words("ab", 6):
            d.reset_to_initial()
            got = d.initial_state.is_accepting
            for s in w:
                got = d.step(s)
            assert got == a.accepts(w)


@needs("pythomata")
def test_pythomata():
    for name in ("tomita3", "tomita5"):
        a = Automaton.load(name)
        assert all(a.to_pythomata().accepts(list(w)) == a.accepts(w) for w in words("ab", 6))
