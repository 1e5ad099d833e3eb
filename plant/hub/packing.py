"""Packing of a spacecraft into the parameter array of the kernels."""

from collections.abc import Sequence
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from ..elements.branch import branch_kinds, branches, in_row_order, is_branch, node_vectors
from ..elements.element import Element, level_slices, levels_of, work_size_of
from ..environment.load_kernels import HEAD
from ..in_range import in_range
from ..loads.faults import FAULT_SIZE
from ..loads.potentials import Potential
from ..loads.potentials.any_potential import AnyPotential
from ..loads.potentials.kinds import number_of
from ..loads.torque import TorqueBasis, TorquePulse
from ..loads.torque.torque_kernels import OF_WHEEL, ON_COORDINATE, ON_LEVEL
from .actuated_coordinates import actuated_coordinate
from .composition import compose_mass, compose_near, work_size
from .condensation import condensed_size
from .element_calls import MOMENTA, RIGID, SHARES, element_code
from .element_calls import call_own as _call_own  # pyright: ignore[reportUnknownVariableType] # kernels are not typed
from .implicit_places import implicit_size, momenta_at
from .inertia import inverse_inertia
from .parameters import (
    AT_DAMPERS,
    AT_ELEMENTS,
    AT_MOMENTA,
    AT_OWN,
    AT_PORTS,
    AT_POTENTIALS,
    AT_UNITS,
    BARE,
    CENTRE,
    CONSTANT,
    DRIVEN,
    ELEMENT,
    FORCE_ROW,
    HELD,
    HUB_SHARE,
    HUB_SIZE,
    HUB_V,
    INERTIA,
    INVERSE,
    LEDGER,
    LEDGER_SIZE,
    LINEAR_MOMENTUM,
    LOCKED,
    LOST,
    MASS,
    N_DAMPERS,
    N_ELEMENTS,
    N_INTERNAL,
    N_MOMENTA,
    N_OWN,
    N_PORTS,
    N_POTENTIALS,
    N_STATES,
    N_UNITS,
    NEAR,
    NEAR_MASS,
    OUTFLOW,
    OWN_AT,
    OWN_SIZE,
    PORT,
    POSITION,
    READS_MOMENTUM,
    REDUCED,
    ROOT_P,
    ROOT_PI,
    SHARE,
    THROUGH_ELEMENTS,
    TRANSLATION,
    USER,
    VARIES,
    VIEW,
    VIEW_ROW,
    VIEW_WORK,
    W_B,
    W_CELL,
    W_FAULT,
    W_G,
    W_HUB,
    W_IMPLICIT,
    W_LINEAR,
    W_MOMENT,
    W_OWN,
    W_SUMS,
    W_V,
    W_VIEW,
)

if TYPE_CHECKING:
    from ..formulations.view import View
    from ..spacecraft import Spacecraft

OF_BODY = tuple(first + n for first in (INERTIA, INVERSE, LOCKED) for n in range(9))
"""Indices of the inertia, its inverse and the locked inertia in the packed parameters."""


def work_length(craft: "Spacecraft", *, signals: int = 0) -> int:
    """Return the workspace length of a spacecraft, with room for a number of element signals."""
    layout = craft.layout
    n, own = len(layout.coordinates), len(layout.own_momenta_at)
    implicit = implicit_size(n, own) + VIEW_WORK.size + sum(each.work_size for each in _built_in(craft))
    return work_size(n, own=_own_length(craft), implicit=implicit, signals=signals)


_packed: "WeakKeyDictionary[Spacecraft, dict[bool, NDArray[np.float64]]]" = WeakKeyDictionary()
"""Packed parameters of spacecraft without scheduled torques; the inner key is whether there is a ledger. They are not
attributes of the spacecraft, since element functions have different indices in each process."""

_without: "WeakKeyDictionary[Spacecraft, NDArray[np.float64]]" = WeakKeyDictionary()
"""Like `_packed`, without a ledger and without the entries that depend on the mass matrix."""

MOST_PLANTS = 16
_same: "dict[SamePlant, tuple[tuple[Element, ...], NDArray[np.float64]]]" = {}
"""Packed parameters of the most recent spacecraft, by all data that they depend on except those of the hub."""
_LOCK = Lock()


def _own_length(craft: "Spacecraft") -> int:
    """Return the length of the rates and the workspace of elements with their own states."""
    return len(craft.layout.own_names) + sum(map(work_size_of, craft.elements))


