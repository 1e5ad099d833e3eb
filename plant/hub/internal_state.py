"""Initial internal coordinates and momenta of a spacecraft, and consistency checks of its elements."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import vector
from ..elements.branch import branch_kinds, branches
from ..elements.element import Element, level_slices, level_units_of, levels_of
from ..errors import InputError
from ..in_range import in_range
from ..loads.torque.torque_kernels import components
from .balanced import balanced, has_imbalance
from .composition import element_forces
from .dead_zones import has_dead_zone, without_dead_zones
from .dynamics import body_rate
from .packing import OF_BODY, has_magnetic_field, locked_momenta, mass_matrix, straight_state
from .parameters import CONSTANT, MASS, NEAR_MASS, W_G
from .state_layout import StateLayout

if TYPE_CHECKING:
    from ..spacecraft import Spacecraft

Array = NDArray[np.float64]

KEPT = 64
_exerted_torques: dict[bytes, Array] = {}
"""Cache of the torques that the elements exert on the hub for a unit demand about each axis.

See `_check_internal_torque`."""


def element_coordinates(elements: Sequence[Element]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names and units of all internal coordinates.

    elements: elements of a spacecraft -> names, units. If a kind occurs several times, a number is inserted after the
    first word: wheel_1_angle, wheel_2_angle. A planar and a spherical pendulum count as two pendulums.
    """
    heads = [element.coordinates[0].partition("_")[0] if element.coordinates else "" for element in elements]
    total = Counter(heads)
    count: Counter[str] = Counter()
    names: list[str] = []
    units: list[str] = []
    for element, kind in zip(elements, heads, strict=True):
        count[kind] += 1
        for name in element.coordinates:
            head, line, tail = name.partition("_")
            names.append(name if total[kind] == 1 else f"{head}_{count[kind]}{line}{tail}")
        units += element.units
    return tuple(names), tuple(units)


def branch_states(elements: tuple[Element, ...]) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Return names, units and kinds of the elements' own states, levels last; repeated names are numbered."""
    own = branches(elements)
    names: list[str] = []
    units: list[str] = []
    kinds: list[str] = []
    for number, branch in enumerate(own, start=1):
        for name in branch.states:
            head, line, tail = name.partition("_")
            names.append(name if len(own) == 1 else f"{head}_{number}{line}{tail}")
        units += branch.state_units
        kinds += branch_kinds(branch)
    holders = [element for element, _ in level_slices(elements, 0)]
    total = Counter(levels_of(element)[0].partition("_")[0] for element in holders)
    count: Counter[str] = Counter()
    for element in holders:
        count[levels_of(element)[0].partition("_")[0]] += 1
        for name in levels_of(element):
            head, line, tail = name.partition("_")
            names.append(name if total[head] == 1 else f"{head}_{count[head]}{line}{tail}")
        units += [unit for unit, _, _ in level_units_of(element)]
        kinds += ["level"] * len(levels_of(element))
    return tuple(names), tuple(units), tuple(kinds)


def state_layout(elements: tuple[Element, ...], *, translation: bool) -> StateLayout:
    """Return names, units and slices of the parts of the state vector; spacecraft of a campaign share them."""
    if all(type(element).__module__.startswith("polhode.") for element in elements):  # these never change
        return _known_layout(elements, translation=translation)
    return _layout(elements, translation=translation)


@lru_cache(maxsize=64)
def _known_layout(elements: tuple[Element, ...], *, translation: bool) -> StateLayout:
    return _layout(elements, translation=translation)


def _layout(elements: tuple[Element, ...], *, translation: bool) -> StateLayout:
    names, units = element_coordinates(elements)
    own_names, own_units, own_kinds = branch_states(elements)
    return StateLayout(
        translation=translation,
        coordinates=names,
        coordinate_units=units,
        own_names=own_names,
        own_units=own_units,
        own_kinds=own_kinds,
    )


