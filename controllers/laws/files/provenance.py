"""Provenance of a result file: version, date, command and platform, stored in every such file."""

import platform
import shlex
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from functools import cache
from typing import Any

from .valid_text import valid_text

_STATED: ContextVar[dict[str, Any] | None] = ContextVar("stated", default=None)


@contextmanager
def stating(facts: Mapping[str, Any]) -> Generator[None]:
    """Add metadata to every file written inside this context.

    facts: metadata such as `command`, or `case` (the complete case); a repeated key replaces the previous value.
    """
    token = _STATED.set({**(_STATED.get() or {}), **facts})
    try:
        yield
    finally:
        _STATED.reset(token)


def state(facts: Mapping[str, Any]) -> None:
    """Add metadata to the innermost `stating` context; if there is no such context, do nothing.

    facts: metadata as in `stating`.
    """
    stated = _STATED.get()
    if stated is not None:
        stated.update(facts)


def provenance() -> dict[str, Any]:
    """Return the provenance of a result file.

    -> polhode (version), date (UTC, ISO 8601), command, platform, python, numpy, and the metadata of `stating`.
    """
    found: dict[str, Any] = {
        "polhode": _version("polhode"),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": shlex.join(sys.argv),
        "platform": _platform(),
        "python": platform.python_version(),
        "numpy": _version("numpy"),
        **(_STATED.get() or {}),
    }
    return {name: valid_text(value) if isinstance(value, str) else value for name, value in found.items()}


@cache
def _platform() -> str:
    return f"{platform.platform()} {platform.machine()}"


@cache
def _version(name: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
