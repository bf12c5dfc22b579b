"""Packs programs of TorchScript and of torch.export for the fixtures."""

import gzip
import io
import json
import os
import zipfile


def pack(path):
    """Packs an archive without what it says about the machine that made it."""
    packed = io.BytesIO()
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(packed, "w") as new:
        for entry in old.namelist():
            data = old.read(entry)
            if entry.endswith("model.json"):
                data = json.dumps(without_traces(json.loads(data))).encode()
            if not entry.endswith(".debug_pkl"):
                new.writestr(zipfile.ZipInfo(entry), data)
    with open(path + ".gz", "wb") as f:
        f.write(gzip.compress(packed.getvalue(), mtime=0))
    os.remove(path)


def without_traces(value):
    if isinstance(value, list):
        return [without_traces(x) for x in value]
    if isinstance(value, dict):
        return {k: without_traces(x) for k, x in value.items() if k not in ("stack_trace", "torch_fn", "source_fn_stack")}
    return value
