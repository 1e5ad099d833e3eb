"""Margins of a fixed law on other plants, against laws designed for these plants and against scaling laws."""

import numpy as np
import pytest

from polhode import controllers, plant, sim

INERTIA = np.array([[400.0, 12.0, -8.0], [12.0, 307.8, 15.0], [-8.0, 15.0, 200.0]])


def craft_of(inertia=INERTIA):
    return plant.Spacecraft(plant.RigidBody(inertia))


@pytest.fixture(scope="module")
def law():
    craft = craft_of()
    return controllers.lqr(craft.linearize(craft.at_rest()), attitude=25.0, rate=1.0, effort=1.0, sample=0.1)


def test_inertia_is_one_over_the_loop_gain(law):
    """At rest the plant is 1 / (J s^2): twice the inertia halves the gain, so the gain margin doubles."""
    factors = np.array([0.25, 1.0, 2.0, 7.0])
    sweep = sim.inertia_sweep(craft_of(), law, factors=factors)
    own = np.array([axis.gain_up for axis in law.margins().axes])
    # single-input margins are proportional for a diagonal inertia only; here the closed other loops change too
    diagonal = sim.inertia_sweep(craft_of(np.diag(INERTIA)), law_of(np.diag(INERTIA)), factors=factors)
    alone = diagonal.column("gain_up")
    np.testing.assert_allclose(alone, factors[:, None] * alone[1], rtol=1e-6)
    np.testing.assert_allclose(sweep.column("gain_up")[1], own, rtol=1e-6)


def law_of(inertia):
    craft = craft_of(inertia)
    return controllers.lqr(craft.linearize(craft.at_rest()), attitude=25.0, rate=1.0, effort=1.0, sample=0.1)


def test_inertia_against_a_law_with_these_gains_designed_there(law):
    other = craft_of(1.7 * INERTIA)
    gain = law.gain.copy()
    gain[:, 3:] /= 1.7  # on the momentum 1.7 J w it gives what the original gives on J w
    there = controllers.LinearFeedback.from_gain(gain, other.linearize(other.at_rest()), sample=0.1).margins()
    sweep = sim.inertia_sweep(craft_of(), law, factors=(1.7,))
    for key in ("gain_up", "phase_deg", "delay_s", "disk", "crossover_rad_s"):
        np.testing.assert_allclose(sweep.column(key)[0], [getattr(axis, key) for axis in there.axes], rtol=1e-6)


def test_delay_eats_the_delay_margin_second_by_second(law):
    craft = craft_of()
    delays = np.array([0.0, 0.1, 0.25, 2.0])
    sweep = sim.delay_sweep(craft.linearize(craft.at_rest()), law, delays=delays)
    together = np.array([np.nan if margins is None else margins.delay_s for margins in sweep.margins])
    np.testing.assert_allclose(together + delays, together[0], rtol=1e-6)
    gone = sim.delay_sweep(craft.linearize(craft.at_rest()), law, delays=(together[0] * 1.001,))
    assert gone.margins == (None,)
    assert gone.largest_pole[0] > 1.0
    assert np.isnan(gone.column("disk")).all()


def test_spin_against_the_law_designed_with_that_operating_point(law):
    inertia = (400.0, 307.8, 200.0)
    craft, fixed = craft_of(inertia), law_of(inertia)
    sweep = sim.spin_sweep(craft, fixed, axis=(0, 0, 2.0), rates=(0.0, 0.05))
    spinning = craft.linearize(craft.spinning((0, 0, 0.05)))
    there = controllers.LinearFeedback.from_gain(fixed.gain, spinning, sample=0.1).margins()
    for key in ("gain_up", "phase_deg", "disk"):
        np.testing.assert_allclose(sweep.column(key)[1], [getattr(axis, key) for axis in there.axes], rtol=1e-6)
    assert abs(sweep.column("phase_deg")[1] - sweep.column("phase_deg")[0]).max() > 0.1  # the spin has an effect


def test_json_is_plain(law):
    sweep = sim.inertia_sweep(craft_of(), law, factors=(0.001, 1.0))
    found = sweep.to_dict()
    assert found["values"] == [0.001, 1.0]
    assert found["margins"][0] is None
    assert found["margins"][1]["axes"][0]["gain_up"] == pytest.approx(law.margins().axes[0].gain_up)


def test_bad_input(law):
    with pytest.raises(plant.InputError, match="must be positive; got -1"):
        sim.inertia_sweep(craft_of(), law, factors=(-1.0,))
    with pytest.raises(plant.InputError, match="at least one value"):
        sim.delay_sweep(law.model, law, delays=())
    with pytest.raises(plant.InputError, match="must not be zero"):
        sim.spin_sweep(craft_of(), law, axis=(0, 0, 0), rates=(1.0,))
