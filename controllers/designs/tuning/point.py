"""Loops of all models at one set of parameters, and at neighbouring sets."""

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ....plant.errors import PolhodeError
from ...loop.crossings import Sweep, sweeps_of_inputs
from ...loop.sampled_loop import SampledLoop

Array = NDArray[np.float64]
LoopAt = Callable[[Array], SampledLoop]

STEP = 1e-4
"""Parameter step of central differences of the loop matrices. For a smooth design the relative error is 3e-9."""


class Point:
    """Loops of several models at parameters x.

    x: parameters (n,); models: for each model, a function from x to its loop; low, high: bounds (n,) of the parameters,
    by default none.
    """

    def __init__(
        self, x: Array, models: Sequence[LoopAt], *, low: Array | None = None, high: Array | None = None
    ) -> None:
        self.x, self.models = x, models
        self.low = np.full(len(x), -np.inf) if low is None else low
        self.high = np.full(len(x), np.inf) if high is None else high
        self._beside: dict[int, list[tuple[SampledLoop, SampledLoop]]] = {}
        self._sweeps: dict[int, tuple[list[Sweep], Sweep]] = {}

    @cached_property
    def loops(self) -> list[SampledLoop] | None:
        """Loop of each model; None if any design or loop does not exist."""
        try:
            return [each(self.x) for each in self.models]
        except PolhodeError:
            return None

    @cached_property
    def radius(self) -> float:
        """Largest modulus of the poles of all models; infinite if a loop does not exist."""
        return np.inf if self.loops is None else max(float(abs(loop.poles()[0])) for loop in self.loops)

    def sweeps(self, model: int) -> tuple[list[Sweep], Sweep]:
        """Return the frequency sweeps of one model with one input opened, and with all, for every goal on margins."""
        assert self.loops is not None  # noqa: S101 # a point without loops has no sweeps
        if model not in self._sweeps:
            self._sweeps[model] = sweeps_of_inputs(self.loops[model])
        return self._sweeps[model]

    def beside(self, model: int) -> list[tuple[SampledLoop, SampledLoop]]:
        """Return a pair of loops of one model for each parameter, see `pair`."""
        if model not in self._beside:
            at = self.models[model]
            pairs = [self.pair(n, STEP) for n in range(len(self.x))]
            self._beside[model] = [(at(more), at(less)) for more, less in pairs]
        return self._beside[model]

    def pair(self, n: int, step: float) -> tuple[Array, Array]:
        """Return the parameters with parameter n changed by +step and -step.

        Near a bound both are shifted, so that they are within the bounds and 2 step apart: a parameter does not change
        beyond its bound, so a difference across it would be too small.
        """
        more, less = self.x.copy(), self.x.copy()
        centre = float(self.inside(step)[n])
        more[n], less[n] = centre + step, centre - step
        return more, less

    def inside(self, step: float) -> Array:
        """Return the parameters (n,), shifted so that they are at least a step within the bounds."""
        return np.maximum(np.minimum(self.x, self.high - step), self.low + step)
