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
    held = _held_hub(loaded, run)
    return [*late, *idle, *held, *unkept_plan(run, loaded.case.run.duration_s), *unstable_spin(run)]


def _held_hub(loaded: "LoadedCase", run: "Run") -> list[str]:
    """Return a warning if wheels have a static imbalance, but the hub is held since the case gives no mass."""
    plant = loaded.case.plant
    if plant.mass_kg is not None or plant.pivot_m is not None:
        return []
    if not any(getattr(element, "static_imbalance", 0.0) for element in run.craft.elements):
        return []
    words = (
        "without plant.mass_kg the hub is held at its mass centre, and the forces of static imbalance do not move it: "
        "it has no jitter in position, and elements such as flexible modes are not shaken; give plant.mass_kg"
    )
    return [words]
