"""Makes a model of Quotient out of anything callable in Python.

    import quotient
    quotient.serve(model, symbols="ab", bos=2)

and then, in a shell,

    quotient extract --exec 'python my_model.py'

`model` is a function from a word to a probability, or a torch.nn.Module that reads a
batch of tokens: recurrent, convolutional, a transformer. This file needs nothing but
Python's standard library; PyTorch is imported only if the model is a module. Copy it
beside your own, or put its folder on PYTHONPATH. The protocol that it speaks is
described in docs/protocol.md.
"""

import json
import math
import os
import random
import sys
import traceback

__all__ = ["serve", "cases"]

VERSION = 1


def serve(model, symbols, *, bos=None, eos=None, tokens=None, states=None, batch=False,
          output="auto", empty=None, name=None, size=256, http=None, kind=None):
    """Answers questions about words until the asking program ends.

    model    a function from a word to the probability (or True or False) that it is in
             the language, or a torch.nn.Module from tokens, int64 of batch x time, to
             one logit or two classes, for every position or for the last one alone.
             A tuple's first element counts, and an object's `logits`.
             A language model, which predicts the next symbol, is a function from a word to
             the probabilities of each next symbol and, last, of the end; or a module with
             more than two outputs, one for each token or for each symbol and the end.
    symbols  the alphabet: a string of characters, and then words are strings, or a list
             of names, and then words are lists of names.
    bos, eos tokens that a module reads before and behind every word. A language model
             does not read eos: its output is that of the end; without eos, that of bos is.
    tokens   the token of each symbol, as a list or a dict; otherwise 0, 1, 2, ... with
             bos and eos left out.
    states   the state after a word, which methods that merge states need.
             For a function: a function from a word to a list of numbers.
             For a module: True for the states of its only torch.nn.RNN, GRU or LSTM; the
             name of a submodule, for its output at the last position; or a function from
             tokens (batch x time) to a tensor of batch x numbers.
             The state must determine what follows: that of a recurrent network does.
    batch    a function reads a list of words and returns a list of probabilities.
    output   what a module's numbers are: "logits" or "probabilities". "auto" takes them for
             probabilities if they lie between 0 and 1 for many words, and says so.
    empty    the probability of the empty word, for modules that cannot read nothing.
    name     what the model is called.
    size     the most words that a module reads at once.
    http     a port to answer on over HTTP, in place of standard input and output.
    kind     "lm" or "recognizer"; otherwise it is found out.
    """
    letters = list(symbols)
    out = None if http is not None else _protocol or _take_stdout()
    if _is_module(model):
        answer = _Module(model, letters, bos, eos, tokens, states, output, empty, size, kind)
    else:
        answer = _Function(model, letters, isinstance(symbols, str), states, batch, kind)
    greeting = {"quotient": VERSION, "name": name or getattr(model, "__name__", type(model).__name__), "symbols": letters}
    if answer.predicts:
        greeting["outputs"] = "next"
    if states is not None:
        greeting.update(states=True, dim=answer.dim())
    if http is None:
        _over_pipes(greeting, answer, out)
    else:
        _over_http(greeting, answer, http)


def cases(model, symbols, words=50, file="cases.json", *, bos=None, eos=None, tokens=None, batch=False,
          output="auto", size=256, kind=None):
    """Writes what a model says of some words, as `quotient model FILE --check cases.json` reads it.

    words    a list of words, or how many to draw, of up to 12 symbols.
    The rest is as in serve(). Of a module, logits are written, and which token is which; of a
    language model, what it predicts after every prefix.
    """
    letters, rng = list(symbols), random.Random(0)
    place = {s: i for i, s in enumerate(letters)}
    if isinstance(words, int):
        indices = [[rng.randrange(len(letters)) for _ in range(1 + i % 12)] for i in range(words)]
    else:
        indices = [[place[s] for s in w] for w in words]
    about = {}
    if _is_module(model):
        answer = _Module(model, letters, bos, eos, tokens, None, output, None, size, kind)
        indices = [w for w in indices if answer._framed(w)]  # of nothing, a module says nothing
        about["vocab"] = {s: t for s, t in zip(letters + ["<bos>", "<eos>"], answer.tokens + [None if bos == eos else bos, eos]) if t is not None}
        numbers, what = answer.logits(indices), "outputs" if answer.predicts else "logit"
    else:
        answer = _Function(model, letters, isinstance(symbols, str), None, batch, kind)
        if answer.predicts:
            numbers, what = [answer([w[:k] for k in range(len(w) + 1)], False)[0] for w in indices], "next"
        else:
            numbers, what = answer(indices, False)[0], "probability"
    about["cases"] = [{"word": [letters[i] for i in w], what: _numbers(x)} for w, x in zip(indices, numbers)]
    with open(file, "w", encoding="utf-8") as f:
        json.dump(about, f)


