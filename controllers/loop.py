"""The sampled loop of a linear plant and a linear law, whole or broken open at plant inputs."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..plant import LinearModel
from ..plant.one_thread import one_thread
from .acting_model import from_outside
from .attitude_model import attitude_model, state_scale
from .broken_loop import BrokenLoop
from .loop_parts import LoopParts
from .margins import Margins
from .sampled import sampled_plant

__all__ = ["SampledLoop"]

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]


class SampledLoop:
    """A six-state attitude model, sampled and held, under u = -K [delta; pi; past commands].

    States and inputs are scaled by the mean inertia inside, so that the arithmetic is the same for a cubesat
    and a station; loop gains, poles and margins do not depend on that.

    Parameters
    ----------
    model : LinearModel
        The linear model of the plant.
    gain : array_like, shape (3, 6) or (3, 6 + 3 m)
        K; the columns beyond six act on the m past commands the law remembers, newest first.
    sample : float
        Sampling period, s.
    delay : float
        Time from a sample to the moment its command reaches the plant, s.
    """

    def __init__(self, model: LinearModel, gain: ArrayLike, *, sample: float, delay: float) -> None:
        inner = attitude_model(from_outside(model))
        scale = state_scale(inner.inertia)
        T = np.array([1.0, 1.0, 1.0, scale, scale, scale])
        K = np.asarray(gain, dtype=np.float64)
        self.sample = sample
        self.delay = delay
        self.inputs = tuple(inner.inputs)
        self.outputs = (*(f"attitude_error_{axis}" for axis in "xyz"), *(f"rate_{axis}" for axis in "xyz"))
        self.scale = scale
        self._inertia = inner.inertia / scale
        self._A = inner.A / T[:, None] * T
        self._B = inner.B / T[:, None] * scale
        self._K = np.hstack((K[:, :6] * T / scale, K[:, 6:]))

    def matrices(self, late: Sequence[float] = (0.0, 0.0, 0.0)) -> tuple[Array, Array, Array, Array]:
        """Return plant and law side by side, not yet connected.

        Parameters
        ----------
        late : sequence of float, length 3
            Delay of each input beyond the law's own, s. The law does not know of it.

        Returns
        -------
        tuple of numpy.ndarray
            F, G, M, K of s[k+1] = F s + G w + M u and u = -K s, with w the commands that the plant receives
            and u those that the law remembers; s = [delta; pi / scale; commands under way; commands
            remembered].
        """
        F, G = sampled_plant(self._A, self._B, sample=self.sample, delays=[self.delay + extra for extra in late])
        plant = len(F)
        remembered = self._K.shape[1] - 6
        whole = np.zeros((plant + remembered, plant + remembered))
        whole[:plant, :plant] = F
        enter = np.zeros((plant + remembered, 3))
        enter[:plant] = G
        remember = np.zeros((plant + remembered, 3))
        if remembered:
            whole[plant + 3 :, plant:-3] = np.eye(remembered - 3)
            remember[plant : plant + 3] = np.eye(3)
        K = np.hstack((self._K[:, :6], np.zeros((3, plant - 6)), self._K[:, 6:]))
        return whole, enter, remember, K

    def parts(self) -> LoopParts:
        """Return the loop cut at plant inputs and outputs.

        Returns
        -------
        LoopParts
            The law sees attitude error and rate; what it remembers of its commands is its state.
        """
        F, G, M, K = self.matrices()
        # K acts on the momentum, which the law has from the rate
        Ky = -np.hstack((K[:, :3], K[:, 3:6] @ self._inertia))
        Ks = -K
        Ks[:, :6] = 0.0
        C = np.zeros((6, len(F)))
        C[:3, :3] = np.eye(3)
        C[3:, 3:6] = np.linalg.inv(self._inertia)
        return LoopParts(F, G, M, np.zeros((len(F), 6)), Ks, Ky, C)

    @one_thread
    def poles(self) -> Complex:
        """Return the z-plane poles of the loop as designed.

        Returns
        -------
        numpy.ndarray, shape (6 + 3 m,)
            Largest modulus first; m is the delay in samples, rounded up.
        """
        F, G = sampled_plant(self._A, self._B, sample=self.sample, delays=[self.delay] * 3)
        K = np.zeros((3, len(F)))
        K[:, : self._K.shape[1]] = self._K  # what the law remembers is what is under way
        values = np.asarray(np.linalg.eigvals(F - G @ K), dtype=np.complex128)
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
        F, G, M, K = self.matrices(late)
        return float(np.abs(np.linalg.eigvals(F - (G + M) @ K)).max())

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
        F, G, M, K = self.matrices([late if n in opened else 0.0 for n in range(3)])
        through = G.copy()
        through[:, opened] = 0.0
        return BrokenLoop(F - (through + M) @ K, G[:, opened], K[opened])

    def slowest(self) -> float:
        """Return the smallest natural frequency among the poles as an angle per sample, rad.

        Returns
        -------
        float
            min |log z| over the poles that are not dead-beat.
        """
        values = self.poles()
        return float(np.abs(np.log(values[np.abs(values) > 1e-6])).min())

    def margins(self) -> Margins:
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
