"""Gains of a law in flight code: setting one changes its parameters bitwise as in Python, also all of them together."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polhode import controllers, plant
from polhode.controllers.contracts.attitude_law import AttitudeLaw
from polhode.plant import Spacecraft
from polhode.plant.kernels.kernel import kernel
from polhode.sim.codegen.flight.gains import Entry, Gain, law_gains
from polhode.sim.codegen.flight.sampled import sampled_law
from polhode.sim.codegen.flight.source import written
from polhode.sim.codegen.toolchain import c_compiler

from ....battery.laws.test_laws import LAWS, SAMPLE, at
from .exports import modes

CRAFT = Spacecraft(plant.RigidBody((400, 300, 200)), torques=plant.TorqueBasis("body", limit=0.5))
LAW = controllers.quaternion_feedback(CRAFT, frequency=0.5, damping_ratio=0.8, sample=0.1)


def drawn(gains: tuple[Gain, ...], values: dict[str, float], parameters: np.ndarray) -> np.ndarray:
    """The parameters with changed gains, as the C code sets them."""
    made = parameters.copy()
    for gain in gains:
        for place, factor, at_start in gain.entries:
            value = values[gain.name]
            made[place] = factor * value if at_start is None else at_start + factor * (value - gain.start)
    return made


def changed(law: Any, gains: tuple[Gain, ...]) -> tuple[Any, dict[str, float]]:
    """The law with every gain changed, and the new value of each."""
    values: dict[str, float] = {}
    for n, gain in enumerate(gains):
        values[gain.name] = gain.start * (1.0 + 0.003 * (n + 1))
        law = law.scalars()[gain.name][1](values[gain.name])
    return law, values


SLOW = pytest.mark.slow  # of a hundred entries each is varied


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=SLOW if kind == "lqg" else ()) for kind in LAWS if kind != "own plain"]
)
def test_gains_changed_together_make_the_parameters_of_that_law(kind: str) -> None:
    craft, state, _ = at("bare")
    law = LAWS[kind](craft, craft.linearize(state), sample=SAMPLE, delay=0.04)
    gains = law_gains(craft, law, ())
    other, values = changed(law, gains)
    wanted = sampled_law(craft, other, ()).parameters
    made = drawn(gains, values, sampled_law(craft, law, ()).parameters)
    rounded = [entry.place for gain in gains for entry in gain.entries if entry.at_start is not None]
    exact = np.setdiff1d(np.arange(wanted.size), rounded)
    assert np.array_equal(made[exact], wanted[exact])
    assert np.allclose(made, wanted, rtol=1e-12, atol=0.0)  # an offset and a slope with three roundings


def test_gains_of_modes_changed_together_make_the_parameters_of_these_laws() -> None:
    craft, law, flight, _ = modes("law")
    gains = law_gains(craft, law, flight["blocks"])
    assert {gain.name.split("_")[0] for gain in gains} == {"a", "b"}
    other, values = changed(law, gains)
    wanted = sampled_law(craft, other, flight["blocks"]).parameters
    made = drawn(gains, values, sampled_law(craft, law, flight["blocks"]).parameters)
    assert np.array_equal(made, wanted)


def test_gains_have_units_and_bounds() -> None:
    gains = {gain.name: gain for gain in law_gains(CRAFT, LAW, ())}
    first = gains["stiffness_1_2"]
    assert (first.unit, first.low, first.meaning) == ("N m", None, "stiffness 1 2")
    assert first.entries == (Entry(15, 1.0), Entry(17, 1.0))  # both halves of a symmetric matrix
    assert (gains["inertia_1_1"].low, gains["inertia_1_1"].open) == (0.0, True)


@kernel
def own(t: float, y: Any, r: Any, q: Any, z: Any, u: Any) -> None:
    """A torque proportional to the rate."""
    for n in range(3):
        u[n] = -y[7 + n]


def test_law_without_scalars_has_no_gains() -> None:
    assert law_gains(CRAFT, controllers.CustomLaw(own, sample=0.1), ()) == ()


class Bent(AttitudeLaw):
    """A law of two gains: one enters by its square, the other shares a parameter with another gain."""

    sample, delay, memory, compiled = 0.1, 0.0, np.zeros(0), True
    kernel = staticmethod(own)

    def __init__(self, square: float = 2.0, first: float = 1.0, second: float = 3.0) -> None:
        self.numbers = {"square": square, "first": first, "second": second}

    @property
    def parameters(self) -> np.ndarray:
        """The square, and the sum of the others."""
        n = self.numbers
        return np.array([n["square"] ** 2, n["first"] + n["second"]])

    def scalars(self) -> Any:
        """Return all three."""
        return {
            name: (value, lambda new, name=name: Bent(**{**self.numbers, name: new}))
            for name, value in self.numbers.items()
        }


def test_gains_that_follow_no_line_or_share_a_place_are_left_out() -> None:
    gains = law_gains(CRAFT, Bent(), ())  # pyright: ignore[reportArgumentType]
    assert [gain.name for gain in gains] == ["first"]
    assert gains[0].entries == (Entry(1, 1.0, 4.0),)


TUNED = """#include <math.h>
#include <stdio.h>
#include "law.h"
int main(void)
{
    law_parameters p, before;
    double gains[LAW_GAINS];
    int n;
    law_defaults(&p);
    law_defaults(&before);
    for (n = 0; n < LAW_GAINS; n++) gains[n] = law_default_gains[n];
    if (law_tune(&p, gains) != LAW_DONE) return 1;
    for (n = 0; n < (int)(sizeof(p.q) / sizeof(p.q[0])); n++) if (p.q[n] != before.q[n]) return 2;
    gains[0] += 1.0;
    gains[LAW_GAINS - 1] = NAN;
    if (law_bad_gain(gains) != LAW_GAINS - 1 || law_tune(&p, gains) != LAW_BAD_GAIN) return 3;
    for (n = 0; n < (int)(sizeof(p.q) / sizeof(p.q[0])); n++) if (p.q[n] != before.q[n]) return 4;
    if (law_tune(0, law_default_gains) != LAW_BAD_GAIN || law_tune(&p, 0) != LAW_BAD_GAIN) return 5;
    gains[LAW_GAINS - 1] = law_default_gains[LAW_GAINS - 1];
    return law_tune(&p, gains) == LAW_DONE && law_bad_gain(gains) == -1 ? 0 : 6;
}
"""


@pytest.mark.slow  # the compiler
@pytest.mark.skipif(c_compiler() is None, reason="no C compiler on this machine")
@pytest.mark.parametrize("single", [False, True])
def test_tuning_sets_all_gains_or_none(single: bool, tmp_path: Path) -> None:
    sampled = sampled_law(CRAFT, LAW, ())
    code = written(sampled, name="law", single=single, fingerprint="", gains=law_gains(CRAFT, LAW, ()))
    (tmp_path / "law.h").write_text(code.header)
    (tmp_path / "law.c").write_text(code.source)
    (tmp_path / "main.c").write_text(TUNED.replace("double gains", f"{'float' if single else 'double'} gains"))
    command = c_compiler()
    assert command is not None
    flags = ("-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-Wno-nonnull")
    line = [*command, *flags, "law.c", "main.c", "-lm", "-o", "main"]
    done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert subprocess.run([str(tmp_path / "main")], check=False).returncode == 0
