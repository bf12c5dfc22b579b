"""What tests share. A test that cannot run says so at the end, whatever flags pytest has."""

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]  # of the repository


def pytest_terminal_summary(terminalreporter):
    skipped = terminalreporter.stats.get("skipped", [])
    for report in skipped:
        terminalreporter.write_line(f"NOT TESTED: {report.nodeid}: {report.longrepr[2]}", yellow=True, bold=True)


def needs(*modules):
    """Skips a test, loudly, where a library is missing."""
    missing = [m for m in modules if importlib.util.find_spec(m) is None]
    return pytest.mark.skipif(bool(missing), reason=f"{', '.join(missing)} is not installed")


@pytest.fixture
def repository():
    if not (ROOT / "model" / "testdata").is_dir():
        pytest.skip("these tests stand outside of the repository, and its files are not there")
    return ROOT
