"""Whether modes and the ways between them make sense: each can be reached and left, and none chase each other."""

from collections.abc import Sequence

from ...plant.checks import choice
from ...plant.errors import InputError
from .mode import Mode

__all__ = ["check_graph"]


def check_graph(modes: Sequence[Mode]) -> None:
    """Raise InputError where they do not; the first mode is the one that a run begins in."""
    names = [mode.name for mode in modes]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"two modes are called {twice!r}; give each a name of its own")
    for mode in modes:
        for way in mode.until:
            choice(f"mode that {mode.name!r} goes to:", way.to, tuple(names))
            if way.to == mode.name:
                raise InputError(f"mode {mode.name!r} goes to itself; a mode that lasts needs no transition")
        if mode.final and mode.until:
            raise InputError(
                f"mode {mode.name!r} is final and goes to {mode.until[0].to!r}; leave out the one or the other"
            )
        if not mode.final and not mode.until:
            raise InputError(
                f"mode {mode.name!r} can never be left; give it a transition, or final=True where that is meant"
            )
        _require_leaving(mode)
    _require_reachable(modes)
    _require_settled(modes)


def _require_leaving(mode: Mode) -> None:
    """A condition on the time in a mode that is over before its dwell, or before the others can hold."""
    for way in mode.until:
        for each in way.when:
            if each.quantity == "elapsed" and each.below and each.threshold <= max(mode.dwell, each.lasting):
                raise InputError(
                    f"mode {mode.name!r} lasts {mode.dwell:g} s at least, and {each} is over by then: the "
                    f"transition to {way.to!r} is never taken"
                )
            for other in way.when:
                apart = each.quantity == other.quantity and each.below and not other.below
                if apart and each.threshold <= other.threshold:
                    raise InputError(
                        f"mode {mode.name!r}: {each} and {other} never hold together, so the transition to "
                        f"{way.to!r} is never taken"
                    )


def _require_reachable(modes: Sequence[Mode]) -> None:
    ways = {mode.name: [way.to for way in mode.until] for mode in modes}
    reached, ahead = {modes[0].name}, [modes[0].name]
    while ahead:
        for name in ways[ahead.pop()]:
            if name not in reached:
                reached.add(name)
                ahead.append(name)
    lost = [mode.name for mode in modes if mode.name not in reached]
    if lost:
        raise InputError(
            f"mode {lost[0]!r} can never be reached from {modes[0].name!r}, in which a run begins; give a mode that "
            "can be a transition to it, or remove it"
        )


def _require_settled(modes: Sequence[Mode]) -> None:
    """Two modes that go to each other on one quantity, between whose thresholds both ways are open."""
    by_name = {mode.name: mode for mode in modes}
    for mode in modes:
        for way in mode.until:
            for back in by_name[way.to].until:
                if back.to != mode.name or len(way.when) != 1 or len(back.when) != 1:
                    continue
                if way.when[0].contradicts(back.when[0]):
                    raise InputError(
                        f"mode {mode.name!r} goes to {way.to!r} when {way.when[0]}, and that goes back when "
                        f"{back.when[0]}: between the two thresholds they chase each other; set them apart"
                    )
