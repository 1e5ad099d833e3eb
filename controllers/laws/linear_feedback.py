"""General sampled linear law, used by LQR, LQI, LQG, PID, pole placement, H-infinity and filters."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant import LinearModel, TorqueBasis
from ...plant.brief import brief
from ...plant.checks import choice, numbers, of_kind
from ...plant.errors import DesignError, InputError
from ...plant.kernels.fields import filled
from ..contracts.attitude_law import AttitudeLaw
from ..contracts.checks import check_timing, read_only
from ..contracts.design_condition import DesignCondition, design_condition_of_model
from ..contracts.past_commands import commands_remembered, with_past_commands
from ..contracts.reference import Reference
from ..loop.acting_model import acting_model, measurement, seen_at
from ..loop.sampled_plant import commands_under_way
from ..loop.small_signal import SmallSignal
from .basis_rules import check_reference_basis, check_spin_basis
from .compensator import Compensator
from .feed_forward import FEED
from .feed_forward_numbers import feed_forward_numbers
from .linear_feedback_kernel import HEAD, linear_feedback_kernel
from .saturation import SATURATIONS

Array = NDArray[np.float64]

INTEGRATES = 1e-9
"""Relative singular value of A - 1 below which a direction of the state space counts as an integrator."""

_MATRICES = ("A", "B", "C", "D", "tracking")


@dataclass(frozen=True, eq=False, init=False)
class LinearFeedback(AttitudeLaw):
    """Sampled linear law u = u_ff + C x + D y, x[k+1] = A x + B y + tracking (limited u - u).

    y = [delta; omega - omega_ref; measured states minus their values at the operating point], with
    delta = 2 sgn(e_err0) vec(e_err), e_err = conj(e_ref) o e, sgn(0) = +1, which gives the shorter rotation for e and
    -e. u_ff is the torque J alpha_ref + omega_ref x (J omega_ref + h) of the reference in the plant's torque basis,
    minus the torque of potentials at the operating point. J is the locked inertia, and h the additional momentum of
    elements. The command is held between samples.

    State feedback is a law that has no states, or only the delayed commands as states (see `from_gain`). The design
    functions (`lqr`, `lqi`, `lqg`, `pid`, ...) return a `LinearFeedback`, which can also hold any other compensator.

    The matrices are constant and designed about the model's operating point. If the reference has a different attitude
    or rate, `margins()` does not apply; compute the margins with a model about that attitude and rate.

    Parameters
    ----------
    compensator : Compensator
        The matrices.
    model : LinearModel
        Linear model of the design, from `craft.linearize`. Its torque basis is the basis of u and provides the limits
        for saturation.
    sample : float
        Sampling period, s.
    delay : float
        Time from a sample to the moment its command reaches the plant, s.
    measured : sequence of str
        Names of measured internal states, which are the last components of y.
    saturation : str
        "component": each torque component is clipped at its own limit. "direction": all components are scaled by one
        factor, so that the torque keeps its direction, as always with TorqueBasis(keep_direction=True).
    design : mapping
        Design record: text and values for printing and JSON.

    Raises
    ------
    InputError
        When sample, delay or saturation is invalid, or the compensator does not match the number of measurements.
    DesignError
        When the model lacks a measurement of the law, has an algebraic loop, or spins and has a torque basis that does
        not rotate with the body.

    Examples
    --------
    >>> from polhode import plant
    >>> craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    >>> gain = -np.hstack((np.eye(3), 2.0 * np.eye(3)))
    >>> law = LinearFeedback(Compensator.static(gain), craft.linearize(craft.at_rest()), sample=0.1)
    >>> bool(abs(law.closed_loop_poles()[0]) < 1.0)
    True
    """

    kind: ClassVar[str] = "linear-feedback"

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
        period, lag = check_timing(sample, delay)
        choice("saturation", saturation, SATURATIONS)
        check_spin_basis(model)
        measurement(acting_model(model), measured)
        seen_at(model, measured)
        such_as = "a Compensator, such as law.compensator; of a matrix K, LinearFeedback.from_gain(K, ...)"
        of_kind("compensator", compensator, Compensator, such_as=such_as)
        if compensator.D.shape[1] != 6 + len(measured):
            raise InputError(
                f"the compensator takes {compensator.D.shape[1]} measurements, but the law has {6 + len(measured)}: "
                "attitude error, rate error and the measured internal states"
            )
        object.__setattr__(self, "compensator", compensator)
        object.__setattr__(self, "model", model)
        object.__setattr__(self, "sample", period)
        object.__setattr__(self, "delay", lag)
        object.__setattr__(self, "measured", tuple(measured))
        object.__setattr__(self, "saturation", saturation)
        object.__setattr__(self, "design", {} if design is None else dict(design))

    @classmethod
    def from_gain(
        cls,
        gain: ArrayLike,
        model: LinearModel,
        *,
        sample: float,
        delay: float = 0.0,
        saturation: str = "component",
        design: Mapping[str, Any] | None = None,
    ) -> "LinearFeedback":
        """Return state feedback u = u_ff - K [delta; J (omega - omega_ref); u[k-1] - u_ff; ...].

        If the loop has a delay, the gain may also act on the delayed commands. The law stores these commands after
        saturation, as they reach the plant, each without the feed-forward of its sample.

        Parameters
        ----------
        gain : array_like, shape (3, 6) or (3, 6 + 3 m)
            Gain K on [delta (rad); momentum of the locked spacecraft (N m s, body)], or on these and the m past
            commands (newest first), where m is the delay in samples, rounded up.
        model, sample, delay, saturation, design
            As in `LinearFeedback`.

        Returns
        -------
        LinearFeedback
            The law. Its states are the past commands if the gain acts on them.

        Raises
        ------
        InputError
            When the gain has the wrong shape or is not finite.

        Examples
        --------
        >>> from polhode import plant
        >>> craft = plant.Spacecraft(plant.RigidBody((4, 3, 2)))
        >>> model = craft.linearize(craft.at_rest())
        >>> law = LinearFeedback.from_gain(np.hstack((np.eye(3), np.eye(3))), model, sample=0.1)
        >>> law.compensator.D[0].tolist()
        [-1.0, -0.0, -0.0, -4.0, -0.0, -0.0]
        """
        past = commands_under_way(*check_timing(sample, delay))
        matrix = numbers("gain", gain)
        if matrix.shape not in {(3, 6), (3, 6 + 3 * past)}:
            wide = f" or 3 x {6 + 3 * past} (with the {past} commands under way)" if past else ""
            raise InputError(f"gain must be finite numbers, 3 x 6{wide}; got shape {matrix.shape}")
        check_spin_basis(model)
        on_measurement = np.hstack((matrix[:, :3], matrix[:, 3:6] @ model.inertia))
        return cls(
            with_past_commands(-on_measurement, -matrix[:, 6:]),
            model,
            sample=sample,
            delay=delay,
            saturation=saturation,
            design=design,
        )

    def scalars(self) -> "Mapping[str, tuple[float, Callable[[float], LinearFeedback]]]":
        """Return the entries of A, B, C and D of the compensator, named by row and column from 1."""
        return {
            f"{name}_{row + 1}_{column + 1}": (float(matrix[row, column]), partial(_with, self, name, (row, column)))
            for name, matrix in ((name, getattr(self.compensator, name)) for name in "ABCD")
            for row, column in np.ndindex(matrix.shape)
        }

    def scalar_units(self) -> Mapping[str, str]:
        """Return the units of the entries of D, and of A, B and C if all states are past commands."""
        c = self.compensator
        units = ["N m/rad"] * 3 + ["N m s/rad"] * 3 + [""] * len(self.measured)
        past = bool(commands_remembered(c))
        found: dict[str, str] = {}
        for row, column in np.ndindex(c.D.shape):
            found[f"D_{row + 1}_{column + 1}"] = units[column]
        for name in "ABC" if past else "":
            for row, column in np.ndindex(getattr(c, name).shape):
                found[f"{name}_{row + 1}_{column + 1}"] = units[column] if name == "B" else "1"
        return found

    @property
    def gain(self) -> Array:
        """State feedback gain K on [delta; momentum with locked elements; past commands], (3, 6 + 3 m)."""
        c = self.compensator
        if self.measured or (c.order and not commands_remembered(c)):
            raise DesignError("the law has other states or measures internal states, so it is not a gain; use gains()")
        on_momentum = np.linalg.solve(self.model.inertia, c.D[:, 3:].T).T
        return read_only(-np.hstack((c.D[:, :3], on_momentum, c.C)))

    @property
    def parameters(self) -> Array:
        """Kernel parameters: feed-forward, limits, dimensions, measured states, matrices, torque envelope."""
        return self._numbers

    @cached_property
    def _numbers(self) -> Array:
        c = self.compensator
        sizes = (c.order, len(self.measured), max(SATURATIONS[self.saturation], self.model.torques.keep_direction))
        matrices = (c.A, c.B, c.C, c.D, c.tracking)
        given = {"limits": self.model.torques.limits(), **dict(zip(("states", "measured", "keep"), sizes, strict=True))}
        head = filled(HEAD, feed=feed_forward_numbers(self.model), **given)
        seen, envelope = seen_at(self.model, self.measured), self.model.torques.envelope_rows()
        return read_only(np.concatenate((head, *seen, *(matrix.ravel() for matrix in matrices), envelope)))

    @property
    def batchable(self) -> NDArray[np.bool_]:
        """False for basis, dimensions, saturation mode and indices of measured states; otherwise True."""
        found = np.ones(self.parameters.size, dtype=np.bool_)
        found[: FEED.inertia] = found[HEAD.states : HEAD.size + len(self.measured)] = False
        return found

    @property
    def memory(self) -> Array:
        """Initial memory: zero states, and scratch space for the next states and the measurement."""
        return self._memory

    @cached_property
    def _memory(self) -> Array:
        return read_only(np.zeros(2 * self.compensator.order + 6 + len(self.measured)))

    @property
    def kernel(self) -> Callable[..., Any]:
        """The law kernel `law(t, y, r, q, z, u)`."""
        return linear_feedback_kernel

    @property
    def summary(self) -> str:
        """Description of the law."""
        name = str(self.design.get("kind", "linear feedback"))
        if not self.design.get("filters"):
            return f"{name}, which holds attitude and rate of its reference"
        return f"{name} with filters in series, which holds attitude and rate of its reference"

    @property
    def design_condition(self) -> DesignCondition:
        """Design conditions: the operating point of the design model."""
        return self._design_condition

    @cached_property
    def _design_condition(self) -> DesignCondition:
        found = design_condition_of_model(self.model, remembers=bool(self.compensator.tracking.any()))
        looks = self.compensator.B[:, :3].any() or self.compensator.D[:, :3].any()
        return found if looks else replace(found, deadband=None)

    def check_reference(self, reference: Reference) -> None:
        """Raise DesignError if the law cannot follow a reference.

        In the inertial, Euler and dual Euler bases the input matrix depends on the attitude, so a constant gain is
        valid at one attitude.

        Parameters
        ----------
        reference : Reference
            The reference of the run.

        Raises
        ------
        DesignError
            When the torque basis is not the body basis, and the reference moves or is at rest at an attitude other than
            the design attitude.
        """
        check_reference_basis(self.model, reference)

    def limited_to(self, torques: TorqueBasis) -> "LinearFeedback":
        """Return the law with changed torque limits, on which the design does not depend.

        Parameters
        ----------
        torques : TorqueBasis
            The torque basis of the design, with the new limits.

        Returns
        -------
        LinearFeedback
            The law that a design with this torque basis would return.
        """
        return replace(self, model=replace(self.model, torques=torques))

    def gains(self) -> dict[str, list[list[float]]]:
        """Return the gain K of state feedback, or the matrices A, B, C, D of any other linear law."""
        c = self.compensator
        if not self.measured and (not c.order or commands_remembered(c)):
            return {"K": self.gain.tolist()}
        return {name: getattr(c, name).tolist() for name in ("A", "B", "C", "D")}

    def bumpless_gains(self) -> tuple[Array, Array]:
        """Return the gains that initialise the law's states when it takes over from another law.

        The integrators (states with x = A x) compensate the command step, and the stored past commands are set to the
        last command.

        Returns
        -------
        missing, past : numpy.ndarray, shape (n, 3)
            See `AttitudeLaw.bumpless_gains`.
        """
        c = self.compensator
        missing, past = super().bumpless_gains()
        if commands_remembered(c):
            past[: c.order] = np.tile(np.eye(3), (c.order // 3, 1))
        elif c.order:
            _, sizes, right = np.linalg.svd(c.A - np.eye(c.order))
            rests = right[sizes < INTEGRATES * max(1.0, float(sizes.max()))].T
            if rests.size:
                missing[: c.order] = rests @ np.linalg.pinv(c.C @ rests, rcond=INTEGRATES)
        return missing, past

    @property
    def plant_independent(self) -> object:
        """Key of the law's matrices if the law measures only attitude and rate; otherwise None."""
        return None if self.measured else self.compensator

    def small_signal(self, model: LinearModel) -> SmallSignal:
        """Return the law's own matrices, since the law is linear on any plant.

        Parameters
        ----------
        model : LinearModel
            Not used.

        Returns
        -------
        SmallSignal
            The compensator, and the states that it measures in addition to attitude and rate.
        """
        return SmallSignal(self.compensator, self.measured)

    def to_file(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the keys and tables that describe the law in a file."""
        matrices = {name: getattr(self.compensator, name).tolist() for name in _MATRICES}
        keys = {"saturation": self.saturation, "measured": list(self.measured)}
        return keys, {"design": dict(self.design), "gains": {"order": self.compensator.order, **matrices}}

    @classmethod
    def from_file(cls, content: Mapping[str, Any], model: LinearModel) -> "LinearFeedback":
        """Return the law stored in a file.

        Parameters
        ----------
        content : mapping
            Content of the file.
        model : LinearModel
            Model of the plant to control.

        Returns
        -------
        LinearFeedback
            The law.
        """
        gains = content["gains"]
        n, m = int(gains["order"]), 6 + len(content["measured"])
        shapes = {"A": (n, n), "B": (n, m), "C": (3, n), "D": (3, m), "tracking": (n, 3)}
        return cls(
            Compensator(**{name: _matrix(name, gains[name], shape) for name, shape in shapes.items()}),
            model,
            sample=content["sample_s"],
            delay=content["delay_s"],
            measured=content["measured"],
            saturation=content["saturation"],
            design=content.get("design", {}),
        )


def _matrix(name: str, rows: Any, shape: tuple[int, int]) -> Array:
    found = np.asarray(rows, dtype=np.float64)
    if found.size != shape[0] * shape[1] or (found.size and found.shape != shape):
        raise InputError(f"gain matrix {name} must be {shape[0]} x {shape[1]}; got shape {found.shape}")
    return found.reshape(shape)


def _with(law: LinearFeedback, name: str, place: tuple[int, int], value: float) -> LinearFeedback:
    matrix = np.array(getattr(law.compensator, name))
    matrix[place] = value
    return replace(law, compensator=replace(law.compensator, **{name: matrix}))
