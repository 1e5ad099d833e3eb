"""Signals of elements as quantities of a run: values in the rows, and extremes between rows."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ...plant.elements.element import Element
from ...plant.elements.signal import element_labels, element_signal_table

Array = NDArray[np.float64]

BETWEEN = {
    "": "",
    "_lowest": ", minimum over all steps since the previous row",
    "_highest": ", maximum over all steps since the previous row",
}


@dataclass(frozen=True, kw_only=True)
class SignalQuantity:
    """All signals of one name, as one quantity.

    columns: columns of the signals after the observables, element by element.
    elements: names of the elements that have the signal.
    dimension: name of the dimension, which is the kind of element if all elements of this kind have the signal.
    components: names of the components of a signal.
    """

    columns: tuple[int, ...]
    elements: tuple[str, ...]
    dimension: str
    components: tuple[str, ...]
    unit: str
    words: str

    @property
    def labels(self) -> tuple[str, ...]:
        """One label for each column of the quantity."""
        return tuple(f"{label}_{part}" for label in self.elements for part in self.components) or self.elements

    @property
    def axes(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Dimensions of the quantity other than time, and the labels along each."""
        from .labelled import axis_of

        return (
            (self.dimension, self.elements),
            *([(axis_of("", self.components), self.components)] * bool(self.components)),
        )

    def of(self, table: Array) -> Array:
        """Return the values from the columns after the observables, (n, elements[, components])."""
        found = table[:, self.columns]
        return found.reshape(len(table), len(self.elements), -1) if self.components else found


def signal_quantities(elements: Sequence[Element]) -> dict[str, SignalQuantity]:
    """Return the quantities by name: for each signal, its value, minimum and maximum."""
    if not elements:
        return {}
    if all(type(element).__module__.startswith("polhode.") for element in elements):
        return dict(_known_quantities(tuple(elements)))
    return _quantities(elements)


@lru_cache(maxsize=64)
def _known_quantities(elements: tuple[Element, ...]) -> dict[str, SignalQuantity]:
    """Return the signal quantities of built-in, immutable elements; cached."""
    return _quantities(elements)


def _quantities(elements: Sequence[Element]) -> dict[str, SignalQuantity]:
    table, labels = element_signal_table(elements), element_labels(elements)
    found: dict[str, SignalQuantity] = {}
    for name in dict.fromkeys(signal.name for _, signal in table):
        matching = [(k, label, signal) for k, (label, signal) in enumerate(table) if signal.name == name]
        for part, (ending, between) in enumerate(BETWEEN.items()):
            tellers = tuple(dict.fromkeys(label for _, label, _ in matching))
            found[name + ending] = SignalQuantity(
                columns=tuple(part * len(table) + k for k, _, _ in matching),
                elements=tellers,
                dimension=_dimension(name, tellers, labels),
                components=tuple(
                    signal.component for _, label, signal in matching if label == tellers[0] and signal.component
                ),
                unit=matching[0][2].unit,
                words=matching[0][2].words + between,
            )
    return found


def _dimension(name: str, tellers: tuple[str, ...], labels: tuple[str, ...]) -> str:
    kinds = {_kind(label) for label in tellers}
    alike = tuple(label for label in labels if _kind(label) in kinds)
    return kinds.pop() if len(kinds) == 1 and set(alike) == set(tellers) else f"{name}_component"


def _kind(label: str) -> str:
    return re.sub(r"_\d+$", "", label)
