"""Short runs where the engine is not compiled yet: they fly as plain Python meanwhile."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ..plant.hub.dynamics import derivative, no_user_loads
from .engine.law import no_law
from .machine.ahead import compiled_ahead
from .machine.plain import compiles
from .planned import Planned

__all__ = ["flies_plain"]

LONGEST = 3.0
"""What a run may take at most as plain Python, s: compiling takes several times as long."""

ROUND_A_STAGE = 6.0
"""What a stage costs at most, by the rates of change in it, of which a free body's take a quarter: the rest is step,
law and row."""


def flies_plain(plan: Planned) -> bool:
    """Return whether a run is to fly as plain Python, since it is short and the engine is being compiled elsewhere.

    Only of fixed explicit steps can be told beforehand how many there are; and what is the user's own, a block or a
    formulation is compiled as ever.
    """
    craft, law, stepper = plan.craft, plan.law, plan.scheme.stepper
    if not plan.compiled or plan.scheme.step is None or stepper.adaptive or stepper.entry:
        return False
    if plan.blocks or plan.view or craft.user_functions or not getattr(law, "compiled", True) or hasattr(law, "opened"):
        return False
    if not compiles(True) or _seconds(plan) > LONGEST:
        return False
    pieces: list[tuple[str, Callable[..., Any]]] = [
        ("law", no_law if law is None else law.kernel),
        ("reference", plan.reference.kernel),
        ("user", no_user_loads),
        *[("element", element.kernel) for element in craft.elements],
        *[(call.kind, call.kernel) for call in getattr(law, "calls", ())],
    ]
    return compiled_ahead(pieces)


def _seconds(plan: Planned) -> float:
    """How long a run takes at most as plain Python: its steps, those to samples and rows, by what a stage takes."""
    law, scheme = plan.law, plan.scheme
    steps = plan.duration / (scheme.step or plan.duration) + plan.times.size
    if law is not None:
        steps += 2.0 * plan.duration / law.sample  # a command comes up to a sample late
    return steps * scheme.stepper.stages * ROUND_A_STAGE * _rates(plan)


def _rates(plan: Planned) -> float:
    """What the rates of change of a craft take as plain Python, s."""
    craft = plan.craft
    p, w, rates = craft.pack(), craft.work_space(), np.zeros_like(plan.x)
    took: list[float] = []
    with np.errstate(all="ignore"):
        for _ in range(5):
            began = time.perf_counter()
            derivative(0.0, plan.x, np.zeros(3), p, rates, no_user_loads, w)
            took.append(time.perf_counter() - began)
    return min(took)
