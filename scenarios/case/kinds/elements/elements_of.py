"""`[[plant.elements]]` as elements of the spacecraft, and their hub."""

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from .....plant import Element, RigidBody
from ...located import located
from ...schema.element import ElementTable
from .kinds import KINDS

if TYPE_CHECKING:
    from ...schema import PlantTable


def elements_of(tables: Sequence[ElementTable]) -> tuple[Element, ...]:
    """Return the elements of the tables.

    Parameters
    ----------
    tables : sequence of tables
        `[[plant.elements]]`.

    Returns
    -------
    tuple of Element
        In the order of the tables; an array of wheels gives several.

    Raises
    ------
    InputError
        When a model rejects a value; the message begins with the key path.
    """
    found: list[Element] = []
    for index, table in enumerate(tables):
        with located(f"plant.elements.{index}"):
            found += KINDS.of(table).make(table) if table.paths else _made(table, index)  # pyright: ignore[reportArgumentType] # a frozen table is hashable
    return tuple(found)


@lru_cache(maxsize=32)
def _made(table: ElementTable, index: int) -> tuple[Element, ...]:
    """The elements of a table: immutable, so that spacecraft that differ elsewhere share them."""
    del index  # two of a kind are two elements
    return tuple(KINDS.of(table).make(table))


def held_body(table: "PlantTable", elements: Sequence[Element]) -> RigidBody:
    """Return the hub; pivoted at its mass centre if an element moves mass and the case has neither mass nor pivot.

    This also applies to the rotor of a ring simulated as published, whose equations refer to that point.

    Parameters
    ----------
    table : PlantTable
        `[plant]`.
    elements : sequence of Element
        Its elements.

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
