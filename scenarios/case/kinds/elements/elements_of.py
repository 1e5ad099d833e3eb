"""Create the elements of the spacecraft from `[[plant.elements]]`, and the hub."""

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from .....plant import Element, RigidBody
from ...located import located
from ...schema.element import ElementTable
from .kinds import KINDS

if TYPE_CHECKING:
    from ...schema import PlantTable


def elements_of(tables: Sequence[ElementTable], *, assumed: ElementTable | None = None) -> tuple[Element, ...]:
    """Return the elements that the tables describe.

    Parameters
    ----------
    tables : sequence of tables
        Tables `[[plant.elements]]`.
    assumed : table, optional
        Table of the wheel array that the torque allocation assumes; by default the wheel array itself.

    Returns
    -------
    tuple of Element
        Elements in the order of the tables. A wheel array contributes several elements.

    Raises
    ------
    InputError
        If an element rejects a value; the message begins with the key path.
    """
    found: list[Element] = []
    for index, table in enumerate(tables):
        with located(f"plant.elements.{index}"):
            if table.takes_command and assumed is not None and assumed != table:
                found += _allocated(table, assumed)
            else:
                found += KINDS.of(table).make(table) if table.paths else _made(table, index)  # pyright: ignore[reportArgumentType] # a frozen table is hashable
    return tuple(found)


def _allocated(table: ElementTable, assumed: ElementTable) -> tuple[Element, ...]:
    """Return the wheels of a table, with an allocation for the wheels that the controller assumes."""
    kind = KINDS.of(table)
    return kind.make(table) if kind.assuming is None else kind.assuming(table, assumed)


@lru_cache(maxsize=32)
def _made(table: ElementTable, index: int) -> tuple[Element, ...]:
    """Return the elements of a table. They are immutable, so spacecraft with equal tables share them."""
    del index  # part of the cache key, so that two equal tables give two elements
    return tuple(KINDS.of(table).make(table))


def held_body(table: "PlantTable", elements: Sequence[Element]) -> RigidBody:
    """Return the hub.

    If the case states no pivot, the hub is pivoted at its mass centre under two conditions: an element moves mass and
    the hub mass is unknown, or a ring damper has the published equations, which refer to this point.

    Parameters
    ----------
    table : PlantTable
        Table `[plant]`.
    elements : sequence of Element
        Elements of the spacecraft.

    Returns
    -------
    RigidBody
        The hub, without its elements.
    """
    pivot = table.pivot_m
    published = not table.translation and any(getattr(each, "model", "") == "published" for each in table.elements)
    unknown = table.mass_kg is None and any(element.moves_mass for element in elements)
    if pivot is None and (published or unknown):
        pivot = (0.0, 0.0, 0.0)
    return RigidBody(table.inertia_kg_m2, mass=table.mass_kg, pivot=pivot)
