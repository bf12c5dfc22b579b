"""The protocol of docs/protocol.md: over pipes, over HTTP, and with a program that is started here."""

from __future__ import annotations

import base64
import contextlib
import dataclasses
import io
import json
import math
import os
import secrets
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from itertools import chain
from typing import IO, Any

from quotient._program import environment, program
from quotient._voices import Numbers, Said, Voice


def take_stdout() -> IO[str]:
    """Returns standard output for answers; what is printed goes to standard error."""
    sys.stdout.flush()
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return out


# Started by `quotient --exec`, nothing that is printed while a model loads may be taken
# for its greeting.
reserved = take_stdout() if os.environ.get("QUOTIENT_PROTOCOL") else None


def reply(voice: Voice, text: str | bytes, failed: Callable[[Exception], None]) -> str:
    """Returns the answer to a request, as a line of JSON. What goes wrong is an answer, too."""
    number = None
    try:
        request = json.loads(text)
        number = request["id"]
        wants = bool(request.get("states"))
        probabilities, states = voice.answer(request["words"], wants)
        if request.get("packed"):
            says = {"id": number, "probabilities": _packed(probabilities), **({"states": _packed(states)} if states is not None else {})}
            return json.dumps(says)
        says = {"id": number, "probabilities": probabilities}
        if states is not None:
            width = len(states) // max(1, len(probabilities))
            says["states"] = [states[i : i + width].tolist() for i in range(0, len(states), width)]
        return json.dumps(says, allow_nan=False)
    except Exception as error:
        failed(error)
        last = traceback.format_exception_only(type(error), error)[-1].strip()
        return json.dumps({"id": number, "error": last})


def _packed(numbers: Sequence[Said] | Numbers[float]) -> str:
    """Returns numbers as base64 of 32 bits each, little end first: digits would take most of a small model's time."""
    if not isinstance(numbers, Numbers):
        numbers = Numbers("f", chain.from_iterable(numbers) if isinstance(numbers[0], list) else numbers)  # type: ignore[type-var, arg-type]
    if sys.byteorder == "big":
        numbers = Numbers("f", numbers)
        numbers.byteswap()
    return base64.b64encode(numbers).decode()


def over_pipes(voice: Voice, out: IO[str]) -> None:
    """Answers over standard input and output until the input ends."""

    def say(line: str) -> None:
        out.write(line + "\n")
        out.flush()

    say(json.dumps(voice.greeting()))
    for line in sys.stdin:
        if line.strip():
            say(reply(voice, line, lambda error: traceback.print_exception(error, file=sys.stderr)))


def over_http(voice: Voice, port: int) -> None:
    """Answers on a port of this machine until it is interrupted."""
    with Door(voice, port, "/") as door:
        door.failed = lambda error: traceback.print_exception(error, file=sys.stderr)
        print(f"answering on {door.address}", file=sys.stderr, flush=True)
        try:
            while True:
                door.attend(1.0)
        except KeyboardInterrupt:
            pass


class Door:
    """A small server on this machine, in the thread of whoever attends to it.

    The model is so asked in the thread that the user called from, where its device, its
    locks and an interrupt are what the user takes them for. Several connections may be open, because
    a client may open one more than it needs; one request is answered at a time.
    """

    most = 1 << 26  # bytes of a request

    def __init__(self, voice: Voice, port: int = 0, path: str | None = None) -> None:
        self.voice = voice
        self.path = path or f"/{secrets.token_hex(16)}/"  # so that nobody else on this machine asks
        self.listener = socket.create_server(("127.0.0.1", port))
        self.open: list[socket.socket] = []
        self.address = f"http://127.0.0.1:{self.listener.getsockname()[1]}{self.path}"
        self.failed: Callable[[Exception], None] = lambda error: None
        self.pending: tuple[socket.socket, bytes] | None = None  # whose answer an interrupt came between

    def __enter__(self) -> Door:
        return self

    def __exit__(self, *_: object) -> None:
        for one in [self.listener, *self.open]:
            one.close()

    def attend(self, seconds: float) -> None:
        """Answers those who ask within some time."""
        for ready in select.select([self.listener, *self.open], [], [], seconds)[0]:
            if ready is self.listener:
                connection = self.listener.accept()[0]
                connection.settimeout(30)  # for the rest of a request that has begun
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self.open.append(connection)
                continue
            try:
                kept = self._serve(ready)
            except (OSError, ValueError):
                kept = False
            if not kept:
                self.open.remove(ready)
                ready.close()

    def resume(self) -> None:
        """Answers the question that an interrupt came between."""
        if self.pending is not None:
            connection, body = self.pending
            _send(connection, "200 OK", reply(self.voice, body, self.failed))
            self.pending = None

    def _serve(self, connection: socket.socket) -> bool:
        """Answers one request, and reports whether there may be more."""
        request = _receive(connection, self.most)
        if request is None:
            return False
        method, path, body = request
        if not secrets.compare_digest(path, self.path):
            _send(connection, "404 Not Found", "{}")
            return False
        if method == "GET":
            _send(connection, "200 OK", json.dumps(self.voice.greeting()))
            return True
        self.pending = connection, body
        text = reply(self.voice, body, self.failed)
        self.pending = None
        _send(connection, "200 OK", text)
        return True


