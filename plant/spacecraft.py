"""A spacecraft: a body, the basis its torques are commanded in, and what else acts on it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .attitude import rotation_matrix
from .brief import brief
from .checks import choice, finite, of_kind, unit_quaternion, vector
from .elements.element import Element
from .errors import EquilibriumError, InputError
from .hub.dynamics import body_rate, derivative, energy
from .hub.internal_state import branch_states, check_elements, element_coordinates, internal_state, locked_inertia
from .hub.packing import mass_matrix, pack_from_outside, pack_parameters, pack_without_matrix, work_length
from .hub.parameters import W_V
from .hub.rigid_body import RigidBody
from .hub.state_layout import StateLayout
from .in_range import require_finite
from .loads.effort import Effort
from .loads.load_rule import check_loads
from .loads.potentials import Potential
from .loads.potentials.any_potential import AnyPotential
from .loads.torque import TorqueBasis, TorquePulse
from .loads.user_loads import function_name, python_user_loads, user_energy
from .parts import has_parts

if TYPE_CHECKING:
    from .linear import LinearModel

__all__ = ["Spacecraft"]

Array = NDArray[np.float64]
T = TypeVar("T")


@dataclass(frozen=True, eq=False, init=False)
class Spacecraft:
    """A rigid spacecraft as a plant: state, equations of motion, linear model.

    The state is pi (3), the angular momentum in body components (N m s), and e (4), the Euler parameters,
    scalar first; with translation also c (3, m) and P (3, kg m/s), inertial components
    (Shivarama & Fahrenthold 2004, (41)-(44)).

    Parameters
    ----------
    body : RigidBody
        Inertia, mass, pivot.
    torques : TorqueBasis, optional
        The basis and the limit of the three control torques. If left out, the body basis without a limit of its own:
        demanded of the motors where the elements have some that a law can command (`has_command`, as those of
        `wheel_array` have), else from outside.
    external : TorqueBasis, optional
        Where `torques` are demanded of wheels (internal=True), the basis and the limit of a second control torque, from
        outside: thrusters in addition to wheels. A law commands `torques`; modes say which of the two each commands.
        With `torques` left out the wheels take its basis.
    elements : sequence of Element
        Internal elements: dampers, wheels, pendulums, modes.
    potentials : sequence of UniformGravity, Spring, GuidedSpring, GravityGradient or Potential
        Potential energies. One that depends on where the mass centre is needs a pivot or translation.
    efforts : sequence of Effort
        Torques and forces from no potential. One that depends on where the hub's mass centre is, or how fast it moves,
        needs a pivot or translation.
    translation : bool
        Whether the mass centre moves; needs the mass, excludes a pivot. Without translation and pivot the craft turns
        about its mass centre, whose own motion is not followed.

    Raises
    ------
    InputError
        When mass or pivot do not fit the rest, two control torques are not one through wheels and one from outside,
        something depends on where the mass centre is and neither pivot nor translation says so, or something else than
        a body, torque basis, potential or effort is given.

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
    efforts: tuple[Effort, ...]
    translation: bool
    elements: tuple[Element, ...]

    __repr__ = brief

    def __init__(
        self,
        body: RigidBody,
        *,
        torques: TorqueBasis | None = None,
        external: TorqueBasis | None = None,
        elements: Sequence[Element] = (),
        potentials: Sequence[AnyPotential] = (),
        efforts: Sequence[Effort] = (),
        translation: bool = False,
    ) -> None:
        if not isinstance(body, RigidBody):  # pyright: ignore[reportUnnecessaryIsInstance] # user input
            raise InputError(f"the body of a craft must be a polhode.plant.RigidBody; got {body!r}")
        if torques is not None and not isinstance(torques, TorqueBasis):  # pyright: ignore[reportUnnecessaryIsInstance] # user input
            raise InputError(f"torques must be a polhode.plant.TorqueBasis; got {torques!r}")
        potentials, efforts = _several("potentials", potentials), _several("efforts", efforts)
        for potential in potentials:
            if not isinstance(potential, AnyPotential):  # pyright: ignore[reportUnnecessaryIsInstance] # user input
                raise InputError(f"a potential must be one of polhode.plant's; got {type(potential).__name__}")
        for effort in efforts:
            if not isinstance(effort, Effort):  # pyright: ignore[reportUnnecessaryIsInstance] # user input
                raise InputError(f"an effort must be a polhode.plant.Effort; got {type(effort).__name__}")
        if translation and body.mass is None:
            raise InputError("translation needs the mass of the body (kg); give RigidBody(..., mass=...)")
        if translation and body.pivot is not None:
            raise InputError("a pivoted body cannot translate; leave out pivot or translation")
        elements = _several("elements", elements)
        for element in elements:
            if not has_parts(element, Element):
                raise InputError(f"an element must keep polhode.plant's Element; got {type(element).__name__}")
        if external is not None:
            of_kind("external", external, TorqueBasis, such_as='a TorqueBasis, such as TorqueBasis("body", limit=1.0)')
        if torques is None:
            torques = _default_torques(elements, external)
        if external is not None:
            _check_external(torques, external)
        object.__setattr__(self, "body", body)
        object.__setattr__(self, "elements", tuple(elements))
        object.__setattr__(self, "torques", torques)
        object.__setattr__(self, "external", external)
        object.__setattr__(self, "potentials", potentials)
        object.__setattr__(self, "efforts", efforts)
        object.__setattr__(self, "translation", bool(translation))
        check_loads(self)
        check_elements(self)
        pack_parameters(self)  # every potential says now, not at run time, if it does not fit the body

    @property
    def ports(self) -> dict[str, TorqueBasis]:
        """The control torques by what gives them: "wheels", "external", or both; the first is `torques`."""
        also = {} if self.external is None else {"external": self.external}
        return {self.torques.port: self.torques, **also}

    def through(self, port: str) -> "Spacecraft":
        """Return the craft with one of its control torques alone: for a model, a design, margins.

        Parameters
        ----------
        port : str
            One of `ports`.

        Returns
        -------
        Spacecraft
            The craft itself where it has no other; a wheel that is not commanded keeps its momentum but for friction.

        Raises
        ------
        InputError
            When it has none of that name.
        """
        choice("control torque", port, tuple(self.ports))
        return self if self.external is None else self._alone[port]

    @cached_property
    def _alone(self) -> "dict[str, Spacecraft]":
        """The craft with each of its control torques alone: the same one whenever it is asked for."""
        return {
            port: Spacecraft(
                self.body,
                torques=basis,
                elements=self.elements,
                potentials=self.potentials,
                efforts=self.efforts,
                translation=self.translation,
            )
            for port, basis in self.ports.items()
        }

    @cached_property
    def from_outside(self) -> "Spacecraft":
        """The craft with its control torque from outside: itself, unless the torque is demanded of its elements."""
        if not self.torques.internal:
            return self
        other: Spacecraft = object.__new__(Spacecraft)  # what was checked of this one holds of the other
        for each in fields(self):
            object.__setattr__(other, each.name, getattr(self, each.name))
        object.__setattr__(other, "torques", self.torques.outside())
        object.__setattr__(other, "external", None)
        vars(other).update(layout=self.layout, initial_mass_matrix=self.initial_mass_matrix)
        pack_from_outside(self, other)
        return other

    @cached_property
    def layout(self) -> StateLayout:
        """Where each part of the state stands."""
        names, units = element_coordinates(self.elements)
        own_names, own_units, own_kinds = branch_states(self.elements)
        return StateLayout(
            translation=self.translation,
            coordinates=names,
            coordinate_units=units,
            own_names=own_names,
            own_units=own_units,
            own_kinds=own_kinds,
        )

    @property
    def mass(self) -> float:
        """The mass of hub and elements, kg; 0 where the hub has none given."""
        return 0.0 if self.body.mass is None else self.body.mass + sum(element.mass for element in self.elements)

    @property
    def initial_coordinates(self) -> Array:
        """The internal coordinates the elements start from."""
        return np.array([s for element in self.elements for s in element.initial[0]], dtype=np.float64)

    @property
    def initial_rates(self) -> Array:
        """The internal rates the elements start from."""
        return np.array([s for element in self.elements for s in element.initial[1]], dtype=np.float64)

    @property
    def smallest_internal_mass(self) -> float:
        """The smallest generalised mass of a coordinate, kg m^2 or kg; 1 without elements."""
        if not self.elements:
            return 1.0
        return float(np.diag(mass_matrix(self, self.pack(), self.initial_coordinates))[3:].min(initial=np.inf))

    @property
    def user_potentials(self) -> tuple[Potential, ...]:
        """The potentials given as functions."""
        return tuple(potential for potential in self.potentials if isinstance(potential, Potential))

    @property
    def user_functions(self) -> tuple[tuple[str, str], ...]:
        """Kind and name of each potential and effort given as a function, in the order they are asked."""
        potentials = [("potential", function_name(potential.function)) for potential in self.user_potentials]
        return (*potentials, *(("effort", function_name(effort.function)) for effort in self.efforts))

    @property
    def time_dependent(self) -> bool:
        """Whether a potential changes in time by itself, as on a prescribed orbit."""
        return any(potential.time_dependent for potential in self.potentials)

    @cached_property
    def initial_mass_matrix(self) -> Array:
        """M at the initial coordinates, translation taken out where the mass centre is free, shape (3 + n, 3 + n)."""
        return mass_matrix(self, pack_without_matrix(self), self.initial_coordinates)

    def pack(self, pulses: Sequence[TorquePulse] = (), *, ledger: bool = False) -> Array:
        """Return the packed parameters that the kernels read.

        Parameters
        ----------
        pulses : sequence of TorquePulse
            Scheduled torques, one port each after the control input.
        ledger : bool
            Whether work and impulse are integrated beside the state.

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
            Body rate, rad/s; or give the momentum; at rest without either.
        momentum : array_like, shape (3,), optional
            Angular momentum, body components, N m s.
        position : array_like, shape (3,), optional
            Position of the mass centre, inertial, m; only with translation; the origin if left out.
        velocity : array_like, shape (3,), optional
            Its velocity, inertial, m/s; only with translation; zero if left out.
        internal : array_like, shape (n,), optional
            Internal coordinates; what the elements say if left out.
        internal_rate : array_like, shape (n,), optional
            Their rates; what the elements say if left out.

        Returns
        -------
        numpy.ndarray, shape (nx,)
            The state. With a rate given, the momentum is that of hub and elements together.

        Raises
        ------
        InputError
            When a shape is wrong, rate and momentum are both given, or a position is given without
            translation.
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
        """Return the state at rest in an attitude.

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
        """Return the state turning at a body rate.

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
        """Return the body rate omega = J^-1 pi.

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
            found = np.array(body_rate(0.0, self._check(x), u, self.pack(), w))
        require_finite("the body rate at this state", found)
        return found

    def internal_rates(self, x: ArrayLike) -> Array:
        """Return the rates of the internal coordinates, relative to the hub.

        Parameters
        ----------
        x : array_like, shape (nx,)
            The state.

        Returns
        -------
        numpy.ndarray, shape (n,)
            sdot, in the order of `layout.coordinates`; empty without elements.
        """
        p, w = self.pack(), self.work_space()
        with np.errstate(all="ignore"):
            body_rate(0.0, self._check(x), np.zeros(3), p, w)
        start = int(p[W_V]) + 3
        found = w[start : start + len(self.layout.coordinates)].copy()
        require_finite("a rate of the internal coordinates at this state", found)
        return found

    def energy(self, x: ArrayLike, *, t: float = 0.0) -> float:
        """Return the Hamiltonian: kinetic energy and all potentials.

        Parameters
        ----------
        x : array_like, shape (nx,)
            The state.
        t : float
            Time, s; matters only where a potential depends on it.

        Returns
        -------
        float
            J.
        """
        state = self._check(x)
        p, w = self.pack(), self.work_space()
        with np.errstate(all="ignore"):
            value = float(energy(finite("t", t, "s"), state, np.zeros(3), p, w))
            value += user_energy(self.user_potentials, state, p, w)
        require_finite("the energy of this state", np.array(value))
        return value

    def inertial_momentum(self, x: ArrayLike) -> Array:
        """Return the angular momentum R pi.

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
        """Return dx/dt.

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
        """Return the inertia of hub and elements with every coordinate held where it is.

        Parameters
        ----------
        x : array_like, shape (nx,)
            The state.

        Returns
        -------
        numpy.ndarray, shape (3, 3)
            About the mass centre of the whole, or the pivot, kg m^2.
        """
        if not self.elements:
            return self.body.inertia
        return locked_inertia(self, self._check(x))

    def work_space(self, *, dtype: Any = np.float64) -> NDArray[Any]:
        """Return a work space for the kernels of this craft.

        Parameters
        ----------
        dtype : type
            float or complex.

        Returns
        -------
        numpy.ndarray, shape (n,)
            Zeros.
        """
        return np.zeros(work_length(self), dtype=dtype)

    def user_loads(self) -> Callable[[float, Any, Any, Any, Any], None]:
        """Return the user's own potentials and efforts as one plain function loads(t, x, p, dx, w).

        Returns
        -------
        callable
            See `polhode.plant.loads.user_loads`.
        """
        return python_user_loads(self.user_potentials, self.efforts)

    def linearize(
        self,
        x: ArrayLike,
        *,
        outputs: Sequence[str] = ("attitude", "rate"),
        on: Sequence[str] = (),
        allow_nonequilibrium: bool = False,
    ) -> "LinearModel":
        """Return the exact linear model about a steady state, on the tangent space of the attitude.

        Of two control torques its inputs are the wheels'; `through` gives the craft with either.

        Parameters
        ----------
        x : array_like, shape (nx,)
            The state: at rest, or a steady spin. About a spin the model is in error coordinates that turn
            with it.
        outputs : sequence of str
            What to put out; see `polhode.plant.linear.OUTPUTS`.
        on : sequence of str
            Coordinates of elements, "wheel_1_angle": what acts on each between hub and element is a further input,
            torque_on_wheel_1_angle. Laws are designed without.
        allow_nonequilibrium : bool
            Whether a state that is not steady is accepted; the residual is reported either way.

        Returns
        -------
        LinearModel
            A, B, C, D with names and units.

        Raises
        ------
        EquilibriumError
            When the state is not steady, or the model would vary in time along it.
        SingularBasisError
            When the torque basis is singular at that attitude.
        InputError
            When the attitude is not of unit norm, an output is unknown, a coordinate takes no force, or a function of
            the user's own has no derivative there or hides it.
        """
        from .linear import linearize

        try:
            return linearize(self, self._check(x), outputs=outputs, on=on, allow_nonequilibrium=allow_nonequilibrium)
        except EquilibriumError as error:
            raise type(error)(f"{error}, or ask with allow_nonequilibrium=True") from None

    def to_nlsys(self, *, outputs: Sequence[str] = ("attitude", "rate"), name: str = "craft") -> Any:
        """Return the plant as a control.NonlinearIOSystem with named signals.

        Parameters
        ----------
        outputs : sequence of str
            What to put out: "attitude" (Euler parameters), "rate", "momentum", "inertial_momentum",
            "energy", and with translation "position" and "velocity".
        name : str
            The name of the system.

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


def _default_torques(elements: Sequence[Element], external: TorqueBasis | None) -> TorqueBasis:
    """Return the basis of a craft that states none: through its motors where a law can command some of them."""
    if not any(getattr(element, "has_command", False) for element in elements):
        return TorqueBasis()
    if external is None:
        return TorqueBasis(internal=True)
    return TorqueBasis(external.name, external.sequence, internal=True)


def _check_external(torques: TorqueBasis, external: TorqueBasis) -> None:
    """Raise unless they are one control torque through elements and one from outside, in the same basis."""
    if not torques.internal or external.internal:
        raise InputError(
            "external is a second control torque, in addition to one through wheels: give wheels with a command "
            "(plant.wheel_array), torques=TorqueBasis(..., internal=True) and external=TorqueBasis(...); of one "
            "control torque give torques alone"
        )
    if (torques.name, torques.sequence) != (external.name, external.sequence):
        raise InputError(
            f"torques are given in the {torques.name!r} basis and external in the {external.name!r} basis: what takes "
            "over from the other goes on from its command, so give both in the same"
        )


def _several(name: str, given: Iterable[T]) -> tuple[T, ...]:
    try:
        return tuple(given)
    except Exception:  # noqa: BLE001 # what cannot be gone through says so in many ways
        raise InputError(f"{name} must be a list or tuple of them; got one {type(given).__name__}") from None
