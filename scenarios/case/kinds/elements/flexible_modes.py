"""Element kind for flexible modes."""

from collections.abc import Sequence

from .....plant import Element, FlexibleModes
from .....plant.elements.element import coordinate_slices
from .....plant.hub.internal_state import element_coordinates
from .declared import kind_of

KIND = kind_of("flexible-modes", FlexibleModes, module=__name__, moves_mass=False)


def modal_coordinates(elements: Sequence[Element]) -> tuple[str, ...]:
    """Return the names of the coordinates of all flexible modes of a spacecraft, in order.

    Parameters
    ----------
    elements : sequence of Element
        Elements of the spacecraft.

    Returns
    -------
    tuple of str
        Names such as mode_1; empty if no element has flexible modes.
    """
    names, _ = element_coordinates(elements)
    return tuple(
        name
        for element, place in coordinate_slices(elements)
        if isinstance(element, FlexibleModes)
        for name in names[place]
    )
