"""Where a file comes from: what every file of results says about itself."""

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

__all__ = ["provenance", "state", "stating"]

_STATED: ContextVar[dict[str, Any] | None] = ContextVar("stated", default=None)


@contextmanager
def stating(facts: Mapping[str, Any]) -> Generator[None]:
    """Let every file that is written inside say so too.

    facts: such as `command`, or `case`, the whole case; one given again replaces the former.
    """
    token = _STATED.set({**(_STATED.get() or {}), **facts})
    try:
        yield
    finally:
        _STATED.reset(token)


def state(facts: Mapping[str, Any]) -> None:
    """Say more inside the innermost `stating`; outside of any nothing is said.

    facts: as there.
    """
    stated = _STATED.get()
    if stated is not None:
        stated.update(facts)


def provenance() -> dict[str, Any]:
    """Return what a file of results says about itself.

    -> polhode (version), date (UTC, ISO 8601), command, platform, python, numpy, and what `stating` adds.
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
