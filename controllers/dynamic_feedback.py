"""Any linear compensator as a sampled law: the form behind LQI, LQG, PID, H-infinity and filters."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..plant import LinearModel
from ..plant.brief import brief
from ..plant.errors import InputError
from .acting_model import acting_model, measurement, seen_at
from .basis_rules import check_reference_basis, check_spin_basis
from .compensator import Compensator
from .designed_on import DesignedOn, designed_on_model
from .dynamic_feedback_kernel import dynamic_feedback_kernel
from .dynamic_loop import DynamicLoop
from .feed_forward_numbers import feed_forward_numbers
from .law import check_timing, read_only
from .margins import Margins
from .reference import Reference
from .saturation import SATURATIONS

__all__ = ["DynamicFeedback"]

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False, init=False)
class DynamicFeedback:
    """u = u_ff + C x + D y, x[k+1] = A x + B y + tracking (limited u - u), sampled and held.

    y = [delta; omega - omega_ref; internal states minus those of the operating point], with
    delta = 2 sgn(e_err0) vec(e_err), e_err = conj(e_ref) o e, sgn(0) = +1: the short way round on both covers.
    u_ff is the torque of the reference's own motion (see `polhode.controllers.feed_forward`).

    The design functions (`lqi`, `lqg`, `pid`, ...) build it; a compensator of your own is flown the same way.

    Parameters
    ----------
    compensator : Compensator
        The matrices.
    model : LinearModel
        The linear model it was designed on, as `craft.linearize` returned it; its torque basis is the one u is
        written in, its limits those of the saturation.
    sample : float
        Sampling period, s.
    delay : float
        Time from a sample to the moment its command reaches the plant, s.
    measured : sequence of str
        Names of internal states that the law sees, the last measurements.
    saturation : str
        "component": each torque component is cut off at its own limit. "direction": all are shortened by one
        factor, so that the torque keeps its direction, as always with TorqueBasis(keep_direction=True).
    design : mapping
        How it was designed: words and numbers for printing and JSON.

    Raises
    ------
    InputError
        When sample, delay or saturation are out of range, or the compensator does not fit the measurements.
    DesignError
        When the model lacks what the law measures, has an algebraic loop, or spins with torque in a basis that does
        not turn with the body.

    Examples
    --------
    >>> from polhode import plant
    >>> craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    >>> gain = -np.hstack((np.eye(3), 2.0 * np.eye(3)))
    >>> law = DynamicFeedback(Compensator.static(gain), craft.linearize(craft.at_rest()), sample=0.1)
    >>> bool(abs(law.closed_loop_poles()[0]) < 1.0)
    True
    """

    compensator: Compensator
    model: LinearModel
    sample: float
    delay: float
    measured: tuple[str, ...]
    saturation: str
    design: Mapping[str, Any] = field(default_factory=dict[str, Any])

    __repr__ = brief

    def __init__(
        self,
        compensator: Compensator,
        model: LinearModel,
        *,
        sample: float,
        delay: float = 0.0,
        measured: Sequence[str] = (),
        saturation: str = "component",
        design: Mapping[str, Any] | None = None,
    ) -> None:
        from ..plant.checks import choice, of_kind

        period, lag = check_timing(sample, delay)
        choice("saturation", saturation, SATURATIONS)
        check_spin_basis(model)
        measurement(acting_model(model), measured)
        seen_at(model, measured)
        of_kind("compensator", compensator, Compensator, such_as="a Compensator, such as law.compensator()")
        if compensator.D.shape[1] != 6 + len(measured):
            raise InputError(
                f"the compensator takes {compensator.D.shape[1]} measurements and the law has {6 + len(measured)}: "
                "attitude error, rate error and the measured internal states"
            )
        object.__setattr__(self, "compensator", compensator)
        object.__setattr__(self, "model", model)
        object.__setattr__(self, "sample", period)
        object.__setattr__(self, "delay", lag)
        object.__setattr__(self, "measured", tuple(measured))
        object.__setattr__(self, "saturation", saturation)
        object.__setattr__(self, "design", {} if design is None else dict(design))

    @property
    def parameters(self) -> Array:
        """Its numbers: feed-forward, limits, sizes, places and values of measured states, matrices, envelope."""
        c = self.compensator
        sizes = (c.order, len(self.measured), max(SATURATIONS[self.saturation], self.model.torques.keep_direction))
        matrices = (c.A, c.B, c.C, c.D, c.tracking)
        head = (feed_forward_numbers(self.model), self.model.torques.limits(), sizes)
        seen, envelope = seen_at(self.model, self.measured), self.model.torques.envelope_rows()
        return read_only(np.concatenate((*head, *seen, *(matrix.ravel() for matrix in matrices), envelope)))

    @property
    def memory(self) -> Array:
        """The states before the first sample, zero, and room for the next ones and the measurement."""
        return read_only(np.zeros(2 * self.compensator.order + 6 + len(self.measured)))

    @property
    def kernel(self) -> Callable[..., Any]:
        """The law kernel `law(t, y, r, q, z, u)`."""
        return dynamic_feedback_kernel

    @property
    def designed_on(self) -> DesignedOn:
        """The operating point of its model."""
        return designed_on_model(self.model, remembers=bool(self.compensator.tracking.any()))

    def check_reference(self, reference: Reference) -> None:
        """Raise if the law cannot follow a reference.

        Parameters
        ----------
        reference : Reference
            What the run asks the law to follow.

        Raises
        ------
        DesignError
            When the torque basis is not the body's and the reference moves or rests at another attitude than the
            one of the design.
        """
        check_reference_basis(self.model, reference)

    def loop(self) -> DynamicLoop:
        """Return the sampled loop of this law and its whole model, for poles and margins."""
        return DynamicLoop(self.model, self.compensator, measured=self.measured, sample=self.sample, delay=self.delay)

    def closed_loop_poles(self) -> NDArray[np.complex128]:
        """Return the z-plane poles of the sampled loop, largest modulus first."""
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
