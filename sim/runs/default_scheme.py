"""Defaults of a run: integrator, step and tolerance."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ...plant import Spacecraft
from ..engine.steppers.kinds import INTEGRATORS
from ..engine.steppers.resolving_step import default_integrator, resolving_step
from ..engine.steppers.scheme import Scheme

RTOL = 1e-10


def default_scheme(
    craft: Spacecraft, x: NDArray[np.float64], *, integrator: str | None, step: float | None, rtol: float | None
) -> Scheme:
    """Return the scheme of a run that starts at x; None selects a default. Raises errors as `Scheme` does."""
    if integrator is None:
        integrator = default_integrator(craft, rtol=rtol)
    if step is None and integrator in INTEGRATORS and INTEGRATORS[integrator].implicit:
        step = resolving_step(craft, x)
    tolerance = RTOL if rtol is None else rtol
    try:
        return _known_scheme(integrator, step, tolerance)
    except TypeError:  # an unhashable name cannot be looked up
        return Scheme(integrator, step=step, rtol=tolerance)


@lru_cache(maxsize=64, typed=True)
def _known_scheme(integrator: str, step: float | None, rtol: float) -> Scheme:
    return Scheme(integrator, step=step, rtol=rtol)
