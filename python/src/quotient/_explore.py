"""The page in the browser, on a live model."""

from __future__ import annotations

import contextlib
import html
import subprocess
import tempfile
import threading
import webbrowser
from collections.abc import Iterable
from typing import IO, Any
from urllib.parse import quote

from quotient._program import failure, program
from quotient._protocol import Door, apart
from quotient._voices import Reading, Voice, voice


class Page:
    """The explorer in the browser. `address` is where it is; `close` ends it, as does the end of Python.

    While the page is open its model is asked in a thread of this process, and a module stays in evaluation
    mode; afterwards it is as it was.
    """

    def __init__(self, one: Voice | None, name: str = "") -> None:
        self._ended = threading.Event()
        self._ready = threading.Event()
        self._door: Door | None = None
        self._wrong: BaseException | None = None
        self._process: subprocess.Popen[str] | None = None
        self.notes: list[str] = [] if one is None else one.notes  # what is guessed about the model
        if one is not None:
            self._thread = threading.Thread(target=self._answer, args=(one,), daemon=True)
            self._thread.start()
            self._ready.wait()
            if self._wrong is not None:
                raise self._wrong
        self._errors: IO[str] = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115
        try:
            self.address = self._start() + (f"?model={quote(name)}" if name else "")
        except BaseException:
            self.close()
            raise

    def _answer(self, one: Voice) -> None:
        """Answers for the model until the page is closed."""
        try:
            with one.awake(), Door(one) as self._door:
                self._ready.set()
                while not self._ended.is_set():
                    self._door.attend(0.2)
        except BaseException as error:
            self._wrong = error
        finally:
            self._ready.set()

    def _start(self) -> str:
        asked = ["--http", self._door.address, "--timeout", "10000h"] if self._door is not None else []
        self._process = subprocess.Popen([program(), "serve", "--listen", "127.0.0.1:0", *asked], stdin=subprocess.DEVNULL,
                                         stdout=subprocess.PIPE, stderr=self._errors, encoding="utf-8", **apart())
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if "http" not in line:
            status = self._process.wait()
            self._errors.seek(0)
            raise failure(status, self._errors.read())
        return line[line.index("http") :].strip()

    def close(self) -> None:
        """Ends the page."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            if self._process.stdout is not None:
                self._process.stdout.close()
            self._process = None
            self._errors.close()
        self._ended.set()
        if self._door is not None:
            self._thread.join()

    def __enter__(self) -> Page:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self.close()

    def __repr__(self) -> str:
        return "\n".join([f"<Page at {self.address}>", *(f"warning: {note}" for note in self.notes)])

    def _repr_html_(self) -> str:
        where = html.escape(self.address)
        notes = "".join(f"<br><small>warning: {html.escape(note)}</small>" for note in self.notes)
        return f'<a href="{where}" target="_blank">{where}</a>{notes}'


def explore(model: Any, symbols: str | Iterable[str] | None = None, *, browser: bool = True, **reading: Any) -> Page:
    """Opens the page on a live model, or on a network of the zoo: move κ, try words, watch states merge.

    Of a language model it shows what network and automaton expect next as a word is read.

    model and its keywords are those of `extract`. The page lives until it is closed, or this Python ends, so keep it:

        page = quotient.explore(model, "ab", states=True)
        ...
        page.close()
    """
    if isinstance(model, str):
        if not model.startswith("zoo:"):
            raise ValueError(f"{model}: the page offers networks of the zoo and live models; open it on zoo:tomita5 and drop the file on it")
        if symbols is not None or reading:
            told = [*(["symbols"] if symbols is not None else []), *reading]
            raise TypeError(f"{', '.join(told)}: this is for live models, and {model} is a network of the zoo, which knows its own")
        page = Page(None, model)
    else:
        page = Page(voice(model, symbols, Reading(**reading)))
    if browser:
        webbrowser.open(page.address)
    return page
