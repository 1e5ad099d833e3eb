"""Robust margins: closed forms, never above those of any craft, and close to the worst."""

import numpy as np
import pytest

from polhode import controllers, plant
from polhode.plant import DesignError, InputError

SHAPES = (
    "disk_margin_inputs",
    "gain_margin_dB",
    "phase_margin_deg",
    "one_input_gain_margin_dB",
    "one_input_phase_margin_deg",
)
MOMENTS = np.array([4.0, 5.0, 6.0])


def rigid(moments, rate=(0.0, 0.0, 0.0)):
    craft = plant.Spacecraft(plant.RigidBody(moments))
    return craft.linearize(craft.at_rest() if not np.any(rate) else craft.state(rate=rate))


@pytest.fixture(scope="module")
def law():
    return controllers.lqr(rigid(MOMENTS), attitude=1.0, rate=1.0, effort=1.0, sample=0.5, delay=0.3)


@pytest.mark.slow
def test_uncertain_inertia_reduces_gain_margin_in_proportion(law):
    """The loop of a craft at rest is that of another times the ratio of their moments, and so are its gain margins."""
    nominal = law.margins(rigid(MOMENTS))
    exact = nominal.gain_up_dB + 20.0 * np.log10(0.8)
    found = controllers.robust_margin_bound(
        lambda x: law.loop(rigid(MOMENTS * (1.0 + 0.2 * x[0]))),
        numbers=1, margin="gain_margin_dB", found=exact, within=0.001,
    )  # fmt: skip
    assert found.exact
    assert found.rest == 0.0
    assert found.boxes == 1
    assert found.value == pytest.approx(0.999 * exact)
    beyond = controllers.robust_margin_bound(
        lambda x: law.loop(rigid(MOMENTS * (1.0 + 0.2 * x[0]))),
        numbers=1, margin="gain_margin_dB", found=1.002 * exact, within=0.001, boxes=2,
    )  # fmt: skip
    assert beyond.value is not None
    assert beyond.value < exact


def close_to_the_corners(law, margin, within):
    def loop_at(x):
        return law.loop(rigid(MOMENTS * (1.0 + 0.25 * np.array([x[0], x[1], x[0]]))))

    corners = [loop_at((a, b)) for a in (-1.0, 1.0) for b in (-1.0, 1.0)]
    worst = min(controllers.loop_margin(loop, margin) for loop in corners)
    found = controllers.robust_margin_bound(loop_at, numbers=2, margin=margin, found=worst, within=within)
    assert found.value == pytest.approx((1.0 - within) * worst)


@pytest.mark.thinned(2)
@pytest.mark.parametrize("margin", ["disk_margin_inputs", "one_input_gain_margin_dB"])
def test_robust_margin_is_just_below_worst_corner(law, margin):
    close_to_the_corners(law, margin, 0.05)


@pytest.mark.slow
@pytest.mark.parametrize("margin", SHAPES)
def test_every_robust_margin_is_close_to_worst_corner(law, margin):
    close_to_the_corners(law, margin, 0.02)


def test_robust_margin_above_worst_is_not_established(law):
    """If the requested margin exceeds that of some craft, the result is below that of the craft."""
    loops = [law.loop(rigid(MOMENTS * (1.0 + 0.25 * x))) for x in (-1.0, 1.0)]
    worst = min(controllers.loop_margin(loop, "disk_margin_inputs") for loop in loops)
    found = controllers.robust_margin_bound(
        lambda x: law.loop(rigid(MOMENTS * (1.0 + 0.25 * x[0]))),
        numbers=1, margin="disk_margin_inputs", found=1.3 * worst, boxes=4,
    )  # fmt: skip
    assert found.value is not None
    assert found.value < worst


