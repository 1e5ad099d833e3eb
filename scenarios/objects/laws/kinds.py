"""Every kind of law that a case can ask for: the file that says what it is, one line each."""

from importlib import import_module

from ...case.schema.sampled import ActuatedTable
from .kind import LawKind

__all__ = ["KINDS", "kind_of"]

FILES = (
    "disturbance_observer",
    "energy_shaping",
    "file",
    "fmu",
    "lqg",
    "lqgi",
    "lqi",
    "lqr",
    "mixed_sensitivity",
    "on_off",
    "pid",
    "pole_placement",
    "process",
    "quaternion_feedback",
    "rate_damping",
    "sliding_mode",
)

KINDS: tuple[LawKind, ...] = tuple(import_module(f".{name}", __package__).KIND for name in FILES)


def kind_of(table: ActuatedTable) -> LawKind:
    """Return the kind that a table belongs to.

    Parameters
    ----------
    table : ActuatedTable
        Of a case.

    Returns
    -------
    LawKind
        Its kind.
    """
    return next(kind for kind in KINDS if kind.table is type(table))
