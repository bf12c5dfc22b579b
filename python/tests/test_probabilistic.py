"""Language models, and the probabilistic automata that they become."""

import copy
import json
import math
import pickle
import urllib.request

import pytest
from conftest import needs

import quotient
from quotient import ProbabilisticAutomaton


def follows(word):
    """An even number of a's may end."""
    return [0.5, 0.25, 0.25] if word.count("a") % 2 == 0 else [0.75, 0.25, 0.0]


WANT = ProbabilisticAutomaton("ab", {0: {"a": (1, 0.5), "b": (0, 0.25)}, 1: {"a": (0, 0.75), "b": (1, 0.25)}}, end={0: 0.25})


@pytest.fixture(scope="module")
def study():
    return quotient.extract(follows, "ab", data=["", "aa", "b", "aab"] * 3)


def test_functions(study):
    a = study.automaton
    assert isinstance(a, ProbabilisticAutomaton) and study.states == 2 and study.method == "refine"
    for word in ("", "a", "ab", "abab", "aabbab"):
        assert list(a.next(word).values()) == pytest.approx(follows(word), abs=1e-6)
        assert a.probability(word) == pytest.approx(WANT.probability(word), abs=1e-6)
    assert study.certificate.divergence < 1e-6 and study.certificate.bound >= study.certificate.divergence
    assert [p.states for p in study.tradeoff] == [1, 2] and study.tradeoff[1].chosen and study.tradeoff[0].divergence > 0.05
    assert study.answers["ab"] == [0.75, 0.25, 0.0] and study.notes == []
    held = study.data
    assert held.words == 12 and held.network_perplexity == pytest.approx(held.automaton_perplexity, rel=1e-3)
    many = quotient.extract(lambda words: [follows("".join(w)) for w in words], ["a", "b"], batch=True)
    assert many.automaton == a


def test_what_a_study_shows(study, tmp_path):
    assert "2 states over {a, b}" in str(study) and "certificate: with confidence 95%" in repr(study) and "perplexity" in str(study)
    assert "<svg" in study._repr_html_() and "nats a symbol" in study._repr_html_()
    again = pickle.loads(pickle.dumps(study))
    assert again.automaton == study.automaton and again.to_json() == study.to_json() and again.tradeoff == study.tradeoff
    page = study.report(tmp_path / "report.html").read_text(encoding="utf-8")
    assert "a probabilistic automaton of 2 states" in page and "perplexity" in page and page.count("<svg") >= 2


def test_files(repository):
    lm = repository / "model" / "testdata" / "lm"
    study = quotient.extract(lm / "tokens.pt", "ab", kind="lm", bos=2, eos=3)
    assert study.automaton.symbols == ("a", "b") and study.answers == {} and study.certificate.symbols > 1000
    assert sum(study.automaton.next("ab").values()) == pytest.approx(1)


def test_automata(tmp_path):
    a = WANT
    assert a.states == range(2) and a.start == 0 and a.ends == (0.25, 0.0) and a.step(0, "a") == 1 and a.step(None, "a") is None
    assert a.log_probability("aa") == pytest.approx(math.log(0.5 * 0.75 * 0.25)) and a.log_probability("a") == -math.inf
    assert a.perplexity(["aa", "b"]) == pytest.approx((0.09375 * 0.0625) ** (-1 / 5)) and a.perplexity(["a"]) == math.inf
    words = a.sample(500, seed=3)
    assert words == a.sample(500, seed=3) != a.sample(500, seed=4) and all(w.count("a") % 2 == 0 for w in words)
    assert words.count("") / 500 == pytest.approx(0.25, abs=0.1) and a.most_probable(2) == ["", "aa"]
    assert a.likely(0.2) == quotient.Automaton.load("regex:(b|ab*a)*")
    assert pickle.loads(pickle.dumps(a)) == copy.deepcopy(a) == ProbabilisticAutomaton.from_json(json.dumps(a.to_json())) == a
    assert hash(a) == hash(copy.copy(a))
    assert a != study_of_one() and a != 3
    for name in ("p.svg", "p.dot", "p.json", "p.att"):
        assert a.draw(tmp_path / name).stat().st_size > 50
    assert ProbabilisticAutomaton.load(tmp_path / "p.dot") == ProbabilisticAutomaton.load(tmp_path / "p.json") == a
    assert "digraph" in a.to("aalpy") and "0.75 q0" in str(a) and "2 states" in repr(a) and "<svg" in a._repr_svg_()