def _take_stdout():
    """Returns standard output for answers; what is printed goes to standard error."""
    sys.stdout.flush()
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return out


# Started by `quotient --exec`, nothing that is printed while a model loads may be taken
# for its greeting.
_protocol = _take_stdout() if os.environ.get("QUOTIENT_PROTOCOL") else None


def _is_module(model):
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(model, torch.nn.Module)


def _reply(answer, line):
    """Returns the answer to a request, as a line of JSON. What goes wrong is an answer."""
    number = None
    try:
        request = json.loads(line)
        number = request["id"]
        probabilities, states = answer(request["words"], bool(request.get("states")))
        reply = {"id": number, "probabilities": _numbers(probabilities)}
        if request.get("states"):
            reply["states"] = _numbers(states)
        return json.dumps(reply, allow_nan=False)
    except Exception as error:
        traceback.print_exc(file=sys.stderr)
        last = traceback.format_exception_only(type(error), error)[-1].strip()
        return json.dumps({"id": number, "error": last})


def _number(x):
    x = float(x)
    if not math.isfinite(x):
        raise ValueError("the model gave %r" % x)
    return x


def _numbers(x):
    """A number, or lists of numbers."""
    return [_numbers(y) for y in x] if _is_list(x) else _number(x)


def _is_list(x):
    return hasattr(x, "__iter__") and getattr(x, "shape", True) != ()  # a number of NumPy's has a shape


def _over_pipes(greeting, answer, out):
    def say(line):
        out.write(line + "\n")
        out.flush()

    say(json.dumps(greeting))
    for line in sys.stdin:
        if line.strip():
            say(_reply(answer, line))


