"""Linear state feedback on the attitude error and the momentum error, as a sampled law."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..plant import LinearModel
from ..plant.checks import choice, numbers
from ..plant.errors import InputError
from ..plant.frozen import frozen_arrays
from .acting_model import acting_model, is_rigid, measurement
from .basis_rules import check_reference_basis, check_spin_basis
from .compensator import Compensator
from .designed_on import DesignedOn, designed_on_model
from .dynamic_loop import DynamicLoop
from .feed_forward_numbers import feed_forward_numbers
from .law import check_timing, read_only
from .linear_feedback_kernel import linear_feedback_kernel
from .loop import SampledLoop
from .margins import Margins
from .past_commands import with_past_commands
from .reference import Reference
from .sampled import commands_under_way
from .saturation import SATURATIONS
from .weights import Weights

__all__ = ["LinearFeedback"]

Array = NDArray[np.float64]


@frozen_arrays
@dataclass(frozen=True, eq=False, init=False)
class LinearFeedback:
    """u = u_ff - K [delta; J (omega - omega_ref); u[k-1] - u_ff; ...], sampled and held.

    delta = 2 sgn(e_err0) vec(e_err), e_err = conj(e_ref) o e, sgn(0) = +1: the short way round on both
    covers. u_ff is the torque J alpha_ref + omega_ref x (J omega_ref + h) of the reference itself, in the plant's
    basis, with J the locked inertia and h what elements carry beside it, less what potentials give at the operating
    point. When the loop has a delay the gain may also act on the commands still on their way, which the law
    remembers (within the torque limit, beyond which they never reach the plant).

    The gain is constant: it is the one designed about the model's operating point. A reference at another
    attitude or rate is followed with the margins of that other operating point, not those of `margins()`.

    Parameters
    ----------
    gain : numpy.ndarray, shape (3, 6) or (3, 6 + 3 m)
        K on [delta (rad); momentum of the locked craft (N m s, body)] or on these and the m past commands (newest
        first), m being the delay in samples, rounded up.
    model : LinearModel
        The linear model it was designed on; its torque basis is the one u is written in.
    sample : float
        Sampling period, s.
    delay : float
        Time from a sample to the moment its command reaches the plant, s.
    weights : Weights, optional
        What the gain minimises, if it came from `lqr`.
    saturation : str
        "component": each torque component is cut off at its own limit. "direction": all are shortened by one
        factor, so that the torque keeps its direction, as always with TorqueBasis(keep_direction=True).

    Raises
    ------
    InputError
        When the gain has the wrong shape or is not finite, or sample or delay are out of range.
    DesignError
        When the model lacks attitude or rate, or when it spins and takes torque in a basis that does not turn
        with the body.
    """

    gain: Array
    model: LinearModel
    sample: float
    delay: float
    weights: Weights | None
    saturation: str

    def __init__(
        self,
        gain: ArrayLike,
        model: LinearModel,
        *,
        sample: float,
        delay: float = 0.0,
        weights: Weights | None = None,
        saturation: str = "component",
    ) -> None:
        period, lag = check_timing(sample, delay)
        choice("saturation", saturation, SATURATIONS)
        inner = acting_model(model)
        check_spin_basis(inner)
        measurement(inner)
        past = commands_under_way(period, lag)
        wanted = {(3, 6), (3, 6 + 3 * past)}
        matrix = numbers("gain", gain)
        if matrix.shape not in wanted:
            wide = f" or 3 x {6 + 3 * past} (with the {past} commands under way)" if past else ""
            raise InputError(f"gain must be finite numbers, 3 x 6{wide}; got shape {matrix.shape}")
        object.__setattr__(self, "gain", read_only(matrix))
        object.__setattr__(self, "model", inner)
        object.__setattr__(self, "sample", period)
        object.__setattr__(self, "delay", lag)
        object.__setattr__(self, "weights", weights)
        object.__setattr__(self, "saturation", saturation)

    @property
    def parameters(self) -> Array:
        """The kernel's numbers: feed-forward, limits, count of past commands, saturation, gain, envelope."""
        head = (feed_forward_numbers(self.model), self.model.torques.limits())
        sizes = (self.memory.size // 3, max(SATURATIONS[self.saturation], self.model.torques.keep_direction))
        return read_only(np.concatenate((*head, sizes, self.gain.ravel(), self.model.torques.envelope_rows())))

    @property
    def memory(self) -> Array:
        """The commands under way before the first sample: none, that is zero."""
        return read_only(np.zeros(self.gain.shape[1] - 6))

    @property
    def kernel(self) -> Callable[..., Any]:
        """The law kernel `law(t, y, r, q, z, u)`."""
        return linear_feedback_kernel

    @property
    def designed_on(self) -> DesignedOn:
        """The operating point of its model."""
        return designed_on_model(self.model, remembers=self.memory.size > 0)

    def check_reference(self, reference: Reference) -> None:
        """Raise if the law cannot follow a reference.

        In the inertial, Euler and dual Euler bases the input matrix depends on the attitude, so one constant
        gain belongs to one attitude.

        Parameters
        ----------
        reference : Reference
            What the run asks the law to follow.

        Raises
        ------
        DesignError
            When the torque basis is not the body's and the reference moves or rests at another attitude than
            the one the gain was designed at.
        """
        check_reference_basis(self.model, reference)

    def loop(self) -> SampledLoop:
        """Return the sampled loop of this law and its whole model, for poles and margins."""
        if is_rigid(self.model):
            return SampledLoop(self.model, self.gain, sample=self.sample, delay=self.delay)
        return DynamicLoop(self.model, self.compensator(), sample=self.sample, delay=self.delay)

    def compensator(self) -> Compensator:
        """Return the same law as a compensator on [delta; omega - omega_ref], the past commands its states.

        Returns
        -------
        Compensator
            A, B, C, D and the tracking of the command that went out.
        """
        K = self.gain[:, :6].copy()
        K[:, 3:] = K[:, 3:] @ self.model.inertia
        return with_past_commands(-K, -self.gain[:, 6:])

    def closed_loop_poles(self) -> NDArray[np.complex128]:
        """Return the z-plane poles of the sampled loop, the commands under way included.

        Returns
        -------
        numpy.ndarray, shape (n + 3 m,)
            Largest modulus first; stable means inside the unit circle. n is 6 for a rigid craft; with internal
            states the loop of all of them is meant.
        """
        return self.loop().poles()

    def margins(self) -> Margins:
        """Return the margins of the sampled loop as designed.

        Returns
        -------
        Margins
            Per input, with the other inputs closed, and for all together.

        Raises
        ------
        DesignError
            When the loop is not stable, so that it has no margins.
        """
        return self.loop().margins()
