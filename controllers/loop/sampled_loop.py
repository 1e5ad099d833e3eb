"""The sampled loop of any linear plant and any law's linear form, whole or broken open at plant inputs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...plant import LinearModel
from ...plant.one_thread import one_thread
from ..laws.compensator import Compensator
from ..laws.past_commands import commands_remembered
from .acting_model import acting_model, measurement
from .attitude_model import scaled
from .broken_loop import BrokenLoop
from .loop_parts import LoopParts
from .sampled_plant import commands_under_way, sampled_plant

if TYPE_CHECKING:
    from .margins import Margins

__all__ = ["SampledLoop"]

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]


class SampledLoop:
    """A linear plant with all its states, sampled and held, under v = C x + D y, x+ = A x + B y.

    The loop is s[k+1] = F s + G w, u = -K s with s = [plant states; commands under way; states of the law], momenta
    and torques in units of the mean inertia inside, so that the arithmetic is the same for a cubesat and a station;
    loop gains, poles and margins do not depend on that.

    Parameters
    ----------
    model : LinearModel
        The linear model of the plant.
    compensator : Compensator
        The law.
    measured : sequence of str
        The states among its measurements beside attitude error and rate.
    sample : float
        Sampling period, s.
    delay : float
        Time from a sample to the moment its command reaches the plant, s.
    attitude : bool
        Whether the law is meant to hold an attitude. The attitude under one that is not, and that neither law nor
        plant look at, is no part of the loop.

    Attributes
    ----------
    inputs, outputs, states : tuple of str
        The components of the torque, what the law measures, and the states of the plant.
    scale : float
        Torque in N m of one unit inside.
    T : numpy.ndarray
        Each state of the plant of one unit inside.
    """

    def __init__(
        self,
        model: LinearModel,
        compensator: Compensator,
        *,
        measured: Sequence[str] = (),
        sample: float,
        delay: float,
        attitude: bool = True,
    ) -> None:
        inner = acting_model(model, seen=measured)
        self.sample = sample
        self.delay = delay
        self.inputs = tuple(inner.inputs)
        self.outputs = (*(f"attitude_error_{axis}" for axis in "xyz"), *(f"rate_{axis}" for axis in "xyz"), *measured)
        self.states = inner.states
        a, b, T, scale = scaled(inner)
        self.scale = scale
        seen = measurement(inner, measured) * T
        looks_at = compensator.D[:, :3].any() or compensator.B[:, :3].any()
        self.attitude = bool(attitude or looks_at or a[3:, :3].any())
        first = 0 if self.attitude else 3
        self._A, self._B, self.C, self.T = a[first:, first:], b[first:], seen[first:, first:], T[first:]
        self.states, self.outputs = self.states[first:], self.outputs[first:]
        self._law = compensator.A, compensator.B[:, first:], compensator.C / scale, compensator.D[:, first:] / scale
        remembered = commands_remembered(compensator)
        self._remembered = remembered if remembered <= commands_under_way(sample, delay) else 0

    def matrices(self, late: Sequence[float] = (0.0, 0.0, 0.0)) -> tuple[Array, Array, Array]:
        """Return plant and law side by side, not yet connected at the plant inputs.

        Parameters
        ----------
        late : sequence of float, length 3
            Delay of each input beyond the law's own, s. The law does not know of it.

        Returns
        -------
        tuple of numpy.ndarray
            F, G, K of s[k+1] = F s + G w and u = -K s.
        """
        F, G, N, Ks, Ky, C = self.parts(late)
        return F + N @ C, G, -Ks - Ky @ C

    def parts(self, late: Sequence[float] = (0.0, 0.0, 0.0)) -> LoopParts:
        """Return the loop cut at plant inputs and outputs.

        Parameters
        ----------
        late : sequence of float, length 3
            Delay of each input beyond the law's own, s.

        Returns
        -------
        LoopParts
            The law sees attitude error, rate and the measured states.
        """
        F, G = sampled_plant(self._A, self._B, sample=self.sample, delays=[self.delay + extra for extra in late])
        a, b, c, d = self._law
        n, plant = len(self._A), len(F)
        size = plant + len(a)
        whole = np.zeros((size, size))
        whole[:plant, :plant] = F
        whole[plant:, plant:] = a
        enter = np.zeros((size, 3))
        enter[:plant] = G
        C = np.zeros((len(self.C), size))
        C[:, :n] = self.C
        Ks = np.zeros((3, size))
        Ks[:, plant:] = c
        N = np.zeros((size, len(self.C)))
        N[plant:] = b
        return LoopParts(whole, enter, N, Ks, d, C)

    @one_thread
    def poles(self) -> Complex:
        """Return the z-plane poles of the loop as designed.

        Returns
        -------
        numpy.ndarray
            Largest modulus first: plant states, commands under way and states of the law together. Where all that
            the law remembers is the commands under way, these count once.
        """
        if self._remembered:
            F, G = sampled_plant(self._A, self._B, sample=self.sample, delays=[self.delay] * 3)
            n, K = len(self._A), np.zeros((3, len(F)))
            K[:, :n] = -self._law[3] @ self.C
            K[:, n : n + 3 * self._remembered] = -self.scale * self._law[2]
            closed = F - G @ K
        else:
            plant, enter, row = self.matrices()
            closed = plant - enter @ row
        values = np.asarray(np.linalg.eigvals(closed), dtype=np.complex128)
        # conjugates have one modulus but for rounding; twelve digits keep them together
        return values[np.argsort(-np.round(np.abs(values), 12), kind="stable")]

    @one_thread
    def radius(self, late: Sequence[float] = (0.0, 0.0, 0.0)) -> float:
        """Return the largest modulus of the poles when the inputs are later than the law knows.

        Parameters
        ----------
        late : sequence of float, length 3
            Delay of each input beyond the law's own, s.

        Returns
        -------
        float
            Below 1: stable.
        """
        F, G, K = self.matrices(late)
        return float(np.abs(np.linalg.eigvals(F - G @ K)).max())

    def broken(self, inputs: Sequence[int], *, late: float = 0.0) -> BrokenLoop:
        """Return the loop opened at some plant inputs, the others closed.

        The law goes on remembering what it commanded; only what reaches the plant is cut.

        Parameters
        ----------
        inputs : sequence of int
            The inputs to open, counted from 0.
        late : float
            Further delay of the opened inputs, s. The law does not know of it.

        Returns
        -------
        BrokenLoop
            The opened loop.
        """
        opened = list(inputs)
        F, G, K = self.matrices([late if n in opened else 0.0 for n in range(3)])
        through = G.copy()
        through[:, opened] = 0.0
        return BrokenLoop(F - through @ K, G[:, opened], K[opened])

    def slowest(self) -> float:
        """Return the smallest natural frequency among the poles as an angle per sample, rad.

        Returns
        -------
        float
            min |log z| over the poles that are not dead-beat.
        """
        values = self.poles()
        return float(np.abs(np.log(values[np.abs(values) > 1e-6])).min())

    def margins(self) -> "Margins":
        """Return the margins of the loop.

        Returns
        -------
        Margins
            Per input, with the other inputs closed, and for all together.

        Raises
        ------
        DesignError
            When the loop is not stable.
        """
        from .margin_search import find_margins

        return find_margins(self)
