#!/usr/bin/env python3
"""One step of many states of an LSTM in PyTorch, as JSON: what bench/table.py puts beside 'quotient bench network'.

    python3 bench/network.py UNITS LAYERS SYMBOLS STATES THREADS ROUNDS

The least processor time of all rounds. Ends with status 3 where PyTorch is not installed.
"""
import json
import sys
import time

try:
    import torch
except ImportError:
    print("PyTorch is not installed for this Python: our times alone are shown", file=sys.stderr)
    sys.exit(3)

units, layers, symbols, states, threads, rounds = map(int, sys.argv[1:7])
torch.set_num_threads(threads)
embedding = torch.nn.Embedding(symbols + 1, symbols)
lstm = torch.nn.LSTM(symbols, units, layers)
on = torch.randint(symbols, (1, states))
h, c = torch.zeros(layers, states, units), torch.zeros(layers, states, units)
best = float("inf")
with torch.inference_mode():
    for _ in range(rounds + 1):
        begin = time.process_time()
        _, (h, c) = lstm(embedding(on), (h, c))
        best = min(best, time.process_time() - begin)
print(json.dumps({"seconds": best}))
