"""Every kind of reference that a case can ask for: the file that says what it is, one line each."""

from importlib import import_module

from .kind import ReferenceKind

__all__ = ["KINDS"]

FILES = (
    "eigenaxis_slew",
    "held",
    "nadir",
    "spin_up",
    "sun",
)

KINDS: tuple[ReferenceKind, ...] = tuple(
    kind for name in FILES for kind in import_module(f".{name}", __package__).KINDS
)
