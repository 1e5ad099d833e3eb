"""A spacecraft: rigid hub, internal elements, torque basis, potentials and user-defined forces."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .attitude import rotation_matrix
from .brief import brief
from .checks import choice, finite, unit_quaternion, vector
from .elements.element import Element, level_slices
from .errors import EquilibriumError, InputError
from .hub.control_ports import single_ports, with_external_torque
from .hub.craft_arguments import checked_arguments
from .hub.dynamics import body_rate, derivative, energy
from .hub.internal_state import check_elements, internal_state, is_positive, locked_inertia, state_layout
from .hub.packing import initial_mass_matrix, mass_matrix, pack_parameters, work_length
from .hub.parameters import W_V
from .hub.rigid_body import RigidBody
from .hub.state_layout import StateLayout
from .in_range import require_finite
from .loads.load_rule import check_loads
from .loads.potentials import Potential
from .loads.potentials.any_potential import AnyPotential
from .loads.torque import TorqueBasis, TorquePulse
from .loads.user_force import UserForce
from .loads.user_loads import function_name, python_user_loads, user_energy

if TYPE_CHECKING:
    from .linear import LinearModel

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False, init=False)
class Spacecraft:
    """Plant model of a spacecraft: state, equations of motion and linear model.

    The state holds the angular momentum pi in body components (3, N m s) and the Euler parameters e, scalar first (4).
    If the spacecraft translates, the state also holds the position c (3, m) and the linear momentum P (3, kg m/s) of
    the mass centre in inertial components (Shivarama & Fahrenthold 2004, (41)-(44)). Internal coordinates of elements
    follow.

    Parameters
    ----------
    body : RigidBody
        Inertia, mass, pivot.
    torques : TorqueBasis, optional
        Basis and limit of the three control torques. Default: the body basis without limit. By default, the torque acts
        through the motors if an element accepts commands (`has_command`, for example the wheels of `wheel_array`),
        otherwise from outside.
    external : TorqueBasis, optional
        Basis and limit of a second control torque from outside, such as thrusters in addition to wheels. It
        requires `torques` with internal=True. A law commands `torques`; if a law has modes, each mode states which of
        the two torques it commands. If `torques` is omitted, the wheels use the basis of `external`.
    elements : sequence of Element
        Internal elements: dampers, wheels, pendulums, flexible modes.
    potentials : sequence of UniformGravity, Spring, GuidedSpring, GravityGradient or Potential
        Potential energies. Potentials that depend on the position of the mass centre need a pivot or translation.
    user_forces : sequence of UserForce
        Torques and forces without a potential. Forces that depend on the position or the velocity of the hub's mass
        centre need a pivot or translation.
    translation : bool
        Whether the position of the mass centre is a state; requires the mass and excludes a pivot. A spacecraft that
        neither translates nor is pivoted rotates about its mass centre, and only the rotation is simulated.

    Raises
    ------
    InputError
        When mass or pivot is inconsistent with the other arguments; when `external` is given but `torques` does not act
        through wheels or `external` does not act from outside; when a load depends on the position of the mass centre
        but the spacecraft has neither pivot nor translation; or when an argument has the wrong type.

    Examples
    --------
    >>> craft = Spacecraft(RigidBody((400, 307.8, 200)))
    >>> craft.energy(craft.spinning((0, 0, 0.1)))
    1.0
    """

    body: RigidBody
    torques: TorqueBasis
    external: TorqueBasis | None
    potentials: tuple[AnyPotential, ...]
    user_forces: tuple[UserForce, ...]
    translation: bool
    elements: tuple[Element, ...]

    __repr__ = brief

    def _repr_html_(self) -> str:
        """Return HTML for a notebook."""
        from .notebook_views import craft_html

        return craft_html(self)

    def __init__(
        self,
        body: RigidBody,
        *,
        torques: TorqueBasis | None = None,
        external: TorqueBasis | None = None,
        elements: Sequence[Element] = (),
        potentials: Sequence[AnyPotential] = (),
        user_forces: Sequence[UserForce] = (),
        translation: bool = False,
    ) -> None:
        arguments = checked_arguments(
            body,
            torques=torques,
            external=external,
            elements=elements,
            potentials=potentials,
            user_forces=user_forces,
            translation=translation,
        )
        for name, value in arguments.items():
            object.__setattr__(self, name, value)
        check_loads(self)
        check_elements(self)
        pack_parameters(self)  # a potential that is unsuitable for the body raises here, not during a run

    @property
    def ports(self) -> dict[str, TorqueBasis]:
        """Control torques by source, "wheels" and "external"; the first is `torques`."""
        also = {} if self.external is None else {"external": self.external}
        return {self.torques.port: self.torques, **also}

    def through(self, port: str) -> Spacecraft:
        """Return the spacecraft with only one of its control torques, for linear models, designs and margins.

        Parameters
        ----------
        port : str
            Key of `ports`.

        Returns
        -------
        Spacecraft
            The spacecraft itself if it has only one control torque. Wheels without a command keep their momentum except
            for friction.

        Raises
        ------
        InputError
            When there is no control torque of that name.
        """
        choice("control torque", port, tuple(self.ports))
        return self if self.external is None else self._single_port[port]

    @cached_property
    def _single_port(self) -> dict[str, Spacecraft]:
        """Spacecraft with only one of its control torques, by port; cached, so always the same objects."""
        return single_ports(self)

    @cached_property
    def from_outside(self) -> Spacecraft:
        """Spacecraft whose control torque acts from outside; the same object unless it acts through elements."""
        return with_external_torque(self) if self.torques.internal else self

    @cached_property
    def layout(self) -> StateLayout:
        """Names, units and slices of the parts of the state vector."""
        return state_layout(self.elements, translation=self.translation)

    @property
    def mass(self) -> float:
        """Mass of hub and elements, full tanks included, kg; 0 if the mass of the hub is not stated."""
        return 0.0 if self.body.mass is None else self.body.mass + sum(element.mass for element in self.elements)

    def mass_at(self, x: ArrayLike) -> Any:
        """Return the mass at one or several states, less the propellant used.

        Parameters
        ----------
        x : array_like, shape (..., nx)
            States.

        Returns
        -------
        numpy.ndarray, shape (...)
            Mass of hub and elements, kg.
        """
        states = np.asarray(x, dtype=np.float64)
        mass: Any = self.mass
        for element, own in level_slices(self.elements, self.layout.levels.start):
            if element.mass:
                mass = mass - element.mass + element.left(states[..., own])
        return mass

    @property
    def initial_coordinates(self) -> Array:
        """Initial values of the internal coordinates, shape (n,)."""
        return np.array([s for element in self.elements for s in element.initial[0]], dtype=np.float64)

    @property
    def initial_rates(self) -> Array:
        """Initial values of the internal rates, shape (n,)."""
        return np.array([s for element in self.elements for s in element.initial[1]], dtype=np.float64)

    @property
    def smallest_internal_mass(self) -> float:
        """Smallest generalised mass of an internal coordinate, kg m^2 or kg; 1 if there are no elements."""
        if not self.elements:
            return 1.0
        return float(np.diag(mass_matrix(self, self.pack(), self.initial_coordinates))[3:].min(initial=np.inf))

    @property
    def user_potentials(self) -> tuple[Potential, ...]:
        """Potentials defined by user functions."""
        return tuple(potential for potential in self.potentials if isinstance(potential, Potential))

    @property
    def user_functions(self) -> tuple[tuple[str, str], ...]:
        """Kind and name of each user-defined potential and user force, in the order of evaluation."""
        potentials = [("potential", function_name(potential.function)) for potential in self.user_potentials]
        return (*potentials, *(("user force", function_name(effort.function)) for effort in self.user_forces))

    @property
    def time_dependent(self) -> bool:
        """True if a potential depends explicitly on time, such as a gravity gradient on a prescribed orbit."""
        return any(potential.time_dependent for potential in self.potentials)

    @cached_property
    def initial_mass_matrix(self) -> Array:
        """Mass matrix at the initial coordinates, (3 + n, 3 + n), with free translation eliminated."""
        return initial_mass_matrix(self)

    @cached_property
    def starts_regular(self) -> bool:
        """True if the mass matrix at the initial coordinates is finite and positive definite."""
        return is_positive(self.initial_mass_matrix)

    def pack(self, pulses: Sequence[TorquePulse] = (), *, ledger: bool = False) -> Array:
        """Return the packed parameters that the kernels read.

        Parameters
        ----------
        pulses : sequence of TorquePulse
            Scheduled torques, one port each after the control input.
        ledger : bool
            Whether work and impulse are integrated along with the state.

        Returns
        -------
        numpy.ndarray, shape (n,)
            See `polhode.plant.hub.parameters` for the order.
        """
        return pack_parameters(self, pulses, ledger=ledger)

    def state(
        self,
        *,
        attitude: ArrayLike = (1.0, 0.0, 0.0, 0.0),
        rate: ArrayLike | None = None,
        momentum: ArrayLike | None = None,
        position: ArrayLike | None = None,
        velocity: ArrayLike | None = None,
        internal: ArrayLike | None = None,
        internal_rate: ArrayLike | None = None,
    ) -> Array:
        """Return a state vector.

        Parameters
        ----------
        attitude : array_like, shape (4,)
            Euler parameters, scalar first.
        rate : array_like, shape (3,), optional
            Body rate, rad/s; alternative to `momentum`. Default: at rest.
        momentum : array_like, shape (3,), optional
            Angular momentum, body components, N m s.
        position : array_like, shape (3,), optional
            Inertial position of the mass centre, m; only if the position is a state. Default: the origin.
        velocity : array_like, shape (3,), optional
            Inertial velocity of the mass centre, m/s; only if the position is a state. Default: zero.
        internal : array_like, shape (n,), optional
            Internal coordinates. Default: the initial values of the elements.
        internal_rate : array_like, shape (n,), optional
            Internal rates. Default: the initial values of the elements.

        Returns
        -------
        numpy.ndarray, shape (nx,)
            The state. The momentum computed from a rate includes hub and elements.

        Raises
        ------
        InputError
            When a shape is wrong, both rate and momentum are given, or position or velocity is given but the position
            is not a state.
        """
        e = unit_quaternion("attitude", attitude)
        if rate is not None and momentum is not None:
            raise InputError("give the rate (rad/s) or the momentum (N m s), not both")
        omega = None if rate is None else vector("rate", rate, unit="rad/s")
        pi = None if momentum is None else vector("momentum", momentum, unit="N m s")
        *parts, own = internal_state(self, e, pi, omega, internal, internal_rate)
        if not self.translation:
            if position is not None or velocity is not None:
                raise InputError("position and velocity are states only with Spacecraft(..., translation=True)")
            return np.concatenate([*parts, own])
        c = np.zeros(3) if position is None else vector("position", position, unit="m")
        v = np.zeros(3) if velocity is None else vector("velocity", velocity, unit="m/s")
        return np.concatenate([*parts, c, self.mass * v, own])

    def at_rest(self, attitude: ArrayLike = (1.0, 0.0, 0.0, 0.0)) -> Array:
        """Return the state at rest in a given attitude.

        Parameters
        ----------
        attitude : array_like, shape (4,)
            Euler parameters, scalar first.

        Returns
        -------
        numpy.ndarray, shape (nx,)
            The state.
        """
        return self.state(attitude=attitude)

    def spinning(self, rate: ArrayLike, *, attitude: ArrayLike = (1.0, 0.0, 0.0, 0.0)) -> Array:
        """Return the state that rotates at a given body rate in a given attitude.

        Parameters
        ----------
        rate : array_like, shape (3,)
            Body rate, rad/s.
        attitude : array_like, shape (4,)
            Euler parameters, scalar first.

        Returns
        -------
        numpy.ndarray, shape (nx,)
            The state.
        """
        return self.state(attitude=attitude, rate=rate)

    def rate(self, x: ArrayLike) -> Array:
        """Return the body rate omega.

        Parameters
        ----------
        x : array_like, shape (nx,)
            The state.

        Returns
        -------
        numpy.ndarray, shape (3,)
            Body components, rad/s.
        """
        u, w = np.zeros(3), self.work_space()
        with np.errstate(all="ignore"):
            omega = np.array(body_rate(0.0, self._check(x), u, self.pack(), w))
        require_finite("the body rate at this state", omega)
        return omega

    def internal_rates(self, x: ArrayLike) -> Array:
        """Return the rates of the internal coordinates, relative to the hub.

        Parameters
        ----------
        x : array_like, shape (nx,)
            The state.

        Returns
        -------
        numpy.ndarray, shape (n,)
            sdot, in the order of `layout.coordinates`; empty if there are no elements.
        """
        p, w = self.pack(), self.work_space()
        with np.errstate(all="ignore"):
            body_rate(0.0, self._check(x), np.zeros(3), p, w)
        start = int(p[W_V]) + 3
        rates = w[start : start + len(self.layout.coordinates)].copy()
        require_finite("a rate of the internal coordinates at this state", rates)
        return rates

    def energy(self, x: ArrayLike, *, t: float = 0.0) -> float:
        """Return the total energy (Hamiltonian): kinetic energy plus all potentials.

        Parameters
        ----------
        x : array_like, shape (nx,)
            The state.
        t : float
            Time, s; used by time-dependent potentials only.

        Returns
        -------
        float
            Energy, J.
        """
        state = self._check(x)
        p, w = self.pack(), self.work_space()
        with np.errstate(all="ignore"):
            value = float(energy(finite("t", t, "s"), state, np.zeros(3), p, w))
            value += user_energy(self.user_potentials, state, p, w)
        require_finite("the energy of this state", np.array(value))
        return value

    def inertial_momentum(self, x: ArrayLike) -> Array:
        """Return the angular momentum in inertial components, R pi.

        Parameters
        ----------
        x : array_like, shape (nx,)
            The state.

        Returns
        -------
        numpy.ndarray, shape (3,)
            Inertial components, N m s.
        """
        state = self._check(x)
        return rotation_matrix(state[3:7]) @ state[:3]

    def derivative(self, t: float, x: ArrayLike, *, u: ArrayLike = (0.0, 0.0, 0.0)) -> Array:
        """Return the time derivative of the state, dx/dt.

        Parameters
        ----------
        t : float
            Time, s.
        x : array_like, shape (nx,)
            The state.
        u : array_like, shape (3,)
            Control torque, components in the torque basis, N m.

        Returns
        -------
        numpy.ndarray, shape (nx,)
            The rates of change.
        """
        state = self._check(x)
        t, u, rates = finite("t", t, "s"), vector("u", u, unit="N m"), np.zeros_like(state)
        with np.errstate(all="ignore"):
            derivative(t, state, u, self.pack(), rates, self.user_loads(), self.work_space())
        require_finite("the rate of change of this state", rates)
        return rates

    def locked_inertia(self, x: ArrayLike) -> Array:
        """Return the inertia of hub and elements with all internal coordinates locked.

        Parameters
        ----------
        x : array_like, shape (nx,)
            The state.

        Returns
        -------
        numpy.ndarray, shape (3, 3)
            Inertia about the total mass centre or the pivot, kg m^2.
        """
        if not self.elements:
            return self.body.inertia
        return locked_inertia(self, self._check(x))

    def work_space(self, *, dtype: Any = np.float64) -> NDArray[Any]:
        """Return a work array for the kernels of this spacecraft.

        Parameters
        ----------
        dtype : type
            float or complex.

        Returns
        -------
        numpy.ndarray, shape (n,)
            Array of zeros.
        """
        return np.zeros(work_length(self), dtype=dtype)

    def user_loads(self) -> Callable[[float, Any, Any, Any, Any], None]:
        """Return user-defined potentials and user forces as one plain function loads(t, x, p, dx, w).

        Returns
        -------
        callable
            See `polhode.plant.loads.user_loads`.
        """
        return python_user_loads(self.user_potentials, self.user_forces)

    def linearize(
        self,
        x: ArrayLike,
        *,
        outputs: Sequence[str] = ("attitude", "rate"),
        coordinates: Sequence[str] = (),
        allow_nonequilibrium: bool = False,
    ) -> LinearModel:
        """Return the exact linear model about a steady state, on the tangent space of the attitude.

        If there are two control torques, the inputs belong to the torque through the wheels; `through` selects either
        torque.

        Parameters
        ----------
        x : array_like, shape (nx,)
            The state: at rest, or a steady spin. About a spin, the error coordinates of the model rotate with the
            spin.
        outputs : sequence of str
            Names of the outputs; see `polhode.plant.linear.OUTPUTS`.
        coordinates : sequence of str
            Element coordinates such as "wheel_1_angle". The torque or force between hub and element on each
            coordinate becomes an additional input, torque_on_wheel_1_angle. Control design ignores these inputs.
        allow_nonequilibrium : bool
            Whether a state that is not steady is accepted; the model reports the residual in either case.

        Returns
        -------
        LinearModel
            A, B, C, D with names and units.

        Raises
        ------
        EquilibriumError
            When the state is not steady, or the linear model varies in time along the motion.
        SingularBasisError
            When the torque basis is singular at this attitude.
        InputError
            When the attitude is not of unit norm, an output is unknown, a coordinate accepts no force, or a user
            function has no derivative at the state or does not propagate the derivative.
        """
        from .linear import linearize

        try:
            return linearize(
                self,
                self._check(x),
                outputs=outputs,
                coordinates=coordinates,
                allow_nonequilibrium=allow_nonequilibrium,
            )
        except EquilibriumError as error:
            raise type(error)(f"{error}, or pass allow_nonequilibrium=True") from None

    def to_nlsys(self, *, outputs: Sequence[str] = ("attitude", "rate"), name: str = "craft") -> Any:
        """Return the plant as a control.NonlinearIOSystem with named signals.

        Parameters
        ----------
        outputs : sequence of str
            Names of the outputs: "attitude" (Euler parameters), "rate", "momentum", "inertial_momentum",
            "energy", and, if the position is a state, "position" and "velocity".
        name : str
            Name of the system.

        Returns
        -------
        control.NonlinearIOSystem
            States as in `layout`, inputs torque_1 to torque_3 in the torque basis.

        Raises
        ------
        InputError
            When an output is unknown.
        """
        from .linear.nonlinear_system import nonlinear_system

        return nonlinear_system(self, outputs=outputs, name=name)

    def _check(self, x: ArrayLike) -> Array:
        return vector("state", x, self.layout.size)
