"""Live PyTorch modules, each by one call, and what the program says of the same weights in a file."""

import itertools
import json

import pytest
from conftest import needs

import quotient
from quotient import _program

torch = pytest.importorskip("torch", reason="torch is not installed: no live module is tested")
nn = torch.nn
ELSEWHERE = _program.knows("extract", "budget")  # a program that is sparing with models that run elsewhere
torch.set_num_threads(1)
torch.manual_seed(0)


class Recurrent(nn.Module):
    def __init__(self, cell=nn.GRU, hidden=24, tokens=3, **more):
        super().__init__()
        self.embedding = nn.Embedding(tokens, 8)
        self.rnn = cell(8, hidden, batch_first=True, **more)
        self.head = nn.Linear(hidden * (2 if more.get("bidirectional") else 1), 1)

    def forward(self, tokens):
        return self.head(self.rnn(self.embedding(tokens))[0][:, -1])


class Packed(Recurrent):
    def forward(self, tokens, lengths):
        packed = nn.utils.rnn.pack_padded_sequence(self.embedding(tokens), lengths, batch_first=True)
        h = self.rnn(packed)[1][0]
        return self.head(torch.cat([h[-2], h[-1]], 1))


class Padded(Recurrent):
    """Trained on words that are filled up to 20 tokens."""

    def forward(self, tokens):
        return self.head(self.rnn(self.embedding(tokens))[0].mean(1))


class HandWritten(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding, self.cell, self.head = nn.Embedding(3, 8), nn.GRUCell(8, 16), nn.Linear(16, 2)

    def forward(self, tokens):
        h = torch.zeros(len(tokens), 16)
        for x in self.embedding(tokens).unbind(1):
            h = self.cell(x, h)
        return self.head(h), h


class StateSpace(nn.Module):
    """A minimal diagonal state-space layer, which tells an answer at every position."""

    def __init__(self):
        super().__init__()
        self.embedding, self.decay, self.head = nn.Embedding(3, 16), nn.Parameter(torch.randn(16)), nn.Linear(16, 1)

    def forward(self, tokens):
        h, out = torch.zeros(len(tokens), 16), []
        for x in self.embedding(tokens).unbind(1):
            h = torch.sigmoid(self.decay) * h + x
            out.append(self.head(torch.tanh(h)))
        return torch.stack(out, 1)


class Transformer(nn.Module):
    def __init__(self, positions=64):
        super().__init__()
        self.embed, self.place = nn.Embedding(3, 16), nn.Embedding(positions, 16)
        self.layers = nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 2, 32, batch_first=True), 1, enable_nested_tensor=False)
        self.head = nn.Linear(16, 1)

    def forward(self, tokens):
        x = self.embed(tokens) + self.place(torch.arange(tokens.shape[1], device=tokens.device))
        ahead = nn.Transformer.generate_square_subsequent_mask(tokens.shape[1])
        return self.head(self.layers(x, mask=ahead, is_causal=True)[:, -1])


def balanced(module, **reading):
    """Shifts the decision so that a module of random weights accepts about half of all words."""
    one = quotient._voices.voice(module, "ab", quotient._voices.Reading(**reading))
    with one.awake():
        shift = sorted(one.logits([list(w) for n in (3, 5, 7) for w in itertools.product([0, 1], repeat=n)]))[75]
    head = next(m for m in reversed(list(module.modules())) if isinstance(m, nn.Linear))
    with torch.no_grad():
        if head.bias is None:
            head.bias = nn.Parameter(torch.zeros(head.out_features))
        head.bias[-1] -= shift
    return module


