"""Start parameters of an FMU: scalars of the spacecraft and its law, and their effect on the arrays.

The method needs no knowledge of the layout of the arrays: each scalar is varied and the arrays are computed again. A
scalar on which all entries depend linearly becomes a parameter, and C evaluates the same linear functions. Two
nonlinear quantities are computed again in C: the inverse of the inertia, and the inverse of the mass matrix if that
matrix is constant.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....controllers import Law
from ....plant import RigidBody, Spacecraft
from ....plant.elements.element import coordinate_slices
from ....plant.errors import PolhodeError
from ....plant.frozen import frozen_arrays
from ....plant.hub.packing import locked_momenta, mass_matrix
from ....plant.hub.parameters import CONSTANT, INVERSE
from ....plant.quantity import tunable_units
from ...codegen.law_scalars import STEPS, STRAIGHT, Candidate, is_straight, law_candidates
from ...engine.loop_arrays import LoopArrays
from ...engine.steppers.implicit_layout import EASE, META

Array = NDArray[np.float64]
Made = tuple[Spacecraft, Law | None]
Entry = tuple[str, int, float]
Build = Callable[[Spacecraft, Law | None], LoopArrays]

READ = ("p", "q", "limits", "clock", "implicit")
"""Arrays that may depend on parameters. The floors of the error norm keep the values of the exported spacecraft."""

FAR = 1e6
"""Change of a parameter, relative to its start value, within which bounds are searched."""
NEAR_ZERO = 1e-3
"""Fraction of the start value that is valid if the lower bound is zero."""
EDGE = 1e-9
"""Relative accuracy of other bounds."""

AXES = ("xx", "yy", "zz", "xy", "xz", "yz")
PLACES = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """A scalar that can be set before the start.

    low: lower bound, which is exclusive if `open`; None if there is no bound. high: upper bound, inclusive. The bounds
    are those with all other parameters at their start values.
    entries: array, index and slope of each dependent entry. matrix: slopes of the constant mass matrix, row by row.
    """

    name: str
    unit: str
    words: str
    start: float
    low: float | None = None
    open: bool = False
    high: float | None = None
    entries: tuple[Entry, ...] = ()
    matrix: tuple[float, ...] = ()


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Parameters:
    """All start parameters of an FMU.

    inertia: whether the first six are the hub's inertia, xx, yy, zz, xy, xz, yz. rates: the initial body rate; empty if
    elements with their own states do not start in rigid rotation with the hub. mass: the mass matrix at the start,
    (3 + n, 3 + n), with these elements locked. standing: whether the mass matrix depends on the coordinates, and is
    computed again for their start values. relative: the initial rates of the n coordinates. own_slopes: derivative of
    each of the elements' own states with respect to the body rate, (m, 3). coordinates: name, lower and upper bound of
    each coordinate at the start, beyond which its element refuses to start (`check_start`).
    """

    all: tuple[Parameter, ...]
    inertia: bool
    rates: tuple[float, ...]
    mass: Array
    standing: bool
    relative: tuple[float, ...]
    own_slopes: Array
    coordinates: tuple[tuple[str, float, float], ...] = ()


def parameters_of(craft: Spacecraft, law: Law | None, arrays: LoopArrays, build: Build) -> Parameters:
    """Return the parameters.

    arrays: arrays of the given craft and law. build: function that returns the arrays of a varied craft and law with
    the same initial state.
    """
    probe = _Probe(craft, law, arrays, build)
    kept: list[tuple[Candidate, Parameter]] = []
    for candidate in (*_inertia(craft), *_numbers(craft), *law_candidates(law)):
        traced = probe.traced(candidate)
        if traced is not None and all(probe.add_up(one, (candidate, traced)) for one in kept):
            kept.append((candidate, traced))
    if sum(traced.name.startswith("inertia_") for _, traced in kept) < len(AXES):  # its check needs all six
        kept = [each for each in kept if not each[1].name.startswith("inertia_")]
    layout, x, mass = craft.layout, arrays.x, _mass(craft, arrays.x)
    momenta = np.concatenate([x[:3], x[layout.internal_momentum]])
    velocity = np.asarray(np.linalg.solve(mass, momenta), dtype=np.float64)
    own = _own(craft, x, velocity)
    places = np.array(layout.own_momenta_at, dtype=np.intp)
    with_hub = np.allclose(own[places - layout.own.start], x[places], rtol=STRAIGHT, atol=1e-12)
    for candidate, traced in kept:  # the elements' own momenta need not be linear in the candidates
        made = probe.made((candidate, traced.start + STEPS[-2] * (abs(traced.start) or 0.0625)))
        with_hub = with_hub and made is not None and np.array_equal(_own(made[0], x, velocity), own)
    return Parameters(
        all=tuple(traced for _, traced in kept),
        inertia=[each.name for each, _ in kept[:6]] == [f"inertia_{axis}" for axis in AXES],
        rates=tuple(velocity[:3].tolist()) if with_hub else (),
        mass=mass,
        standing=bool(craft.elements) and not probe.tabled,
        relative=tuple(velocity[3:].tolist()),
        own_slopes=np.column_stack([_own(craft, x, axis) for axis in np.eye(3, len(velocity))]),
        coordinates=tuple(_starts(craft, x[layout.internal].tolist(), velocity[3:].tolist())),
    )


def _starts(craft: Spacecraft, x: list[float], rates: list[float]) -> Iterator[tuple[str, float, float]]:
    """Yield name, lower and upper bound of each coordinate at the start, with the other coordinates at theirs."""
    for element, own in coordinate_slices(craft.elements):
        names, check = craft.layout.coordinates[own], getattr(element, "check_start", None)
        for number, name in enumerate(names):

            def start(value: float, number: int = number, check: Any = check, own: slice = own) -> None:
                values = x[own]
                values[number] = value
                check(craft.layout.coordinates[own], values, rates=rates[own])

            bounds = [-np.inf, np.inf]
            for n, far in enumerate((-FAR, FAR)):
                if check is not None and not _is_valid(start, far):
                    bounds[n] = _between(start, x[own][number], far)
            yield name, bounds[0], bounds[1]


def _bound(candidate: Candidate, size: float) -> float | None:
    """Return the bound of an element's scalar in the direction of `size`; None if there is none up to FAR sizes."""
    invalid = candidate.start + FAR * size
    if candidate.part is None or _is_valid(candidate.part, invalid):
        return None
    return _between(candidate.part, candidate.start, invalid)


