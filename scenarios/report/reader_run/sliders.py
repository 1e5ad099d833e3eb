"""Sliders of a page, with the changes in the arrays of the run for each value of a slider.

The arrays are created by the same code as in `polhode run --set`, so that all slider values give exact results, even if
the law has to be redesigned. Two sliders may be combined if their changes together give arrays bitwise identical to
the arrays of a run with both settings. Otherwise, moving one of the two sliders resets the other to the value of the
case.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, cast

from ....plant.errors import PolhodeError
from ....plant.frozen import frozen_results
from ....sim.codegen.browser.run_arrays import numbers_of
from ....sim.runs.run_spec import run_spec
from ...case.kinds.problem import build
from ...case.loader import LoadedCase, checked_case
from ...case.overrides import put_value
from ...case_run import arguments
from .patches import Arrays, Cell, Patch, affine_cells, applied, cells_of, close, difference, stated, straight_cells
from .slider_keys import SliderKey, slider_keys

LARGEST = 60_000
"""Largest size of the changes of one slider, bytes; a slider with larger changes has fewer values."""

FEWEST = 3

Made = tuple[Arrays, dict[str, Any]]


@frozen_results
@dataclass(frozen=True, eq=False, kw_only=True)
class Slider:
    """A slider of the page.

    key: value of the case that the slider sets; values: selectable values, including the value in the case; patches:
    patch of each value; straight: cells that hold the value (1) or its negative (-1); affine: slopes of the cells that
    are affine in the value; excludes: paths of the sliders that this slider resets to the case. A slider with
    `straight` or `affine` cells moves continuously.
    """

    key: SliderKey
    values: tuple[float, ...]
    patches: tuple[Patch, ...]
    straight: Mapping[Cell, float]
    affine: Mapping[Cell, float]
    excludes: tuple[str, ...] = ()

    @property
    def designs(self) -> bool:
        """True if the slider changes parameters of the law other than limits, so that the law is redesigned."""
        return not self.straight and any("q" in patch for patch in self.patches)

    def changes(self, n: int) -> tuple[Patch, dict[Cell, float]]:
        """Return the changes for the n-th value: a patch, and increments of cells."""
        if not self.affine:
            return self.patches[n], {}
        return {}, {cell: slope * (self.values[n] - self.key.value) for cell, slope in self.affine.items()}

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON; the changes are in `straight`, `affine` or `patches`."""
        found: dict[str, Any] = {
            "path": self.key.path, "label": self.key.label, "unit": self.key.unit, "value": self.key.value,
            "values": list(self.values), "designs": self.designs, "excludes": list(self.excludes),
        }  # fmt: skip
        for name in ("straight", "affine"):
            cells = getattr(self, name)
            if cells:
                return {**found, name: [[*cell, number] for cell, number in cells.items()]}
        return {**found, "patches": [stated(patch) for patch in self.patches]}


def sliders_of(loaded: LoadedCase, base: Made) -> tuple[Slider, ...]:
    """Return the sliders of a case.

    base: arrays of the run of the case, and the other entries of `polhode.sim.codegen.browser.run_arrays.numbers_of`.
    """
    make = _maker(loaded, base)
    found: list[Slider] = []
    for key in slider_keys(loaded.document):
        slider = _slider(key, base[0], make)
        if slider is not None:
            found.append(slider)
    excluded = _excluded(found, base[0], make)
    return tuple(replace(each, excludes=tuple(sorted(excluded[each.key.path]))) for each in found)


def _maker(loaded: LoadedCase, base: Made) -> Callable[[Mapping[str, float]], Arrays | None]:
    """Return a function that maps settings to the arrays of a run; None if case or kernels do not permit it."""

    def make(settings: Mapping[str, float]) -> Arrays | None:
        document = json.loads(json.dumps(loaded.document))
        try:
            for path, value in settings.items():
                whole = isinstance(_value(document, path), int) and float(value).is_integer()
                put_value(document, tuple(path.split(".")), int(value) if whole else value, where=path)
            case = checked_case(loaded.name, loaded.source, document, authority=loaded.authority).case
            given = arguments(build(case))
            if "accuracy" in given:
                return None
            arrays, others = numbers_of(run_spec(**given))
        except PolhodeError:
            return None
        return arrays if others == base[1] else None

    return make


def _value(document: Any, path: str) -> Any:
    """Return the value at a path; None if the document leaves the value to its default."""
    place: Any = document
    for part in path.split("."):
        place = cast("list[Any]", place)[int(part)] if isinstance(place, list) else place.get(part)
    return place


def _slider(key: SliderKey, base: Arrays, make: Callable[[Mapping[str, float]], Arrays | None]) -> Slider | None:
    made: dict[float, Patch] = {key.value: {}}
    for value in key.values:
        if value != key.value:
            arrays = make({key.path: value})
            if arrays is not None:
                made[value] = difference(base, arrays)
    others = [value for value in sorted(made) if value != key.value]
    if len(others) < FEWEST - 1 or not all(made[value] for value in others):
        return None
    changes = [made[value] for value in others]
    straight = straight_cells(others, changes)
    affine = {} if straight else affine_cells(base, key.value, others, changes)
    while not (straight or affine) and _bytes(made.values()) > LARGEST:
        keep = {*sorted(made)[::2], key.value, min(made), max(made)}
        if len(keep) == len(made) or len(keep) < FEWEST:
            return None
        made = {value: patch for value, patch in made.items() if value in keep}
    values = tuple(sorted(made))
    return Slider(
        key=key, values=values, patches=tuple(made[value] for value in values), straight=straight, affine=affine
    )


def _bytes(patches: Iterable[Patch]) -> int:
    return len(json.dumps([stated(patch) for patch in patches]))


def _excluded(
    sliders: Sequence[Slider], base: Arrays, make: Callable[[Mapping[str, float]], Arrays | None]
) -> dict[str, set[str]]:
    """Return for each slider, by path, the paths of the sliders that cannot be combined with it."""
    found: dict[str, set[str]] = {slider.key.path: set() for slider in sliders}
    for one, other in combinations(sliders, 2):
        if not _combine(one, other, base, make):
            found[one.key.path].add(other.key.path)
            found[other.key.path].add(one.key.path)
    return found


def _combine(one: Slider, other: Slider, base: Arrays, make: Callable[[Mapping[str, float]], Arrays | None]) -> bool:
    """Return whether, at the ends of two sliders, their added changes give the arrays of both settings."""
    for end in (0, -1):
        n, m = _farthest(one, end), _farthest(other, end)
        (first, adds), (second, further) = one.changes(n), other.changes(m)
        whole = {name for patch in (first, second) for name, change in patch.items() if not isinstance(change, dict)}
        if whole & set(first) & set(second):
            return False
        cells = cells_of(first) | set(adds), cells_of(second) | set(further)
        if cells[0] & cells[1] - (set(adds) & set(further)) or any(cell[0] in whole for cell in {*adds, *further}):
            return False
        arrays = make({one.key.path: one.values[n], other.key.path: other.values[m]})
        total = {cell: adds.get(cell, 0.0) + further.get(cell, 0.0) for cell in {**adds, **further}}
        if arrays is None or not close(applied(base, (first, second), total), arrays, total):
            return False
    return True


def _farthest(slider: Slider, end: int) -> int:
    """Return the index of the outermost value at an end that differs from the value of the case."""
    order = range(len(slider.values)) if end == 0 else reversed(range(len(slider.values)))
    return next(n for n in order if slider.patches[n])