def agrees(study, module, reading):
    """What the study says the network answered is what the module answers for one word alone."""
    one = quotient._voices.voice(module, "ab", quotient._voices.Reading(**reading))
    words = [w for w in study.answers if w][:: max(1, len(study.answers) // 60)]
    with one.awake():
        alone = {w: one.answer([one.alphabet.indices(w)], False)[0][0] for w in words}
    assert len(words) > 20 and all(abs(alone[w] - study.answers[w]) < 1e-4 for w in words)
    assert study.agreement.words > 0 and study.agreement.accuracy > 0.5
    assert 0 < sum(p > 0.5 for p in study.answers.values()) < len(study.answers)


MODULES = {
    "gru": (Recurrent, {"bos": 2, "states": True}),
    "gru without bos": (Recurrent, {}),
    "lstm": (lambda: Recurrent(nn.LSTM), {"eos": 2, "states": True}),
    "packed bidirectional lstm": (lambda: Packed(nn.LSTM, bidirectional=True), {}),
    "padded bidirectional lstm": (lambda: Padded(nn.LSTM, bidirectional=True), {"pad": 2, "pad_to": 20}),
    "hand-written cell": (HandWritten, {"states": True}),
    "state space": (StateSpace, {}),
    "transformer": (Transformer, {"bos": 2}),
}


@pytest.mark.parametrize("name", MODULES)
def test_modules(name):
    torch.manual_seed(1)
    make, reading = MODULES[name]
    reading = {"output": "logits", **reading}  # of random weights they may all lie between 0 and 1
    module = balanced(make(), **reading).train()
    if "transformer" in name and not ELSEWHERE:
        pytest.skip("this program asks for longer words than the model can read")
    study = quotient.extract(module, "ab", method=None if "states" in reading else "ttt", max_states=40, **limits(reading))
    agrees(study, module, reading)
    assert module.training and not module.head._forward_hooks and not any(m._forward_hooks for m in module.modules())
    if name == "transformer":
        assert max(map(len, study.answers)) == 63 and any("63 symbols" in n for n in study.notes)
    if name == "padded bidirectional lstm":
        assert max(map(len, study.answers)) <= 20
    if name in ("gru without bos", "packed bidirectional lstm", "hand-written cell"):
        assert any("empty word" in n for n in study.notes) == (name != "hand-written cell")


def limits(reading):
    return {**reading, **({"budget": 4000} if ELSEWHERE else {})}


def test_states_of_an_encoder_are_noted():
    torch.manual_seed(1)
    module = balanced(Transformer(600), bos=2)
    study = quotient.extract(module, "ab", bos=2, states="layers", method="fold")
    assert any("need not determine what follows" in n for n in study.notes)


def test_what_cannot_be_read_is_said():
    with pytest.raises(ValueError, match="bidirectional"):
        quotient.extract(Recurrent(bidirectional=True), "ab", states=True)
    with pytest.raises(ValueError, match="no part 'none'"):
        quotient.extract(Recurrent(), "ab", states="none")
    with pytest.raises(IndexError):  # the module's own exception: a token that its embedding does not have
        quotient.extract(Recurrent(), "ab", tokens=[7, 8])

    class Wants(Recurrent):
        def forward(self, tokens, speaker):
            return super().forward(tokens)

    with pytest.raises(ValueError, match="speaker"):
        quotient.extract(Wants(), "ab")
    with pytest.raises(ValueError, match="yes=CLASS"):
        quotient.extract(nn.Sequential(nn.Embedding(2, 5), nn.Flatten(1), nn.LazyLinear(1)).__class__(nn.Embedding(2, 5)), "ab")


def test_a_file_is_read_as_the_module_answers(tmp_path):
    torch.manual_seed(2)
    module = balanced(Recurrent(), bos=2)
    torch.save(module.state_dict(), tmp_path / "net.pt")
    assert quotient.check(module, tmp_path / "net.pt", "ab", bos=2)
    with torch.no_grad():
        module.head.bias += 1
    wrong = quotient.check(module, tmp_path / "net.pt", "ab", bos=2)
    assert not wrong and wrong.wrong == wrong.answers and "wrong" in str(wrong)


class Predicting(Recurrent):
    """A language model over 0, 1, 2 and 3, with what follows every position."""

    def __init__(self, outputs=4):
        super().__init__(tokens=4)
        self.head = nn.Linear(24, outputs)

    def forward(self, tokens):
        return self.head(self.rnn(self.embedding(tokens))[0])


@pytest.mark.parametrize("reading", [{"bos": 2, "eos": 3}, {"bos": 2, "eos": 2}, {"bos": 2}, {"bos": 2, "eos": 3, "kind": "lm"}])
def test_a_file_is_read_as_the_language_model_predicts(reading, tmp_path):
    torch.manual_seed(2)
    module = Predicting()
    torch.save(module.state_dict(), tmp_path / "net.pt")
    right = quotient.check(module, tmp_path / "net.pt", "ab", **reading)
    assert right and right.answers > 1000
    with torch.no_grad():
        module.head.bias[0] += 1
    assert not quotient.check(module, tmp_path / "net.pt", "ab", **reading)


def test_language_models():
    torch.manual_seed(2)
    module = Predicting()
    assert quotient.extract(module, "ab", bos=2, yes=1, max_states=5).automaton is not None  # one of four classes
    with pytest.raises(ValueError, match="cannot read the empty word"):
        quotient.extract(module, "ab", eos=3)
    one = quotient._voices.voice(module, "ab", quotient._voices.Reading(eos=3, empty=[0.5, 0.25, 0.25]))
    with one.awake():
        assert one.predicts and one.greeting()["outputs"] == "next"
        first, second = one.answer([[], [1]], False)[0]
        logits = module(torch.tensor([[1]]))[0, -1, [0, 1, 3]]
    assert first == [0.5, 0.25, 0.25] and torch.allclose(torch.tensor(second), torch.softmax(logits, 0), atol=1e-6)
    assert any("1 of 4 outputs" in note for note in one.notes)


def test_live_language_models():
    torch.manual_seed(2)
    module = Predicting()
    with torch.no_grad():
        module.head.bias[3] += 1  # so that words end
    study = quotient.extract(module, "ab", bos=2, eos=3, states=True)
    assert study.certificate.divergence < 0.05 and study.certificate.entropy > 0.5
    with torch.no_grad():
        for word in ("", "ab", "bba"):
            logits = module.eval()(torch.tensor([[2, *("ab".index(s) for s in word)]]))[0, -1, [0, 1, 3]]
            told, ours = torch.softmax(logits, 0).tolist(), list(study.automaton.next(word).values())
            assert study.answers[word] == pytest.approx(told, abs=1e-5) and ours == pytest.approx(told, abs=0.1)


class Pooled(Recurrent):
    """Whose answer is not that of the last state."""

    def forward(self, tokens):
        return self.head(self.rnn(self.embedding(tokens))[0].amax(1))


class Placed(Recurrent):
    """Whose symbols are read by their places."""

    def forward(self, tokens):
        x = self.embedding(tokens) + torch.arange(tokens.shape[1])[None, :, None] / 10
        return self.head(self.rnn(x)[0][:, -1])


class Beginning(Recurrent):
    """Which has its own state to begin with, two layers, and time first."""

    def __init__(self):
        super().__init__(nn.LSTM, num_layers=2)
        self.rnn.batch_first = False
        self.begin = nn.Parameter(torch.randn(2, 2, 1, 24))

    def forward(self, tokens):
        n = len(tokens)
        begin = tuple(x.expand(2, n, 24).contiguous() for x in self.begin)
        return self.head(self.rnn(self.embedding(tokens).transpose(0, 1), hx=begin)[1][0][-1])


READ_ON = {
    "gru": (Recurrent, {"bos": 2}, True),
    "without bos": (Recurrent, {}, True),
    "eos": (lambda: Recurrent(nn.LSTM), {"bos": 2, "eos": 2}, True),
    "elman": (lambda: Recurrent(nn.RNN, num_layers=2), {"eos": 2}, True),
    "its own beginning": (Beginning, {"bos": 2}, True),
    "cell": (HandWritten, {"bos": 2}, True),
    "every position": (lambda: Predicting(2), {"bos": 2}, True),
    "language model": (Predicting, {"bos": 2, "eos": 3}, True),
    "maximum": (Pooled, {"bos": 2}, False),
    "places": (Placed, {"bos": 2}, False),
    "bidirectional": (lambda: Recurrent(bidirectional=True), {"bos": 2}, False),
    "state space": (StateSpace, {"bos": 2}, False),
}


@pytest.mark.parametrize("name", READ_ON)
def test_words_are_read_on_from_states(name):
    """A recurrent module goes on from the states of prefixes, and what does not allow it is read as a whole; the answers are the same."""
    torch.manual_seed(5)
    make, reading, goes_on = READ_ON[name]
    watched = {"states": True} if goes_on else {}
    voices = [quotient._voices.voice(make().eval(), "ab", quotient._voices.Reading(output="logits", **reading, **watched)) for _ in range(2)]
    voices[1].module.load_state_dict(voices[0].module.state_dict())
    words = [[], [0], [0, 1], [0, 1, 1], *([int(c) for c in f"{n:012b}"][: n % 12 + 1] for n in range(0, 4096, 17))]
    words = [w for w in words if w or reading]
    said = []
    for one, whole in zip(voices, (False, True)):
        with one.awake():
            assert (one.steps is not None) == goes_on
            one.steps = None if whole else one.steps
            rounds = [one.answer(part, goes_on) for part in (words[:40], words, words[::-1])]
            said.append([torch.tensor(x, dtype=torch.float) for r in rounds for x in r if x is not None])
    assert all(torch.allclose(a, b, atol=1e-5) for a, b in zip(*said)) and len(said[0]) == (6 if goes_on else 3)


def test_states_are_shown_where_words_are_read_on_from_them():
    """A live module is then read as its file is, and by the same methods; words alone are asked about if that is wanted."""
    torch.manual_seed(3)
    module = balanced(Recurrent(hidden=24), bos=2)
    shown, alone = quotient.extract(module, "ab", bos=2), quotient.extract(module, "ab", bos=2, states=False)
    assert shown.method in ("fold", "explore") and any("states of rnn are shown" in n for n in shown.notes)
    assert alone.method == "ttt" and not any("shown" in n for n in alone.notes)


USED, ASKED = "computes with the model's weights", "asked throughout"


class Deviating(Recurrent):
    """Which does something else to words beyond a length, which no file of weights shows."""

    def forward(self, tokens):
        logits = super().forward(tokens)
        return -logits if tokens.shape[1] > 200 else logits


WEIGHTS = {
    "gru": (Recurrent, {"bos": 2}, USED),
    "without bos": (Recurrent, {}, USED),
    "lstm": (lambda: Recurrent(nn.LSTM, tokens=4, num_layers=2), {"bos": 2, "eos": 3}, USED),
    "elman": (lambda: Recurrent(nn.RNN), {"bos": 2}, USED),
    "two classes": (lambda: Predicting(2), {"bos": 2, "yes": 1}, USED),
    "other tokens": (Recurrent, {"bos": 0, "tokens": {"a": 2, "b": 1}}, ASKED),  # whose order is not that of the symbols
    "its own beginning": (Beginning, {"bos": 2}, ASKED),
    "other code": (Deviating, {"bos": 2}, ASKED),
    "cell": (HandWritten, {"bos": 2}, ""),
    "a budget": (Recurrent, {"bos": 2, "budget": 3000}, ""),
    "words alone": (Recurrent, {"bos": 2, "states": False, "budget": 3000}, ""),
}


@pytest.mark.parametrize("name", WEIGHTS)
def test_weights_are_handed_over(name, tmp_path):
    """The program computes with the weights of a recurrent module where they give what it says, and asks it about all that it concludes."""
    torch.manual_seed(1)
    make, reading, note = WEIGHTS[name]
    budget = {"budget": reading["budget"]} if "budget" in reading else {}
    reading = {"output": "logits", **{k: v for k, v in reading.items() if k != "budget"}}
    module = balanced(make(), **reading)
    how = {} if budget else {"method": "fold"}
    study = quotient.extract(module, "ab", **how, **reading, **budget)
    told = [n for n in study.notes if USED in n or ASKED in n]
    assert len(told) == bool(note) and note in "".join(told) and str(tmp_path.parent) not in "".join(study.notes)
    agrees(study, module, reading)
    if note == USED:
        assert len(study.answers) < 4000
        torch.save(module.state_dict(), tmp_path / "net.pt")
        told = {k: v for k, v in reading.items() if k != "output"} | ({} if "bos" in reading else {"bos": "none"})
        file = quotient.extract(tmp_path / "net.pt", "ab", method="fold", **told)
        assert study.states == file.states and (study.automaton == file.automaton or "bos" not in reading)


def test_hooks_count(tmp_path):
    """What a hook makes of a module's answer is what is asked about."""
    torch.manual_seed(1)
    module = balanced(Recurrent(), bos=2)
    module.head.register_forward_hook(lambda m, args, out: -out)
    study = quotient.extract(module, "ab", bos=2, output="logits", method="fold")
    assert any(ASKED in n and "another probability" in n for n in study.notes)
    agrees(study, module, {"bos": 2, "output": "logits"})


def test_gradients_threads_and_random_numbers_are_left_alone():
    torch.manual_seed(1)  # weights that give few states, whichever test came before
    module = Recurrent()
    before, threads = torch.random.get_rng_state(), torch.get_num_threads()
    quotient.extract(balanced(module, bos=2), "ab", bos=2, method="ttt", max_states=40)
    assert torch.equal(before, torch.random.get_rng_state()) and torch.is_grad_enabled() and torch.get_num_threads() == threads
    assert all(p.grad is None for p in module.parameters())


@needs("transformers")
@pytest.mark.parametrize("kind", ["gpt2", "distilbert"])
def test_huggingface(kind):
    import transformers

    torch.manual_seed(3)
    if kind == "gpt2":
        config = transformers.GPT2Config(vocab_size=5, n_positions=64, n_embd=16, n_layer=1, n_head=2, num_labels=2, pad_token_id=4)
        module, reading = transformers.GPT2ForSequenceClassification(config), {"bos": 2}
    else:
        config = transformers.DistilBertConfig(vocab_size=6, max_position_embeddings=64, dim=16, n_layers=1, n_heads=2, hidden_dim=32, num_labels=2,
                                               pad_token_id=0)
        module, reading = transformers.DistilBertForSequenceClassification(config), {"tokenizer": Tokenizer()}
    if not ELSEWHERE:
        pytest.skip("this program asks for longer words than the model can read")
    balanced(module, **reading)
    study = quotient.extract(module, "ab", method="ttt", max_states=40, budget=3000, **reading)
    agrees(study, module, reading)
    assert max(map(len, study.answers)) <= 64


def test_outputs_that_only_look_like_probabilities():
    class Longer(nn.Module):
        """Its first outputs lie between 0 and 1; after many a's they do not."""

        def forward(self, tokens):
            return (tokens == 0).sum(1, keepdim=True) / 22.0

    with pytest.raises(ValueError, match=r'gave .*, which is no probability.*output="logits"'):
        quotient.extract(Longer(), "ab", method="ttt", budget=3000)
    study = quotient.extract(Longer(), "ab", method="ttt", budget=300, output="logits")
    assert "probabilities" not in " ".join(study.notes)


class Tokenizer:
    """What is used of a tokenizer: [CLS] a b [SEP]."""

    pad_token_id = 0

    def __call__(self, text, add_special_tokens=True):
        return {"input_ids": [{"a": 4, "b": 5}[text]]}

    def build_inputs_with_special_tokens(self, tokens):
        return [1, *tokens, 2]


def test_json_of_a_module(tmp_path):
    module = balanced(Recurrent(), bos=2)
    quotient.cases(module, "ab", 10, str(tmp_path / "cases.json"), bos=2)
    told = json.loads((tmp_path / "cases.json").read_text())
    assert told["vocab"] == {"a": 0, "b": 1, "<bos>": 2} and len(told["cases"]) == 10


class Two(Recurrent):
    """Two outputs, or more, which may be probabilities or not."""

    def __init__(self, last, outputs=2):
        super().__init__(hidden=8)
        self.head, self.last = nn.Linear(8, outputs), last

    def forward(self, tokens):
        return self.last(super().forward(tokens))


APART = "no two classes of one decision: class 1 above class 0 is taken to be a yes; yes=CLASS says which class is"
SUMMED = "are taken for probabilities"


@pytest.mark.parametrize("last, reading, note", [
    (torch.sigmoid, {}, APART),
    (torch.sigmoid, {"output": "probabilities"}, APART),
    (torch.sigmoid, {"yes": 0}, ""),
    (torch.sigmoid, {"output": "logits"}, ""),
    (lambda x: 0.3 + x / 100, {}, APART),  # logits that happen to lie there
    (lambda x: torch.softmax(x, -1), {}, SUMMED),
    (lambda x: torch.softmax(x, -1).bfloat16(), {}, SUMMED),
    (lambda x: x, {}, ""),
])
def test_of_two_outputs_the_larger_decides(last, reading, note):
    torch.manual_seed(4)
    module = balanced(Two(last), bos=2, output="logits")
    study = quotient.extract(module, "ab", bos=2, method="ttt", max_states=5, budget=1000, **reading)
    words = [w for w in map("".join, itertools.chain.from_iterable(itertools.product("ab", repeat=n) for n in range(7))) if w in study.answers]
    with torch.no_grad():
        outputs = [module(torch.tensor([[2, *("ab".index(s) for s in w)]]))[0] for w in words]
    larger = [bool(y[reading.get("yes", 1)] > y[1 - reading.get("yes", 1)]) for y in outputs]
    assert len(words) > 60 and 0 < sum(larger) < len(words)
    assert [study.answers[w] > 0.5 for w in words] == larger
    told = " ".join(n for n in study.notes if APART in n or SUMMED in n)
    assert note in told and bool(told) == bool(note)
    assert note in str(study) and note in study._repr_html_()


def test_a_file_of_two_sigmoids_is_read_as_the_module_answers(tmp_path):
    torch.manual_seed(4)
    one = quotient._voices.voice(Two(torch.sigmoid), "ab", quotient._voices.Reading(bos=2))
    with one.awake(), torch.no_grad():
        outputs = one.module(torch.tensor([[2, 0, 1]]))[0]
        assert one.logits([[0, 1]])[0] == pytest.approx(float(outputs[1] - outputs[0]), abs=1e-6)  # as model/reading.go has it


def test_more_outputs_than_two_that_do_not_sum_to_one():
    torch.manual_seed(4)
    module = Two(lambda x: torch.sigmoid(5 * x), 4)
    study = quotient.extract(module, "ab", bos=2, yes=3, method="ttt", max_states=5, budget=500)
    assert any("class 3 is taken for a probability of its own" in n for n in study.notes)
    with torch.no_grad():
        assert study.answers["ab"] == pytest.approx(float(module(torch.tensor([[2, 0, 1]]))[0, 3]), abs=1e-5)


def test_mistakes_about_modules_are_told():
    one, two = Recurrent(), Two(lambda x: x)
    for wrong, kind, said in (
        (lambda: quotient.extract(one, "ab", tokens={"a": 0}), ValueError, "tokens has none for the symbol 'b'"),
        (lambda: quotient.extract(one, "ab", bos=2, vocab="nofile"), TypeError, "vocab: this is for files .* tokens= is the token"),
        (lambda: quotient.extract(two, "ab", bos=2, yes=5), ValueError, "yes is 5, and the module has 2 outputs: it is one of the classes 0 to 1"),
        (lambda: quotient.extract(one, "ab", bos=2, yes=-1), ValueError, "yes is -1, and the module has 1 output:"),
        (lambda: quotient.extract(two, "ab", bos=2, yes="1"), TypeError, "yes is '1': of a model in Python it is a whole number"),
        (lambda: quotient.extract(one, "ab", bos="<bos>"), TypeError, "bos is '<bos>'"),
        (lambda: quotient.extract(two, "ab", bos=2, kind="lm", yes=1), ValueError, "yes is the class of a recognizer"),
    ):
        with pytest.raises(kind, match=said):
            wrong()
    with pytest.raises(TypeError, match=r"a dict of 7 entries, as a state_dict is: give the torch.nn.Module") as caught:
        quotient.extract(one.state_dict(), "ab")
    assert "tensor" not in str(caught.value)


def test_what_is_guessed_stands_beside_every_result(tmp_path, capsys):
    torch.manual_seed(4)
    module = Two(torch.sigmoid)
    table = quotient.methods(module, "ab", methods=["ttt"], bos=2, budget=500)
    assert APART in str(table) and APART in table._repr_html_() and len(table) == 1
    torch.save(module.state_dict(), tmp_path / "net.pt")
    assert APART in str(quotient.check(module, tmp_path / "net.pt", "ab", bos=2))
    quotient.cases(module, "ab", 5, str(tmp_path / "cases.json"), bos=2)
    assert APART in capsys.readouterr().err
    with quotient.explore(module, "ab", browser=False, bos=2) as page:
        assert APART in repr(page) and APART in page._repr_html_()
