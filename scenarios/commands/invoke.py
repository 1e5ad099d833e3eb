"""The `polhode` command with its exit codes and error messages.

Exit codes: 0, success; 1, the run did not complete, a requirement of the case is not met, or results could not be
written; 2, invalid input; 3, internal error; 130, interrupted. Every failure is reported in one message on stderr. A
traceback is shown only with POLHODE_TRACEBACK=1.
"""

import os
import shlex
import signal
import sys
import threading
import warnings
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NoReturn

import typer

from ...controllers.laws.files.provenance import stating
from ...plant.errors import PolhodeError, SaveError
from ...plant.one_thread import one_thread
from ...plant.plain_text import plain_text
from .app import Work
from .cli import command_for
from .streams import mute, open_streams


def main() -> NoReturn:
    """Run the command line with the arguments of this process and exit with its code."""
    _end_as_interrupted()
    closed = open_streams()
    code = invoke(sys.argv[1:])
    if closed and code == 0:
        code = _fail("standard output is closed, so nothing could be printed", 1)
    sys.exit(code)


def _end_as_interrupted() -> None:
    """Handle SIGTERM and SIGHUP like Ctrl-C, so that computed results are kept and child processes end.

    A signal that is ignored, such as SIGHUP under nohup, stays ignored.
    """
    if threading.current_thread() is not threading.main_thread():  # only the main thread can set handlers
        return
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler)


def invoke(arguments: Sequence[str]) -> int:
    """Run the command line and return the exit code.

    arguments: command-line arguments after ``polhode``.
    """
    words = list(arguments)
    command = command_for(words)
    if os.environ.get("POLHODE_TRACEBACK"):
        return _do(command, words)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # numpy's overflows, whose consequences are reported
            code = _do(command, words)
        sys.stdout.flush()
    except SaveError as error:
        return _fail(str(error), 1)
    except PolhodeError as error:
        return _fail(str(error), 2)
    except (KeyboardInterrupt, typer.Abort):
        return _fail("interrupted", 130)
    except BrokenPipeError:  # the reader of stdout, such as `head`, has exited
        mute()
        return 1
    except MemoryError as error:
        return _fail(f"not enough memory ({error or 'no details'}); use fewer rows or elements", 2)
    except Exception as error:  # noqa: BLE001 - report any other error as one message
        if isinstance(error, OSError) and error.filename is None:  # no file name: a standard stream failed
            mute()
            return _fail(f"the output could not be printed ({error.strerror or error})", 1)
        usage = getattr(error, "format_message", None)  # typer's messages about invalid arguments
        if usage is not None:
            return _fail(f"{usage()} (see polhode --help)", 2)
        return _fail(
            f"internal error, {type(error).__name__}: {error}; please report it "
            "(POLHODE_TRACEBACK=1 shows where it happened)",
            3,
        )
    return code


@one_thread
def _do(command: Any, words: list[str]) -> int:
    with stating({"command": shlex.join(["polhode", *words])}):
        work: Work | int | None = command(words, prog_name="polhode", standalone_mode=False)
        if callable(work):
            return work()
        return work or 0


def _fail(message: str, code: int) -> int:
    with suppress(OSError):  # if stderr is closed, the exit code still reports the failure
        sys.stderr.write(f"polhode: {plain_text(message)}\n")
        sys.stderr.flush()
    return code
