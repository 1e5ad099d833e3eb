"""Panels of elements, one for each kind and unit, such as wheel speed and slosh angle.

A cyclic coordinate, on which no energy depends, such as the angle of a wheel, is not drawn. For elements that rotate
about an axis of the hub the rate is drawn, and for oscillating elements the coordinate.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....plant.elements.cyclic import cyclic_flags
from ..palette import LIMIT, stroke

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ....sim import Run

Array = NDArray[np.float64]

NAMED = 8
"""Largest number of lines in the legend of a panel."""


@dataclass(frozen=True, kw_only=True)
class Group:
    """Coordinates of one kind of element.

    quantity: "internal" or "internal_rate".
    word: name of the kind.
    unit: unit of the quantity.
    columns: indices of the coordinates.
    limits: rate limits of the elements that have one, in `unit`.
    elements: number of elements.
    words: name of the kind in the title, by default `word`.
    """

    quantity: str
    word: str
    unit: str
    columns: tuple[int, ...]
    limits: tuple[float, ...] = ()
    elements: int = 1
    words: str = ""

    @property
    def name(self) -> str:
        """File name of the panel, without suffix."""
        return f"{self.word}_rate" if self.quantity == "internal_rate" else self.word

    @property
    def title(self) -> str:
        """Title above the axes."""
        words = (self.words or self.word).capitalize() + ("s" if self.elements > 1 else "")
        return f"{words}: relative rate" if self.quantity == "internal_rate" else words


def groups_of(run: "Run") -> tuple[Group, ...]:
    """Return the element coordinates to draw, grouped by kind and unit."""
    found: dict[tuple[str, str, str], Group] = {}
    if "internal" not in run.names:
        return ()
    labels, start = run.components("internal")[0], 0
    cyclic = cyclic_flags(run.craft.elements)
    for element in run.craft.elements:
        columns = tuple(range(start, start + len(element.coordinates)))
        start += len(columns)
        for unit in dict.fromkeys(element.units):
            of_unit = tuple(n for n, each in zip(columns, element.units, strict=True) if each == unit)
            word = labels[of_unit[0]].split("_")[0]
            bound = tuple(n for n in of_unit if not cyclic[n])
            if bound:
                words = getattr(element, "figure_name", "")
                _add(found, Group(quantity="internal", word=word, unit=unit, columns=bound, words=words))
            if hasattr(element, "relative_rate"):
                limit = getattr(element, "speed_limit", None)
                limits = () if limit is None else (float(limit),)
                _add(
                    found,
                    Group(quantity="internal_rate", word=word, unit=f"{unit}/s", columns=of_unit, limits=limits),
                )
    return tuple(found.values())


def _add(found: dict[tuple[str, str, str], Group], more: Group) -> None:
    """Add an element to the group of its kind."""
    key = (more.quantity, more.word, more.unit)
    if key in found:
        had = found[key]
        limits = tuple(sorted({*had.limits, *more.limits}))
        more = replace(had, columns=had.columns + more.columns, limits=limits, elements=had.elements + 1)
    found[key] = more


def is_wheel(run: "Run", group: Group) -> bool:
    """Return whether a group consists of the rates of unbounded rotations, such as those of wheels."""
    spins = [bool(getattr(each, "spins", False)) for each in run.craft.elements for _ in each.coordinates]
    return group.quantity == "internal_rate" and any(spins[column] for column in group.columns if column < len(spins))


def kind_panels(run: "Run") -> dict[str, tuple[str, "Callable[[Axes, Run, Array], None]"]]:
    """Return the panels of the elements of a run: title and draw(axes, run, time) by file name."""
    return {group.name: (group.title, partial(_draw, group)) for group in groups_of(run)}


def _draw(group: Group, axes: "Axes", run: "Run", time: Array) -> None:
    values, labels = run.values(group.quantity), run.components("internal")[0]
    for number, column in enumerate(group.columns):
        words = labels[column].replace("_", " ")
        if group.quantity == "internal_rate":
            words = words.removesuffix(" angle")
        more = len(group.columns) - NAMED
        if more > 0 and number >= NAMED - 1:
            words = f"and {more + 1} more" if number == NAMED - 1 else "_"
        axes.plot(time, values[:, column], **stroke(number), linewidth=1.0, label=words)
    for number, limit in enumerate(group.limits):
        for sign in (1.0, -1.0):
            label = "speed limit" if number == 0 and sign > 0 else "_"
            axes.axhline(sign * limit, color=LIMIT, linestyle=":", linewidth=1.2, label=label)
    first = labels[group.columns[0]].split("_")
    what = "relative rate" if group.quantity == "internal_rate" else " ".join(w for w in first if not w.isdigit())
    axes.set_ylabel(f"{what} ({group.unit})")