def test_all_or_nothing_gives_up_once_the_boxes_cannot_suffice(law):
    """The same verdict on the requested margin, from fewer spacecraft if the boxes do not suffice."""

    def loop_at(x):
        return law.loop(rigid(MOMENTS * (1.0 + 0.25 * x[0])))

    worst = min(controllers.loop_margin(loop_at((x,)), "disk_margin_inputs") for x in (-1.0, 1.0))
    options = {"numbers": 1, "margin": "disk_margin_inputs", "boxes": 4}
    for requested, established in ((1.2 * worst, False), (0.95 * worst, True)):
        options |= {"found": 1.3 * worst, "requested": requested}
        whole = controllers.robust_margin_bound(loop_at, **options)
        quick = controllers.robust_margin_bound(loop_at, all_or_nothing=True, **options)
        assert (whole.value == requested) is established
        assert quick.value == (requested if established else None)
        assert (quick.crafts < whole.crafts) is not established


def test_set_with_unstable_craft_has_no_robust_margin(law):
    def loop_at(x):
        return law.loop(rigid(MOMENTS * 10.0 ** (0.9 * x[0] - 0.6)))

    assert controllers.loop_margin(loop_at((-1.0,)), "disk_margin_inputs") == -np.inf
    assert controllers.loop_margin(loop_at((-1.0,)), "sensitivity_peak_dB") == np.inf
    found = controllers.robust_margin_bound(loop_at, numbers=1, margin="disk_margin_inputs", found=0.1, boxes=3)
    assert found.value is None


@pytest.mark.slow
def test_robust_margin_about_spin_fits_matrices(law):
    spinning = controllers.lqr(rigid(MOMENTS, (0.0, 0.0, 0.3)), attitude=1.0, rate=1.0, effort=1.0, sample=0.5)

    def loop_at(x):
        return spinning.loop(rigid(MOMENTS * (1.0 + 0.1 * np.array([x[0], -x[0], 0.5 * x[0]])), (0.0, 0.0, 0.3)))

    worst = min(controllers.loop_margin(loop_at((x,)), "disk_margin_inputs") for x in np.linspace(-1.0, 1.0, 9))
    found = controllers.robust_margin_bound(loop_at, numbers=1, margin="disk_margin_inputs", found=worst, within=0.03)
    assert not found.exact
    assert found.value == pytest.approx(0.97 * worst)
    assert "matrices of the sampled loop" in found.explanation


@pytest.mark.slow
def test_robust_margins_are_below_every_craft_of_random_sets(law):
    rng = np.random.default_rng(1)
    proven = 0
    for _ in range(8):
        spread = rng.uniform(0.02, 0.35, size=(3, 2))

        def loop_at(x, spread=spread):
            return law.loop(rigid(MOMENTS * (1.0 + spread @ np.array(x) * 0.5)))

        tried = rng.uniform(-1.0, 1.0, size=(10, 2))
        values = [controllers.loop_margin(loop_at(tuple(x)), "disk_margin_inputs") for x in tried]
        found = controllers.robust_margin_bound(
            loop_at, numbers=2, margin="disk_margin_inputs", found=1.2 * max(values), boxes=3
        )
        if found.value is not None:
            proven += 1
            assert found.value < min(values)
    assert proven > 4


def test_robust_margin_needs_constant_number_of_states(law):
    """With a delay of another number of samples the number of commands under way differs."""

    def loop_at(x):
        return law.loop(rigid(MOMENTS), delay=0.5 + 0.2 * x[0])

    with pytest.raises(DesignError, match=r"has 1[0-9] states for some spacecraft .* such as a delay"):
        controllers.robust_margin_bound(loop_at, numbers=1, margin="disk_margin_inputs", found=0.5)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"margin": "disc_margin_inputs"}, "did you mean 'disk_margin_inputs'"),
        ({"margin": "sensitivity_peak_dB"}, "sensitivity_peak_dB"),
        ({"found": np.inf}, "found must be finite"),
        ({"found": -1.0}, "found"),
        ({"within": 1.0}, "within must be between 0 and 1"),
        ({"boxes": 0}, "boxes and numbers at least 1"),
    ],
)
def test_robust_margin_rejects_bad_arguments(law, change, words):
    given = {"numbers": 1, "margin": "disk_margin_inputs", "found": 1.0, **change}
    with pytest.raises(InputError, match=words):
        controllers.robust_margin_bound(lambda x: law.loop(), **given)


def test_loop_margin_rejects_unknown_names(law):
    with pytest.raises(InputError, match="disk_margin_inputs"):
        controllers.loop_margin(law.loop(), "disc")