def _receive(connection: socket.socket, most: int) -> tuple[str, str, bytes] | None:
    """Returns method, path and body of a request, or None at the end of a connection."""
    data = b""
    while b"\r\n\r\n" not in data:
        part = connection.recv(1 << 16)
        if not part or len(data) > 1 << 16:
            return None
        data += part
    head, _, rest = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    method, path, _ = first.split(" ", 2)
    fields = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    length = int(fields.get("content-length", 0))
    if length > most:
        raise ValueError("the request is too long")
    body = io.BytesIO()
    body.write(rest)
    while body.tell() < length:
        part = connection.recv(min(1 << 20, length - body.tell()))
        if not part:
            return None
        body.write(part)
    return method, path, body.getvalue()


def _send(connection: socket.socket, status: str, text: str) -> None:
    body = text.encode()
    head = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    connection.sendall(head.encode() + body)


@dataclasses.dataclass
class Outcome:
    """What came of a run of the program."""

    status: int
    output: str
    errors: str
    interrupted: bool
    error: Exception | None  # the last one that the model raised
    address: str = ""  # where the model was asked, if it was


grace = 10.0  # seconds that an interrupted program has to tell what it has found


def converse(args: list[str], voice: Voice | None, tick: Callable[[], None]) -> Outcome:
    """Runs the program, answers its questions in this thread, and calls tick now and then.

    An interrupt is passed on to the program, which may ask a little more and tells the best
    that it has; a second one ends it at once.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors, _Talk(voice) as talk:
        process = _start([program(), *args, *talk.flags()], out, errors)
        interrupted = False
        try:
            try:
                talk.until(process, tick)
            except KeyboardInterrupt:
                interrupted = True
                _interrupt(process)
                talk.end = time.monotonic() + grace
                talk.until(process, tick)
        finally:
            if process.poll() is None:
                process.kill()
            process.wait()
        texts = []
        for file in (out, errors):
            file.seek(0)
            texts.append(file.read().decode("utf-8", "replace"))
        address = talk.door.address if talk.door is not None else ""
        if address:  # which says nothing to the user
            texts[1] = texts[1].replace(f"{address}: ", "")
        return Outcome(process.returncode, texts[0], texts[1], interrupted, talk.error, address)


class _Talk:
    """The conversation with a running program, with a model or without one."""

    def __init__(self, voice: Voice | None) -> None:
        self.door = Door(voice) if voice is not None else None
        self.error: Exception | None = None
        self.end = math.inf  # when it is late
        if self.door is not None and voice is not None:
            self.door.failed = self._failed
            self.tell, voice.tell = voice.tell, self._hurry

    def _failed(self, error: Exception) -> None:
        self.error = error

    def __enter__(self) -> _Talk:
        return self

    def __exit__(self, *_: object) -> None:
        if self.door is not None:
            self.door.__exit__()

    def flags(self) -> list[str]:
        # Whoever interrupts decides how long a model may take, and no clock does.
        return [] if self.door is None else ["--http", self.door.address, "--timeout", "10000h"]

    def until(self, process: subprocess.Popen[bytes], tick: Callable[[], None]) -> None:
        """Attends to the program until it ends, or until it is late."""
        if self.door is not None:
            self.door.resume()
        while process.poll() is None and time.monotonic() < self.end:
            if self.door is not None:
                self.door.attend(0.1 if self.door.open else 0.01)  # without a connection it is about to end, or to begin
            else:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(0.1)
            tick()

    def _hurry(self, words: int) -> None:
        """Ends a long answer when it is late."""
        self.tell(words)
        if time.monotonic() > self.end:
            raise TimeoutError("interrupted")


def _start(command: list[str], out: IO[bytes], errors: IO[bytes]) -> subprocess.Popen[bytes]:
    """Starts the program in a group of its own, so that Ctrl-C reaches it through us alone."""
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=errors, env=environment(), **apart())


def apart() -> dict[str, Any]:
    """Returns what makes a process the first of a group of its own."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


def _interrupt(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.send_signal(getattr(signal, "CTRL_BREAK_EVENT", signal.SIGINT))  # the former on Windows
