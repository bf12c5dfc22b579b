"""The program behind the package: where it is, how it is run, and what its errors become."""

from __future__ import annotations

import functools
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path


class QuotientError(RuntimeError):
    """What the program says went wrong. `status` is its exit status."""

    def __init__(self, message: str, status: int = 2) -> None:
        super().__init__(message)
        self.status = status


def program() -> str:
    """Returns the path of the program.

    The environment variable QUOTIENT counts first, then the program that came with the
    package, then one on the PATH.
    """
    named = os.environ.get("QUOTIENT")
    if named:
        if not os.access(named, os.X_OK) or os.path.isdir(named):
            raise QuotientError(f"the environment variable QUOTIENT names {named}, which is no program")
        return named
    name = "quotient.exe" if os.name == "nt" else "quotient"
    inside = Path(__file__).parent / "bin" / name
    if inside.is_file():
        return str(inside)
    found = shutil.which(name)
    if found and not _is_script(found):
        return found
    raise QuotientError(
        "the program quotient is not inside this package, nor on the PATH: install the wheel "
        "(pip install ./python builds one where Go is), or let the environment variable QUOTIENT name the program"
    )


def _is_script(path: str) -> bool:
    """Reports whether a file is a script: the command `quotient` of this very package is one."""
    with open(path, "rb") as f:
        return f.read(2) == b"#!"


def main() -> int:
    """Runs the program in place of Python: the command `quotient` of the package."""
    try:
        command = [program(), *sys.argv[1:]]
    except QuotientError as error:
        print(f"quotient: {error}", file=sys.stderr)
        return 2
    if os.name == "nt":
        return subprocess.call(command)
    os.execv(command[0], command)


def environment() -> dict[str, str]:
    """Returns the environment without the width of a terminal: what the program says to us is not broken into lines."""
    return {name: value for name, value in os.environ.items() if name != "COLUMNS"}


def shown(text: str, names: Mapping[str, str], spelled: Callable[[str], str] = str) -> str:
    """Returns a text of the program with names in place of temporary files, which it spells in some way."""
    for file, name in names.items():
        text = text.replace(spelled(file), spelled(name))
    return text


def in_json(text: str) -> str:
    """Returns a text as it stands in JSON."""
    return json.dumps(text, ensure_ascii=False)[1:-1]


def in_html(text: str) -> str:
    """Returns a text as the program writes it in HTML."""
    return text.translate({ord(c): f"&#{ord(c)};" for c in "\"'+"} | {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;"})


def run(*args: str, text: str | None = None, differ: bool = False, names: Mapping[str, str] | None = None) -> str:
    """Runs the program and returns what it prints; with differ, exit status 1 is no error. Temporary files are shown by their names."""
    names = names or {}
    command = [program(), *args]
    done = subprocess.run(command, input=text, stdin=None if text is not None else subprocess.DEVNULL,
                          capture_output=True, encoding="utf-8", errors="replace", check=False, env=environment())
    if done.returncode not in ((0, 1) if differ else (0,)):
        raise failure(done.returncode, shown(done.stderr, names))
    return shown(done.stdout, names, in_json)


def failure(status: int, errors: str) -> QuotientError:
    """Returns the error that the program's last words tell."""
    lines = [line for line in errors.strip().removeprefix("quotient: ").splitlines() if not line.startswith(("Run 'quotient", "plan: "))]
    message = "\n".join(lines).removeprefix("quotient: ")
    return QuotientError(message or f"the program ended with status {status} and said nothing", status)


@functools.cache
def flags(command: str) -> dict[str, str]:
    """Returns the flags that a command knows, each with what its help says."""
    found = re.findall(r"^ +(?:-\w, )?--([a-z][a-z0-9-]*)(.*)$", run(command, "--help"), re.MULTILINE)
    return {name: about.strip() for name, about in found}


def knows(command: str, flag: str) -> bool:
    """Reports whether a command of the program has a flag."""
    return flag in flags(command)