def pack_parameters(
    craft: "Spacecraft", pulses: Sequence[TorquePulse] = (), *, ledger: bool = False
) -> NDArray[np.float64]:
    """Return all parameters of a spacecraft that the kernels need, in one array.

    pulses: scheduled torques, one port each after the control input; ledger: whether work and impulse are integrated
    along with the state -> (n,), in the order of `polhode.plant.hub.parameters`.
    """
    if not pulses:
        cached = _packed.get(craft, {})
        if ledger in cached:
            return cached[ledger].copy()
        if cached:  # the array for the other value of `ledger` differs in two entries
            packed = cached[ledger] = cached[not ledger].copy()
            packed[N_STATES], packed[LEDGER] = craft.layout.size + (LEDGER_SIZE if ledger else 0), ledger
            return packed.copy()
    packed = pack_without_matrix(craft, pulses, ledger=ledger)
    packed = _with_mass_matrix(craft, packed) if craft.elements else packed
    if not pulses:
        _packed.setdefault(craft, {})[ledger] = packed.copy()
    return packed


def packed_in(packed: NDArray[np.float64], craft: "Spacecraft", view: "View") -> NDArray[np.float64]:
    """Return packed parameters for integration in the states of a formulation, which are appended to x."""
    whole = packed.copy()
    whole[BARE] = 0.0
    whole[VIEW], whole[N_STATES] = packed.size, packed[N_STATES] + len(view.states)
    head = np.zeros(VIEW_ROW.size)
    head[VIEW_ROW.function], head[VIEW_ROW.project] = element_code(view.kernel), view.project
    head[VIEW_ROW.states], head[VIEW_ROW.at] = len(view.states), craft.layout.size
    return np.concatenate([whole, head, np.array(view.numbers(craft), dtype=np.float64)])


