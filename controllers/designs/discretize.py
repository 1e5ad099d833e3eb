"""Conversion of a python-control system to discrete state-space matrices at the law's sampling period."""

from math import tan
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ...plant.checks import choice
from ...plant.errors import DesignError, InputError
from ..loop.sampled_plant import hold

Array = NDArray[np.float64]

METHODS = ("tustin", "zoh")


def discrete_matrices(
    system: Any, sample: float, *, method: str = "tustin", prewarp: float | None = None
) -> tuple[Array, Array, Array, Array]:
    """Return A, B, C, D of a python-control system, discretised if it is continuous.

    A transfer matrix is realised entry by entry with scipy, so the result does not depend on slycot.

    system: continuous, or discrete with the law's sampling period (or with dt=True).
    sample: sampling period, s.
    method: "tustin" (keeps the frequency response except for warping) or "zoh" (input held over the sample).
    prewarp: frequency (rad/s) at which Tustin's rule is exact.
    -> A (n, n), B (n, m), C (p, n), D (p, m).

    Raises InputError when the argument is not a system of python-control, or has a different sampling period;
        DesignError when the system is improper, so that its output would need the derivative of the input.
    """
    import control

    tool = cast("Any", control)
    choice("discretisation", method, METHODS)
    if not isinstance(system, tool.StateSpace | tool.TransferFunction):
        raise InputError(f"a system must be a control.StateSpace or control.TransferFunction; got {system!r:.60}")
    found = _matrices(system) if isinstance(system, tool.StateSpace) else _realised(tool, system)
    dt = system.dt
    if dt is None and len(found[0]):
        raise InputError(
            f"the system has states but no timebase (dt=None): it could be continuous or discrete; give dt=0 or "
            f"dt={sample:g}"
        )
    if dt is None or dt == 0:
        return sampled(found, sample, method=method, prewarp=prewarp)
    if dt is not True and abs(float(dt) - sample) > 1e-9 * sample:
        raise InputError(
            f"the system is discrete with a sampling period of {float(dt):g} s, but the law samples every "
            f"{sample:g} s; make both equal, or give the continuous system"
        )
    return found


def sampled(
    system: tuple[Array, Array, Array, Array], sample: float, *, method: str = "tustin", prewarp: float | None = None
) -> tuple[Array, Array, Array, Array]:
    """Discretise a continuous system and return A, B, C, D.

    system: A (n, n), B (n, m), C (p, n), D (p, m); sample, method, prewarp: as in `discrete_matrices`. Tustin's rule is
    s = (2 / h) (z - 1) / (z + 1), with h such that the response is exact at the frequency prewarp.
    """
    A, B, C, D = system
    if method == "zoh":
        return (*hold(A, B, duration=sample), C, D)
    h = sample if prewarp is None else 2.0 * tan(0.5 * prewarp * sample) / prewarp
    unit, half = np.eye(len(A)), 0.5 * h * A
    solve = cast("Any", np.linalg).solve
    flow, gain, out = solve(unit - half, unit + half), solve(unit - half, h * B), solve((unit - half).T, C.T).T
    return flow, gain, out, D + 0.5 * C @ gain


def _matrices(system: Any) -> tuple[Array, Array, Array, Array]:
    n, m, p = system.nstates, system.ninputs, system.noutputs
    shapes = ((n, n), (n, m), (p, n), (p, m))
    found = (system.A, system.B, system.C, system.D)
    A, B, C, D = (np.asarray(a, dtype=np.float64).reshape(shape) for a, shape in zip(found, shapes, strict=True))
    return A, B, C, D


def _realised(tool: Any, system: Any) -> tuple[Array, Array, Array, Array]:
    """Return a state-space realisation of a transfer matrix, assembled from its entries."""
    outputs, inputs = system.noutputs, system.ninputs
    parts: list[tuple[Array, Array, Array, Array]] = []
    for row in range(outputs):
        for column in range(inputs):
            try:
                entry = tool.ss(tool.tf(system.num[row][column], system.den[row][column], system.dt), method="scipy")
            except ValueError as error:
                raise DesignError(
                    f"the transfer function from input {column + 1} to output {row + 1} is improper ({error}): a law "
                    "cannot differentiate; add a pole beyond the bandwidth"
                ) from None
            parts.append(_matrices(entry))
    n = sum(len(part[0]) for part in parts)
    A = np.zeros((n, n))
    B, C, D = np.zeros((n, inputs)), np.zeros((outputs, n)), np.zeros((outputs, inputs))
    at = 0
    for index, part in enumerate(parts):
        row, column = divmod(index, inputs)
        order = len(part[0])
        A[at : at + order, at : at + order] = part[0]
        B[at : at + order, column] = part[1][:, 0]
        C[row, at : at + order] = part[2][0]
        D[row, column] = part[3][0, 0]
        at += order
    return A, B, C, D
