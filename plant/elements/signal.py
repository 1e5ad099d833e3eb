"""What an element tells of itself besides its motion: the torque of its motor, whether it is at a limit."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from .branch import in_row_order

if TYPE_CHECKING:
    from .element import Element

__all__ = ["Signal", "element_labels", "element_signal_table"]


@dataclass(frozen=True, kw_only=True)
class Signal:
    """One number an element tells at any instant.

    Parameters
    ----------
    name : str
        Its name; signals of one name, from several elements, are the components of one quantity.
    component : str
        Of an element that tells several of one name, such as the components of a vector: which it is.
    unit : str
        Its unit; "1" of a number without one.
    words : str
        What it is.
    on_hub : tuple of float, shape (3,)
        The torque on the hub, body components, for each unit of it: of a motor its axis, backwards. Zero of what does
        not act on the hub.
    flag : bool
        Whether it is 1 while something is so, and 0 otherwise: a run counts for how long.
    limit : str
        Of a flag: what is then so, in words that follow the name of the element, where a user should be told of it.
    """

    name: str
    unit: str
    words: str
    on_hub: tuple[float, float, float] = (0.0, 0.0, 0.0)
    flag: bool = False
    limit: str = ""
    component: str = ""

    @property
    def whole_name(self) -> str:
        """Its name and component."""
        return f"{self.name}_{self.component}" if self.component else self.name


def element_labels(elements: "Sequence[Element]") -> tuple[str, ...]:
    """Return a name for each element: the first word of its coordinates, numbered where there are several of it."""
    if not elements:
        return ()
    named = [(*element.coordinates, *getattr(element, "states", ()), "") for element in elements]
    kinds = [names[0].partition("_")[0] for names in named]
    total = Counter(kinds)
    seen: Counter[str] = Counter()
    labels: list[str] = []
    for kind in kinds:
        seen[kind] += 1
        labels.append(kind if total[kind] == 1 else f"{kind}_{seen[kind]}")
    return tuple(labels)


def element_signal_table(elements: "Sequence[Element]") -> tuple[tuple[str, Signal], ...]:
    """Return the signals of all elements in the order in which they are told, each with the name of its element."""
    if not elements:
        return ()
    if all(type(element).__module__.startswith("polhode.") for element in elements):
        return _known_table(tuple(elements))
    return _table(elements)


@lru_cache(maxsize=64)
def _known_table(elements: "tuple[Element, ...]") -> tuple[tuple[str, Signal], ...]:
    """The same of elements that do not change."""
    return _table(elements)


def _table(elements: "Sequence[Element]") -> tuple[tuple[str, Signal], ...]:
    labels = element_labels(elements)
    return tuple(
        (labels[index], signal)
        for index in in_row_order(elements)
        for signal in getattr(elements[index], "signals", ())
    )
