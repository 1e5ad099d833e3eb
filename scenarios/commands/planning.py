"""``polhode plan CASE``: plan the minimum-time slew of a case and write its table."""

import sys
from collections.abc import Iterable
from math import degrees, isfinite
from pathlib import Path
from typing import Any

from ...controllers import TimeOptimalSlew
from ...controllers.guidance.optimal.plan_file import OTHER
from ...plant.errors import InputError
from ..case.loader import load_case
from ..case.located import located


def plan_and_print(name: str, *, overrides: Iterable[str], json: bool, out: Path | None) -> int:
    """Plan the minimum-time slew of a case and print a report.

    out: file for the table; None: `reference.plan_file` of the case, if any. Returns 0.
    """
    from ..case.kinds.problem import build

    loaded = load_case(name, overrides)
    with located(loaded.source):
        try:
            slew = build(loaded.case).reference
        except InputError as error:
            if OTHER not in str(error) or loaded.case.reference is None:
                raise
            anew = loaded.case.reference.model_copy(update={"plan_file": None})
            slew = build(loaded.case.model_copy(update={"reference": anew})).reference
        if not isinstance(slew, TimeOptimalSlew):
            raise InputError(
                'reference: polhode plan needs a [reference] of kind "time-optimal-slew" or "keep-out-slew"'
            )
    stated = getattr(loaded.case.reference, "plan_file", None)
    path = out or (None if stated is None else Path(stated))
    if path is not None:
        try:
            slew.save(path)
        except OSError as error:
            raise InputError(f"{path}: cannot be written: {error.strerror}") from None
    if json:
        from ..report.json_text import dump

        sys.stdout.write(dump(_summary(slew, path)) + "\n")
    else:
        lines = [*slew.report(), *([] if path is None else [f"wrote {path}"])]
        sys.stdout.write("\n".join(lines) + "\n")
    return 0


def _summary(slew: TimeOptimalSlew, path: Path | None) -> dict[str, Any]:
    plan = slew.plan
    check = plan.check
    return {
        "duration_s": plan.duration,
        "eigenaxis_s": plan.eigenaxis if isfinite(plan.eigenaxis) else None,
        "start": plan.start,
        "durations_s": [each if isfinite(each) else None for each in plan.durations.tolist()],
        "kkt_residual": plan.residual,
        "torque_use": check.torque,
        "momentum_use": check.momentum,
        "rate_use": check.rate,
        "clearance_deg": {
            cone.name: degrees(each) for cone, each in zip(slew.cones, check.clearance.tolist(), strict=True)
        },
        "end_missed_deg": degrees(check.miss),
        "file": None if path is None else str(path),
    }
