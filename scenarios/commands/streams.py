"""The standard streams of the command, which may be closed, full, or read by somebody who leaves."""

import io
import os
import sys

__all__ = ["mute", "open_streams"]


def open_streams() -> bool:
    """Put closed standard streams on the null device, lest the next file opened is printed into.

    Whether nothing that is printed can be read: standard output was closed.
    """
    streams: tuple[object | None, ...] = (sys.stdin, sys.stdout, sys.stderr)
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if streams[number] is None:
            handle = os.open(os.devnull, os.O_RDWR)
            if handle != number:
                os.dup2(handle, number)
                os.close(handle)
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8"))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a letter that the terminal has not is no reason to fail
    return streams[1] is None


def mute() -> None:
    """Throw away what is still to be printed, or Python would fail over it once more when it ends."""
    handle = os.open(os.devnull, os.O_WRONLY)
    os.dup2(handle, 1)
    os.close(handle)
