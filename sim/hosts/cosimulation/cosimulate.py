"""Co-simulation of a system of FMUs."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ....plant.checks import choice, finite, of_kind, positive
from ....plant.errors import InputError
from ..fmi.unpacked import unpack
from ..fmi.wiring import described
from ..process.scratch_folder import scratch_folder
from .coupling import ITERATED, SETTLED, Coupling
from .joined import Joined, joined
from .loops import loops_in
from .result import CoSimulation
from .ssp_package import INSIDE
from .stepping import Plan, Rows, halved, run_steps
from .system import System
from .terminals import Face, face_of

ORDERS = ("jacobi", "gauss-seidel")
INPUTS = ("constant", "linear")
CLOCK = ("Clock", "input")
MOST_NAMES = 6  # largest number of outputs in a note


def cosimulate(
    system: System,
    *,
    step: float | None = None,
    duration: float | None = None,
    order: str = "gauss-seidel",
    inputs: str = "constant",
    iterate: bool = False,
    tolerance: float | None = None,
    estimate: bool = True,
    answer_within: float = 10.0,
    start_within: float = 30.0,
) -> CoSimulation:
    """Co-simulate a system of FMUs, which exchange outputs at communication points.

    Between communication points each FMU integrates independently, through FMPy in a separate process, as in `FMU`: use
    only FMUs that you trust. "jacobi" steps all FMUs in parallel, with the outputs at the start of the step.
    "gauss-seidel" steps them one after the other in the order of `system.units`; each FMU uses the outputs of earlier
    FMUs at the end of the step. Inputs are held ("constant", first-order accurate in the step) or linear in time
    ("linear", second-order accurate): extrapolated from the last step, or interpolated if the output at the end of the
    step is already available. An FMU that accepts no input derivatives (FMI 3, or FMI 2 if canInterpolateInputs is not
    set) receives the mean of the linear input over the step; its direct feedthrough then uses that mean. Signals that
    are discrete on either side are held.

    Parameters
    ----------
    system : System
        FMUs and connections; `read_ssp` reads a system from a file.
    step : float, optional
        Communication step, s; with a tolerance, the longest step. Default: the step of the system.
    duration : float, optional
        Duration, s. Default: the duration of the system.
    order : str
        "gauss-seidel" or "jacobi".
    inputs : str
        "constant" or "linear".
    iterate : bool
        Whether each step is repeated, with the other FMUs' outputs at its end, until the outputs converge. This solves
        algebraic loops. The FMUs must be able to save and restore their state.
    tolerance : float, optional
        Relative tolerance of each step. The error of each output is estimated by comparing one full step with two half
        steps, and may be at most this fraction of a reference value: the output's largest value so far plus a
        thousandth of its nominal value. Steps with a larger error are rejected and shortened. The FMUs must be able to
        save and restore their state, and accept variable steps.
    estimate : bool
        Whether to repeat the run with every step halved, and estimate the error of each output from the difference.
        Integration errors inside an FMU are included only if they decrease with the communication step.
    answer_within : float
        Time limit for a step, s of wall-clock time.
    start_within : float
        Time limit for loading an FMU, s of wall-clock time.

    Returns
    -------
    CoSimulation
        Outputs over time. If an FMU crashes, hangs or returns an invalid number, the result ends there, with the reason
        in one sentence.

    Raises
    ------
    InputError
        When a file is not an FMU or cannot be unpacked, names, sizes or units do not match, the stepping order cannot
        break an algebraic loop, or an FMU lacks a required capability.

    Examples
    --------
    >>> system = System(units={"motor": "motor.fmu"}, connections=[])
    >>> cosimulate(system, step=0.01, duration=1.0)
    Traceback (most recent call last):
    ...
    polhode.plant.errors.InputError: motor.fmu: no such file
    """
    of_kind("system", system, System, such_as="a System")
    for name, value in (("iterate", iterate), ("estimate", estimate)):
        of_kind(name, value, bool, such_as="True or False")
    span = system.duration if duration is None else duration
    if span is None:
        raise InputError("the system states no stop time; give a duration")
    every = system.step if step is None else step
    if every is None:
        raise InputError("the system states no communication step; give a step")
    plan = Plan(
        start=finite("start", system.start, "s"),
        duration=positive("duration", span, "s"),
        step=positive("step", every, "s"),
        coupling=Coupling(
            jacobi=choice("order", order, ORDERS) == "jacobi",
            linear=choice("inputs", inputs, INPUTS) == "linear",
            iterated=iterate,
        ),
        tolerance=None if tolerance is None else positive("tolerance", tolerance),
        answer_within=positive("answer_within", answer_within, "s"),
        start_within=positive("start_within", start_within, "s"),
    )
    if plan.duration < plan.step:
        raise InputError(f"duration must be at least one step of {plan.step:g} s; got {plan.duration:g} s")
    with scratch_folder() as folder:
        made = joined(system, _faces(system, folder))
        notes = [*made.notes, *_agreed(made, plan)]
        rows = run_steps(made, plan)
        errors: dict[str, float] = {}
        if estimate and rows.status == "completed":
            errors = _errors(made, plan, rows, notes)
    settings: dict[str, Any] = {"step_s": plan.step, "duration_s": plan.duration, "order": order, "inputs": inputs}
    settings |= {"iterate": iterate, "tolerance": plan.tolerance, "units": {k: str(v) for k, v in system.units.items()}}
    if plan.tolerance is not None:
        settings |= {"steps": len(rows.t) - 1, "steps_taken_back": rows.rejected}
    return CoSimulation(
        name=system.name,
        t=np.array(rows.t),
        names=made.labels,
        units=made.units,
        held=tuple(name for name, smooth in zip(made.labels, made.continuous, strict=True) if not smooth),
        table=np.array(rows.y).reshape(len(rows.t), len(made.labels)),
        status=rows.status,
        reason=rows.reason,
        errors=errors,
        notes=tuple(notes),
        settings=settings,
    )


def _faces(system: System, folder: Path) -> Mapping[str, Face]:
    """Unpack every FMU, and return the inputs and outputs of each."""
    found: dict[str, Face] = {}
    laid: dict[str, Path] = {}
    for number, (name, file) in enumerate(system.units.items()):
        inside = folder / f"unit-{number}"
        inside.mkdir()
        path = Path(file) if system.archive is None else _laid_out(system.archive, str(file), folder, laid)
        label = f"the FMU {name!r} ({file})"
        unpack(path, inside)
        found[name] = face_of(name, label, inside, described(inside, label), system.stated_units)
        clocks = [each.name for each in found[name].found.modelVariables if (each.type, each.causality) == CLOCK]
        if clocks:
            raise InputError(
                f"{label}: {clocks[0]!r} is a clock, which co-simulation here does not tick; use an FMU without clocks"
            )
    return found


def _laid_out(archive: Path, file: str, folder: Path, laid: dict[str, Path]) -> Path:
    """Return the path of an archive entry after unpacking it and all archives that contain it."""
    path, way = archive, ""
    for part in file.split(INSIDE):
        if way not in laid:
            laid[way] = folder / f"archive-{len(laid)}"
            laid[way].mkdir()
            unpack(path, laid[way])
        path, way = laid[way] / part, f"{way}{INSIDE}{part}"
    return path


def _agreed(made: Joined, plan: Plan) -> list[str]:
    """Check the FMUs' capabilities, and that the order breaks all algebraic loops; return warnings."""
    coupling = plan.coupling
    if coupling.iterated or plan.tolerance is not None:
        lacking = [name for name, face in made.faces.items() if not face.restores]
        if lacking:
            what = "iterate" if coupling.iterated else "tolerance"
            raise InputError(
                f"{what}: requires saved states, but {', '.join(lacking)} cannot save and restore its state "
                "(canGetAndSetFMUState); omit it"
            )
    steps = plan.duration / plan.step
    uneven = plan.tolerance is not None or abs(steps - round(steps)) > 1e-6
    stiff = [name for name, face in made.faces.items() if not face.any_step]
    if uneven and stiff:
        raise InputError(
            f"{', '.join(stiff)} accepts steps of equal length only (canHandleVariableCommunicationStepSize); omit the "
            "tolerance and use a duration that is a multiple of the step"
        )
    notes = [
        f"{', '.join(outputs)}: depends directly on a linearly interpolated input, whose derivative the FMU does not "
        "accept; it is computed from the mean input of each step, with a first-order error"
        for outputs in (_of_means(made) if coupling.linear else ())
    ]
    return notes if coupling.iterated else notes + _loops(made, jacobi=coupling.jacobi)