def _between(make: Callable[[float], Any], valid: float, invalid: float) -> float:
    """Return the valid value next to an invalid one, to a relative difference of EDGE."""
    for _ in range(200):
        if abs(invalid - valid) <= EDGE * max(abs(valid), abs(invalid)):
            break
        middle = 0.5 * (valid + invalid)
        if _is_valid(make, middle):
            valid = middle
        else:
            invalid = middle
    rounded = float(f"{valid:.6g}")
    near = abs(rounded - valid) <= 2.0 * EDGE * abs(valid)
    return rounded if near and _is_valid(make, rounded) else valid


def _is_valid(make: Callable[[float], Any], value: float) -> bool:
    """Return whether a function accepts a value without a PolhodeError."""
    try:
        make(value)
    except PolhodeError:
        return False
    return True


def of_law(parameters: Parameters) -> Parameters:
    """Return the parameters of the law."""
    mine = tuple(each for each in parameters.all if each.name.startswith("law_"))
    none = np.zeros((0, 0))
    return Parameters(
        all=mine, inertia=False, rates=(), mass=none, standing=False, relative=(), own_slopes=np.zeros((0, 3))
    )


def _inertia(craft: Spacecraft) -> Iterator[Candidate]:
    for axis, place in zip(AXES, PLACES, strict=True):

        def make(craft: Spacecraft, law: Law | None, value: float, place: tuple[int, int] = place) -> Made:
            tensor = np.array(craft.body.central_inertia)
            tensor[place] = tensor[place[::-1]] = value
            return replace(craft, body=RigidBody(tensor, mass=craft.body.mass, pivot=craft.body.pivot)), law

        words = f"inertia of the hub about its mass centre, {axis}"
        yield Candidate(f"inertia_{axis}", "kg m^2", words, float(craft.body.central_inertia[place]), make)


