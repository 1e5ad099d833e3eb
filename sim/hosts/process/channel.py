"""Exchange of text lines with another process through its pipes or through a local port."""

import os
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from ....plant.plain_text import plain_text
from .children import end_child, has_ended, start_child, terminate_child

LONGEST = 1 << 20  # bytes per line
GRACE = 2.0  # s that a process has to end by itself, and again after the request to terminate
QUOTED = 400  # characters of the process's stderr output that an error message quotes


class ChannelError(Exception):
    """Failure of the other process; the text follows its name in a sentence: "ended with exit status 3"."""


class Channel:
    """Exchange of lines with another process, with a time limit for each wait.

    read: function that returns the available bytes when `source` is ready; empty at the end of the stream.
    write: function that writes some of the bytes when `sink` is ready, and returns how many.
    process: the other process if it is a child of this one.
    """

    def __init__(
        self,
        source: Any,
        read: Callable[[], bytes],
        sink: Any,
        write: Callable[[bytes], int],
        *,
        process: "subprocess.Popen[bytes] | None" = None,
        close: Callable[[], object],
    ) -> None:
        self._read, self._sink, self._write = read, sink, write
        self._process, self._close_ends = process, close
        self._held, self._said = b"", b""
        self._ready = selectors.DefaultSelector()
        self._ready.register(source, selectors.EVENT_READ, self._take)
        if process is not None:
            assert process.stderr is not None  # noqa: S101 # it was started with pipes
            self._ready.register(process.stderr, selectors.EVENT_READ, self._listen)

    @property
    def said(self) -> str:
        """The last part of the process's stderr output."""
        return plain_text(self._said.decode("utf-8", "replace").strip()[-QUOTED:])

    @property
    def pending(self) -> bytes:
        """Bytes received after the last complete line."""
        while not self._held and any(key.data == self._take for key, _ in self._ready.select(0)):
            if not self._take():
                break
        return self._held

    def send(self, line: bytes, *, within: float) -> None:
        """Send a line. Raises ChannelError if the other side has closed or does not accept it in time (s)."""
        end = time.monotonic() + within
        left = line
        while left:
            try:
                left = left[self._write(left) :]
            except BlockingIOError:
                self._await_sink(end, within)
            except OSError:
                raise ChannelError(self._end()) from None

    def receive(self, *, within: float) -> bytes:
        """Return the next line, without its line end.

        Raises ChannelError when no line arrives within the time (s), the line is longer than LONGEST, or the other side
        ends.
        """
        end = time.monotonic() + within
        looked = 0
        while True:
            cut = self._held.find(b"\n", looked)
            if 0 <= cut <= LONGEST:
                line, self._held = self._held[:cut], self._held[cut + 1 :]
                return line
            looked = len(self._held)
            if looked > LONGEST:
                raise ChannelError(f"sent a line of more than {LONGEST} bytes")
            wait = end - time.monotonic()
            ready = self._ready.select(wait) if wait > 0.0 else []
            if not ready:
                raise ChannelError(f"sent nothing for {within:g} s")
            if not all(key.data() for key, _ in ready):
                raise ChannelError(self._end())

    def close(self, *, farewell: bytes = b"") -> None:
        """Close the connection, after sending `farewell` if given, and end the process if it is a child.

        A child that does not end by itself is terminated, then killed; processes that the child started are always
        killed. An interruption (Ctrl-C) during this wait kills the child immediately.
        """
        process = self._process
        try:
            if farewell:
                with suppress(ChannelError):
                    self.send(farewell, within=GRACE)
            if process is not None:
                assert process.stdin is not None  # noqa: S101 # it was started with pipes
                with suppress(OSError):
                    process.stdin.close()
                if not (farewell and self._ended(process)):
                    terminate_child(process)
                    self._ended(process)
                self._drain(process)
        finally:
            if process is not None:
                end_child(process)
            self._ready.close()
            self._close_ends()

    def _take(self) -> bool:
        try:
            piece = self._read()
        except BlockingIOError:
            return True
        except OSError:
            return False
        self._held += piece
        return bool(piece)

    def _listen(self) -> bool:
        """Read the stderr output of the process, which might otherwise block on a full pipe."""
        assert self._process is not None  # noqa: S101 # only the stderr of a child is registered
        stderr = self._process.stderr
        assert stderr is not None  # noqa: S101 # it was started with pipes
        piece = os.read(stderr.fileno(), 1 << 16)
        self._said = (self._said + piece)[-4 * QUOTED :]
        if not piece:
            self._ready.unregister(stderr)
        return True

    def _await_sink(self, end: float, within: float) -> None:
        with selectors.DefaultSelector() as ready:
            ready.register(self._sink, selectors.EVENT_WRITE)
            if not ready.select(max(end - time.monotonic(), 0.0)):
                raise ChannelError(f"accepted no input for {within:g} s")

    def _end(self) -> str:
        """Return a description of how the process ended."""
        if self._process is None:
            return "closed the connection"
        code = end_child(self._process) if self._ended(self._process) else None
        if code is None:
            return "closed its output"
        if code >= 0:
            return f"ended with exit status {code}"
        with suppress(ValueError):
            return f"was ended by {signal.Signals(-code).name}"
        return f"was ended by signal {-code}"

    def _ended(self, process: "subprocess.Popen[bytes]") -> bool:
        """Wait briefly for the end of the process, and read its remaining output so that it does not block."""
        end = time.monotonic() + GRACE
        while not (ended := has_ended(process)) and time.monotonic() < end:
            self._drain(process)
            time.sleep(0.002)
        self._drain(process)  # its last output may name the reason
        return ended

    def _drain(self, process: "subprocess.Popen[bytes]") -> None:
        for pipe in (process.stdout, process.stderr):
            assert pipe is not None  # noqa: S101 # it was started with pipes
            with suppress(OSError):
                piece = os.read(pipe.fileno(), 1 << 16)
                if pipe is process.stderr:
                    self._said = (self._said + piece)[-4 * QUOTED :]


def started(command: Sequence[str], folder: Path) -> Channel:
    """Start a program and return a channel to its standard input and output.

    command: the program and its arguments, without a shell. folder: working directory. Raises ChannelError when the
    program cannot be started.
    """
    if sys.platform == "win32":  # pragma: no cover
        raise ChannelError("cannot be reached by pipes on Windows; let it listen at a port of this machine")
    try:
        pipe = subprocess.PIPE  # the child has a separate session, which Ctrl-C does not reach, and is ended explicitly
        process = start_child(command, cwd=folder, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0)
    except (OSError, ValueError) as error:
        raise ChannelError(f"cannot be started in {folder}: {getattr(error, 'strerror', None) or error}") from None
    into, out, said = process.stdin, process.stdout, process.stderr
    assert into is not None and out is not None and said is not None  # noqa: S101, PT018 # pipes were requested
    for pipe in (into, out, said):
        os.set_blocking(pipe.fileno(), False)

    def close() -> None:
        for pipe in (into, out, said):
            with suppress(OSError):
                pipe.close()

    return Channel(
        out,
        lambda: os.read(out.fileno(), 1 << 16),
        into,
        lambda line: os.write(into.fileno(), line),
        process=process,
        close=close,
    )


def connected(port: int, *, within: float) -> Channel:
    """Connect to a local port. Raises ChannelError if the connection is not accepted in time (s)."""
    try:
        link = socket.create_connection(("127.0.0.1", port), timeout=within)
    except OSError as error:
        raise ChannelError(f"does not answer: {error.strerror or error}") from None
    link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    link.setblocking(False)
    return Channel(link, lambda: link.recv(1 << 16), link, link.send, close=link.close)
