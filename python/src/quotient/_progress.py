"""How far long work is: a line that is erased on a terminal, a bar in a notebook, or a function of yours."""

from __future__ import annotations

import html
import sys
import time
from collections.abc import Callable
from typing import Any, Union

Wanted = Union[bool, Callable[[int, float], None], None]


class Progress:
    """Counts words, and shows them a few times a second, once the work has taken a moment."""

    def __init__(self, wanted: Wanted, total: int | None, what: str) -> None:
        self.total, self.what, self.words = total, what, 0
        self.began = time.monotonic()
        self.next = self.began + 0.5
        self.shown = False
        self.display: Any = None
        self.show: Callable[[], None] | None = None
        if callable(wanted):
            tell = wanted
            self.show = lambda: tell(self.words, time.monotonic() - self.began)
        elif wanted is not False and _in_notebook():
            self.show = self._notebook
        elif wanted or (wanted is None and sys.stderr is not None and sys.stderr.isatty()):
            self.show = self._terminal

    def add(self, words: int) -> None:
        """Counts words that were answered."""
        self.words += words
        self.tick()

    def tick(self) -> None:
        """Shows how far it is, if it is time."""
        now = time.monotonic()
        if self.show is not None and now >= self.next:
            self.next = now + 0.2
            self.shown = True
            self.show()

    def close(self) -> None:
        """Erases what was shown."""
        if not self.shown:
            return
        if self.display is not None:
            self.display.update(_html(""))
        elif self.show == self._terminal:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def _text(self) -> str:
        seconds = time.monotonic() - self.began
        count = ""
        if self.words:
            of = f" of at most {self.total:,}" if self.total else ""
            count = f", {self.words:,}{of} words asked, {self.words / max(seconds, 1e-3):,.0f} a second"
        return f"{self.what}: {seconds:.0f} s{count}"

    def _terminal(self) -> None:
        print(f"\r{self._text()}\x1b[K", end="", file=sys.stderr, flush=True)

    def _notebook(self) -> None:
        share = f' value="{min(self.words, self.total)}" max="{self.total}"' if self.total else ""
        bar = _html(f"<progress{share}></progress> {html.escape(self._text())}")
        if self.display is None:
            from IPython.display import display  # type: ignore[import-not-found, unused-ignore]

            self.display = display(bar, display_id=True)  # type: ignore[no-untyped-call, unused-ignore]
        else:
            self.display.update(bar)


def _html(text: str) -> Any:
    from IPython.display import HTML  # type: ignore[import-not-found, attr-defined, unused-ignore]

    return HTML(text)  # type: ignore[no-untyped-call, unused-ignore]


def _in_notebook() -> bool:
    """Reports whether this is the kernel of a notebook."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None and hasattr(ipython, "get_ipython") else None
    return shell is not None and hasattr(shell, "kernel")