def _numbers(craft: Spacecraft) -> Iterator[Candidate]:
    first = 0
    for number, element in enumerate(craft.elements):
        labels = craft.layout.coordinates[first : first + len(element.coordinates)]
        first += len(element.coordinates)
        words = labels[0].split("_") if labels else ["element", str(number + 1)]
        called = "_".join(words[:2] if len(words) > 1 and words[1].isdigit() else words[:1])
        for field, unit in tunable_units(element).items():
            start = getattr(element, field)
            if start is None:
                continue

            def make(
                craft: Spacecraft, law: Law | None, value: float, number: int = number, field: str = field
            ) -> Made:
                elements = list(craft.elements)
                elements[number] = replace(elements[number], **{field: value})  # pyright: ignore[reportArgumentType]
                return replace(craft, elements=tuple(elements)), law

            def part(value: float, element: Any = element, field: str = field) -> Any:
                return replace(element, **{field: value})

            description = f"{field.replace('_', ' ')} of {called.replace('_', ' ')}"
            yield Candidate(f"{called}_{field}", unit, description, float(start), make, part)


@dataclass(frozen=True, eq=False)
class _Probe:
    craft: Spacecraft
    law: Law | None
    arrays: LoopArrays
    build: Build

    @property
    def tabled(self) -> bool:
        """True if the mass matrix is linear in the scalars: the coordinates do not affect it, or are locked."""
        return bool(self.arrays.p[CONSTANT]) or bool(self.craft.layout.own_names)

    def made(self, *changes: tuple[Candidate, float]) -> tuple[Spacecraft, LoopArrays] | None:
        """Return the craft with changed scalars, and its arrays; None if the values are invalid."""
        try:
            craft, law = self.craft, self.law
            for candidate, value in changes:
                craft, law = candidate.make(craft, law, value)
            return craft, self.build(craft, law)
        except PolhodeError:
            return None

    def traced(self, candidate: Candidate) -> Parameter | None:
        """Return a scalar with its linear dependences; None if a dependence is not linear or there are none."""
        start, scale = candidate.start, abs(candidate.start) or 0.0625
        made = ((self.made((candidate, start + scale * step)), scale * step) for step in STEPS)
        far, by = next(((each, by) for each, by in made if each is not None), (None, 0.0))
        half = None if far is None else self.made((candidate, start + 0.5 * by))
        if far is None or half is None:
            return None
        drawn = [_line(name, self.arrays, half[1], far[1], by) for name in READ]
        if any(each is None for each in drawn):
            return None
        entries = tuple(entry for each in drawn if each is not None for entry in each)
        matrix: tuple[float, ...] = ()
        if self.tabled:
            none, middle, end = (_mass(each, self.arrays.x) for each in (self.craft, half[0], far[0]))
            if not is_straight(none, middle, end):
                return None
            matrix = tuple(((end - none) / by).ravel().tolist())
        if not entries and not any(matrix):
            return None
        low, is_open = self.lowest(candidate, entries)
        return Parameter(
            name=candidate.name,
            unit=candidate.unit,
            words=candidate.words,
            start=start,
            low=low,
            open=is_open,
            high=_bound(candidate, abs(start) or 0.0625),
            entries=entries,
            matrix=matrix if any(matrix) else (),
        )

    def lowest(self, candidate: Candidate, entries: tuple[Entry, ...]) -> tuple[float | None, bool]:
        """Return the lower bound, and whether it is exclusive; None if there is no bound.

        The bound is zero if negative values are invalid, or that of the element.
        """
        start = candidate.start
        if candidate.name.startswith("inertia_"):
            return None, False
        size = abs(start) or 0.0625
        if start < 0.0 or self.made((candidate, -size)) is not None:
            return _bound(candidate, -size), False
        if candidate.part is not None and start > 0.0 and not _is_valid(candidate.part, NEAR_ZERO * start):
            return _between(candidate.part, start, NEAR_ZERO * start), False
        none = self.made((candidate, 0.0))
        return 0.0, none is None or not self._drawn(none, [(entries, -start)])

    def add_up(self, one: "tuple[Candidate, Parameter]", other: "tuple[Candidate, Parameter]") -> bool:
        """Return whether two scalars may be varied together: their effects on common entries must add up."""
        places = {(name, place) for name, place, _ in one[1].entries}
        meet = any((name, place) in places for name, place, _ in other[1].entries)
        if not meet and not (one[1].matrix and other[1].matrix):
            return True
        if other[0].name.startswith("law_"):
            return False
        steps = [0.015625 * (abs(each.start) or 0.0625) for each, _ in (one, other)]
        made = self.made((one[0], one[0].start + steps[0]), (other[0], other[0].start + steps[1]))
        if made is None or not self._drawn(made, [(one[1].entries, steps[0]), (other[1].entries, steps[1])]):
            return False
        if not self.tabled:
            return True
        wanted = _mass(self.craft, self.arrays.x)
        for (_, each), step in zip((one, other), steps, strict=True):
            wanted = wanted + step * np.reshape(each.matrix or np.zeros(wanted.size), wanted.shape)
        size = np.sqrt(np.diag(wanted))  # rounding in a zero entry is measured relative to the diagonal
        return bool((np.abs(_mass(made[0], self.arrays.x) - wanted) <= STRAIGHT * np.outer(size, size)).all())

    def _drawn(self, made: tuple[Spacecraft, LoopArrays], lines: "list[tuple[tuple[Entry, ...], float]]") -> bool:
        """Return whether the arrays of a craft equal those predicted by the linear functions."""
        for name in READ:
            start, found = _known(name, self.arrays), _known(name, made[1])
            if start.size != found.size:
                return False
            wanted, size = start.copy(), np.abs(start)
            for entries, by in lines:
                for of, place, slope in entries:
                    if of == name:
                        wanted[place] += slope * by
                        size[place] += abs(slope * by)
            with np.errstate(invalid="ignore"):  # infinite steps
                if not ((wanted == found) | (np.abs(wanted - found) <= STRAIGHT * size)).all():
                    return False
        return True


