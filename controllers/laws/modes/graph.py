"""Checks of the graph of modes: every mode can be reached and left, and no modes alternate endlessly."""

from collections.abc import Mapping, Sequence
from math import inf

from ....plant.checks import choice
from ....plant.errors import InputError
from .condition import KNOWN
from .mode import Mode, Transition

Region = Mapping[tuple[str, int], tuple[float, float]]
"""Open interval of each quantity, keyed by its name and the id of its reference."""

OF_REFERENCE = ("attitude_error", "rate_error")
MANY_CYCLES = 100_000  # largest number of transitions followed; the cycles of a few modes have far fewer


def check_graph(modes: Sequence[Mode]) -> bool:
    """Raise InputError if modes or transitions are inconsistent; a run begins in the first mode.

    Return whether all cycles of modes were checked; the search ends after MANY_CYCLES transitions.
    """
    names = [mode.name for mode in modes]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"two modes are called {twice!r}; give each a unique name")
    for mode in modes:
        for way in mode.transitions:
            choice(f"mode that {mode.name!r} goes to:", way.to, tuple(names))
            if way.to == mode.name:
                raise InputError(
                    f"mode {mode.name!r} has a transition to itself; omit it: without it the mode stays active"
                )
        if mode.final and mode.transitions:
            raise InputError(
                f"mode {mode.name!r} is final but has a transition to {mode.transitions[0].to!r}; omit one of the two"
            )
        if not mode.final and not mode.transitions:
            raise InputError(
                f"mode {mode.name!r} can never be left; give it a transition, or final=True if that is intended"
            )
        _require_leaving(mode)
    _require_reachable(modes)
    return _require_settled(modes)


def _require_leaving(mode: Mode) -> None:
    """Reject a transition whose conditions contradict each other or the dwell time of the mode."""
    for way in mode.transitions:
        for each in way.when:
            if each.quantity == "elapsed" and each.below and each.threshold <= max(mode.dwell, each.lasting):
                raise InputError(
                    f"mode {mode.name!r} lasts {mode.dwell:g} s at least, and {each} has ended by then: the "
                    f"transition to {way.to!r} is never taken"
                )
            for other in way.when:
                opposed = each.quantity == other.quantity and each.below and not other.below
                if opposed and each.threshold <= other.threshold:
                    raise InputError(
                        f"mode {mode.name!r}: {each} and {other} are never both true, so the transition to "
                        f"{way.to!r} is never taken"
                    )


def _require_reachable(modes: Sequence[Mode]) -> None:
    ways = {mode.name: [way.to for way in mode.transitions] for mode in modes}
    reached, ahead = {modes[0].name}, [modes[0].name]
    while ahead:
        for name in ways[ahead.pop()]:
            if name not in reached:
                reached.add(name)
                ahead.append(name)
    lost = [mode.name for mode in modes if mode.name not in reached]
    if lost:
        raise InputError(
            f"mode {lost[0]!r} can never be reached from {modes[0].name!r}, in which a run begins; give a reachable "
            "mode a transition to it, or remove it"
        )


def _require_settled(modes: Sequence[Mode]) -> bool:
    """Reject a cycle of modes whose transitions can hold at the same time, so that no mode lasts.

    Return whether every cycle was followed.
    """
    by_name = {mode.name: mode for mode in modes}
    first = {mode.name: n for n, mode in enumerate(modes)}
    left, all_followed = MANY_CYCLES, True

    def follow(begin: Mode, here: Mode, taken: list[tuple[Mode, Transition]], region: Region) -> None:
        nonlocal left, all_followed
        for way in here.transitions:
            both = None if _waits(way) else _region(way, here, region)
            if both is None or first[way.to] < first[begin.name]:
                continue  # follow each cycle only once, from its first mode
            if left == 0:
                all_followed = False
                return
            left -= 1
            path = [*taken, (here, way)]
            if way.to == begin.name:
                _refuse_cycle(path, both)
            elif all(way.to != mode.name for mode, _ in path):
                follow(begin, by_name[way.to], path, both)

    for mode in modes:
        follow(mode, mode, [], {})
    return all_followed


def _waits(way: Transition) -> bool:
    """Return whether a transition waits for some time in the mode, which shows that a cycle is intended."""
    return any(each.quantity == "elapsed" and not each.below and each.threshold > 0.0 for each in way.when)


def _region(way: Transition, mode: Mode, within: Region) -> Region | None:
    """Return the open intervals, within a region, in which a transition holds; None if one is empty."""
    found = dict(within)
    for each in way.when:
        own = mode.reference is not None and each.quantity in OF_REFERENCE  # each reference has its own error
        key = each.quantity, id(mode.reference) if own else 0
        low, high = found.get(key, (-inf, inf))
        low, high = (low, min(high, each.threshold)) if each.below else (max(low, each.threshold), high)
        if not low < high or (high <= 0.0 and each.quantity in KNOWN):
            return None
        found[key] = low, high
    return found


def _refuse_cycle(path: Sequence[tuple[Mode, Transition]], together: Region) -> None:
    """Raise InputError if one transition of a cycle implies all others, or all use the same quantity."""
    certain = len(together) == 1 or any(_region(way, mode, {}) == together for mode, way in path)
    if not certain or any(_sooner(mode, way, together) for mode, way in path):
        return
    ways = ", ".join(f"{mode.name!r} goes to {way.to!r} when {way}" for mode, way in path)
    raise InputError(
        f"{ways}: these conditions can hold at the same time, so the modes alternate endlessly; separate the "
        "thresholds, or give one of the transitions a further condition on 'elapsed', the time in the mode"
    )


def _sooner(mode: Mode, way: Transition, together: Region) -> bool:
    """Return whether an earlier transition of the mode holds wherever all transitions of a cycle hold."""
    before = mode.transitions[: mode.transitions.index(way)]
    return any(not _waits(each) and _region(each, mode, together) == together for each in before)
