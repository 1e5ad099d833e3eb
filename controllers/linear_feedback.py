"""Linear state feedback on the attitude error and the momentum error, as a sampled law."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..plant import LinearModel
from ..plant.attitude import attitude_error, rotation_angle
from ..plant.errors import DesignError, InputError
from .attitude_model import attitude_model
from .law import check_timing, read_only
from .linear_feedback_kernel import linear_feedback_kernel
from .loop import SampledLoop
from .margins import Margins
from .reference import FixedReference, Reference, SpinReference
from .sampled import commands_under_way
from .weights import Weights

__all__ = ["LinearFeedback"]

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False, init=False)
class LinearFeedback:
    """u = u_ff - K [delta; pi - J omega_ref; u[k-1] - u_ff; ...], sampled and held.

    delta = 2 sgn(e_err0) vec(e_err), e_err = conj(e_ref) o e, sgn(0) = +1: the short way round on both
    covers. u_ff is the torque J alpha_ref + omega_ref x J omega_ref of the reference itself, in the plant's
    basis. When the loop has a delay the gain may also act on the commands still on their way, which the law
    remembers (within the torque limit, beyond which they never reach the plant).

    The gain is constant: it is the one designed about the model's operating point. A reference at another
    attitude or rate is followed with the margins of that other operating point, not those of `margins()`.

    Parameters
    ----------
    gain : numpy.ndarray, shape (3, 6) or (3, 6 + 3 m)
        K on [delta (rad); momentum (N m s, body)] or on these and the m past commands (newest first), m being
        the delay in samples, rounded up.
    model : LinearModel
        The linear model it was designed on; its torque basis is the one u is written in.
    sample : float
        Sampling period, s.
    delay : float
        Time from a sample to the moment its command reaches the plant, s.
    weights : Weights, optional
        What the gain minimises, if it came from `lqr`.

    Raises
    ------
    InputError
        When the gain has the wrong shape or is not finite, or sample or delay are out of range.
    DesignError
        When the model has states that act on the attitude and the law does not see, or when it spins and
        takes torque in a basis that does not turn with the body.
    """

    gain: Array
    model: LinearModel
    sample: float
    delay: float
    weights: Weights | None

    def __init__(
        self,
        gain: ArrayLike,
        model: LinearModel,
        *,
        sample: float,
        delay: float = 0.0,
        weights: Weights | None = None,
    ) -> None:
        period, lag = check_timing(sample, delay)
        inner = attitude_model(model)
        if inner.torques.name != "body" and np.abs(inner.operating_point[:3]).max() > 0.0:
            raise DesignError(
                f"a constant gain cannot hold a spin with torque in the {inner.torques.name!r} basis, which "
                "turns relative to the body: use TorqueBasis('body'), or quaternion_feedback"
            )
        past = commands_under_way(period, lag)
        wanted = {(3, 6), (3, 6 + 3 * past)}
        matrix = np.asarray(gain, dtype=np.float64)
        if matrix.shape not in wanted or not np.isfinite(matrix).all():
            wide = f" or 3 x {6 + 3 * past} (with the {past} commands under way)" if past else ""
            raise InputError(f"gain must be finite numbers, 3 x 6{wide}; got shape {matrix.shape}")
        object.__setattr__(self, "gain", read_only(matrix))
        object.__setattr__(self, "model", inner)
        object.__setattr__(self, "sample", period)
        object.__setattr__(self, "delay", lag)
        object.__setattr__(self, "weights", weights)

    @property
    def parameters(self) -> Array:
        """The kernel's numbers: basis and axes, count of past commands, inertia, limits, gain."""
        torques = self.model.torques
        head = np.array((torques.code, *torques.axes, self.memory.size // 3), dtype=np.float64)
        return read_only(np.concatenate((head, self.model.inertia.ravel(), torques.limits(), self.gain.ravel())))

    @property
    def memory(self) -> Array:
        """The commands under way before the first sample: none, that is zero."""
        return read_only(np.zeros(self.gain.shape[1] - 6))

    @property
    def kernel(self) -> Callable[..., Any]:
        """The law kernel `law(t, y, r, q, z, u)`."""
        return linear_feedback_kernel

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
        basis = self.model.torques.name
        if basis == "body":
            return
        still = isinstance(reference, FixedReference) or (
            isinstance(reference, SpinReference) and not np.any(reference.rate)
        )
        if not still:
            raise DesignError(
                f"a linear law in the {basis!r} torque basis cannot follow a moving reference, because its "
                "input matrix changes with the attitude: use TorqueBasis('body'), or quaternion_feedback"
            )
        off = float(rotation_angle(attitude_error(reference.at(0.0)[:4], self.model.operating_point[3:7])))
        if off > 1e-6:  # digits lost in print
            raise DesignError(
                f"the gain was designed {np.degrees(off):.4g} deg away from the reference attitude, and in "
                f"the {basis!r} torque basis the input matrix changes with the attitude: linearize about "
                "craft.at_rest(attitude) of the reference"
            )

    def loop(self) -> SampledLoop:
        """Return the sampled loop of this law and its model, for poles and margins."""
        return SampledLoop(self.model, self.gain, sample=self.sample, delay=self.delay)

    def closed_loop_poles(self) -> NDArray[np.complex128]:
        """Return the z-plane poles of the sampled loop, the commands under way included.

        Returns
        -------
        numpy.ndarray, shape (6 + 3 m,)
            Largest modulus first; stable means inside the unit circle.
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
