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

    x: parameters (n,); models: for each model, a function from x to its loop; usable: whether every loop exists and is
    stable.
    """

    def __init__(self, x: Array, models: Sequence[LoopAt]) -> None:
        self.x, self.models = x, models
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
        """Return a pair of loops of one model for each parameter.

        In each pair, the parameter is changed by +`STEP` and -`STEP`.
        """
        if model not in self._beside:
            at, found = self.models[model], list[tuple[SampledLoop, SampledLoop]]()
            for n in range(len(self.x)):
                e = np.zeros(len(self.x))
                e[n] = STEP
                found.append((at(self.x + e), at(self.x - e)))
            self._beside[model] = found
        return self._beside[model]
