"""Messages to the user on stderr."""

import sys


def say(message: str) -> None:
    """Write one line on stderr."""
    sys.stderr.write(message + "\n")
    sys.stderr.flush()


def say_from_main(message: str) -> None:
    """Write one line on stderr, except in a worker process, whose main process has written the same line."""
    from multiprocessing import parent_process

    if parent_process() is None:
        say(message)
