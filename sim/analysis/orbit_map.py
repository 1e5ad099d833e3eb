"""The transition matrix over an orbit compared with finite differences of nonlinear runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...controllers import Block, Law, Reference
from ...plant import Spacecraft
from ...plant.attitude import quaternion_product
from ...plant.linear.deviations import deviations
from ...plant.linear.tangent import moved_by
from ..runs.simulate import simulate
from .floquet_result import Floquet

Array = NDArray[np.float64]

SMALL = 1e-3
"""Step of the finite differences, rad; for momenta, in units of the mean inertia times the orbital rate."""
FORGOTTEN = 1e-6
"""Size of the transition matrix below which a comparison with finite differences would show only round-off."""


def map_difference(
    craft: Spacecraft,
    law: Law | None,
    reference: Reference,
    found: Floquet,
    blocks: Sequence[Block],
    start: Callable[[float], Array],
) -> float:
    """Return the relative difference of the transition matrix from the simulated map; NaN if not compared."""
    if len(craft.layout.names) > craft.layout.own.start:  # the model has other coordinates for flexible arms
        return float("nan")
    names, units, keep = deviations(craft)
    mean = float(np.trace(craft.locked_inertia(start(0.0)))) / 3.0
    T = np.array(
        [mean * 2.0 * np.pi / found.period if units[names.index(name)] == "N m s" else 1.0 for name in found.states]
    )
    linear = found.monodromy / T[:, None] * T
    if float(np.abs(linear).max()) < FORGOTTEN:
        return float("nan")
    stop = found.period if law is None else found.samples * law.sample
    x, last = start(0.0), start(stop)
    width = max(keep) + 1
    settings: dict[str, Any] = {"law": law, "reference": reference, "blocks": blocks} if law is not None else {}

    def after(z: Array) -> Array:
        begin = np.asarray(moved_by(craft, x, z), dtype=np.float64)
        run = simulate(
            craft,
            state=begin,
            duration=stop,
            output_times=[stop],
            integrator="dop853",
            rtol=1e-13,
            ledger=False,
            **settings,
        )
        end = run.states[-1]
        turn = quaternion_product(last[3:7] * (1.0, -1.0, -1.0, -1.0), end[3:7])
        turn = turn if turn[0] >= 0.0 else -turn
        whole = np.concatenate((2.0 * turn[1:], end[:3] - last[:3], end[7:] - last[7:]))
        return np.array([whole[keep[names.index(name)]] for name in found.states])

    columns: list[Array] = []
    for name, scale in zip(found.states, T, strict=True):
        offset = np.zeros(width)
        offset[keep[names.index(name)]] = SMALL * scale
        near, far = (after(k * offset) - after(-k * offset) for k in (1.0, 2.0))
        columns.append((8.0 * near - far) / (12.0 * SMALL) / T)
    return float(np.abs(np.column_stack(columns) - linear).max() / np.abs(linear).max())


def distance_from_reference(
    craft: Spacecraft,
    law: Law | None,
    reference: Reference,
    stop: float,
    blocks: Sequence[Block],
    start: Callable[[float], Array],
) -> float:
    """Return the angle (rad) from the reference after a run to `stop` (s) that starts on it."""
    settings: dict[str, Any] = {"law": law, "reference": reference, "blocks": blocks} if law is not None else {}
    run = simulate(
        craft, state=start(0.0), duration=stop, output_times=[stop], integrator="dop853", rtol=1e-9, ledger=False,
        **settings,
    )  # fmt: skip
    return 2.0 * float(np.arccos(min(1.0, abs(float(run.states[-1][3:7] @ start(stop)[3:7])))))
