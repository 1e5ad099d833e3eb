"""Selection of a variant of the engine's library by the features of the processor."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from polhode.sim.codegen import library_variants
from polhode.sim.codegen.library_variants import LEVEL_3, LEVEL_4, runnable_variants


@pytest.fixture
def processor(monkeypatch):
    """processor(flags): simulate Linux on x86-64 with a processor that has these features."""

    def set_flags(flags):
        monkeypatch.setattr(sys, "platform", "linux")
        monkeypatch.setattr(library_variants, "machine", lambda: "x86_64")
        text = f"processor\t: 0\nflags\t\t: {' '.join(sorted(flags))}\nbugs\t\t:\n"
        monkeypatch.setattr(Path, "read_text", lambda *_, **__: text)
        runnable_variants.cache_clear()

    yield set_flags
    runnable_variants.cache_clear()


@pytest.mark.parametrize(
    ("flags", "variants"),
    [
        ({"sse2"}, ("baseline",)),
        (LEVEL_3 - {"bmi2"}, ("baseline",)),
        (LEVEL_3, ("v3", "baseline")),
        (LEVEL_4 - {"avx512vl"}, ("v3", "baseline")),
        (LEVEL_4, ("v4", "v3", "baseline")),
        (LEVEL_4 - {"fma"}, ("baseline",)),
    ],
)
def test_variants_follow_from_the_features_of_the_processor(processor, flags, variants):
    processor(flags)
    assert runnable_variants() == variants
    assert library_variants.best_variant() == variants[0]


def test_other_systems_run_the_baseline(processor, monkeypatch):
    processor(LEVEL_4)
    monkeypatch.setattr(sys, "platform", "win32")
    assert runnable_variants() == ("baseline",)
