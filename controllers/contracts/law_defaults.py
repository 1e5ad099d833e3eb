"""Adapter that adds the defaults of `AttitudeLaw` to laws of other classes."""

from typing import Any

from ...plant.errors import InputError
from ...plant.parts import has_parts
from .attitude_law import AttitudeLaw
from .law import Law


class _WithDefaults(AttitudeLaw):
    """Adapter for a law that is not an `AttitudeLaw`; it uses the law's members, and defaults for all others."""

    def __init__(self, law: Law) -> None:
        object.__setattr__(self, "_law", law)

    def __getattribute__(self, name: str) -> Any:
        law = object.__getattribute__(self, "_law")
        return getattr(law, name) if hasattr(law, name) else object.__getattribute__(self, name)


def with_defaults(law: Law | AttitudeLaw) -> AttitudeLaw:
    """Return a law with every member of `AttitudeLaw`, adding defaults where the law lacks them.

    Raises InputError when the object is not a law.
    """
    if isinstance(law, AttitudeLaw):
        return law
    if not has_parts(law, Law):
        raise InputError(f"law must be a control law; got a {type(law).__name__}")
    return _WithDefaults(law)
