"""Fixtures of the tests of runs in packs."""

from __future__ import annotations

import pytest

from polhode.sim.engine import indices as at
from polhode.sim.engine import packs


@pytest.fixture
def in_packs(monkeypatch) -> list[int]:
    """Number of runs that came to their end in packs, call by call."""
    if not packs.simd_width():
        pytest.skip("the library has no code for several runs at once here")
    found: list[int] = []
    advance = packs.Packs.advance

    def watched(self, *given):
        told = advance(self, *given)
        found.append(int((told != at.DOUBTFUL).sum()))
        return told

    monkeypatch.setattr(packs.Packs, "advance", watched)
    return found
