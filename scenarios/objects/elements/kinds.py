"""Every kind of element that a case can ask for: the file that says what it is, one line each."""

from importlib import import_module

from ...case.schema.element import ElementTable
from .kind import ElementKind

__all__ = ["KINDS", "kind_of"]

FILES = (
    "flexible_arm",
    "flexible_modes",
    "mass_spring_damper",
    "pendulum",
    "ring_damper",
    "viscous_wheel",
    "wheel",
    "wheel_array",
)

KINDS: tuple[ElementKind, ...] = tuple(import_module(f".{name}", __package__).KIND for name in FILES)


def kind_of(table: ElementTable) -> ElementKind:
    """Return the kind that a table belongs to.

    Parameters
    ----------
    table : ElementTable
        Of a case.

    Returns
    -------
    ElementKind
        Its kind.
    """
    return next(kind for kind in KINDS if kind.table is type(table))
