#!/usr/bin/env python3
"""Where a network goes elsewhere than the automaton whose words it was trained on.

    go build ./cmd/quotient
    python3 bench/transitions.py --quotient ./quotient FOLDER...

A folder has model.pt and model.json, as for predictive.py. Each line is a transition of the automaton behind the
network that the extracted one does not have, with states named as in the former: where it leads there and in
ours; how many of 60,000 words of the automaton behind take it, which is what the network could learn it from; and by
how many nats a word the network is nearer to ours than to ours with this one transition as in the automaton
behind, with the standard error. That is measured twice: on the words that the network speaks and that take it
("spoken", with their number), and on words that are forced through it: a prefix that the network speaks up to
the state, the symbol, and then what the network speaks. Above zero the network itself goes where ours goes. Where
the two disagree, most of the spoken words come to the transition because the network is not where the automaton
is. Where PyTorch is not installed, it says so and exits with 0.
"""

import argparse
import json

try:
    import numpy as np
    import torch
except ImportError as missing:
    print(f"{missing.name} is not installed here")
    raise SystemExit(0)

import predictive

SPOKEN, FORCED, LONGEST, TRAINED = 20_000, 1_000, 120, 60_000


class Network:
    """A language model as train/foreign.py writes them, step by step."""

    def __init__(self, folder):
        weights = torch.load(folder / "model.pt", weights_only=True)
        self.embedding, self.head, self.bias = (weights[x] for x in ("embedding.weight", "classifier.weight", "classifier.bias"))
        rows, units = weights["rnn.weight_hh_l0"].shape
        cell = {1: torch.nn.RNN, 3: torch.nn.GRU, 4: torch.nn.LSTM}[rows // units]
        layers = sum(name.startswith("rnn.weight_hh") for name in weights)
        self.cell = cell(self.embedding.shape[1], units, num_layers=layers, batch_first=True)
        self.cell.load_state_dict({name[4:]: w for name, w in weights.items() if name.startswith("rnn.")})
        self.symbols = len(self.bias) - 1
        self.begin = json.loads((folder / "model.json").read_text())["vocab"]["<bos>"]

    @torch.no_grad()
    def step(self, states, tokens):
        out, states = self.cell(self.embedding[torch.as_tensor(tokens)][:, None], states)
        return torch.softmax(out[:, 0] @ self.head.T + self.bias, 1).numpy(), states

    def speak(self, begun, rng):
        """Words that go on from those begun, filled up with -1, and what is predicted before each symbol."""
        k, live = self.symbols, np.arange(len(begun))
        words = np.full((len(begun), LONGEST), -1)
        said = np.zeros((len(begun), LONGEST + 1, k + 1), np.float32)
        p, states = self.step(None, np.full(len(begun), self.begin))
        for t in range(LONGEST):
            said[live, t] = p
            x = (rng.random((len(live), 1)) * p.sum(1, keepdims=True) >= p.cumsum(1)).sum(1).clip(0, k)
            if t < begun.shape[1]:
                x = np.where(begun[live, t] >= 0, begun[live, t], x)
            stay = np.nonzero(x < k)[0]
            live, x = live[stay], x[stay]
            words[live, t] = x
            if len(live) == 0:
                break
            states = tuple(s[:, stay] for s in states) if isinstance(states, tuple) else states[:, stay]
            p, states = self.step(states, x)
        return words, said


def places(moves, words, start):
    """The states of words before each symbol and at the end."""
    at = np.full((len(words), words.shape[1] + 1), start)
    for t in range(words.shape[1]):
        at[:, t + 1] = np.where(words[:, t] >= 0, moves[at[:, t], words[:, t]], at[:, t])
    return at


def fitted(moves, words, said, start):
    """The logarithms of the network's mean predictions in each state."""
    sums = np.zeros((len(moves), said.shape[2]))
    np.add.at(sums, places(moves, words, start).ravel(), said.reshape(-1, said.shape[2]))
    return np.log(np.maximum(sums, 1e-30) / np.maximum(sums.sum(1, keepdims=True), 1e-30))


def loss(moves, logs, words, said, start):
    """The cross entropy of each word in nats."""
    return -np.einsum("wti,wti->w", said, logs[places(moves, words, start)].astype(np.float32))


def mean(gains):
    if len(gains) < 2:
        return " " * 14
    return f"{gains.mean():7.2f} ± {gains.std() / len(gains) ** 0.5:4.2f}"


def forced(words, at, state, symbol, rng):
    """Prefixes of words up to a state, each with a symbol behind it."""
    half = LONGEST // 2
    there = np.argwhere((at[:, :half] == state) & (words[:, :half] >= 0))
    there = there[rng.permutation(len(there))[:FORCED]]
    begun = np.where(np.arange(half) < there[:, 1:], words[there[:, 0], :half], -1)
    begun[np.arange(len(there)), there[:, 1]] = symbol
    return begun


def look(folder, automaton):
    """Prints the transitions of one network that are others."""
    about = json.loads((folder / "model.json").read_text())["automaton"]
    moves, rows = np.array(about["next"]), about["probabilities"]
    found, start, names = predictive.table(automaton), automaton["start"] - 1, automaton["alphabet"]
    visits, name = predictive.shared_names(about, found, automaton["start"])
    back = {state - 1: q for q, state in name.items()}
    ours = np.array([[found.get((q + 1, s), 1) - 1 for s in range(len(names))] for q in range(len(automaton["states"]))])
    net, rng = Network(folder), np.random.default_rng(1)
    words, said = net.speak(np.zeros((SPOKEN, 0), int), rng)
    own, symbols = (said * np.log(np.maximum(said, 1e-30))).sum(), said.sum()
    apart = [(loss(m, fitted(m, words, said, q), words, said, q).sum() + own) / symbols for m, q in ((ours, start), (moves, 0))]
    print(f"{folder.name}: {apart[0]:.5f} nats a symbol from ours, {apart[1]:.5f} from the transitions behind it, on {SPOKEN} words")
    logs, at = fitted(ours, words, said, start), places(ours, words, start)
    for q, s in predictive.others(about["next"], found, name):
        here, then = name[q] - 1, ours.copy()
        then[here, s] = name[moves[q, s]] - 1
        take, begun = ((at[:, :-1] == here) & (words == s)).any(1), forced(words, at, here, s, rng)
        gains = [loss(then, logs, *w, start) - loss(ours, logs, *w, start)
                 for w in ((words[take], said[take]), net.speak(begun, rng)) if len(w[0])]
        print(f"  {q:2} {names[s]:2} to {moves[q, s]:2}, ours {back.get(ours[here, s], '-'):>2}  taken {TRAINED * visits[q] * rows[q][s]:7.1f}  "
              f"spoken {take.sum():5} {mean(gains[0] if take.any() else [])}  forced {mean(gains[-1])}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folders", nargs="+", type=predictive.having("model.pt", "model.json"))
    parser.add_argument("--quotient", default="quotient", help="the program")
    args = parser.parse_args()
    for folder in args.folders:
        look(folder, predictive.run(args.quotient, "extract", folder)["automaton"])


if __name__ == "__main__":
    main()
