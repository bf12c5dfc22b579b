import contextlib
import html
import itertools
import json
import os
import pickle
import random
import re
import signal
import subprocess
import sys
import threading
import time

import pytest
from conftest import needs

import quotient
from quotient import _program
from quotient._records import LengthCount


def even(word):
    return word.count("a") % 2 == 0


NEW = pytest.mark.skipif(not _program.knows("extract", "budget"), reason="this program has no --budget and no --answers")


def test_functions():
    want = quotient.Automaton.load("regex:(b|ab*a)*")
    for study in (
        quotient.extract(even, "ab"),
        quotient.extract(even, ["a", "b"]),
        quotient.extract(lambda ws: [0.9 * even(w) for w in ws], "ab", batch=True),
        quotient.extract(even, "ab", states=lambda w: [1 - 2 * (w.count("a") % 2), 1]),
    ):
        assert study.automaton == want
        assert study.agreement.accuracy == 1 and "confidence 99%" in study.agreement.certificate
        assert all((p > 0.5) == even(w) for w, p in study.answers.items()) and len(study.answers) > 500
    assert study.method == "fold"


def test_the_same_seed_gives_the_same_study():
    one, two = (quotient.extract(even, "ab", seed=7, data=["ab", "aab"]).to_json() for _ in range(2))
    for study in (one, two):
        del study["seconds"], study["times"]
    assert one == two and one["seed"] == 7 and "127.0.0.1" not in json.dumps(one) and "/quotient-" not in json.dumps(one)


def test_files_and_the_zoo(repository):
    study = quotient.extract("zoo:tomita5", target="tomita5")
    assert study.target.equal and study.states == 4 and study.raw["trials"]
    testdata = repository / "model" / "testdata"
    file = quotient.extract(testdata / "tomita4.pt", vocab=testdata / "tomita4.json", target="tomita4")
    assert file.target.equal and file.answers == {}
    tokens = json.loads((repository / "model" / "testdata" / "tomita4.json").read_text())
    assert quotient.extract(repository / "model" / "testdata" / "tomita4.pt", tokens=tokens).automaton == file.automaton


def test_what_a_study_shows(tmp_path):
    study = quotient.extract("zoo:tomita5", target=quotient.Automaton.load("tomita5"), method="explore")
    assert "4 states over {a, b}" in str(study) and repr(study) == str(study) and "certificate:" in str(study)
    page = study._repr_html_()
    assert "<svg" in page and "read as" in page and "certificate" in page
    assert [(p.states, p.error) for p in study.tradeoff][-1] == (4, 0)
    assert "<html" in study.report(tmp_path / "report.html").read_text().lower()
    again = pickle.loads(pickle.dumps(study))
    assert again.automaton == study.automaton and again.to_json() == study.to_json()
    with pytest.raises(ValueError, match="lost its network"):
        again.report(tmp_path / "report.html")
    assert quotient.Study.from_json(json.loads(json.dumps(study.to_json()))).automaton == study.automaton


def test_report_of_a_function_does_not_ask_again(tmp_path):
    asked = []
    study = quotient.extract(lambda w: asked.append(w) or even(w), "ab")
    before = len(asked)
    study.report(tmp_path / "report.html")
    assert len(asked) - before < before / 10 and (tmp_path / "report.html").stat().st_size > 1000


def test_a_report_names_what_is_in_python(tmp_path, repository):
    words = {"ab": 0, "aa": 1, "b": 1, "abc": 0}
    live = quotient.extract(even, "ab", data=words)
    spoken = quotient.extract(lambda w: [0.5, 0.5, 0] if len(w) < 3 else [0, 0, 1], "ab", data=["aba", "bbb", "aab"], name="a 'b' + <c>")
    file = quotient.extract(repository / "model" / "testdata" / "tomita4.pt", tokens={"a": 0, "b": 1}, data=words)
    for study, want in (
        (live, ["<title>even</title>", "even, in this process", "such as those of the given words", "words of the given words 1 is left out"]),
        (spoken, ["<title>a &#39;b&#39; &#43; &lt;c&gt;: a probabilistic", "held out of the given words"]),
        (file, ["such as those of the given words"]),
    ):
        page = study.report(tmp_path / "report.html").read_text(encoding="utf-8")
        assert not [w for w in want if w not in page]
        assert not [w for w in ("127.0.0.1", "/quotient-", "To make it again") if w in page]
    quotient.methods(even, "ab", methods=["ttt"], data=words, report=tmp_path / "methods.html")
    page = (tmp_path / "methods.html").read_text(encoding="utf-8")
    assert "even, in this process" in page and "127.0.0.1" not in page and "To make it again" not in page
    quotient.extract("zoo:tomita5").report(tmp_path / "report.html")
    assert "To make it again: <code>quotient extract zoo:tomita5</code>" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_counters(tmp_path):
    study = quotient.extract("zoo:anbn-lstm", method="counter")
    assert study.automaton.accepts("aaabbb") and not study.automaton.accepts("aab")
    assert study.automaton.draw(tmp_path / "c.svg").stat().st_size > 100 and "<svg" in study._repr_html_()
    assert pickle.loads(pickle.dumps(study)).automaton == study.automaton