def check_elements(craft: "Spacecraft") -> None:
    """Raise InputError if the elements are not consistent with the spacecraft.

    The checks are: names and units match the coordinates; every element accepts the hub; if the total mass centre
    moves, the hub has a mass and all potentials support this; and the mass matrix is positive definite.
    """
    if craft.torques.internal:
        _check_internal_torque(craft)
    if not craft.elements:
        return
    _check_names(craft)
    for element in craft.elements:
        check = getattr(element, "check", None)
        if check is not None:
            check(craft.body)
    magnetic = [element for element in craft.elements if getattr(element, "reads_magnetic_field", False)]
    if magnetic and not any(has_magnetic_field(potential) for potential in craft.potentials):
        raise InputError(
            f"{type(magnetic[0]).__name__} needs a magnetic field, but the spacecraft has none: add EnvironmentLoads "
            "with fields_along(orbit, duration, magnetic=...) to its potentials"
        )
    if magnetic:
        _check_one_field(type(magnetic[0]).__name__, [each for each in craft.potentials if has_magnetic_field(each)])
    moving = any(element.moves_mass for element in craft.elements)
    if moving and craft.body.pivot is None:
        if craft.body.mass is None:
            raise InputError(
                "an element moves the total mass centre, which requires the mass of the hub: give "
                "RigidBody(..., mass=...) in kg, or RigidBody(..., pivot=(0, 0, 0)) for a hub held at its mass centre"
            )
        for potential in craft.potentials:
            if potential.holds_point and (potential.time_dependent or not potential.has_energy):
                raise InputError(
                    f"{potential.words} requires the hub and spacecraft mass centres to coincide, but an element "
                    "moves the spacecraft's mass centre: model the moving part differently, or use GravityGradient and "
                    "UserForce"
                )
            if potential.holds_point:
                raise InputError(
                    "a spring cannot be attached to a spacecraft whose elements move the mass centre; give it a pivot"
                )
    unsupported = [element for element in craft.elements if not getattr(element, "feels_gradient", True)]
    if unsupported and any(potential.feels_inertia for potential in craft.potentials):
        raise InputError(
            f"{type(unsupported[0]).__name__} does not define how it changes the inertia, on which the gravity "
            "gradient acts; model the moving part as a flexible arm, or omit the gravity gradient"
        )
    _check_mass_matrix(craft)


def _check_names(craft: "Spacecraft") -> None:
    for element in craft.elements:
        n = len(element.coordinates)
        s, rates = element.initial
        if not len(element.units) == len(s) == len(rates) == n:
            raise InputError(
                f"{type(element).__name__} has {n} coordinates but {len(element.units)} units, {len(s)} initial values "
                f"and {len(rates)} initial rates; give one of each for every coordinate"
            )
    duplicates = [name for name, count in Counter(craft.layout.names).items() if count > 1]
    if duplicates:
        raise InputError(f"two states have the name {duplicates[0]!r}; rename the coordinates of your element")


def _check_mass_matrix(craft: "Spacecraft") -> None:
    matrix = craft.initial_mass_matrix
    if not np.isfinite(matrix).all():
        raise InputError("the mass matrix of hub and elements is not finite; check the parameters of your element")
    names = ("omega_x", "omega_y", "omega_z", *craft.layout.coordinates)
    diagonal = np.diag(matrix)
    if not (diagonal > 0.0).all():
        worst = int(np.argmin(diagonal))
        raise InputError(
            f"the mass matrix of hub and elements is not positive definite: the entry of {names[worst]} is "
            f"{diagonal[worst]:.3g}; an element has more inertia or mass than the hub that includes it"
        )
    size = np.sqrt(diagonal)
    values, vectors = np.linalg.eigh(matrix / size[:, None] / size)
    if not values[0] > 1e-12:
        most = np.argsort(-np.abs(vectors[:, 0]))[:2]
        raise InputError(
            "the mass matrix of hub and elements is not positive definite (smallest eigenvalue, scaled, "
            f"{values[0]:.3g}, mostly {names[most[0]]} and {names[most[1]]}): an element has more inertia about an "
            "axis than the hub that includes it, or two coordinates move the same part; check the units"
        )


def _check_one_field(name: str, environments: "Sequence[Any]") -> None:
    """Raise InputError if environments have different magnetic fields, of which an element would read the first."""
    one = environments[0].fields
    for each in environments[1:]:
        other = each.fields
        if other is not one and not np.array_equal(other.coefficients, one.coefficients):
            raise InputError(
                f"{name} reads one magnetic field, but the spacecraft has {len(environments)} EnvironmentLoads with "
                "different ones: combine their loads in one, or compute the field of one of them with magnetic=None"
            )


