"""Times at limits that no motor signal shows: torque command, and rate limit of the reference."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .mode_intervals import MODE_QUANTITY, SINCE
from .shared_rows import rate_magnitude, spans

if TYPE_CHECKING:
    from ...controllers import Reference
    from .run import Run

Array = NDArray[np.float64]
AT = 1.0 - 1e-9
"""Fraction of a limit from which a command counts as saturated, with a margin for round-off."""
ABOVE = 1.01
"""Ratio of a rate to its limit from which the limit counts as exceeded, since no body follows a path exactly."""
UNLIMITED = 1e100


@dataclass(frozen=True)
class RateExcess:
    """Excess over the rate limit of a reference: limit, rad/s; largest rate, rad/s; time above, s."""

    limit: float
    peak: float
    time: float


def command_limit_times(run: "Run") -> dict[str, float]:
    """Return the time for which each limited control torque was at its limit or envelope, s, by source.

    A command is at the limit if a component has its largest magnitude (that of the active mode, if modes have different
    limits), or if the command is on the envelope. The command need not have been saturated. Each row counts until the
    next row.
    """
    both = "command_wheels" in run.names
    found: dict[str, float] = {}
    for port, basis in run.craft.ports.items():
        limits = _limits(run, port, basis.limits())
        if (limits > UNLIMITED).all() and basis.envelope is None:
            continue
        total, row = 0.0, 0
        for u in run.pieces(f"command_{port}" if both else "command"):
            rows = slice(row, row + len(u))
            most = limits if limits.ndim == 1 else limits[rows]
            components = np.ascontiguousarray(u.T)  # reducing long rows takes a tenth of the time of short ones
            at_limit = np.abs(components) >= AT * (most[:, None] if most.ndim == 1 else most.T)
            full = np.logical_or.reduce(at_limit, axis=0)
            if basis.envelope is not None and basis.envelope.size:
                full |= np.logical_or.reduce(basis.envelope @ components >= AT, axis=0)
            total += float(spans(run)[rows] @ full)
            row += len(u)
        found[port] = total
    return found


def rate_excess(run: "Run") -> RateExcess | None:
    """Return the excess of the body rate over the rate limit of the reference, from the start of its motion.

    Only excesses above 1 % count. If there are several references, the one exceeded for the longest time counts; None
    if there is no rate limit.
    """
    found: list[RateExcess] = []
    for reference, there in _followed(run):
        limit = float(getattr(reference, "rate_limit", inf))
        if limit < inf and there.any():
            rates = rate_magnitude(run)
            above = there & (rates > ABOVE * limit)
            found.append(RateExcess(limit, float(rates[there].max()), float(spans(run) @ above)))
    return max(found, key=lambda each: each.time, default=None)


def _limits(run: "Run", port: str, own: Array) -> Array:
    """Return the limits of a control torque, (3,), or for each row, (n, 3), if they depend on the mode."""
    modes: Any = getattr(run.law, "modes", None)
    if modes is None or MODE_QUANTITY not in run.names:
        return own
    table = [
        mode.limit if (mode.actuators or next(iter(run.craft.ports))) == port else np.full(3, inf) for mode in modes
    ]
    return np.minimum(own, np.array(table)[run.values(MODE_QUANTITY).astype(int)])


def _followed(run: "Run") -> "Iterator[tuple[Reference, NDArray[np.bool_]]]":
    """Yield the references of the run, each with a mask of the rows in which its motion has begun."""
    if run.reference is None:
        return
    follows = getattr(run.law, "followed", None)
    if follows is None or MODE_QUANTITY not in run.names:
        yield run.reference, run.t >= getattr(run.reference, "begin", 0.0)
        return
    numbers, since = run.values(MODE_QUANTITY), run.values(SINCE)
    for number in np.unique(numbers):
        reference, from_entry = follows(number, run.reference)
        start = getattr(reference, "begin", 0.0) + (since if from_entry else 0.0)
        yield reference, (numbers == number) & (run.t >= start)