def _over_http(greeting, answer, port):
    from http.server import BaseHTTPRequestHandler, HTTPServer

    class Handler(BaseHTTPRequestHandler):
        def say(self, text):
            body = text.encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self):
            self.say(json.dumps(greeting))

        def do_POST(self):
            self.say(_reply(answer, self.rfile.read(int(self.headers.get("Content-Length", 0)))))

        def log_message(self, *_):
            pass

    with HTTPServer(("127.0.0.1", port), Handler) as server:
        print("answering on http://127.0.0.1:%d/" % server.server_address[1], file=sys.stderr, flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            pass


class _Function:
    """A function from words to probabilities."""

    def __init__(self, function, letters, strings, states, batch, kind):
        self.function, self.letters, self.strings, self.states, self.batch = function, letters, strings, states, batch
        self.predicts = kind == "lm" or kind is None and self._gives_lists()

    def _gives_lists(self):
        try:
            return _is_list(self([[]], False)[0][0])
        except Exception:  # which is told when it is asked for
            return False

    def word(self, indices):
        names = [self.letters[i] for i in indices]
        return "".join(names) if self.strings else names

    def dim(self):
        return len(list(self.states(self.word([]))))

    def __call__(self, words, with_states):
        words = [self.word(w) for w in words]
        if self.batch:
            probabilities = list(self.function(words))
            if len(probabilities) != len(words):
                raise ValueError("the function gave %d probabilities for %d words" % (len(probabilities), len(words)))
        else:
            probabilities = [self.function(w) for w in words]
        return probabilities, [list(self.states(w)) for w in words] if with_states else None


class _Module:
    """A torch.nn.Module from tokens to logits."""

    def __init__(self, module, letters, bos, eos, tokens, states, output, empty, size, kind=None):
        import torch

        self.torch, self.module, self.bos, self.eos, self.empty, self.size = torch, module.eval(), bos, eos, empty, size
        if isinstance(tokens, dict):
            tokens = [tokens[x] for x in letters]
        if tokens is None:
            free = (t for t in range(len(letters) + 2) if t not in (bos, eos))
            tokens = [next(free) for _ in letters]
        self.tokens = list(tokens)
        first = next(iter(module.parameters()), None)
        self.device = first.device if first is not None else "cpu"
        self.states, self.watched = states, None
        if states is True or isinstance(states, str):
            self.watched = self._watch(states)
        with torch.no_grad():
            self._look(output, kind)

    def _watch(self, which):
        """Keeps what a submodule last gave, and returns a function to read it."""
        nn = self.torch.nn
        recurrent = {n: m for n, m in self.module.named_modules() if isinstance(m, (nn.RNN, nn.GRU, nn.LSTM))}
        if which is True:
            if len(recurrent) != 1:
                raise ValueError("states=True needs one recurrent layer, and the module has %d: name a submodule" % len(recurrent))
            which = next(iter(recurrent))
        part = dict(self.module.named_modules())[which]
        if getattr(part, "bidirectional", False):
            raise ValueError("a bidirectional layer has no state that belongs to a prefix")
        kept = {}
        part.register_forward_hook(lambda _module, _inputs, result: kept.update(result=result))

        def read(count):
            result = kept.pop("result")
            if which in recurrent:  # (output, h) or (output, (h, c)), both layers x batch x hidden
                final = result[1] if isinstance(result[1], tuple) else (result[1],)
                return self.torch.cat([x.transpose(0, 1).reshape(count, -1) for x in final], dim=1)
            result = result[0] if isinstance(result, tuple) else result
            return result[:, -1] if result.dim() == 3 else result

        return read

    def _look(self, output, kind):
        """Finds out, from a few words, what the module's outputs mean."""
        groups = []  # by length: 5 at first, which no number of classes is mistaken for
        for length in (5, 1, 2, 3, 8, 13, 21):
            words = [[self.tokens[(i * (j + 3) // 2 + j) % len(self.tokens)] for j in range(length)] for i in range(20)]
            groups.append(self._raw(self.torch.tensor([self._framed(w) for w in words], device=self.device)))
        if self._framed([]):
            groups.append(self._raw(self.torch.tensor([self._framed([])], device=self.device)))
        raw = groups[0]
        per_symbol = raw.dim() > 1 and raw.shape[-1] > 2 and (raw.dim() == 3 or all(x.shape[-1] == raw.shape[-1] for x in groups))
        self.predicts = kind == "lm" or kind is None and per_symbol
        wide = raw.dim() > 1 and (raw.shape[-1] <= 2 or self.predicts)
        self.classes = raw.shape[-1] if wide else 1
        self.every_position = raw.dim() == (3 if wide else 2)
        if raw.dim() > 3 or raw.dim() == 3 and not wide:
            raise ValueError("the module's output has the shape %s: one logit or two classes are needed" % (tuple(raw.shape),))
        if output == "auto":
            unit = all(bool(((x >= 0) & (x <= 1)).all()) for x in groups)
            unit = unit and (not self.predicts or all(bool(((x.sum(-1) - 1).abs() < 1e-3).all()) for x in groups))
            output = "probabilities" if unit else "logits"
            if unit:
                print("quotient: the outputs lie between 0 and 1 and are taken for probabilities; output=\"logits\" says otherwise", file=sys.stderr)
        if output not in ("logits", "probabilities"):
            raise ValueError("output is %r, not logits or probabilities" % (output,))
        self.probabilities = output == "probabilities"
        if self.predicts:
            self.outputs, self.eos = self._meaning(raw.shape[-1]), None
            left = raw.shape[-1] - len([k for k in self.outputs if k is not None])
            if left:
                print("quotient: %d of %d outputs mean neither a symbol nor the end: they are left out, and the others renormalized" % (left, raw.shape[-1]), file=sys.stderr)

    def _meaning(self, count):
        """Returns which output is each symbol and, last, the end; None if that never comes."""
        end = self.bos if self.eos is None else self.eos
        known = self.tokens + ([] if end is None else [end])
        if max(known) < count and (end is not None or count == len(self.tokens)):  # outputs are those of the tokens
            return self.tokens + [end]
        if count == len(self.tokens) + 1:  # of the symbols and the end, in the order of their tokens
            order = sorted(self.tokens + ([] if self.eos is None else [self.eos]))
            return [order.index(t) for t in self.tokens] + [count - 1 if self.eos is None else order.index(self.eos)]
        raise ValueError("the module has %d outputs for %d symbols: one for each token is needed, or one for each symbol and the end; "
                         "bos= and eos= name the tokens that begin and end words" % (count, len(self.tokens)))

    def _next(self, raw):
        """Returns logits of each symbol and, last, of the end: batch x symbols + 1."""
        raw = self.torch.log(raw) if self.probabilities else raw
        never = self.torch.full_like(raw[..., :1], float("-inf"))
        return self.torch.cat([never if k is None else raw[..., k:k + 1] for k in self.outputs], -1)

    def _framed(self, word, end=True):
        word = list(word)
        if self.bos is not None:
            word = [self.bos] + word
        if self.eos is not None and end:
            word = word + [self.eos]
        return word

    def _raw(self, tokens):
        result = self.module(tokens)
        if isinstance(result, (tuple, list)):
            result = result[0]
        return getattr(result, "logits", result).float()

    def _probability(self, raw):
        if self.every_position:
            raw = raw[:, -1]
        if self.predicts:
            return self.torch.softmax(self._next(raw), -1)
        if self.classes == 2:  # logarithms of probabilities are logits, too
            return raw[:, 1] if self.probabilities else self.torch.softmax(raw, -1)[:, 1]
        raw = raw.reshape(-1)
        return raw if self.probabilities else self.torch.sigmoid(raw)

    def logits(self, words):
        """Returns the logarithm of the odds of a yes for each word."""
        numbers = []
        with self.torch.no_grad():
            for w in words:
                if self.predicts:
                    prefixes = [self._framed([self.tokens[s] for s in w[:k]]) for k in range(len(w) + 1)]
                    numbers.append([self._next(self._last(p)).clamp(min=-1e9)[0].tolist() for p in prefixes])
                    continue
                raw = self._raw(self.torch.tensor([self._framed([self.tokens[s] for s in w])], device=self.device))
                raw = raw[:, -1] if self.every_position else raw
                if self.probabilities:
                    raw = self.torch.log(raw) if self.classes == 2 else self.torch.logit(raw)
                row = raw.reshape(-1).tolist()
                numbers.append(row[1] - row[0] if self.classes == 2 else row[0])
        return numbers

    def _last(self, word):
        if not word:
            raise ValueError("the model reads no token of the empty word: give bos=")
        raw = self._raw(self.torch.tensor([word], device=self.device))
        return raw[:, -1] if self.every_position else raw

    def _state(self, tokens):
        if self.watched is None:
            return self.states(tokens)
        self.module(tokens)
        return self.watched(len(tokens))

    def dim(self):
        with self.torch.no_grad():
            return self._state(self.torch.tensor([self._framed(self.tokens[:1], end=False)], device=self.device)).shape[1]

    def __call__(self, words, with_states):
        """Words of the same length are read together."""
        probabilities, states = [None] * len(words), [None] * len(words)
        order = sorted(range(len(words)), key=lambda i: len(words[i]))
        with self.torch.no_grad():
            while order:
                group = [i for i in order[:self.size] if len(words[i]) == len(words[order[0]])]
                order = order[len(group):]
                symbols = [[self.tokens[s] for s in words[i]] for i in group]
                p = self._read(symbols)
                s = self._read_states(symbols) if with_states else [None] * len(group)
                for i, one, state in zip(group, p, s):
                    probabilities[i], states[i] = one, state
        return probabilities, states

    def _read(self, symbols):
        framed = [self._framed(w) for w in symbols]
        if not framed[0]:
            if self.empty is None:
                raise ValueError("the model reads no token of the empty word: give bos=, or empty= with its probability")
            return [self.empty] * len(framed)
        return self._probability(self._raw(self.torch.tensor(framed, device=self.device))).tolist()

    def _read_states(self, symbols):
        framed = [self._framed(w, end=False) for w in symbols]
        if not framed[0]:  # nothing is read, and all states are zero
            return [[0.0] * self.dim()] * len(framed)
        return self._state(self.torch.tensor(framed, device=self.device)).float().tolist()
