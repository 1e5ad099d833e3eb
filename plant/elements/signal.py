"""Output signals of elements besides their motion, such as motor torque and limit flags."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from .branch import in_row_order

if TYPE_CHECKING:
    from .element import Element


@dataclass(frozen=True, kw_only=True)
class Signal:
    """Scalar output of an element.

    Parameters
    ----------
    name : str
        Name. Signals of the same name, from several elements, form the components of one quantity.
    component : str
        Component, if an element has several signals of the same name, such as the components of a vector.
    unit : str
        Unit; "1" for a dimensionless number.
    words : str
        Description.
    on_hub : tuple of float, shape (3,)
        Torque on the hub, body components, per unit of the signal: for a motor, minus its axis. Zero for signals
        without a torque on the hub.
    flag : bool
        Whether the signal is a flag, 1 or 0. A run records how long a flag is 1.
    integrated : bool
        Whether a run counts the integral over time, such as the energy of a power.
    limit : str
        Text of the warning that a flag raises, to follow the name of the element. Empty: no warning.
    lost : str
        Text of the warning when the flag returns from 1 to 0, to follow the name of the element. Empty: no warning.
    """

    name: str
    unit: str
    words: str
    on_hub: tuple[float, float, float] = (0.0, 0.0, 0.0)
    flag: bool = False
    limit: str = ""
    lost: str = ""
    component: str = ""
    integrated: bool = False

    @property
    def whole_name(self) -> str:
        """Name and component, joined by an underscore."""
        return f"{self.name}_{self.component}" if self.component else self.name


def element_labels(elements: "Sequence[Element]") -> tuple[str, ...]:
    """Return a label per element: the first word of its coordinates, numbered if it occurs repeatedly."""
    if not elements:
        return ()
    names_of = [
        (*element.coordinates, *getattr(element, "states", ()), *getattr(element, "levels", ()), "")
        for element in elements
    ]
    kinds = [names[0].partition("_")[0] for names in names_of]
    total = Counter(kinds)
    count: Counter[str] = Counter()
    labels: list[str] = []
    for kind in kinds:
        count[kind] += 1
        labels.append(kind if total[kind] == 1 else f"{kind}_{count[kind]}")
    return tuple(labels)


def element_signal_table(elements: "Sequence[Element]") -> tuple[tuple[str, Signal], ...]:
    """Return the signals of all elements in the order of evaluation, each with the label of its element."""
    if not elements:
        return ()
    if all(type(element).__module__.startswith("polhode.") for element in elements):
        return _known_table(tuple(elements))
    return _table(elements)


@lru_cache(maxsize=64)
def _known_table(elements: "tuple[Element, ...]") -> tuple[tuple[str, Signal], ...]:
    """Return the cached signal table of immutable elements."""
    return _table(elements)


def _table(elements: "Sequence[Element]") -> tuple[tuple[str, Signal], ...]:
    labels = element_labels(elements)
    return tuple(
        (labels[index], signal)
        for index in in_row_order(elements)
        for signal in getattr(elements[index], "signals", ())
    )