def body_numbers(inertia: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the parameters at OF_BODY, (..., 27), from inertias of bodies without elements, (..., 3, 3)."""
    with in_range("the inverse of the inertia"):
        inverse = inverse_inertia(inertia)
    flat = (inertia, inverse, inertia)
    return np.concatenate([each.reshape(*inertia.shape[:-2], 9) for each in flat], axis=-1)


def pack_without_matrix(
    craft: "Spacecraft", pulses: Sequence[TorquePulse] = (), *, ledger: bool = False
) -> NDArray[np.float64]:
    """Return the packed parameters without those that depend on the mass matrix of hub and elements."""
    if pulses:
        return _packed_anew(craft, pulses, ledger=ledger)
    template = _without.get(craft)
    if template is None:
        template = _without[craft] = _packed_like(craft)
    packed = template.copy()
    if ledger:
        packed[N_STATES], packed[LEDGER] = craft.layout.size + LEDGER_SIZE, True
    return packed


def pack_from_outside(craft: "Spacecraft", other: "Spacecraft") -> None:
    """Store the packed parameters of a spacecraft with external torque, from its element-driven twin.

    craft: the spacecraft driven by its elements; other: the same spacecraft with an external control torque.
    """
    packed = pack_without_matrix(craft)
    packed[THROUGH_ELEMENTS] = 0.0
    _without[other] = packed


class SamePlant(NamedTuple):
    """Key of all data on which packed parameters depend, except mass and inertia of the hub.

    elements: ids of the elements, which stay alive as long as the cache entry that holds them.
    """

    elements: tuple[int, ...]
    translation: bool
    internal: bool
    basis: tuple[float, ...]


def same_plant(craft: "Spacecraft") -> SamePlant | None:
    """Return the cache key of spacecraft that differ only in hub mass and inertia, or None.

    Built-in elements are immutable; user-defined elements may not be.
    """
    if craft.potentials or craft.user_forces or craft.body.pivot is not None or not _are_plain(craft):
        return None
    basis = craft.torques
    return SamePlant(tuple(map(id, craft.elements)), craft.translation, basis.internal, (basis.code, *basis.axes))


def _are_plain(craft: "Spacecraft") -> bool:
    """Return whether all elements are built-in, without states of their own, and none moves mass."""
    return all(
        type(element).__module__.startswith("polhode.") and not element.moves_mass and not is_branch(element)
        for element in craft.elements
    )


def _packed_like(craft: "Spacecraft") -> NDArray[np.float64]:
    """Return `_packed_anew` for no scheduled torques and no ledger; reuse all but the hub if possible."""
    key = same_plant(craft) if craft.elements else None
    if key is None:
        return _packed_anew(craft, (), ledger=False)
    known = _same.get(key)
    if known is None:
        packed = _packed_anew(craft, (), ledger=False)
        with _LOCK:
            while len(_same) >= MOST_PLANTS:
                del _same[next(iter(_same))]
            _same[key] = craft.elements, packed
        return packed.copy()
    packed = known[1].copy()
    _pack_hub(craft, packed)
    packed[NEAR_MASS] = craft.mass
    return packed


def _pack_hub(craft: "Spacecraft", packed: NDArray[np.float64]) -> None:
    """Set the total mass, and the inertia of the hub."""
    packed[MASS] = craft.mass
    packed[list(OF_BODY)] = body_numbers(craft.body.inertia)


def _packed_anew(craft: "Spacecraft", pulses: Sequence[TorquePulse], *, ledger: bool) -> NDArray[np.float64]:
    body, translation = craft.body, craft.translation
    header = np.zeros(AT_PORTS)
    header[N_STATES] = craft.layout.size + (LEDGER_SIZE if ledger else 0)
    header[TRANSLATION] = translation
    header[LEDGER] = ledger
    header[THROUGH_ELEMENTS] = craft.torques.internal
    header[USER] = bool(craft.user_potentials or craft.user_forces)
    _pack_hub(craft, header)

    ports = [_port(craft.torques)] + [_scheduled(craft, pulse) for pulse in pulses]
    header[DRIVEN] = any(pulse.coordinate for pulse in pulses)
    header[READS_MOMENTUM] = any(each.reads_momentum for each in craft.potentials)
    built_in = _built_in(craft)
    potentials = [_padded([number_of(each), *_numbers(craft, each)]) for each in built_in]
    dampers = [_padded(numbers) for numbers in (each.pack_damper(body) for each in built_in) if numbers]
    header[N_PORTS] = len(ports)
    header[N_POTENTIALS] = len(potentials)
    header[N_DAMPERS] = len(dampers)
    header[AT_POTENTIALS] = AT_PORTS + PORT.size * len(ports)
    header[AT_DAMPERS] = header[AT_POTENTIALS] + FORCE_ROW * len(potentials)
    header[AT_ELEMENTS] = header[AT_DAMPERS] + FORCE_ROW * len(dampers)
    _pack_work(craft, header)
    _pack_held(craft, header)
    rows = _element_rows(craft, header)
    extensions = _extensions(built_in, potentials, len(header) + sum(map(len, [*ports, *potentials, *dampers, *rows])))
    _place_work(built_in, potentials, int(header[W_VIEW]) + VIEW_WORK.size)
    packed = np.concatenate([header, *ports, *potentials, *dampers, *rows, *extensions])
    if any(getattr(element, "reads_magnetic_field", False) for element in craft.elements):
        packed[int(packed[_magnetic_row(craft, header)]) + HEAD.slope] = 1.0
    return packed


def _built_in(craft: "Spacecraft") -> list[AnyPotential]:
    return [potential for potential in craft.potentials if not isinstance(potential, Potential)]


def _extensions(
    built_in: Sequence[AnyPotential], rows: Sequence[NDArray[np.float64]], end: int
) -> list[NDArray[np.float64]]:
    """Return the potentials' parameters beyond their rows, stored starting at `end`; write the starts to the rows."""
    extensions: list[NDArray[np.float64]] = []
    for potential, row in zip(built_in, rows, strict=True):
        extension = potential.extension
        if extension is not None:
            row[1] = end
            end += len(extension)
            extensions.append(extension)
    return extensions


def _place_work(built_in: Sequence[AnyPotential], rows: Sequence[NDArray[np.float64]], start: int) -> None:
    """Write the starts of the workspaces into the rows of the potentials; the first is `start`."""
    for potential, row in zip(built_in, rows, strict=True):
        if potential.work_size:
            row[2] = start
            start += potential.work_size


def _numbers(craft: "Spacecraft", potential: AnyPotential) -> list[float]:
    off_center = any(element.moves_mass for element in craft.elements)
    return potential.pack(craft.body, translation=craft.translation, off_center=off_center)


def _pack_work(craft: "Spacecraft", header: NDArray[np.float64]) -> None:
    """Set the indices of the internal states in x, and of the parts of the workspace in w."""
    layout = craft.layout
    n = len(layout.coordinates)
    m = 3 + n
    header[N_ELEMENTS] = len(craft.elements)
    header[BARE] = not craft.elements
    header[N_INTERNAL] = n
    header[POSITION] = layout.position.start
    header[LINEAR_MOMENTUM] = layout.linear_momentum.start
    header[REDUCED] = craft.mass if craft.body.pivot is None and any(e.moves_mass for e in craft.elements) else 0.0
    header[NEAR_MASS] = craft.mass - sum(branch.mass for branch in branches(craft.elements))
    header[W_B] = m * m
    header[W_V] = m * m + 3 * m
    header[W_G] = header[W_V] + m
    header[W_LINEAR] = header[W_G] + n
    header[W_MOMENT] = header[W_LINEAR] + 3
    header[W_CELL] = header[W_MOMENT] + 3
    header[W_FAULT] = header[W_CELL] + 1
    header[W_HUB] = header[W_FAULT] + FAULT_SIZE
    header[W_OWN] = header[W_HUB] + HUB_SIZE + 2 * n + condensed_size(n)
    header[W_IMPLICIT] = header[W_OWN] + _own_length(craft)
    header[W_VIEW] = header[W_IMPLICIT] + implicit_size(n, len(layout.own_momenta_at))
    # last, since the element signals come after it
    header[W_SUMS] = header[W_VIEW] + VIEW_WORK.size + sum(each.work_size for each in _built_in(craft))
    varying = any(element.moves_mass or not element.constant for element in craft.elements)
    header[VARIES] = varying and any(potential.feels_inertia for potential in craft.potentials)
    header[OWN_SIZE] = len(layout.own_names)
    header[OUTFLOW] = layout.levels.start < layout.levels.stop
    header[OWN_AT] = layout.own.start
    header[N_OWN] = len(branches(craft.elements))


def _pack_held(craft: "Spacecraft", header: NDArray[np.float64]) -> None:
    """Set the mass centre data of a pivoted spacecraft; see `place`."""
    header[HUB_SHARE] = 1.0
    if craft.body.pivot is None:
        return
    header[HELD] = 1.0
    header[CENTRE : CENTRE + 3] = -craft.body.pivot
    if any(element.mass > 0.0 or element.moves_mass for element in craft.elements):
        has_mass = craft.body.mass is not None
        header[SHARE] = 1.0 / craft.mass if has_mass else -1.0
        header[HUB_SHARE] = (craft.body.mass or 0.0) / craft.mass if has_mass else 1.0


def _element_rows(craft: "Spacecraft", header: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    offset = np.zeros(3) if craft.body.pivot is None else -craft.body.pivot
    rows: list[NDArray[np.float64]] = []
    first = 0
    own, rates, velocity = craft.layout.own.start, int(header[W_OWN]), NEAR + len(craft.layout.coordinates)
    work = rates + len(craft.layout.own_names)
    header[AT_OWN] = header[AT_ELEMENTS]
    turned: list[int] = []
    ordered = [craft.elements[index] for index in in_row_order(craft.elements)]
    levels = level_slices(ordered, craft.layout.levels.start)
    previous = None
    for element in ordered:
        pack_after: Any = getattr(element, "pack_after", None)
        numbers = element.pack(offset) if pack_after is None else pack_after(offset, previous)
        previous = element
        if is_branch(element):
            numbers = [own, rates, work, velocity, *numbers]
            own, rates, work = own + len(element.states), rates + len(element.states), work + element.work_size
            turned += [velocity + at for at in node_vectors(element)]
            velocity += branch_kinds(element).count("momentum")
        elif levels_of(element):
            level = next(levels)[1].start
            numbers = [level, int(header[W_OWN]) + level - craft.layout.own.start, *numbers]
            if getattr(element, "reads_magnetic_field", False):
                numbers.insert(2, _magnetic_row(craft, header))
        elif work_size_of(element):
            numbers = [work, *numbers]
            work += work_size_of(element)
        head = [element_code(element.kernel), ELEMENT.size + len(numbers), first, len(element.coordinates)]
        rows.append(np.array([*head, *numbers], dtype=np.float64))
        first += len(element.coordinates)
        if not is_branch(element):
            header[AT_OWN] += len(rows[-1])
    header[N_UNITS] = len(craft.layout.own_units_at)
    header[AT_UNITS] = header[AT_ELEMENTS] + sum(len(row) for row in rows)
    rows.append(np.array(craft.layout.own_units_at, dtype=np.float64))
    header[N_MOMENTA] = len(craft.layout.own_momenta_at)
    header[AT_MOMENTA] = header[AT_UNITS] + header[N_UNITS]
    rows.append(np.array(craft.layout.own_momenta_at, dtype=np.float64))
    rows.append(np.array(turned, dtype=np.float64))
    return rows


def _magnetic_row(craft: "Spacecraft", header: NDArray[np.float64]) -> int:
    """Return the start in p of the parameters of the potential that has the magnetic field."""
    built_in = _built_in(craft)
    number = built_in.index(next(each for each in built_in if has_magnetic_field(each)))
    return int(header[AT_POTENTIALS]) + FORCE_ROW * number + 1


def has_magnetic_field(potential: object) -> bool:
    """Return whether a potential is the environment along an orbit with a magnetic field."""
    return bool(getattr(getattr(potential, "fields", None), "magnetic", False))


def _with_mass_matrix(craft: "Spacecraft", packed: NDArray[np.float64]) -> NDArray[np.float64]:
    """Add the locked inertia, and the inverse of the mass matrix if it is constant."""
    matrix = craft.initial_mass_matrix
    packed[LOCKED : LOCKED + 9] = matrix[:3, :3].ravel()
    held = craft.body.pivot is not None  # M lacks the first moments of mass that gravity needs
    if any(element.moves_mass or not element.constant or (held and element.mass > 0.0) for element in craft.elements):
        return packed
    try:
        inverse = np.linalg.inv(matrix)
    except np.linalg.LinAlgError:  # `check_elements` rejects such a spacecraft with a clear error
        return packed
    packed[CONSTANT] = len(packed)
    return np.concatenate([packed, (0.5 * (inverse + inverse.T)).ravel()])


def mass_matrix(
    craft: "Spacecraft", packed: NDArray[np.float64], coordinates: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return M(s); if the mass centre is free, translation is eliminated.

    packed: packed parameters; coordinates (n,) -> (3 + n, 3 + n), symmetric.
    """
    m = 3 + len(coordinates)
    x = straight_state(craft, np.array([1.0, 0.0, 0.0, 0.0]), coordinates)
    w = np.zeros(work_length(craft))
    with np.errstate(all="ignore"):  # results that are not finite raise a clear error later
        compose_mass(0.0, x, np.zeros(3), packed, w)
    lower = np.tril(w[: m * m].reshape(m, m))
    return lower + np.tril(lower, -1).T


class _MassMatrix(NamedTuple):
    """Mass matrix of a spacecraft, and the terms that each of its elements adds to the entries of LOWER."""

    elements: tuple[Element, ...]
    matrix: NDArray[np.float64]
    terms: tuple[tuple[float, ...], ...]


_matrices: "dict[SamePlant, _MassMatrix]" = {}
"""Cached mass matrices of recent spacecraft with `hub_inertia` elements; the hub is not in the key."""


def initial_mass_matrix(craft: "Spacecraft") -> NDArray[np.float64]:
    """Return M at the initial coordinates.

    Spacecraft that differ only in the hub share the entries of elements whose `hub_inertia` is known. The terms are
    added in the order of the kernels, so that the result is bitwise identical.
    """
    key = None
    if craft.elements and all(hasattr(type(element), "hub_inertia") for element in craft.elements):
        key = same_plant(craft)
    known = None if key is None else _matrices.get(key)
    if known is None:
        matrix = mass_matrix(craft, pack_without_matrix(craft), craft.initial_coordinates)
        if key is not None:
            terms = tuple([getattr(element, "hub_inertia") for element in craft.elements])  # noqa: B009 # optional
            with _LOCK:
                while len(_matrices) >= MOST_PLANTS:
                    del _matrices[next(iter(_matrices))]
                _matrices[key] = _MassMatrix(craft.elements, matrix.copy(), terms)
        return matrix
    (a, *_), (b, c, *_), (d, e, f) = craft.body.inertia.tolist()
    for aa, bb, cc, dd, ee, ff in known.terms:
        a, b, c, d, e, f = a + aa, b + bb, c + cc, d + dd, e + ee, f + ff
    matrix = known.matrix.copy()
    matrix[:3, :3] = (a, b, d), (b, c, e), (d, e, f)
    matrix[:3, :3] += 0.0  # no negative zeros, as in `mass_matrix`
    return matrix


def straight_state(
    craft: "Spacecraft", attitude: NDArray[np.float64], coordinates: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return a state with this attitude and these coordinates, zero momenta and undeformed elements."""
    x = np.zeros(craft.layout.size)
    x[3:7], x[craft.layout.internal] = attitude, coordinates
    offset = np.zeros(3) if craft.body.pivot is None else -np.asarray(craft.body.pivot)
    at = craft.layout.own.start
    for branch in branches(craft.elements):
        straight = branch.straight(attitude, offset)
        x[at : at + len(straight)] = straight
        at += len(branch.states)
    return x


def locked_momenta(
    craft: "Spacecraft", packed: NDArray[np.float64], x: NDArray[np.float64], v: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the momenta of a spacecraft whose elements with their own states rotate rigidly with the hub.

    packed: packed parameters.
    x (nx,): attitude, coordinates, and the positions of elements with their own states.
    v (3 + n,): body rate and rates of the coordinates.
    -> momenta (3 + n,): pi and p; own: momenta of elements with their own states, zero at the entries of positions.
    """
    if packed[CONSTANT]:  # the constant mass matrix suffices
        return craft.initial_mass_matrix @ v + 0.0, np.zeros(int(packed[OWN_SIZE]))
    m = len(v)
    near, w = packed.copy(), np.zeros(work_length(craft))
    near[REDUCED] = 0.0
    compose_near(0.0, x, np.zeros(3), near, w)
    lower = np.tril(w[: m * m].reshape(m, m))
    matrix = lower + np.tril(lower, -1).T
    pushes = w[m * m : m * m + 3 * m].reshape(3, m)
    places = np.array(craft.layout.own_momenta_at, dtype=np.intp)
    hub, own = int(packed[W_HUB]), len(places)
    at = momenta_at(packed) + NEAR + m - 3
    v0 = last = angular = np.zeros(3)
    moving = x.copy()
    for _ in range(1 if packed[REDUCED] == 0.0 else 2):  # in the second pass the mass centre is at rest
        w[hub : hub + HUB_V] = 0.0
        w[hub + HUB_V : hub + HUB_V + 3] = v0
        w[int(packed[W_V]) : int(packed[W_V]) + 3] = v[:3]
        _call_own(RIGID, 0.0, x, x, packed, w)
        _call_own(MOMENTA, 0.0, x, x, packed, w)
        moving[places] = w[at : at + own]
        _call_own(SHARES, 0.0, moving, x, packed, w)
        linear, angular = w[hub + ROOT_P : hub + ROOT_P + 3].copy(), w[hub + ROOT_PI : hub + ROOT_PI + 3].copy()
        mass = packed[REDUCED] - w[hub + LOST]
        last, v0 = v0, v0 if packed[REDUCED] == 0.0 else -(pushes @ v + linear) / mass
    momenta = matrix @ v + pushes.T @ last
    momenta[:3] += angular
    kept = np.zeros(int(packed[OWN_SIZE]))
    kept[places - craft.layout.own.start] = moving[places]
    return momenta, kept


def _port(basis: TorqueBasis) -> NDArray[np.float64]:
    return np.array([basis.code, *basis.axes, *np.zeros(PORT.size - PORT.damping)], dtype=np.float64)


def _scheduled(craft: "Spacecraft", pulse: TorquePulse) -> NDArray[np.float64]:
    code, axes = pulse.basis.code, pulse.basis.axes
    parameters = pulse.numbers(craft)
    if pulse.coordinate:
        code = OF_WHEEL if pulse.fault else ON_COORDINATE
        driven = actuated_coordinate(craft, pulse.coordinate)
        code = ON_LEVEL if driven.level else code
        axes = (driven.number, 0, 0)
    return np.array([code, *axes, *parameters, pulse.start, pulse.turning], dtype=np.float64)


def _padded(numbers: Sequence[float]) -> NDArray[np.float64]:
    row = np.zeros(FORCE_ROW)
    row[: len(numbers)] = numbers
    return row
