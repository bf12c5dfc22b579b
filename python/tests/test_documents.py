"""Every example in the package and in docs/python.md runs, and says what the documents say."""

import doctest
import importlib
import json
import os
import pkgutil
import re
import subprocess
import sys

import pytest
from conftest import needs

import quotient

OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.mark.parametrize("name", sorted(m.name for m in pkgutil.iter_modules(quotient.__path__) if m.name != "__main__"))
def test_docstrings(name):
    failed, _ = doctest.testmod(importlib.import_module(f"quotient.{name}"), optionflags=OPTIONS)
    assert failed == 0


def test_the_guide(repository, tmp_path, monkeypatch):
    text = (repository / "docs" / "python.md").read_text(encoding="utf-8")
    blocks = [b for b in re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL) if ">>>" in b]
    monkeypatch.chdir(tmp_path)
    os.symlink(repository / "model" / "testdata" / "tomita4.pt", "net.pt")
    os.symlink(repository / "model" / "testdata" / "tomita4.json", "vocab.json")
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "docs/python.md", None, 0)
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    runner.run(test)
    assert runner.failures == 0 and len(test.examples) > 15


@needs("nbclient", "nbformat", "ipykernel", "networkx", "aalpy", "automata")
def test_the_notebook(repository, tmp_path):
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(repository / "python" / "examples" / "quickstart.ipynb", as_version=4)
    done = NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [o for cell in done.cells for o in cell.get("outputs", [])]
    assert any("<svg" in o.get("data", {}).get("text/html", "") for o in outputs)
    assert any("image/svg+xml" in o.get("data", {}) for o in outputs)
    assert not any(o.output_type == "error" for o in outputs)


def test_examples(repository):
    command = f'"{sys.executable}" "{repository}/python/examples/parity.py"'
    args = [quotient.program(), "extract", "--exec", command, "--target", "tomita5", "--json"]
    done = subprocess.run(args, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["target"]["equal"]
