"""Warnings about a run that follow from its case."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .reference_warning import unkept_plan
from .spin_warning import unstable_spin

if TYPE_CHECKING:
    from ...sim import Run
    from ..case.loader import LoadedCase


def case_warnings(loaded: "LoadedCase", run: "Run", times: Sequence[float] = ()) -> list[str]:
    """Return warnings about samples, torques and motions outside the run, and about an unstable spin.

    times: times of the requested samples, s.
    """
    end = float(run.t[-1])
    late = [f"no sample at {time:g} s: the run ended at {end:g} s" for time in times if time > end]
    idle = [
        f"torques.{index} begins at {begins:g} s, after the end of the run, and never acts"
        for index, begins in enumerate(getattr(each, each.begins) for each in loaded.case.torques)
        if begins >= loaded.case.run.duration_s
    ]
    idle += [
        f"faults.{index} begins at {each.from_s:g} s, after the end of the run, and never occurs"
        for index, each in enumerate(loaded.case.faults)
        if each.from_s >= loaded.case.run.duration_s
    ]
    return [*late, *idle, *unkept_plan(run, loaded.case.run.duration_s), *unstable_spin(run)]
