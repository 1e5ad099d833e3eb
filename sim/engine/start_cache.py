"""Cache of start arrays per spacecraft: a run with the same key as an earlier one gets a copy.

A spacecraft and the code of a kernel never change, and the other arrays before the first step follow from a few values.
The values of law and reference are copied again for each run, since users may change them. A spacecraft that differs
only in mass and inertia of the hub gets a copy with its own plant parameters, limits and floors.
"""

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from numpy.typing import NDArray

from ...controllers import Law, Reference
from ...plant import Element, Spacecraft
from ...plant.hub.packing import SamePlant, same_plant
from .arena import Arena, Pattern
from .functions import function_places
from .steppers.error_floors import hub_floors
from .steppers.scheme import Scheme

MOST = 8  # largest number of cached starts per spacecraft
MOST_PLANTS = 16  # largest number of cached starts for spacecraft that differ in the hub
LARGEST = 2**22  # largest size in 8-byte values; larger arrays are created for each run

OWN = ("q", "z", "rq", "out_t", "x")
"""Arrays with the individual values of a run."""


_BY_LAW = ("calls", "reads", "actuators", "check_craft")
"""Optional attributes of a law that affect its wiring or its checks for the same kernel."""


class Alike(NamedTuple):
    """Key of a spacecraft's runs that have the same start arrays, except for values set run by run."""

    law: Callable[..., Any] | None
    by_caller: bool
    reference: Callable[..., Any]
    sizes: tuple[int, ...]
    integrator: str
    clock: tuple[float, ...]
    ledger: bool
    max_steps: int
    rows: int


class Ready(NamedTuple):
    """Cached start: arrays before the first step, except those set run by run, and the engine's functions."""

    pattern: Pattern
    functions: tuple[Any, Any, Any]


class _OtherHub(NamedTuple):
    """Cached start for spacecraft that differ only in the hub.

    elements: elements of the spacecraft, which must exist as long as the cache entry; places: indices of the kernels
    of the elements in the plant parameters.
    """

    begun: Ready
    elements: tuple[Element, ...]
    places: list[int]

    def of(self, craft: Spacecraft, *, ledger: bool) -> Ready | None:
        """Return the start of another spacecraft; None if its arrays have other sizes."""
        pattern, head = self.begun.pattern, self.begun.pattern.head.copy()
        parts = {name: head[pattern.cuts[name].first : pattern.cuts[name].last] for name in ("p", "limits", "floors")}
        packed, limits = craft.pack(ledger=ledger), craft.torques.saturation()
        if packed.size != parts["p"].size or limits.size != parts["limits"].size:
            return None
        packed[self.places] = parts["p"][self.places]
        parts["p"][:], parts["limits"][:] = packed, limits
        hub = hub_floors(craft)
        parts["floors"][: len(hub)] = hub
        return self.begun._replace(pattern=pattern._replace(head=head))


_kept: "WeakKeyDictionary[Spacecraft, dict[Alike, Ready]]" = WeakKeyDictionary()
_other_hubs: "dict[tuple[SamePlant, Alike], _OtherHub]" = {}
_LOCK = Lock()


def alike(
    law: Law | None,
    reference: Reference,
    own: Sequence[NDArray[Any]],
    *,
    by_caller: bool,
    scheme: Scheme,
    duration: float,
    ledger: bool,
    max_steps: int,
    pose_limit: float,
    rows: int,
) -> Alike | None:
    """Return the key of a run that has no scheduled torques, blocks or formulation.

    own: arrays set run by run; by_caller: whether the law is called between calls of the engine; other arguments
    as in `Loop` -> None if the start arrays also depend on the initial state, or refer to objects that must live as
    long as the run.
    """
    if scheme.stepper.exact:
        return None
    for part in _BY_LAW:
        if getattr(law, part, None):
            return None
    timing = () if law is None else (float(law.sample), float(law.delay))
    return Alike(
        None if law is None or by_caller else law.kernel,
        by_caller,
        reference.kernel,
        tuple([each.size for each in own]),
        scheme.integrator,
        (duration, pose_limit, scheme.rtol, scheme.step or 0.0, *timing),
        ledger,
        max_steps,
        rows,
    )


def known(craft: Spacecraft, kind: Alike | None) -> Ready | None:
    """Return the cached start of runs of a kind; None if there is none."""
    if kind is None:
        return None
    found = _kept.get(craft, {}).get(kind)
    if found is None and (plant := _plant_of(craft)) is not None:
        other = _other_hubs.get((plant, kind))
        found = None if other is None else other.of(craft, ledger=kind.ledger)
    return found


def _plant_of(craft: Spacecraft) -> SamePlant | None:
    """Return the key of spacecraft with elements that differ only in the hub, and have one control torque."""
    return same_plant(craft) if craft.elements and craft.external is None else None


def keep(craft: Spacecraft, kind: Alike | None, arena: Arena, functions: tuple[Any, Any, Any]) -> None:
    """Store the start arrays of a prepared run."""
    if kind is None or arena.pattern.size > LARGEST:
        return
    begun = Ready(arena.begun(OWN), functions)
    with _LOCK:  # other threads may simulate the same spacecraft
        of_craft = _kept.setdefault(craft, {})
        while len(of_craft) >= MOST:
            del of_craft[next(iter(of_craft))]
        of_craft[kind] = begun
        plant = _plant_of(craft)
        if plant is not None and arena.arrays.implicit.size == 1:  # the table of implicit steps depends on the hub
            while len(_other_hubs) >= MOST_PLANTS:
                del _other_hubs[next(iter(_other_hubs))]
            places = function_places(craft, arena.arrays.p)
            _other_hubs[plant, kind] = _OtherHub(begun, craft.elements, places)
