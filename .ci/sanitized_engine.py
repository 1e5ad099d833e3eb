"""Pytest plugin that runs everything on a library of the engine built with AddressSanitizer and UBSan.

`.ci/sanitize.py` builds the library and names it in POLHODE_SANITIZED. The arrays of a run lie in one block of memory,
in which AddressSanitizer would not notice that one is left for the next. So a gap follows each array here, and
AddressSanitizer is told that no gap may be touched.
"""

import ctypes
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from polhode.sim.codegen import library_store
from polhode.sim.engine import arena, new_loop_arrays

__all__ = ["pytest_sessionfinish", "use_sanitized_library"]

GAP = 8  # numbers after each array
LEAST = 256  # numbers: smaller blocks numpy keeps for itself, gaps and all

_poison = getattr(ctypes.CDLL(None), "__asan_poison_memory_region", None)
_unpoison = getattr(ctypes.CDLL(None), "__asan_unpoison_memory_region", None)
_counted = {"arenas": 0}


def pattern_of(*args: Any, **given: Any) -> arena.Pattern:
    """Return the pattern of an arena with a gap after each array."""
    found = _pattern_of(*args, **given)
    names = sorted(found.cuts, key=lambda name: (found.cuts[name].first, found.cuts[name].last))
    table = found.addresses.size
    head = np.zeros(found.size + GAP * (len(names) + 1) + LEAST)
    head[:table] = found.head[:table]
    cuts, last = dict(found.cuts), table + GAP
    for name in names:
        cut = found.cuts[name]
        cuts[name] = cut._replace(first=last, last=last + cut.last - cut.first)
        head[last : last + max(0, min(cut.last, found.head.size) - cut.first)] = found.head[cut.first : cut.last]
        last = cuts[name].last + GAP
    places = np.flatnonzero(found.addresses)
    head[places] = np.array([8 * cuts[name].first for name in cuts], dtype=np.int64).view(np.float64)
    return found._replace(cuts=cuts, head=head, size=head.size)


def _guard(cuts: Any, memory: NDArray[np.float64], function: Any) -> None:
    """Poison the gaps of an arena, or take that back."""
    for cut in cuts.values():
        function(ctypes.c_void_p(memory.ctypes.data + 8 * cut.last), ctypes.c_size_t(8 * GAP))


def guarded_arena(self: arena.Pattern, contents: Sequence[NDArray[Any]]) -> arena.Arena:
    """Return an arena of a pattern with its own arrays at their places and poisoned gaps."""
    memory = np.zeros(self.size)
    memory[: self.head.size] = self.head
    for name, each in zip(self.own, contents, strict=False):
        row = arena._flat(each)  # noqa: SLF001 # part of what it replaces
        memory[self.cuts[name].first : self.cuts[name].first + row.size] = row
    whole = memory.view(np.int64)
    whole[: self.addresses.size] += memory.ctypes.data * self.addresses
    _guard(self.cuts, memory, _poison)
    _counted["arenas"] += 1
    return arena.Arena(self, memory, whole, memory.ctypes.data)


def begun(self: arena.Arena, own: tuple[str, ...]) -> arena.Pattern:
    """Return the pattern of arenas that start like this one; its gaps are read, so they are opened for that."""
    memory = self._memory
    _guard(self.pattern.cuts, memory, _unpoison)
    head = memory.copy()
    _guard(self.pattern.cuts, memory, _poison)
    head[: self.pattern.addresses.size] = self.pattern.head[: self.pattern.addresses.size]
    head[self.pattern.cuts[own[0]].first :] = 0.0
    return self.pattern._replace(head=head, own=own)


_pattern_of = arena.pattern_of


def use_sanitized_library(path: Path) -> None:
    """Let this process load the library in a file, and guard the arrays of its runs."""
    if _poison is None or _unpoison is None:
        raise SystemExit("AddressSanitizer is not in this process; start it by .ci/sanitize.py")
    library_store.library_path = lambda: path  # pyright: ignore[reportAttributeAccessIssue] # a cached function
    for module in (arena, new_loop_arrays):
        setattr(module, "pattern_of", pattern_of)  # noqa: B010 # by name, so that types do not hinder
    setattr(arena.Pattern, "arena", guarded_arena)  # noqa: B010 # the same
    setattr(arena.Arena, "begun", begun)  # noqa: B010 # the same


def pytest_sessionfinish() -> None:
    """Say how many arenas were guarded: none would mean that the plugin missed the engine."""
    print(f"\nsanitized engine: {_counted['arenas']} arenas guarded")


if "POLHODE_SANITIZED" in os.environ:
    use_sanitized_library(Path(os.environ["POLHODE_SANITIZED"]))
else:
    raise pytest.UsageError("POLHODE_SANITIZED names no library; start the tests by .ci/sanitize.py")