def _check_internal_torque(craft: "Spacecraft") -> None:
    """Raise InputError unless the elements exert the commanded torque on the hub.

    This is checked at rest and within the limits of the elements. Wheels whose allocation assumes other axes are
    checked with the assumed axes, and wheels with imbalance or a minimum torque without it.
    """
    if has_imbalance(craft):
        balanced(craft)  # checked at its construction
        return
    if has_dead_zone(craft):
        without_dead_zones(craft)  # likewise
        return
    p = craft.pack()
    key = _key(craft, p)
    exerted = None if key is None else _exerted_torques.get(key)
    if exerted is None:
        exerted = _exerted_torque(craft, p)
        if key is not None:
            if len(_exerted_torques) >= KEPT:
                _exerted_torques.clear()
            _exerted_torques[key] = exerted
    for element in craft.elements:
        if getattr(element, "assumed_axis", None) is not None:
            wheel: Any = element
            exerted = np.asarray(exerted - wheel.surplus(), dtype=np.float64)
    if np.abs(exerted - np.eye(3)).max() > 1e-6:
        raise InputError(
            "with TorqueBasis(..., internal=True), the default of a spacecraft whose wheels have a command, the "
            "elements must exert the commanded torque on the hub; for a demand of 1 N m about x, y, z they exert "
            f"{exerted.T.round(6).tolist()}: use three wheels or more whose axes span space, each with its `command` "
            "(plant.wheel_array), or TorqueBasis(..., internal=False) for a torque from outside"
        )


def _key(craft: "Spacecraft", p: Array) -> bytes | None:
    """Return the parameters on which the torque of the elements on the hub depends.

    Mass and inertia of the hub are left out if no element moves mass: they do not affect balanced wheels at rest.
    Returns None if the torque may depend on data that are not numbers.
    """
    if not all(element.kernel.__module__.startswith("polhode.") for element in craft.elements):
        return None
    key = p[: int(p[CONSTANT]) or None].copy()  # the inverse mass matrix stored there depends on the rest
    if not any(element.moves_mass for element in craft.elements):
        key[[*OF_BODY, MASS, NEAR_MASS]] = 0.0
    return key.tobytes() + craft.initial_coordinates.tobytes()


def _exerted_torque(craft: "Spacecraft", p: Array) -> Array:
    """Return the torque on the hub for a demand of 1 N m about each body axis, one column per axis."""
    n = len(craft.layout.coordinates)
    w = craft.work_space()
    x = np.zeros(craft.layout.size)
    x[3:7] = 0.7, 0.1, 0.5, 0.5  # not a singular pose of any sequence
    basis = craft.torques
    x[craft.layout.internal] = craft.initial_coordinates
    x[craft.layout.own] = craft.at_rest(x[3:7])[craft.layout.own]
    exerted = np.zeros((3, 3))
    if n:
        matrix = craft.initial_mass_matrix
        share = np.linalg.solve(matrix[3:, 3:], matrix[3:, :3])  # D^-1 N'
        small = 1e-9  # a demand within all limits
        for axis in range(3):
            u = small * np.array(components(basis.code, *basis.axes, *x[3:7], *np.eye(3)[axis]))
            forces: list[Array] = []
            for command in (u, -u):
                body_rate(0.0, x, command, p, w)
                element_forces(0.0, x, command, p, w)
                forces.append(w[int(p[W_G]) : int(p[W_G]) + n].copy())
            exerted[:, axis] = share.T @ (forces[1] - forces[0]) / (2.0 * small)
    return exerted


def momentum_at(inertia: Array, rate: Array) -> Array:
    """Return J omega for J (..., 3, 3) and omega (..., 3), bitwise identical for single bodies and batches."""
    return inertia[..., 0] * rate[..., :1] + inertia[..., 1] * rate[..., 1:2] + inertia[..., 2] * rate[..., 2:]


