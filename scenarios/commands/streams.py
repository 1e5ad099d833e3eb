"""Standard streams of the command, which may be closed, full, or a pipe whose reader has exited."""

import io
import os
import sys


def open_streams() -> bool:
    """Redirect closed standard streams to the null device.

    Otherwise, a file opened later would take the descriptor of a closed stream. Returns True if standard output was
    closed, so that printed text is lost.
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
            stream.reconfigure(errors="backslashreplace")  # escape characters that the terminal cannot encode
    return streams[1] is None


def mute() -> None:
    """Discard pending output, since writing it at exit would raise the error again."""
    handle = os.open(os.devnull, os.O_WRONLY)
    os.dup2(handle, 1)
    os.close(handle)
