"""A closed loop driven by the noise of its blocks, with pointing and knowledge errors as outputs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from ...plant.errors import DesignError
from ...plant.frozen import frozen_results
from ...plant.one_thread import one_thread
from .lifted import Law, Lifted, alive
from .multirate import Multirate
from .routes import COMMAND_SIZE

Array = NDArray[np.float64]

CIRCLE = 1e-7
"""Distance from the unit circle within which a pole over a period neither grows nor decays.

Rounding moves double poles at 1 by 1e-8, for any period. A filter that needs 1e7 periods or more to settle therefore
counts as one that never settles, and the errors that it drives are reported as unbounded."""
UNSEEN = 1e-7  # relative contribution to the errors below which such a pole is only rounding


class Drawn(NamedTuple):
    """One noise source: G (n, w) and D (p, 9, w) over a period; constant: whether it is drawn only once.

    grows (9,): whether each error grows without bound under this source.
    """

    G: Array
    D: Array
    constant: bool
    grows: NDArray[np.bool_]


@frozen_results
@dataclass(frozen=True, eq=False, kw_only=True)
class NoiseLoop:
    """s+ = F s + G w over a period, errors = C s + D w at each of the p samples of the law; F is stable.

    C (p, 9, n): rows of the attitude error relative to the reference (3) and of the measured attitude relative to the
    true one (3), both as small rotations, rad, and of the law's command (3), N m.
    reported (p, 3, 3): error covariance that the estimator reports with the measured attitude, rad^2; None if the law
    reads the attitude from another block.
    """

    F: Array
    C: Array
    sources: Mapping[str, Drawn]
    sample: float
    reported: Array | None = None


@frozen_results
@dataclass(frozen=True, eq=False, kw_only=True)
class NoiseSystem:
    """Closed loop under noise with all its states, including constants such as a gyro bias.

    s+ = F s + G w over a period, errors = C s + D w, with C (p, 9, n) and D (p, 9, w) as in `NoiseLoop`; sources:
    columns of w by name; constant: names of the sources that are drawn only once; sample: period of the law, s;
    reported: as in `NoiseLoop`; bias: C (p, 3, n), D (p, 3, w) of the errors of the gyro bias, and the covariance
    (p, 3, 3) that the estimator reports for it, or None.
    """

    F: Array
    G: Array
    C: Array
    D: Array
    sources: Mapping[str, slice]
    constant: tuple[str, ...]
    sample: float
    reported: Array | None = None
    bias: tuple[Array, Array, Array] | None = None


def noise_loop(lifted: Lifted, law: Law, torque: Array) -> NoiseLoop:
    """Return the closed loop under noise; torque (3,): density of a white torque, N m/sqrt(Hz), two-sided.

    Raises DesignError when it is not stable, or a random block does not declare its noise.
    """
    system = noise_system(lifted, law, torque)
    keep = alive(system.F, system.C[:, :6].reshape(-1, len(system.F)), 0)
    F, C = system.F[keep][:, keep], system.C[:, :, keep]
    found = _decaying(F, system.G[keep], C, system.D, system.sources, system.constant, lifted.sample)
    return replace(found, reported=system.reported)


def bias_loop(system: NoiseSystem) -> NoiseLoop | None:
    """Return the closed loop with the errors (3) of the estimated gyro bias, rad/s; None if the system has none.

    Raises DesignError when it is not stable.
    """
    if system.bias is None:
        return None
    C, D, reported = system.bias
    keep = alive(system.F, C.reshape(-1, len(system.F)), 0)
    F = system.F[keep][:, keep]
    found = _decaying(F, system.G[keep], C[:, :, keep], D, system.sources, system.constant, system.sample)
    return replace(found, reported=reported)


@one_thread
def noise_system(lifted: Lifted, law: Law, torque: Array) -> NoiseSystem:
    """Return the closed loop under noise with all its states; torque: as in `noise_loop`.

    Raises DesignError when a random block does not declare its noise.
    """
    for block, form in zip(lifted.blocks, lifted.forms, strict=True):
        if block.random and form.noise is None:
            raise DesignError(
                f"the block {block.name!r} draws random numbers, and its linear form does not state the noise, so "
                "there is no error budget; give BlockForm(noise=[ShapedNoise(...)]), or measure the errors in runs"
            )
    march = Multirate(lifted, (0.0, 0.0, 0.0), torque)
    march.through()
    n, p = march.states, lifted.repeats
    first, drawn = n + COMMAND_SIZE * p, n + COMMAND_SIZE * (p + 1)
    a, b, c, d = law
    size = n + len(a) + march.total - drawn
    memory = np.eye(len(a), size, n)
    commands = np.zeros((COMMAND_SIZE * p, size))

    def seen(rows: Array) -> Array:
        """Convert rows over [states, commands, torque, noise] to rows over [states, law memory, noise]."""
        found = rows[:, n:first] @ commands
        found[:, :n] += rows[:, :n]
        found[:, n + len(a) :] += rows[:, drawn:]
        return found

    errors: list[Array] = []
    biases: list[tuple[Array, Array]] = []
    for k in range(p):
        shown = seen(march.shown[k])
        here = march.biases[k]
        if here is not None:
            biases.append((seen(here[0]), here[1]))
        errors.append(seen(march.errors[k]))
        command = c @ memory + d @ shown
        commands[COMMAND_SIZE * k : COMMAND_SIZE * (k + 1)] = command
        errors[-1] = np.vstack((errors[-1], lifted.scale * command))
        memory = a @ memory + b @ shown
    whole, outputs = np.vstack((seen(march.end), memory)), np.array(errors)
    states = n + len(a)
    return NoiseSystem(
        F=whole[:, :states],
        G=whole[:, states:],
        C=outputs[:, :, :states],
        D=outputs[:, :, states:],
        sources=march.sources,
        constant=tuple(march.constant),
        sample=lifted.sample,
        reported=None if any(each is None for each in march.reported) else np.array(march.reported),
        bias=None if len(biases) < p else _split(biases, states),
    )


def _split(biases: Sequence[tuple[Array, Array]], states: int) -> tuple[Array, Array, Array]:
    """Return C, D and the reported covariance of the bias errors at the samples of the law."""
    rows, reported = np.array([each for each, _ in biases]), np.array([each for _, each in biases])
    return rows[:, :, :states], rows[:, :, states:], reported


@one_thread
def _decaying(
    F: Array, G: Array, C: Array, D: Array, sources: Mapping[str, slice], constant: Sequence[str], sample: float
) -> NoiseLoop:
    """Separate the decaying part from constants such as a gyro bias, which a filter may cancel."""
    from scipy import linalg

    solve = cast("Any", linalg)

    def inside(real: float, imaginary: float) -> bool:
        return float(np.hypot(real, imaginary)) < 1.0 - CIRCLE

    T, Z, many = solve.schur(F, output="real", sort=inside)
    size = float(np.abs(np.linalg.eigvals(F)).max(initial=0.0))
    if size > 1.0 + CIRCLE:
        raise DesignError(
            f"the loop is not stable (a pole of modulus {size:.6g}), so its errors have no budget; lower the gain, the "
            "sampling period or the delay"
        )
    inner, outer = Z[:, :many], Z[:, many:]
    into = Z.T @ G
    stays = into[many:]
    if many < len(F):
        X = solve.solve_sylvester(T[:many, :many], -T[many:, many:], -T[:many, many:])
        outer = inner @ X + outer
        into[:many] -= X @ stays
    seen = C @ outer
    found: dict[str, Drawn] = {}
    for name, columns in sources.items():
        decays, lasts = into[:many, columns], stays[:, columns]
        usual = np.sqrt((C @ inner) ** 2 @ (decays**2).sum(axis=1) + (D[:, :, columns] ** 2).sum(axis=2))
        driven = np.sqrt(((seen @ lasts) ** 2).sum(axis=2))
        found[name] = Drawn(decays, D[:, :, columns], name in constant, (driven > UNSEEN * usual).any(axis=0))
    return NoiseLoop(F=T[:many, :many], C=C @ inner, sources=found, sample=sample)
