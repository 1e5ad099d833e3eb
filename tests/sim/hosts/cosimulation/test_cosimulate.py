"""Foreign FMUs in co-simulation: order against a closed form, loops, rejected steps, faults."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from polhode.plant import InputError
from polhode.sim import Connection, System, cosimulate

pytest.importorskip("fmpy", reason="FMPy is in the extra fmi")

from .oscillators import START, closed_form  # only where FMPy is installed

STATES = {"canGetAndSetFMUState": True}


def off(run, **keys):
    """Largest distance from the closed form."""
    return np.abs(np.column_stack([run.values("a.x"), run.values("b.x")]) - closed_form(run.t, **keys)).max()


def flown(system, **keys):
    return cosimulate(system, **{"step": 0.1, "duration": 3.0, "estimate": False, **keys})


SLOW = pytest.mark.slow  # each run starts two processes


@pytest.mark.slow
@pytest.mark.parametrize(
    ("order", "inputs", "power"),
    [
        ("gauss-seidel", "linear", 2),
        pytest.param("jacobi", "constant", 1, marks=SLOW),
        pytest.param("jacobi", "linear", 2, marks=SLOW),
        pytest.param("gauss-seidel", "constant", 1, marks=SLOW),
    ],
)
def test_order_of_convergence(oscillators, order, inputs, power):
    """One FMI 2, one FMI 3; halving the step divides the error by 2 or 4, and the estimate equals the error."""
    system = oscillators.pair()
    runs = [flown(system, step=step, order=order, inputs=inputs, estimate=step == 0.05) for step in (0.1, 0.05)]
    errors = [off(run) for run in runs]
    assert 1e-5 < errors[1] < 0.03
    assert np.log2(errors[0] / errors[1]) == pytest.approx(power, abs=0.12)
    told = max(runs[1].errors[name] for name in ("a.x", "b.x"))
    assert told == pytest.approx(errors[1], rel=0.15)  # of the next order in the step


@SLOW
def test_slopes_that_a_unit_takes_and_their_mean(oscillators):
    """With slopes the input is extrapolated linearly; its mean is of second order too, in a different run."""
    runs = [
        flown(oscillators.pair(fmi=(2, 2), canInterpolateInputs=given), inputs="linear", step=0.05)
        for given in (True, False)
    ]
    assert all(1e-5 < off(run) < 1e-3 for run in runs)
    assert not np.array_equal(runs[0].table, runs[1].table)


def test_first_row_and_times(oscillators):
    run = flown(oscillators.pair(), step=0.1, duration=0.25)
    np.testing.assert_allclose(run.t, [0.0, 0.1, 0.2, 0.25], atol=1e-15)
    assert (run.values("a.x")[0], run.values("b.x")[0]) == START
    assert run.names == ("a.x", "a.v", "a.y", "b.x", "b.v", "b.y")
    assert run["a.x"].attrs["units"] == "m"


@pytest.mark.slow
def test_tolerance_takes_steps_back(oscillators):
    system = oscillators.pair(**STATES)
    errors = []
    for tolerance in (1e-3, 1e-5):
        run = flown(system, step=1.0, tolerance=tolerance, inputs="linear")
        errors.append(off(run))
        assert run.t[-1] == 3.0
        assert run.settings["steps_taken_back"] > 0
    assert errors[1] < 2e-4 < errors[0] < 1e-2  # the tolerance is for one step


@pytest.mark.parametrize(
    ("tolerance", "step", "more"),
    [
        (1.0, 0.1, {}),  # the longest step limits every step of both runs
        pytest.param(1e-3, 0.1, {}, marks=SLOW),  # either the step or the tolerance
        pytest.param(1e-4, 1.0, {"order": "jacobi", "inputs": "linear"}, marks=SLOW),
        pytest.param(1e-2, 0.3, {"iterate": True}, marks=SLOW),
        pytest.param(None, 0.4, {}, marks=SLOW),  # whose last step is shorter
    ],
)
def test_estimated_error_with_tolerance_is_the_error(oscillators, tolerance, step, more):
    """Every step of the second run is half as long, regardless of its limit."""
    run = flown(oscillators.pair(**STATES), step=step, tolerance=tolerance, estimate=True, **more)
    estimate = max(run.errors[name] for name in ("a.x", "b.x"))
    assert off(run) > 1e-4
    assert estimate == pytest.approx(off(run), rel=0.15)  # of the next order in the step


def test_estimate_of_rounding_only_is_flagged(oscillators):
    """An FMU without inputs has no communication error; its estimate is zero."""
    alone = System(units={"a": oscillators.write("a")}, connections=[], values={"a.w2": 1.0, "a.x": 1.0})
    run = flown(alone, estimate=True, duration=0.5)
    assert all(0.0 <= error < 1e-12 for error in run.errors.values())
    assert run.errors["a.x"] > 0.0
    assert "a.x, a.v, a.y: halving every step changes only rounding errors" in run.notes[-1]


@SLOW
def test_iterations_end_where_each_knows_the_others(oscillators):
    """With linear interpolation within a step the error is of second order, and the order of steps has no effect."""
    system = oscillators.pair(**STATES)
    runs = [flown(system, iterate=True, inputs="linear", order=order) for order in ("jacobi", "gauss-seidel")]
    np.testing.assert_allclose(runs[0].table, runs[1].table, rtol=0, atol=1e-10)  # both converged to 1e-11
    coarse = flown(system, iterate=True, inputs="linear", step=0.2)
    assert np.log2(off(coarse) / off(runs[0])) == pytest.approx(2.0, abs=0.1)


GAIN = {"a.g": 0.5, "b.g": 0.5}


@pytest.mark.slow
def test_algebraic_loop_is_named_broken_or_solved(oscillators):
    """y = x + g u of both: solved at the start; in the run it is refused, delayed, or iterated."""
    system = oscillators.pair(fmi=(2, 2), output="y", values=GAIN, canInterpolateInputs=True, **STATES)
    path = "a.u -> a.y -> b.u -> b.y -> a.u"
    with pytest.raises(InputError, match=f"{path}: is an algebraic loop, in which no FMU can step first"):
        flown(system)
    late = flown(system, order="jacobi", step=0.05)
    assert late.notes == (f"{path}: is an algebraic loop, broken by a delay of one step",)
    solved = flown(system, iterate=True, inputs="linear", step=0.05)
    assert solved.notes == ()
    assert off(solved, gain=0.5) < 1e-3 < off(late, gain=0.5) < 0.2
    means = flown(oscillators.pair(output="y", values=GAIN, **STATES), iterate=True, inputs="linear")
    assert "it is computed from the mean input of each step" in means.notes[0]


@SLOW
def test_loop_that_only_may_be_one_is_said(oscillators):
    run = flown(oscillators.pair(says=False))
    assert "may be an algebraic loop" in run.notes[0]
    assert flown(oscillators.pair()).notes == ()  # x does not depend on u directly, and declares it


@SLOW
def test_loop_that_does_not_settle(oscillators):
    with pytest.raises(InputError, match="the start values do not converge"):
        flown(oscillators.pair(output="y", values={"a.g": 2.0, "b.g": 2.0}, **STATES), iterate=True)


@SLOW
def test_units_are_converted_and_compared(oscillators):
    """mm into m by the unit definitions, and by a user-defined factor."""
    same = flown(oscillators.pair())
    a, b = oscillators.write("a", fmi=2), oscillators.write("b-mm", fmi=3, unit="mm")
    values = {"a.w2": 1.0, "b.w2": 1.7, "a.k": 0.4, "b.k": 0.6, "a.x": START[0], "b.x": 1e3 * START[1]}

    def joined(*connections):
        return flown(System(units={"a": a, "b": b}, connections=connections, values=values))

    for run in (
        joined(("a.x", "b.u"), ("b.x", "a.u")),
        joined(
            Connection("a.x", "b.u", factor=1e3, convert=False), Connection("b.x", "a.u", factor=1e-3, convert=False)
        ),
    ):
        np.testing.assert_allclose(run.values("a.x"), same.values("a.x"), rtol=0, atol=1e-12)
        np.testing.assert_allclose(run.values("b.x"), 1e3 * same.values("b.x"), rtol=0, atol=1e-9)


@SLOW
def test_offset_is_added(oscillators):
    """An FMU with an input in K connected to one in degrees Celsius; one spring under a constant force."""
    a = oscillators.write("warm", fmi=2, unit="degC")
    b = oscillators.write("kelvin", fmi=3, unit="K")
    values = {"a.x": 10.0, "a.w2": 1e-12, "b.w2": 1e-12, "b.k": 1.0}
    run = flown(System(units={"a": a, "b": b}, connections=[("a.x", "b.u")], values=values))
    np.testing.assert_allclose(run.values("b.x"), 283.15 * (1.0 - np.cos(run.t)), rtol=1e-9, atol=1e-9)
    assert run.notes == ("a.u: not connected; the start value is held",)


@pytest.mark.parametrize(
    ("connections", "values", "words"),
    [
        ([("a.x", "b.u"), ("a.v", "b.u")], {}, "'b.u' is connected twice"),
        ([("a.u", "b.u")], {}, "'a.u' is not an output"),
        ([("a.z", "b.u")], {}, "output of 'a' in connections 'z' is unknown"),
        ([("c.x", "b.u")], {}, "FMU of 'c.x' in connections 'c' is unknown"),
        ([("a.x",)], {}, "each must be a source and a target"),
        ([Connection("a.x", "b.u", factor=float("nan"))], {}, "factor and offset must be finite"),
        ([("a.x", "b.u")], {"c.k": 1.0}, "'c.k' does not start with the name of an FMU of the system"),
        ([("a.x", "b.u")], {"a.kk": 1.0}, "a: variable in values 'kk' is unknown"),
        ([("a.x", "b.u")], {"b.u": 1.0}, "b: values: 'u' is already connected"),
    ],
)
def test_cosimulation_refuses_systems_that_do_not_fit(oscillators, connections, values, words):
    units = {name: oscillators.write(name) for name in "ab"}
    with pytest.raises(InputError, match=words):
        flown(System(units=units, connections=connections, values=values))


@pytest.mark.parametrize(("one", "other"), [("m", "K"), ("rad/s", "Hz")])
def test_units_that_are_not_of_one_kind(oscillators, one, other):
    """A frequency is no angular rate, though both are 1/s."""
    units = {"a": oscillators.write("a", unit=one), "b": oscillators.write("b", unit=other)}
    with pytest.raises(InputError, match=f"{one!r} cannot be converted to {other!r}"):
        flown(System(units=units, connections=[("a.x", "b.u")]))


def test_conversion_and_offset_are_one_too_many(oscillators):
    units = {"a": oscillators.write("a", unit="m"), "b": oscillators.write("b", unit="mm")}
    with pytest.raises(InputError, match="the order of offset and conversion would be ambiguous"):
        flown(System(units=units, connections=[Connection("a.x", "b.u", offset=2.0)]))


@pytest.mark.parametrize(
    ("keys", "flags", "words"),
    [
        ({"tolerance": 1e-3}, {}, "tolerance: requires saved states, but a, b cannot save and restore"),
        ({"iterate": True}, {}, "iterate: requires saved states"),
        ({"duration": 0.25}, {"canHandleVariableCommunicationStepSize": False}, "steps of equal length only"),
        ({"order": "euler"}, {}, "order 'euler' is unknown"),
        ({"inputs": "cubic"}, {}, "inputs 'cubic' is unknown"),
        ({"step": 0.0}, {}, "step must be"),
        ({"duration": 0.01}, {}, "duration must be at least one step"),
        ({"duration": None}, {}, "give a duration"),
    ],
)
def test_cosimulation_refuses_unsupported_settings(oscillators, keys, flags, words):
    with pytest.raises(InputError, match=words):
        flown(oscillators.pair(**flags), **keys)


FAULTS = {
    1: "its output b.v is nan",
    2: "was ended by SIGSEGV",
    3: "sent nothing for 0.5 s",
    4: "DoStep failed with status 3",
    5: "ended with exit status 0",
    8: "requested the end of the simulation",
}


@pytest.mark.parametrize("fault", [2, *(pytest.param(each, marks=SLOW) for each in (1, 3, 4, 5, 8))])
def test_cosimulation_fault_is_reported_once_and_rows_are_kept(oscillators, fault):
    system = oscillators.pair(values={"b.fault": fault})
    run = flown(system, answer_within=0.5 if fault == 3 else 20.0, order="jacobi", estimate=True)
    assert run.status == "failed"
    assert run.reason.count(FAULTS[fault]) == 1, run.reason
    assert "the FMU 'b'" in run.reason
    np.testing.assert_allclose(run.t, [0.0, 0.1, 0.2], atol=1e-15)
    assert run.errors == {}
    assert np.array_equal(run.table, flown(oscillators.pair(), order="jacobi").table[:3])


def test_results_are_written(oscillators, tmp_path):
    import xarray

    run = flown(oscillators.pair())
    with xarray.open_dataset(run.save(tmp_path / "run.nc"), engine="h5netcdf") as read:
        assert np.array_equal(read["b.x"], run.values("b.x"))
        assert read.attrs["status"] == "completed"
    lines = run.save(tmp_path / "run.csv").read_text().splitlines()
    assert lines[0].startswith("time (s),a.x (m),a.v")
    assert np.array_equal(np.loadtxt(lines[1:], delimiter=",")[:, 1:], run.table)
    with pytest.raises(InputError, match="the suffix selects the format"):
        run.save(tmp_path / "run.txt")
    assert len(run.plot().axes) == 6
    assert len(run.plot(["a.x"]).axes) == 1
    assert run.held == ()
    drawn = replace(run, held=("a.x",)).plot(["a.x", "b.x"]).axes
    assert [panel.get_lines()[0].get_drawstyle() for panel in drawn] == ["steps-post", "default"]