def _of_means(made: Joined) -> list[list[str]]:
    """Return outputs that depend directly on continuous inputs of FMUs that accept no input derivatives."""
    found: list[list[str]] = []
    for name, face in made.faces.items():
        inlet = made.inlets[name]
        smooth = {each.name for each in inlet.terminals if each.continuous} if inlet.continuous.any() else set[str]()
        outputs = [f"{name}.{output}" for output, acting in face.direct.items() if smooth.intersection(acting or ())]
        if outputs and not face.interpolates:
            found.append(outputs)
    return found


def _loops(made: Joined, *, jacobi: bool) -> list[str]:
    notes: list[str] = []
    for loop in loops_in(made):
        if not loop.certain:
            notes.append(
                f"{loop.words}: may be an algebraic loop, since an FMU in it does not declare its output dependencies; "
                "if there is a loop, a delay of one step breaks it"
            )
        elif jacobi:
            notes.append(f"{loop.words}: is an algebraic loop, broken by a delay of one step")
        else:
            raise InputError(
                f"{loop.words}: is an algebraic loop, in which no FMU can step first; use iterate=True, which solves "
                'it, or order="jacobi", which breaks it by a delay of one step'
            )
    return notes


def _errors(made: Joined, plan: Plan, rows: Rows, notes: list[str]) -> dict[str, float]:
    """Estimate the largest error of each output from a second run that halves every step of the first.

    All steps are halved, even if they were limited by the longest step instead of the tolerance, so that the error
    changes everywhere. If the second run fails, the result is empty and a note is added.
    """
    finer = replace(plan, step=0.5 * plan.step, tolerance=None, times=halved(rows.t))
    late = {made.labels.index(each) for group in _of_means(made) for each in group if each in made.labels}
    smooth = all(inlet.continuous.all() and not late.intersection(inlet.source) for inlet in made.inlets.values())
    rate = 2 if plan.coupling.linear and smooth else 1
    try:
        other = run_steps(made, finer)
    except InputError as error:
        other = Rows([], [], "failed", str(error))
    if other.status != "completed":
        notes.append(f"the error could not be estimated, because the finer run ended: {other.reason}")
        return {}
    coarse = np.array(rows.y)
    apart = 2.0**rate / (2.0**rate - 1.0) * np.abs(coarse - np.array(other.y)[::2]).max(axis=0)
    floor = (ITERATED if plan.coupling.iterated else SETTLED) * np.abs(coarse).max(axis=0)
    notes += _unseen([name for name, hidden in zip(made.labels, apart <= floor, strict=True) if hidden])
    return {name: float(each) for name, each in zip(made.labels, np.maximum(apart, floor), strict=True)}


def _unseen(names: Sequence[str]) -> list[str]:
    """Return a note that names the outputs whose error estimate contains only rounding."""
    if not names:
        return []
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    note = (
        f"{', '.join(names[:MOST_NAMES])}{more}: halving every step changes only rounding errors, so the estimate "
        "contains rounding only; integration errors in an FMU and events between communication points are not included"
    )
    return [note]
