"""The sampled loop of any linear plant and a dynamic law, whole or broken open at plant inputs."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..plant import LinearModel
from ..plant.one_thread import one_thread
from .acting_model import acting_model, measurement
from .attitude_model import scaled
from .compensator import Compensator
from .loop import SampledLoop
from .loop_parts import LoopParts
from .sampled import sampled_plant

__all__ = ["DynamicLoop"]

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]


class DynamicLoop(SampledLoop):
    """A linear plant with all its states, sampled and held, under v = C x + D y, x+ = A x + B y.

    It has everything `SampledLoop` has; the loop is s[k+1] = F s + G w, u = -K s with
    s = [plant states; commands under way; states of the compensator], momenta and torques in units of the mean
    inertia.

    Parameters
    ----------
    model : LinearModel
        The linear model of the plant.
    compensator : Compensator
        The law.
    measured : sequence of str
        The internal states among its measurements.
    sample : float
        Sampling period, s.
    delay : float
        Time from a sample to the moment its command reaches the plant, s.
    """

    def __init__(
        self,
        model: LinearModel,
        compensator: Compensator,
        *,
        measured: Sequence[str] = (),
        sample: float,
        delay: float,
    ) -> None:
        inner = acting_model(model)
        self.sample = sample
        self.delay = delay
        self.inputs = tuple(inner.inputs)
        self.outputs = (*(f"attitude_error_{axis}" for axis in "xyz"), *(f"rate_{axis}" for axis in "xyz"), *measured)
        self._A, self._B, T, scale = scaled(inner)
        self.scale = scale
        self.C = measurement(inner, measured) * T
        self.law = Compensator(
            A=compensator.A,
            B=compensator.B,
            C=compensator.C / scale,
            D=compensator.D / scale,
            tracking=compensator.tracking * scale,
        )

    def matrices(self, late: Sequence[float] = (0.0, 0.0, 0.0)) -> tuple[Array, Array, Array, Array]:
        """Return plant and law side by side, not yet connected at the plant inputs.

        Parameters
        ----------
        late : sequence of float, length 3
            Delay of each input beyond the law's own, s. The law does not know of it.

        Returns
        -------
        tuple of numpy.ndarray
            F, G, M, K of s[k+1] = F s + G w + M u and u = -K s; M is zero, since what the law knows of its own
            commands is in its states.
        """
        F, G, _, N, Ks, Ky, C = self._cut(late)
        return F + N @ C, G, np.zeros_like(G), -Ks - Ky @ C

    def parts(self) -> LoopParts:
        """Return the loop cut at plant inputs and outputs.

        Returns
        -------
        LoopParts
            The law sees attitude error, rate and the measured internal states.
        """
        return self._cut((0.0, 0.0, 0.0))

    def _cut(self, late: Sequence[float]) -> LoopParts:
        F, G = sampled_plant(self._A, self._B, sample=self.sample, delays=[self.delay + extra for extra in late])
        n, plant, order = len(self._A), len(F), self.law.order
        size = plant + order
        whole = np.zeros((size, size))
        whole[:plant, :plant] = F
        whole[plant:, plant:] = self.law.A
        enter = np.zeros((size, 3))
        enter[:plant] = G
        C = np.zeros((len(self.C), size))
        C[:, :n] = self.C
        Ks = np.zeros((3, size))
        Ks[:, plant:] = self.law.C
        N = np.zeros((size, len(self.C)))
        N[plant:] = self.law.B
        return LoopParts(whole, enter, np.zeros_like(enter), N, Ks, self.law.D, C)

    @one_thread
    def poles(self) -> Complex:
        """Return the z-plane poles of the loop as designed.

        Returns
        -------
        numpy.ndarray
            Largest modulus first: plant states, commands under way and states of the law together.
        """
        F, G, _, K = self.matrices()
        values = np.asarray(np.linalg.eigvals(F - G @ K), dtype=np.complex128)
        # conjugates have one modulus but for rounding; twelve digits keep them together
        return values[np.argsort(-np.round(np.abs(values), 12), kind="stable")]