def internal_state(
    craft: "Spacecraft",
    attitude: Array,
    momentum: Array | None,
    rate: Array | None,
    internal: ArrayLike | None,
    internal_rate: ArrayLike | None,
) -> tuple[Array, Array, Array, Array, Array]:
    """Return the initial momentum, attitude, internal coordinates and momenta, and own states of elements.

    attitude (4,): Euler parameters.
    momentum (3,): pi, N m s; alternative to `rate`.
    rate (3,): omega, rad/s; zero if neither rate nor momentum is given.
    internal (n,): s; None: the initial values of the elements.
    internal_rate (n,): sdot; None: the initial values of the elements.
    -> pi, e, s, p, and the states of elements with their own states: undeformed, rotating with the hub.
    Raises InputError if a shape does not match the coordinates, or if M(s) is not positive definite.
    """
    s = craft.initial_coordinates if internal is None else _numbers(craft, "internal", internal)
    v = craft.initial_rates if internal_rate is None else _numbers(craft, "internal_rate", internal_rate)
    if not craft.elements:
        omega = np.zeros(3) if rate is None else rate
        if momentum is None:
            with in_range("the momentum of a body rate"):
                momentum = momentum_at(craft.body.inertia, omega)
        return momentum, attitude, s, v, np.zeros(0)
    layout = craft.layout
    matrix = craft.initial_mass_matrix if internal is None else mass_matrix(craft, craft.pack(), s)
    if not (craft.starts_regular if internal is None else is_positive(matrix)):
        values = ", ".join(f"{name} = {value:g}" for name, value in zip(craft.layout.coordinates, s, strict=True))
        where = f" at {values}" if values else ""
        raise InputError(
            f"the mass matrix of hub and elements is not positive definite{where}: an element has more mass or "
            "inertia than the hub that includes it, or too little relative to the hub; check the units"
        )
    packed, x = craft.pack(), straight_state(craft, attitude, s)

    def momenta(omega: Array) -> tuple[Array, Array]:
        return locked_momenta(craft, packed, x, np.concatenate([omega, v]))

    if momentum is None:
        omega = np.zeros(3) if rate is None else rate
    else:
        with in_range("the body rate of a momentum"):
            still, _ = momenta(np.zeros(3))
            omega = np.asarray(np.linalg.solve(_columns(momenta, still), momentum - still[:3]), dtype=np.float64)
    with in_range("the momentum of hub and elements"):
        whole, own = momenta(omega)
    return whole[:3] if momentum is None else momentum, attitude, s, whole[3:], x[layout.own] + own


def is_positive(matrix: Array) -> bool:
    """Return whether a symmetric matrix is finite and positive definite."""
    return bool(np.isfinite(matrix).all() and np.linalg.eigvalsh(matrix)[0] > 0.0)


def _columns(momenta: Callable[[Array], tuple[Array, Array]], still: Array) -> Array:
    """Return the inertia: the momenta at unit rates minus the momenta at zero rates."""
    return np.column_stack([momenta(axis)[0][:3] - still[:3] for axis in np.eye(3)])


def locked_inertia(craft: "Spacecraft", x: Array) -> Array:
    """Return the locked inertia about the pivot, or about the total mass centre if not pivoted.

    x (nx,): the state -> (3, 3), kg m^2.
    """
    inertia = constant_locked_inertia(craft)
    if inertia is not None:
        return inertia
    packed, still = craft.pack(), np.zeros(len(craft.layout.coordinates))
    with in_range("the locked inertia"):
        inertia = _columns(
            lambda omega: locked_momenta(craft, packed, x, np.concatenate([omega, still])), np.zeros(3 + len(still))
        )
    return 0.5 * (inertia + inertia.T)


def constant_locked_inertia(craft: "Spacecraft") -> Array | None:
    """Return the locked inertia of a spacecraft with elements, (3, 3), kg m^2; None if it depends on the state."""
    if not craft.pack()[CONSTANT]:
        return None
    inertia = craft.initial_mass_matrix[:3, :3] + 0.0  # the momenta at unit rates are the columns of the mass matrix
    return 0.5 * (inertia + inertia.T)


def _numbers(craft: "Spacecraft", name: str, numbers: ArrayLike) -> Array:
    names = craft.layout.coordinates
    if not names:
        raise InputError(f"{name} was given, but the spacecraft has no internal coordinates; give it elements")
    if np.shape(numbers) != (len(names),):
        raise InputError(f"{name} must be {len(names)} numbers, for {', '.join(names)}; got shape {np.shape(numbers)}")
    return vector(name, numbers, len(names))