def test_data():
    labeled = {"": 1, "a": 0, "b": 1, "ab": 0, "aa": 1, "bb": 1, "aab": 1, "abb": 0}
    for data in (labeled, list(labeled.items())):
        study = quotient.extract(even, "ab", data=data, method="ttt")
        assert study.data.words == 8 and study.data.labeled == 8 and study.data.network_accuracy == 1
    study = quotient.extract(even, "ab", data=list(labeled), method="ttt")
    assert study.data.words == 8 and study.data.labeled == 0


def test_what_a_study_shows_of_data():
    """What the program and its page say of one's own words, a study says, too: labels, the bound, the words of difference."""
    words = ["".join(w) for n in range(7) for w in itertools.product("ab", repeat=n)]

    def wrong(word):  # of a few
        return even(word) != (word in words[5::9])

    study = quotient.extract(wrong, "ab", data={w: even(w) for w in words}, method="ttt", max_states=2)
    data = study.data
    assert data.differences and 0 < data.network_accuracy < 1 and data.automaton_accuracy is not None
    for shown in (str(study), repr(study), html.unescape(study._repr_html_())):
        assert f"the given words: 127 words, {data.held_out} of them held out" in shown
        assert f"the network is right on {100 * data.network_accuracy:.2f}% of them, the automaton on {100 * data.automaton_accuracy:.2f}%" in shown
        assert f"{data.differences[0].word}, which the network " in shown and "; its label: " in shown
        bound = float(re.search(r"fewer than ([0-9.]+)% of all words such as those of the given words", shown).group(1))
        assert bound >= 100 * data.agreement.bound
    plain = str(quotient.extract(even, "ab", data=words, method="ttt").data)
    assert "labels" not in plain and "(100.00%)" in plain and "differ" not in plain
    spoken = quotient.extract(lambda w: [0.5, 0.25, 0.25], "ab", data=["ab", "a", "b", "", "ba"])
    assert "perplexity" in str(spoken) and "certificate: with confidence 95%" in str(spoken)
    never = quotient.extract(lambda w: [0.5, 0.0, 0.5], "ab", data=["b", "ab", "bb", "bbb"])
    assert "held-out words: perplexity ∞ of the network and ∞ of the automaton" in str(never)


def test_of_which_words_nothing_is_certified():
    study = quotient.extract(even, "ab", max_length=30)
    assert study.agreement.max_length == 30 and "nothing is said of words longer than 30, about which the network" in str(study)
    empty = quotient.Agreement(words=9, no_empty_word=True, exhaustive=LengthCount(words=6, agree=6, low=1, high=2))
    assert empty.certificate.endswith("; nothing is said of the empty word, about which it cannot be asked")
    assert "6 of all 6 words up to length 2, the empty one left out" in str(empty)


def test_labels_as_text():
    data = [("", "yes"), ("a", "no"), ("b", "yes"), ("ab", "no"), ("aa", "yes"), ("bb", "yes"), ("aab", "yes"), ("abb", "no")]
    study = quotient.extract(even, "ab", data=data, method="ttt")
    assert study.data.words == 8 and study.data.labeled == 8 and study.data.left_out == 0 and study.data.network_accuracy == 1
    for pairs in ([("a", "yes"), ("b", "no")], [["a", 1], ["b", "no"], ["ab", None]], [("a", "1"), ("ab", "0")]):
        assert quotient.learn(pairs).automaton.symbols == ("a", "b")
    assert quotient.learn([("0", "1"), ("1", "1")], [True, False]).automaton.symbols == ("0", "1")
    assert quotient.extract(even, "ab", data=[("a", "b"), ("b", "a"), ("b", "b")], method="ttt").data.words == 3
    with pytest.raises(ValueError, match="words of two symbols"):
        quotient.learn([("0", "1"), ("1", "0")])
    with pytest.raises(quotient.QuotientError, match="maybe"):
        quotient.learn([("ab", "yes"), ("b", "maybe")])