def _line(name: str, start: LoopArrays, half: LoopArrays, far: LoopArrays, by: float) -> list[Entry] | None:
    """Return the linear dependence of one array on a scalar; None if it is not linear."""
    a, b, c = (_known(name, each) for each in (start, half, far))
    if not a.size == b.size == c.size or not is_straight(a, b, c):
        return None
    moved = np.flatnonzero(c != a)
    return [(name, int(k), float((c[k] - a[k]) / by)) for k in moved]


def _known(name: str, arrays: LoopArrays) -> Array:
    """Return an array excluding the entries that C computes again."""
    held = np.array(getattr(arrays, name), dtype=np.float64)
    if name == "implicit" and held.shape[1] > EASE:
        held[META, EASE] = 0.0  # iteration weights keep the values of the exported spacecraft
    held = held.ravel()
    if name == "p":
        held[INVERSE : INVERSE + 9] = 0.0
        if held[CONSTANT]:
            held[int(held[CONSTANT]) :] = 0.0
    return held


def _mass(craft: Spacecraft, x: Array) -> Array:
    """Return the mass matrix at a state, with the elements' own states locked."""
    if not craft.elements:
        return np.array(craft.body.inertia)
    packed = craft.pack()
    if not craft.layout.own_names:
        return mass_matrix(craft, packed, x[craft.layout.internal])
    axes = np.eye(3 + len(craft.layout.coordinates))
    return np.column_stack([locked_momenta(craft, packed, x, axis)[0] for axis in axes])


def _own(craft: Spacecraft, x: Array, velocity: Array) -> Array:
    """Return the elements' own momentum states for rigid rotation with the hub."""
    return locked_momenta(craft, craft.pack(), x, velocity)[1] if craft.layout.own_names else np.zeros(0)
