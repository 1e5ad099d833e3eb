"""Counter-based generator: published vectors, its functions against libm, statistics, compiled equals plain."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from polhode.plant.kernels import philox as module
from polhode.plant.kernels.philox import normal_pair, philox, uniform_pair
from polhode.sim.codegen.c99.kinds import INTEGER
from polhode.sim.codegen.c99.program import Program
from polhode.sim.codegen.toolchain import c_compiler

from ...sim.codegen.c99.compiled import compiled

F = 0xFFFFFFFF
PUBLISHED = [  # Random123, kat_vectors: counter, key, words
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((F, F, F, F), (F, F), (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]


@pytest.mark.parametrize(("counter", "key", "words"), PUBLISHED)
def test_philox_matches_published_vectors(counter, key, words):
    assert philox(*counter, *key) == words


@pytest.mark.skipif(c_compiler() is None, reason="no C compiler on this machine")
def test_philox_compiled_and_plain_are_bit_identical(tmp_path):
    program = Program("drawn")
    normals, words = compiled(program, [program.function(each, (INTEGER,) * 6) for each in (normal_pair, philox)],
                              tmp_path)  # fmt: skip
    for n in (0, 1, 17, 2**31, 2**40 + 3):
        assert tuple(normals(n, 3, 2, 1, 77, 5)[:2]) == normal_pair(n, 3, 2, 1, 77, 5)
    for counter, key, expected in PUBLISHED:
        assert tuple(words(*counter, *key)[:4]) == expected


def test_philox_elementary_functions_match_libm():
    rng = np.random.default_rng(0)
    for u in (*rng.random(500), *10.0 ** rng.uniform(-16, 0, 500), 2.0**-53, 1.0 - 2.0**-53):
        assert module._log(float(u)) == pytest.approx(math.log(u), rel=1e-15, abs=0.0)
        c, s = module._cos_sin_turn(float(u))
        # libm's argument itself is rounded: 2 pi * 2^-53
        assert c == pytest.approx(math.cos(2.0 * math.pi * u), abs=2e-15)
        assert s == pytest.approx(math.sin(2.0 * math.pi * u), abs=2e-15)


def test_philox_normals_pass_statistical_tests():
    rows = np.array([normal_pair(n, 0, 4, 9, 12345, 6) for n in range(20_000)])
    both = rows.ravel()
    assert abs(both.mean()) < 4.0 / math.sqrt(both.size)
    assert abs(both.var() - 1.0) < 4.0 * math.sqrt(2.0 / both.size)
    assert stats.kstest(both, "norm").pvalue > 1e-3
    for lag in (1, 2, 3):
        assert abs(np.mean(both[lag:] * both[:-lag])) < 4.0 / math.sqrt(both.size)
    assert module._uniform(0, 0) > 0.0
    assert module._uniform(F, F) < 1.0


@pytest.mark.parametrize("change", range(6))
def test_philox_depends_on_every_part_of_counter_and_key(change):
    counter = [5, 1, 2, 3, 4, 6]
    other = [n + (place == change) for place, n in enumerate(counter)]
    assert uniform_pair(*counter) != uniform_pair(*other)


def test_philox_samples_beyond_32_bits_differ():
    assert uniform_pair(1, 0, 0, 0, 0, 0) != uniform_pair(2**32 + 1, 0, 0, 0, 0, 0)
