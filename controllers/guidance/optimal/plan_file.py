"""Files of planned slews, and a cache of plans."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....plant.errors import InputError
from ...laws.files.text_file import read_text
from ..sampled_reference import SampledReference
from .slew_check import check_slew
from .slew_plan import PlanSettings, SlewPlan, plan_slew

if TYPE_CHECKING:
    from .slew_problem import SlewProblem

Array = NDArray[np.float64]

HEAD = "# polhode slew plan"
OTHER = "is the plan of other inputs"
COLUMNS = "t_s,e0,e1,e2,e3,rate_x_rad_s,rate_y_rad_s,rate_z_rad_s"
REMEMBERED = 16
_plans: dict[tuple[str, str], SlewPlan] = {}
"""Cache of the plans of this process, by fingerprint of the inputs and text of the plan file."""


def fingerprint(problem: SlewProblem, settings: PlanSettings) -> str:
    """Return a digest of all inputs of a plan, with values rounded to 10 digits."""
    limits = problem.limits
    arrays = [problem.start, problem.end, problem.pointing]
    arrays += [limits.inertia, limits.torque, limits.momentum, limits.null, limits.total, np.array(limits.rate)]
    for cone in problem.cones:
        arrays += [cone.axis, cone.direction, np.array((cone.half_angle, cone.sign))]
    words = ["none" if each is None else ",".join(f"{value + 0.0:.10g}" for value in np.ravel(each)) for each in arrays]
    words += [str(limits.internal), f"{settings.intervals} {settings.starts} {settings.seed} {settings.tolerance:.10g}"]
    return hashlib.sha256("|".join(words).encode()).hexdigest()[:16]


def plan_text(plan: SlewPlan, problem: SlewProblem, settings: PlanSettings) -> str:
    """Return the content of a plan file."""
    head = [
        HEAD,
        f"# inputs = {fingerprint(problem, settings)}",
        f"# start = {plan.start}",
        f"# durations_s = {' '.join(f'{each:.9g}' for each in plan.durations)}",
        f"# eigenaxis_s = {plan.eigenaxis:.12g}",
        f"# residual = {plan.residual:.3g}",
        *(f"# {line}" for line in plan.lines(problem)),
        COLUMNS,
    ]
    rows = np.column_stack((plan.t, plan.attitude, plan.rate)) + 0.0
    return "\n".join([*head, *(",".join(f"{each:.15g}" for each in row) for row in rows.tolist())]) + "\n"


def planned(problem: SlewProblem, settings: PlanSettings, path: str | Path | None) -> SlewPlan:
    """Return the plan of a slew from the cache or from a file with the same inputs, or compute it.

    Raises InputError when the file is invalid or belongs to different inputs, and DesignError when planning fails.
    """
    word = fingerprint(problem, settings)
    text = "" if path is None else _text(path)
    key = (word, hashlib.sha256(text.encode()).hexdigest())
    if key not in _plans:
        stored = _read(text, str(path), word, problem, settings) if text else None
        if stored is None:
            stored = plan_slew(problem, settings)
        if len(_plans) >= REMEMBERED:
            _plans.pop(next(iter(_plans)))
        _plans[key] = stored
    return _plans[key]


def _text(path: str | Path) -> str:
    try:
        return read_text(str(path), what="a slew plan", largest=2**26)
    except FileNotFoundError:
        return ""


def _read(text: str, path: str, word: str, problem: SlewProblem, settings: PlanSettings) -> SlewPlan:
    """Return the plan in a file, checked between samples. Raises InputError if it belongs to other inputs."""
    lines = text.splitlines()
    if lines[0] != HEAD:
        raise InputError(f"{path} is not a slew plan: the first line must be {HEAD!r}")
    head = dict(line[2:].split(" = ", 1) for line in lines if line.startswith("# ") and " = " in line)
    if head.get("inputs") != word:  # do not replan silently: this takes seconds for each run of a campaign
        raise InputError(f"{path} {OTHER}; plan again (`polhode plan`), or omit the plan file")
    try:
        rows = np.array([[float(each) for each in line.split(",")] for line in lines if line[:1] in "-0123456789"])
        t, e, w = rows[:, 0], rows[:, 1:5], rows[:, 5:8]
        durations = np.array([float(each) for each in head["durations_s"].split()])
        numbers = int(head["start"]), float(head["eigenaxis_s"]), float(head["residual"])
        reference = SampledReference(t, e, rate=w)
    except (KeyError, ValueError, IndexError) as error:
        raise InputError(f"{path} is not a complete slew plan ({error}); create it by `polhode plan`") from None
    check = check_slew(problem, reference)
    if not check.acceptable(settings.tolerance):
        raise InputError(
            f"{path}: the table exceeds a limit by more than {settings.tolerance:g} times that limit, violates a "
            f"cone, or misses the end ({'; '.join(check.lines(problem))}); create the file again by `polhode plan`"
        )
    return SlewPlan(
        t=t, attitude=e, rate=w, start=numbers[0], durations=durations, eigenaxis=numbers[1], residual=numbers[2],
        check=check,
    )  # fmt: skip
