"""Find the element of a case whose actuator needs blocks of its own."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..schema import Case


def first_element(case: "Case", attribute: str) -> tuple[str, Any]:
    """Return the key path and the table of the first element whose attribute is true or not empty; else "" and None."""
    for index, table in enumerate(case.plant.elements):
        if getattr(table, attribute):
            return f"plant.elements.{index}", table
    return "", None
