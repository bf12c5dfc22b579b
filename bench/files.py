#!/usr/bin/env python3
"""torch.load and safetensors on a file of weights, as JSON: what bench/table.py puts beside 'quotient bench files'.

    python3 bench/files.py convert WEIGHTS.safetensors WEIGHTS.pt
    python3 bench/files.py read FILE ROUNDS

Quotient refuses weights that are infinite or no numbers, so it has looked at every one when it is done; these
map a file or copy it. So "checked" is the time with torch.isfinite of every tensor, and "seconds" that without.
Memory is what the program had at most, less what it had before. Ends with status 3 where PyTorch or
safetensors is not installed.
"""
import json
import resource
import sys
import time

try:
    import torch
    from safetensors.torch import load_file
except ImportError:
    print("PyTorch or safetensors is not installed for this Python: our times alone are shown", file=sys.stderr)
    sys.exit(3)


def read(path):
    return load_file(path) if path.endswith(".safetensors") else torch.load(path, weights_only=True)


def memory():
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


torch.set_num_threads(1)
if sys.argv[1] == "convert":
    torch.save(load_file(sys.argv[2]), sys.argv[3])
    sys.exit()
path, rounds = sys.argv[2], int(sys.argv[3])
best = {"seconds": float("inf"), "checked": float("inf")}
before = memory()
for _ in range(rounds + 1):
    begin = time.process_time()
    tensors = read(path)
    loaded = time.process_time() - begin
    if not all(bool(torch.isfinite(t).all()) for t in tensors.values()):
        sys.exit(f"{path}: there is a weight that is not finite")
    checked = time.process_time() - begin
    best = {"seconds": min(best["seconds"], loaded), "checked": min(best["checked"], checked)}
    best["memory"] = memory() - before
    del tensors
print(json.dumps(best))