def study_of_one():
    return ProbabilisticAutomaton("ab", {0: {"a": (0, 0.5)}}, end={0: 0.5})


@needs("networkx", "pandas")
def test_other_libraries(study):
    graph = WANT.to_networkx()
    assert graph.nodes[0] == {"end": 0.25, "start": True} and graph.edges[0, 1, "a"]["probability"] == 0.5 and graph.number_of_edges() == 4
    frame = study.frame(["aa", "b"])
    assert frame.network.tolist() == pytest.approx([0.09375, 0.0625]) and frame.automaton.tolist() == pytest.approx([0.09375, 0.0625], abs=1e-6)
    assert len(study.frame()) == len(study.certificate.words_apart)


def test_budget_and_target():
    asked = []
    study = quotient.extract(lambda w: asked.append(w) or follows(w), "ab", budget=2000, target=WANT)
    assert len(set(asked)) <= 2000 and study.states == 2 and study.asked <= 2000
    assert study.raw["target"]["kl"] < 1e-6 and study.raw["target"]["network"] < 1e-6


def test_compare(study):
    same = quotient.compare(WANT, WANT)
    assert same and same.equal and same.kl_a == 0 and same.variation_high == 0 and str(same) == "the distributions are equal"
    other = ProbabilisticAutomaton("ab", {0: {"a": (0, 0.5), "b": (0, 0.25)}}, end={0: 0.25})
    apart = quotient.compare(WANT, other)
    assert not apart and 0 < apart.kl_a < math.inf and apart.kl_a_per_symbol < apart.kl_a and apart.kl_b == math.inf
    assert 0 < apart.variation_low <= apart.variation_high < 1 and "inf" in str(apart)
    worst = apart.words[0]
    assert abs(worst.a - worst.b) == max(abs(w.a - w.b) for w in apart.words) and worst.a == pytest.approx(WANT.probability(worst.word))
    assert quotient.compare(study, WANT).kl_a < 1e-6
    with pytest.raises(TypeError, match="a ProbabilisticAutomaton"):
        quotient.compare(WANT, 3)


def test_explore():
    with quotient.explore(follows, "ab", browser=False) as page:
        address = page.address.split("?")[0]
        with urllib.request.urlopen(f"{address}api/next?model=live:&word=a") as answer:
            told = json.load(answer)
    assert told["rows"][1]["network"] == pytest.approx(follows("a")) and told["rows"][1]["surprise"] == pytest.approx(1)


def test_methods():
    table = quotient.methods(follows, "ab", methods=["refine", "ngrams"])
    assert [r.method for r in table] == ["refine", "ngrams"] and table[0].divergence < table[1].divergence
    assert "at most" in str(table) and "refine" in table._repr_html_()


def test_what_is_wrong_is_said():
    with pytest.raises(ValueError, match="gave 2 probabilities: a language model over 2 symbols gives 3"):
        quotient.extract(lambda w: [0.5, 0.5], "ab")
    with pytest.raises(quotient.QuotientError, match=r"^the model's probabilities of what comes after ε sum to 1.5"):
        quotient.extract(lambda w: [0.5, 0.5, 0.5], "ab")
    with pytest.raises(quotient.QuotientError, match="no method for language models"):
        quotient.extract(follows, "ab", method="fold")
    with pytest.raises(ValueError, match="none of the symbols"):
        WANT.next("abc")
    with pytest.raises(ValueError, match="sum to 1"):
        ProbabilisticAutomaton("ab", {0: {"a": (0, 0.5)}}, end={0: 0.6})
    with pytest.raises(ValueError, match="'c' is none"):
        ProbabilisticAutomaton("ab", {0: {"c": (0, 0.5)}}, end={0: 0.5})
    with pytest.raises(ValueError, match="no words"):
        WANT.perplexity([])
    with pytest.raises(ZeroDivisionError):
        quotient.extract(lambda w: 1 / 0 if "bab" in w else [0.5, 0.2, 0.3], "ab")