@needs("pandas")
def test_frames():
    study = quotient.extract(even, "ab")
    frame = study.frame()
    assert list(frame.columns) == ["word", "length", "network", "automaton"] and len(frame) == len(study.answers)
    assert ((frame.network > 0.5) == frame.automaton).all()
    assert study.frame(["ab", "a" * 9]).automaton.tolist() == [False, False]
    assert set(quotient.methods("zoo:tomita5", methods=["fold"]).frame().method) == {"fold"}
    table = quotient.learn({"a": 1, "b": 0, "ab": 1, "ba": 0}, methods=["rpni"], folds=2).frame()
    assert list(table.method) == ["rpni"] and "accuracy" in table.columns and "folds" not in table.columns


def test_what_a_frame_needs(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    study = quotient.extract("zoo:tomita5")
    for table in (study, quotient.methods("zoo:tomita5", methods=["fold"])):
        with pytest.raises(ImportError, match=r"^pandas is not installed: pip install pandas$"):
            table.frame()


def test_methods_and_compare():
    asked = []
    table = quotient.methods(lambda w: asked.append(w) or even(w), "ab", methods=["ttt", "lstar"], budget=500)
    assert 100 < len(asked) <= 500
    assert [r.method for r in table] == ["ttt", "lstar"] and all(r.states == 2 for r in table) and "ttt" in table._repr_html_()
    study = quotient.extract(even, "ab")
    assert quotient.compare(study, "regex:(b|ab*a)*") and not quotient.compare(study, "tomita5")
    differ = quotient.compare("tomita4", study.automaton)
    assert differ.witness == "a" and differ.a_accepts and not differ.b_accepts and "only a accepts a" in str(differ)


def test_learn(tmp_path):
    words = list(quotient.Automaton.load("regex:[ab]{0,7}"))
    tomita4 = quotient.Automaton.load("tomita4")
    labels = [tomita4.accepts(w) for w in words]
    learned = quotient.learn(words, labels, target="tomita4")
    assert learned.target.equal and learned.training.agree == len(words) and "<svg" in learned._repr_html_() and "right" in str(learned)
    (tmp_path / "w.csv").write_text("".join(f"{w},{int(x)}\n" for w, x in zip(words, labels)))
    assert quotient.learn(tmp_path / "w.csv").automaton == learned.automaton == quotient.learn(dict(zip(words, labels))).automaton
    assert quotient.learn(words, [1 if x else -1 for x in labels]).automaton == learned.automaton
    with pytest.raises(ValueError, match="labels"):
        quotient.learn(words, labels[1:])
    some = [x if i % 2 else float("nan") for i, x in enumerate(labels)]
    assert quotient.extract("zoo:tomita4", data=words, labels=some).data.labeled == len(words) // 2
    with pytest.raises(ValueError, match=r"the label 0\.9 is none of"):
        quotient.learn(words, [0.9 if x else 0.1 for x in labels])
    with pytest.raises(TypeError, match="give these as data"):
        quotient.extract("zoo:tomita4", labels=labels)


def test_learn_compares_methods(tmp_path):
    words = list(quotient.Automaton.load("regex:[ab]{0,6}"))
    labels = [("aaa" not in w) != (w == "abab") for w in words]
    table = quotient.learn(words, labels, folds=4)
    assert isinstance(table, quotient.CrossValidation) and len(table) > 3
    assert table.folds == 4 and table.words == len(words) and table.file == "the given words"
    row = next(r for r in table if r.method == table.best)
    assert len(row.folds) == 4 and sum(f.test.words for f in row.folds) == len(words) and row.accuracy > 0.8 and row.error is None
    assert sum(f.test.agree for f in row.folds) == pytest.approx(row.accuracy * len(words))
    assert repr(table) == str(table) and f"best: {table.best}, the smallest" in str(table) and f"{100 * row.accuracy:.2f}%" in table._repr_html_()
    assert "127 words with a label, in 4 folds" in str(table)
    assert [r.method for r in quotient.learn(words, labels, methods=["rpni", "edsm"], seed=3)] == ["rpni", "edsm"]
    assert len(quotient.learn(words, labels, methods="all")) == len(table)
    failing = quotient.learn(words, [False] * len(words), methods="rpni", folds=2)
    assert failing.warnings and f"note: {failing.warnings[0]}" in str(failing)
    assert "training words" not in str(quotient.learn(words, method="alergia"))
    with pytest.raises(quotient.QuotientError, match="keeps no automaton"):
        quotient.learn(words, labels, folds=4, held_out=0.2)


def test_given_words_have_a_name():
    assert quotient.learn(["a", "b"], [1, 0]).raw["file"] == "the given words"
    for words, labels, method, said in (
        (["a", "b"], None, None, "^the given words: no word has a label"),
        (["a", "b"], [1, "x"], None, '^the given words:2: the label "x" is none of'),
        (["a", "a"], [1, 0], "edsm", r"accepted \(the given words:1\) and rejected \(the given words:2\)"),
    ):
        with pytest.raises(quotient.QuotientError, match=said):
            quotient.learn(words, labels, method=method)
    with pytest.raises(ValueError, match=r"^the given words:2: the label 7 is none of"):
        quotient.learn(["a", "b"], [1, 7])
    for wrong, said in (
        (["a", None], "^the given words:2: None is no word"),
        ([["a", "b"], "b", 3], "^the given words:3: 3 is no word: a string is one, or a list of names of symbols"),
        (3, "^3 are no words"),
    ):
        with pytest.raises(TypeError, match=said):
            quotient.extract(even, "ab", data=wrong)


class MineError(Exception):
    pass


def test_exceptions_come_back_as_themselves():
    def model(word):
        if "bab" in word:
            raise MineError("my own")
        return even(word)

    with pytest.raises(MineError, match="my own") as caught:
        quotient.extract(model, "ab")
    assert "model" in [frame.name for frame in caught.traceback]


def test_errors_of_the_program():
    with pytest.raises(quotient.QuotientError, match=r"no-such-file.pt"):
        quotient.extract("no-such-file.pt")
    with pytest.raises(quotient.QuotientError, match="between 0 and 1"):
        quotient.extract(lambda w: 7, "ab")
    with pytest.raises(ValueError, match="nan"):
        quotient.extract(lambda w: float("nan"), "ab")
    with pytest.raises(TypeError, match="did you mean 'max_states'"):
        quotient.extract(even, "ab", max_state=3)
    with pytest.raises(TypeError, match="symbols"):
        quotient.extract(even)
    with pytest.raises(TypeError, match="neither"):
        quotient.extract(3, "ab")
    with pytest.raises(ValueError, match="2 probabilities for"):
        quotient.extract(lambda ws: [0, 1], "ab", batch=True)


def test_the_program_is_found(monkeypatch, tmp_path):
    monkeypatch.setenv("QUOTIENT", str(tmp_path / "none"))
    with pytest.raises(quotient.QuotientError, match="QUOTIENT"):
        quotient.program()
    monkeypatch.setenv("QUOTIENT", sys.executable)
    assert quotient.program() == sys.executable


def test_an_interrupt_stops_a_slow_model():
    def slow(word):
        time.sleep(0.02)
        return even(word)

    threading.Timer(1.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    began = time.monotonic()
    with contextlib.suppress(KeyboardInterrupt):  # if there was no automaton yet
        assert quotient.extract(slow, "ab").interrupted
    assert 1 < time.monotonic() - began < 20


@NEW
def test_an_interrupt_gives_the_best_so_far():
    def slow(word):
        time.sleep(0.004)
        return even(word)

    threading.Timer(3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    study = quotient.extract(slow, "ab")
    assert study.interrupted and study.automaton == quotient.Automaton.load("regex:(b|ab*a)*")


def test_an_interrupt_while_a_file_is_read():
    code = """
import quotient
try:
    quotient.extract('zoo:tomita7', method='explore', pursue=True, lengths='0-1000')
except KeyboardInterrupt:
    print('stopped')
else:
    print('done')
"""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=30)[0].strip() in ("stopped", "done")


@NEW
def test_a_budget_bounds_a_slow_function():
    asked = 0

    def slow(word):
        nonlocal asked
        asked += 1
        time.sleep(0.05)
        return even(word)

    began = time.monotonic()
    study = quotient.extract(slow, "ab", budget=200)  # 2000 in little more than 100 s, in small
    took = time.monotonic() - began
    assert study.automaton.accepts("aab") and not study.automaton.accepts("ab")
    assert asked <= 200 and took < 200 * 0.05 * 1.5 + 5


@NEW
def test_answers_are_remembered_in_a_file(tmp_path):
    asked, counts = [], []
    for _ in range(2):
        quotient.extract(lambda w: asked.append(w) or even(w), "ab", answers=tmp_path / "answers", name="even")
        counts.append(len(asked))
    assert counts[0] > 500 and counts[1] - counts[0] < 20


@NEW
def test_the_longest_word():
    def short(word):
        assert len(word) <= 30, word
        return even(word)

    study = quotient.extract(short, "ab", max_length=30)
    assert study.automaton.accepts("aab") and max(len(w) for w in study.answers) <= 30
    assert "30" in json.dumps(study.to_json()["agreement"])
    study = quotient.extract(short, "ab", max_length=30, data=["ab" * 3000, "a", "b", "ab", "ba"])
    assert study.data.words == 5 and study.data.left_out == 1 and study.data.used.startswith("3 are")
    assert "note: of the 5 words of the given words 1 is left out: the given words:1: the network cannot be asked about words of 6000" in str(study)


def test_progress(capsys):
    told = []

    def slow(word):
        time.sleep(0.002 if not told else 0)
        return even(word)

    quotient.extract(slow, "ab", progress=lambda words, seconds: told.append((words, seconds)))
    assert told and told == sorted(told) and told[-1][0] > 0
    told.clear()
    quotient.extract(lambda w: time.sleep(0.01 if len(told) < 100 else 0) or told.append(w) or even(w), "ab", progress=True)
    shown = capsys.readouterr().err
    assert "words asked" in shown and shown.endswith("\r\x1b[K")


def test_explore():
    import urllib.request

    with quotient.explore(even, "ab", browser=False, name="even") as page:
        base = page.address.split("?")[0]
        assert "model=live%3A" in page.address and page.address in page._repr_html_().replace("&amp;", "&")
        with urllib.request.urlopen(base + "api/study?model=live:", timeout=60) as answer:
            told = json.load(answer)
    assert told["states"] == 2 and told["model"].startswith("even")
    with pytest.raises(ValueError, match="drop the file"):
        quotient.explore("net.pt")


def test_serve_and_cases(tmp_path):
    script = tmp_path / "model.py"
    script.write_text("import quotient\nprint('loading')\nquotient.serve(lambda w: w.count('a') % 2 == 0, symbols='ab', name='even')\n")
    told = json.loads(_program.run("extract", "--exec", f'"{sys.executable}" "{script}"', "--json"))
    assert told["states"] == 2
    quotient.cases(even, "ab", ["", "ab"], str(tmp_path / "cases.json"))
    assert json.loads((tmp_path / "cases.json").read_text())["cases"][1] == {"word": ["a", "b"], "probability": 0.0}


def test_language_models(tmp_path):
    script, recorded = tmp_path / "model.py", tmp_path / "cases.json"
    script.write_text("import quotient\nquotient.serve(lambda w: [0.25, 0.25, 0.5] if w.endswith('a') else [0.5, 0.5, 0], symbols='ab')\n")
    told = json.loads(_program.run("model", "--exec", f'"{sys.executable}" "{script}"', "--word", "a", "--json"))
    assert "0.25" in json.dumps(told)
    asked = []

    def follows(words):
        asked.extend(words)
        return [(0.25, 0.25, 0.5) if w.endswith("a") else (0.5, 0.5, 0) for w in words]

    quotient.cases(follows, "ab", ["a"], str(recorded), batch=True, kind="lm")
    assert json.loads(recorded.read_text()) == {"cases": [{"word": ["a"], "next": [[0.5, 0.5, 0.0], [0.25, 0.25, 0.5]]}]}
    assert asked == ["", "a"]  # whose kind is told is not tried
    with pytest.raises(ValueError, match='kind="lm" says'):
        quotient.extract(follows, "ab", batch=True, kind="recognizer")
    with pytest.raises(ValueError, match="a language model gives a list"):
        quotient.cases(even, "ab", file=str(recorded), kind="lm")
    with pytest.raises(ValueError, match="kind is 'net'"):
        quotient.extract(even, "ab", kind="net")


def test_the_kind_of_a_function_is_found_out_without_asking_twice():
    asked = []
    quotient.extract(lambda w: asked.append(w) or even(w), "ab")
    assert len(asked) == len(set(asked)) + 1 and asked.count("") == 2  # which shows that it does not throw dice


def test_dice_are_no_model():
    with pytest.raises(ValueError, match="throw dice"):
        quotient.extract(lambda w: random.random(), "ab")


def test_mistakes_are_told():
    for wrong, kind, said in (
        (lambda: quotient.extract(even, 3), TypeError, "symbols is 3"),
        (lambda: quotient.extract(lambda w: None, "ab"), TypeError, "gave None, and a number is needed"),
        (lambda: quotient.extract(even, "ab", batch=True), TypeError, "with batch=True, it gives a list"),
        (lambda: quotient.extract(even, "ab", states=lambda w: [1] * (1 + len(w))), ValueError, "'a' a state of 2 numbers"),
        (lambda: quotient.extract(even, "ab", states=True), TypeError, "states is True: of a function it is another function"),
        (lambda: quotient.extract(even, "ab", states=2), quotient.QuotientError, "^the setting states chooses among automata"),
        (lambda: quotient.extract("zoo:tomita5", states="2"), TypeError, "states is '2': of zoo:tomita5, .* it is an integer"),
        (lambda: quotient.extract("zoo:tomita5", states=2.5), TypeError, "states is 2.5"),
        (lambda: quotient.compare(even, "tomita4"), TypeError, "what is compared are automata"),
        (lambda: quotient.extract(even, "ab", budget=-1), quotient.QuotientError, "--budget -1"),
    ):
        with pytest.raises(kind, match=said):
            wrong()


def test_what_would_be_ignored_is_an_error(tmp_path, repository):
    words = tmp_path / "w.csv"
    words.write_text("ab,1\nb,0\na,1\n")
    net = repository / "model" / "testdata" / "tomita4.pt"
    for wrong, said in (
        (lambda: quotient.learn(words, [1]), r"labels are beside words that are given here: those of .*w\.csv stand in the file"),
        (lambda: quotient.extract(even, "ab", data=str(words), labels=[1, 0, 1]), "stand in the file"),
        (lambda: quotient.learn({"a": 1, "b": 0}, [1, 0]), "a dict has its own"),
        (lambda: quotient.extract("zoo:tomita5", "xy"), "^symbols: zoo:tomita5 knows its own"),
        (lambda: quotient.methods("zoo:tomita5", "ab"), "^symbols: zoo:tomita5 knows its own"),
        (lambda: quotient.explore("zoo:tomita5", "ab", states=True, browser=False), "^symbols, states: this is for live models"),
        (lambda: quotient.extract(even, "ab", vocab="nofile"), "^vocab: this is for files"),
        (lambda: quotient.extract(even, "ab", http="http://127.0.0.1:1/"), "^http: this is for files and for models elsewhere"),
        (lambda: quotient.extract(even, "ab", bos=2), "^bos: this is for modules"),
        (lambda: quotient.extract(even, "ab", tokens=[0, 1], yes=0, output="logits"), "^tokens, output, yes: this is for modules"),
        (lambda: quotient.cases(even, "ab", eos=3, file=str(tmp_path / "c.json")), "^eos: this is for modules"),
        (lambda: quotient.extract(net, tokens={"a": 0, "b": 1}, vocab=words), "give one of them"),
    ):
        with pytest.raises(TypeError, match=said):
            wrong()
    assert quotient.extract(even, "ab", output="auto", size=1024).states == 2  # which is what is so unless it is told


def test_a_vocabulary_may_be_given(repository):
    net, file = (repository / "model" / "testdata" / f"tomita4.{kind}" for kind in ("pt", "json"))
    told = json.loads(file.read_text())
    want = quotient.extract(net, vocab=file).automaton
    assert quotient.extract(net, vocab=told).automaton == quotient.extract(net, vocab=told["vocab"]).automaton == want
    assert quotient.extract(net, vocab=["a", "b", "<bos>"]).automaton == want
    assert quotient.extract(net, "ab", tokens={"a": 0, "b": 1, "<bos>": 2}).automaton == want
    assert "the given" not in json.dumps(quotient.extract(net, vocab=told).to_json())
    with pytest.raises(quotient.QuotientError, match=r"the given vocabulary: symbol \"a\" maps to x, not to a token") as caught:
        quotient.extract(net, vocab={"a": "x"})
    assert "vocabulary the given" not in str(caught.value) and "/quotient-" not in str(caught.value)
    for tokens, kind, said in (
        ({"a": 0}, ValueError, "tokens has none for the symbol 'b'"),
        ({"a": 0, "b": 1, "c": 2}, ValueError, "tokens has 'c', which is none of the symbols"),
        ([0], ValueError, "tokens has 1 for 2 symbols"),
        (3, TypeError, "tokens is 3: a list is needed"),
        ({"a": 0, "b": {}}, TypeError, "tokens has {}, which is no number"),
    ):
        with pytest.raises(kind, match=said):
            quotient.extract(net, "ab", tokens=tokens)


def test_a_target_may_be_an_automaton_or_a_study():
    study = quotient.extract(even, "ab")
    other = quotient.extract(even, "ab", target=study)
    assert other.target.equal and other.target.name == "the given automaton"
    words = list(quotient.Automaton.load("regex:[ab]{0,5}"))
    for target in (study, study.automaton, quotient.learn(words, [even(w) for w in words])):
        assert quotient.learn(words, [even(w) for w in words], target=target).target.equal
    for wrong in (even, 3, ["a"], quotient.Study(), quotient.extract("zoo:anbn-lstm", method="counter")):
        with pytest.raises(TypeError, match=r"^target is .*: it is the name of a language, a file, a finite automaton, or a study"):
            quotient.extract(even, "ab", target=wrong)


def test_what_is_no_word_is_told():
    for one in (study := quotient.extract("zoo:anbn-lstm", method="counter")).automaton, quotient.Automaton.load("tomita4"):
        with pytest.raises(TypeError, match=r"^None is no word: a string is one, or a list of names of symbols"):
            one.accepts(None)
    assert study.automaton.accepts(["a", "b"])
    with pytest.raises(TypeError, match="is no word"):
        quotient.ProbabilisticAutomaton("a", {0: {"a": (0, 0.5)}}, {0: 0.5}).probability(None)
    maybe = [("ab", "maybe"), ("a", "no"), ("", "maybe")]
    for data in (maybe, maybe[:2]):
        with pytest.raises(quotient.QuotientError, match=r'^the given words:1: the label "maybe" is none of'):
            quotient.extract(even, "ab", data=data)
    with pytest.raises(ValueError, match="the empty word is the only one, and has no label"):
        quotient.extract(even, "ab", data=[""])
    assert quotient.extract(even, "ab", data={"": 1}).data.words == 1 and quotient.extract(even, "ab", data=["", "a"]).data.words == 2


def test_the_command():
    told = subprocess.run([sys.executable, "-m", "quotient", "version"], capture_output=True, text=True, check=True)
    assert told.stdout.startswith("quotient")


def test_bounds_are_rounded_up():
    """What is promised holds, and is what the program promises."""
    for bound, want in ((0.024004, "2.5%"), (0.0241, "2.5%"), (0.0046, "0.46%"), (0.99001, "100%"), (0.0, "0%")):
        assert f"on fewer than {want} of" in quotient.Agreement(words=1000, bound=bound, confidence=0.99).certificate
    wrong = {"aab", "ba", "abab", "bbb", "aaaa"}
    study = quotient.extract(lambda w: even(w) != (w in wrong), "ab", method="edsm", max_length=9)
    said = re.search(r"fewer than ([0-9.]+)%", study.agreement.certificate).group(1)
    assert float(said) >= 100 * study.agreement.bound
    assert "at most 0.0013 nats" in quotient.Closeness(bound=0.001201).certificate
    assert "by more than 0.0013" in str(quotient.Check(right=True, largest_difference=0.001201))
    apart = quotient.Divergences(False, 1, 1, 1, 1, 0.123456, 0.123412)
    assert str(apart).endswith("total variation 0.1234 to 0.1235")
    row = quotient.Contestant(method="refine", divergence=0.001, bound=0.001201, top=0.999999)
    assert "0.0013" in str(quotient.Contest([row])) and "99.99%" in str(quotient.Contest([row]))
