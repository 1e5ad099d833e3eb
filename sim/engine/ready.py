"""Cache of start arrays, stored with the spacecraft: the next run with the same key gets a copy.

Neither a craft nor the code of a kernel changes, and whatever else the arrays of a run hold before its first step
follows from a few numbers. The law's own and the reference's are put in anew each time, for whoever wrote them may
change them.
"""

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from numpy.typing import NDArray

from ...controllers import Law, Reference
from ...plant import Spacecraft
from ..steppers.scheme import Scheme
from .slab import Pattern, Slab

__all__ = ["OWN", "alike", "keep", "known"]

MOST = 8  # of one craft
LARGEST = 2**22  # numbers; whether there is memory for more is asked each time

OWN = ("q", "z", "rq", "out_t", "x")
"""The run's own numbers."""


_BY_LAW = ("calls", "reads", "actuators", "check_craft")
"""Optional parts of a law by which its wiring, or whether it fits the craft, may differ under the same kernel."""


class Alike(NamedTuple):
    """What runs of one craft have in common that begin with the same but for their own numbers."""

    law: Callable[..., Any] | None
    asked: bool
    reference: Callable[..., Any]
    sizes: tuple[int, ...]
    integrator: str
    clock: tuple[float, ...]
    ledger: bool
    max_steps: int
    rows: int


class Ready(NamedTuple):
    """Arrays as they are before the first step but for a run's own, and the functions of the engine."""

    pattern: Pattern
    functions: tuple[Any, Any, Any]


_kept: "WeakKeyDictionary[Spacecraft, dict[Alike, Ready]]" = WeakKeyDictionary()
_LOCK = Lock()


def alike(
    law: Law | None,
    reference: Reference,
    own: Sequence[NDArray[Any]],
    *,
    asked: bool,
    scheme: Scheme,
    duration: float,
    ledger: bool,
    max_steps: int,
    pose_limit: float,
    rows: int,
) -> Alike | None:
    """Return what a run without scheduled torques, blocks and formulation has in common with others.

    own: its own numbers; asked: whether its law is asked between calls of the engine; the rest as `Loop` -> None where
    what it begins with follows from its start too, or holds what must live as long as the run.
    """
    if scheme.stepper.exact or any(getattr(law, part, None) for part in _BY_LAW):
        return None
    timing = () if law is None else (float(law.sample), float(law.delay))
    return Alike(
        None if law is None or asked else law.kernel,
        asked,
        reference.kernel,
        tuple([each.size for each in own]),
        scheme.integrator,
        (duration, pose_limit, scheme.rtol, scheme.step or 0.0, *timing),
        ledger,
        max_steps,
        rows,
    )


def known(craft: Spacecraft, kind: Alike | None) -> Ready | None:
    """Return what runs of a kind begin with, if one of them began before."""
    return None if kind is None else _kept.get(craft, {}).get(kind)


def keep(craft: Spacecraft, kind: Alike | None, slab: Slab, functions: tuple[Any, Any, Any]) -> None:
    """Keep what a run begins with that was made ready."""
    if kind is None or slab.pattern.size > LARGEST:
        return
    begun = Ready(slab.begun(OWN), functions)
    with _LOCK:  # other threads may fly the same craft
        of_craft = _kept.setdefault(craft, {})
        while len(of_craft) >= MOST:
            del of_craft[next(iter(of_craft))]
        of_craft[kind] = begun
