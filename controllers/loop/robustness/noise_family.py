"""Loops under noise as a function of parameters: stacked matrices with a common structure for `variance_bound`."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from ....plant.errors import DesignError
from ..noise_loop import CIRCLE, NoiseSystem
from ..sampled_loop import SampledLoop
from .loop_family import Numbers
from .variance_bound import Sizes, lyapunov

Array = NDArray[np.float64]

SMALL = 1e-6  # smallest weight of a state, relative to the largest
SAME = 1e-7  # largest relative change of the subspace of constants between loops
ERRORS = {"ape": slice(0, 3), "ake": slice(3, 6)}
"""Rows of `NoiseSystem.C` whose variances are the square of an error."""


class _Basis(NamedTuple):
    """Coordinates without the constants that affect no error: keep (m, n), back (n, m), constants (n, k)."""

    keep: Array
    back: Array
    constants: Array


@dataclass(eq=False)
class NoiseFamily:
    """Loops under noise as a function of parameters from -1 to 1.

    loop_at: maps parameters to a loop; error: "ape" or "ake". Raises DesignError when the loops differ in structure.
    """

    loop_at: Callable[[Numbers], SampledLoop]
    error: str
    numbers: int
    _cache: dict[Numbers, Array] = field(default_factory=dict[Numbers, Array])

    @property
    def crafts(self) -> int:
        """Number of loops that have been evaluated."""
        return len(self._cache)

    def matrix(self, x: Numbers) -> Array:
        """Return the stacked matrix [[F, G, Gc], [C, D, Dc]] at given parameters."""
        if x not in self._cache:
            self._cache[x] = self._stacked(self._system(x))
        return self._cache[x]

    @cached_property
    def sizes(self) -> Sizes:
        """Numbers of states, inputs and outputs."""
        white, constant = self._columns
        return Sizes(len(self._basis.keep), len(white), len(constant), 3 * len(self._centre.C))

    def _system(self, x: Numbers) -> NoiseSystem:
        return self.loop_at(x).noise_system(np.zeros(3))

    @cached_property
    def _centre(self) -> NoiseSystem:
        return self._system((0.0,) * self.numbers)

    @cached_property
    def _columns(self) -> tuple[list[int], list[int]]:
        """Indices of the columns of white and of constant sources."""
        white, constant = list[int](), list[int]()
        total = self._centre.G.shape[1]
        for name, columns in self._centre.sources.items():
            (constant if name in self._centre.constant else white).extend(range(*columns.indices(total)))
        return white, constant

    @cached_property
    def _basis(self) -> _Basis:
        """Scaled state coordinates of the central loop; constant states, which affect no error, are left out."""
        from scipy import linalg

        centre = self._centre

        def lasts(real: float, imaginary: float) -> bool:
            return float(np.hypot(real, imaginary)) >= 1.0 - CIRCLE

        _, Z, many = cast("Any", linalg).schur(centre.F, output="real", sort=lasts)
        V, Q = Z[:, :many], Z[:, many:]
        white, constant = self._columns
        F, G = (np.asarray(Q.T @ each, dtype=np.float64) for each in (centre.F @ Q, centre.G))
        rests = np.asarray(np.linalg.solve(np.eye(len(F)) - F, G[:, constant]), dtype=np.float64)
        X = lyapunov(F, G[:, white] @ G[:, white].T) + rests @ rests.T
        size = np.sqrt(np.maximum(np.diag(X), 0.0))
        size = np.maximum(size, SMALL * max(float(size.max(initial=0.0)), 1e-300))
        return _Basis(Q.T / size[:, None], Q * size, V)

    def _stacked(self, system: NoiseSystem) -> Array:
        centre, basis = self._centre, self._basis
        if system.F.shape != centre.F.shape or system.C.shape != centre.C.shape or system.G.shape != centre.G.shape:
            raise DesignError(
                f"the loop under noise has {len(system.F)} states for some spacecraft and {len(centre.F)} for the "
                "central one, so there is no common model; omit the dispersion that changes it, such as a delay"
            )
        p = len(system.C)
        C = system.C[:, ERRORS[self.error]].reshape(3 * p, -1) / np.sqrt(p)
        D = system.D[:, ERRORS[self.error]].reshape(3 * p, -1) / np.sqrt(p)
        self._check_constants(system.F, C)
        white, constant = self._columns
        inputs = [*white, *constant]
        return np.block(
            [[basis.keep @ system.F @ basis.back, basis.keep @ system.G[:, inputs]], [C @ basis.back, D[:, inputs]]]
        )

    def _check_constants(self, F: Array, C: Array) -> None:
        """Raise DesignError if the constants of the central loop are not constants of this loop, or affect an error."""
        V, basis = self._basis.constants, self._basis
        if not V.size:
            return
        leak = np.abs(basis.keep @ F @ V).max(axis=0) + np.abs(C @ V).max(axis=0) / np.abs(C @ basis.back).max()
        size = np.maximum(np.abs(basis.keep).max(), 1.0)
        if float(leak.max()) > SAME * float(size):
            raise DesignError(
                "a constant of the loop, such as a bias or the momentum of the wheels, acts on the errors differently "
                "in each spacecraft, so there is no common model; omit the noise source or the dispersion concerned"
            )
