"""What laws without memory share: the loop they close about an operating point, and its margins."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..plant import LinearModel, TorqueBasis
from ..plant.errors import DesignError
from .designed_on import DesignedOn
from .law import read_only
from .loop import SampledLoop
from .margins import Margins
from .small_signal import small_signal_gain

__all__ = ["MemorylessLaw"]

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False, kw_only=True)
class MemorylessLaw(ABC):
    """A law whose command depends on the present alone: its exact small-signal gain gives its loop.

    Parameters
    ----------
    sample : float
        Sampling period, s.
    delay : float
        Time from a sample to the moment its command reaches the plant, s.
    torques : TorqueBasis
        The basis of the plant's torque input.
    """

    sample: float
    delay: float
    torques: TorqueBasis

    @property
    @abstractmethod
    def kernel(self) -> Callable[..., Any]:
        """The law kernel `law(t, y, r, q, z, u)`."""

    @property
    @abstractmethod
    def parameters(self) -> Array:
        """The kernel's numbers."""

    @property
    def designed_on(self) -> DesignedOn:
        """Any craft, any attitude and rate."""
        return DesignedOn(torques=self.torques)

    @property
    def memory(self) -> Array:
        """Empty: this law remembers nothing."""
        return read_only(np.zeros(0))

    def loop(self, model: LinearModel) -> SampledLoop:
        """Return the sampled loop of this law about a model's operating point.

        Parameters
        ----------
        model : LinearModel
            `craft.linearize(...)` of the plant that the law will fly, about rest or about a spin.

        Returns
        -------
        SampledLoop
            The law's exact small-signal gain around that plant.

        Raises
        ------
        DesignError
            When the law writes its torque in another basis than the plant takes it.
        """
        mine = (self.torques.code, *self.torques.axes)
        if mine != (model.torques.code, *model.torques.axes):
            raise DesignError(
                f"the law commands torque in the {self.torques.name!r} basis and the plant takes it in the "
                f"{model.torques.name!r} basis; give {type(self).__name__}(torques=craft.torques)"
            )
        gain = small_signal_gain(self.kernel, self.parameters, model)
        return SampledLoop(model, gain, sample=self.sample, delay=self.delay)

    def closed_loop_poles(self, model: LinearModel) -> NDArray[np.complex128]:
        """Return the z-plane poles of the sampled loop about a model's operating point.

        Parameters
        ----------
        model : LinearModel
            The linear model of the plant.

        Returns
        -------
        numpy.ndarray, shape (6 + 3 m,)
            Largest modulus first; m is the delay in samples, rounded up.
        """
        return self.loop(model).poles()

    def margins(self, model: LinearModel) -> Margins:
        """Return the margins of the sampled loop about a model's operating point.

        Parameters
        ----------
        model : LinearModel
            The linear model of the plant.

        Returns
        -------
        Margins
            Per input, with the other inputs closed, and for all together.

        Raises
        ------
        DesignError
            When the loop is not stable there, or law and plant disagree on the torque basis.
        """
        return self.loop(model).margins()
