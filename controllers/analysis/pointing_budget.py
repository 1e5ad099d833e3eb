"""Pointing error budget of a loop from its linear model: the error of each noise source, by axis."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant import LinearModel, TorqueBasis
from ...plant.brief import brief
from ...plant.checks import each_positive, finite, of_kind, positive
from ...plant.errors import DesignError, InputError
from ...plant.frozen import frozen_results
from ...plant.one_thread import one_thread
from ...plant.parts import has_parts
from ..laws.block import Block
from ..laws.law import Law, asked
from ..loop.noise_loop import Drawn, NoiseLoop
from ..loop.sampled_loop import SampledLoop
from ..loop.schur_system import on_grid

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["ErrorBudget", "PointingBudget", "budget_figures", "pointing_budget"]

Array = NDArray[np.float64]

ARCSEC = np.pi / 180.0 / 3600.0
LONGEST = 1_000_000  # periods in a window
ROUNDING = 1e-18  # of a variance
FORGOTTEN = 1e-20
POINTS = 400  # frequencies of the density
OFTEN = 3.0  # sigma: a limit within it is exceeded in 1 of 370 samples or more


@frozen_results
@dataclass(frozen=True, repr=False, kw_only=True)
class ErrorBudget:
    """Standard deviations of one error, rad, a row per source and a column per body axis; inf if it grows.

    Attributes
    ----------
    absolute : numpy.ndarray, shape (s, 3)
        Error at a time: APE of the pointing, AKE of the knowledge.
    mean : numpy.ndarray, shape (s, 3)
        Error of the mean over the window: MPE, MKE.
    relative : numpy.ndarray, shape (s, 3)
        Difference between the error at a time and that mean, averaged over the window: RPE, RKE.
    """

    absolute: Array
    mean: Array
    relative: Array

    __repr__ = brief

    def total(self) -> Array:
        """Return absolute, mean and relative error of all sources combined.

        Returns
        -------
        numpy.ndarray, shape (3, 3)
            A row for each error, a column for each axis, rad.
        """
        return np.sqrt(np.array([(each**2).sum(axis=0) for each in (self.absolute, self.mean, self.relative)]))


@frozen_results
@dataclass(frozen=True, repr=False, kw_only=True)
class PointingBudget:
    """Pointing and knowledge errors of a loop with noisy blocks, as defined by ECSS-E-ST-60-10C.

    All are one standard deviation. Noise is assumed Gaussian, stationary and ergodic. A bias, constant within a run,
    counts over the ensemble of runs (the mixed interpretation of the standard): in the absolute and mean errors, but
    not in the relative one.

    Attributes
    ----------
    sources : tuple of str
        Sources of error: block and noise, or "torque".
    pointing : ErrorBudget
        Error of the attitude relative to its reference, small rotations about the body axes.
    knowledge : ErrorBudget
        Error of the attitude measured by the law, relative to the true attitude.
    window : float
        Averaging window, s.
    sample : float
        Sampling period of the law, s; errors are those at its samples.
    confidence : float
        Probability that an error stays within `factor` standard deviations on each axis.
    factor : float
        Number of standard deviations.
    command : numpy.ndarray, shape (3,)
        Standard deviation of the commanded torque, N m; `words` report where it exceeds the limits.
    frequency : numpy.ndarray, shape (m,)
        Frequency, Hz, up to half the sampling rate of the law.
    density : numpy.ndarray, shape (s, 3, m)
        One-sided spectral density of the pointing error by source and axis, rad^2/Hz; biases have none.
    words : tuple of str
        Effects neglected by the linear forms, and warnings where noise demands more torque than available.
    """

    sources: tuple[str, ...]
    pointing: ErrorBudget
    knowledge: ErrorBudget
    window: float
    sample: float
    confidence: float
    factor: float
    command: Array
    frequency: Array
    density: Array
    words: tuple[str, ...] = ()

    __repr__ = brief

    def figures(self) -> dict[str, float]:
        """Return the root sum of squares over axes and sources.

        Returns
        -------
        dict
            `ape`, `mpe`, `rpe`, `ake`, `mke`, `rke`, rad: the whole turn, root mean square.
        """
        return _figures(self.pointing, self.knowledge)

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers for JSON.

        Returns
        -------
        dict
            Window, confidence, and by source and in total each error of each axis, rad.
        """

        def rows(budget: ErrorBudget, names: Sequence[str]) -> list[dict[str, Any]]:
            parts = budget.absolute, budget.mean, budget.relative
            found: list[dict[str, Any]] = [
                {"source": name, **{key: part[n].tolist() for key, part in zip(names, parts, strict=True)}}
                for n, name in enumerate(self.sources)
            ]
            total = budget.total()
            return [*found, {"source": "all", **{key: total[k].tolist() for k, key in enumerate(names)}}]

        return {
            "window_s": self.window,
            "sample_s": self.sample,
            "confidence": self.confidence,
            "factor": self.factor,
            "pointing": rows(self.pointing, ("ape_rad", "mpe_rad", "rpe_rad")),
            "knowledge": rows(self.knowledge, ("ake_rad", "mke_rad", "rke_rad")),
            "command_N_m": self.command.tolist(),
            "figures_rad": self.figures(),
            "left_out": list(self.words),
        }

    def __str__(self) -> str:
        """Return the budget as a table."""
        wide = max(len(name) for name in (*self.sources, "source"))
        lines = [
            f"pointing error budget, 1 sigma, arcsec about x, y, z; means over {self.window:g} s",
            f"{'source':<{wide}}  {'APE':>26}  {'MPE':>26}  {'RPE':>26}",
        ]

        def row(name: str, *parts: Array) -> str:
            cells = ["".join(f"{value / ARCSEC:>9.3g}" for value in part)[1:] for part in parts]
            return f"{name:<{wide}}  " + "  ".join(cells)

        whole = self.pointing.total()
        lines += [
            row(name, self.pointing.absolute[n], self.pointing.mean[n], self.pointing.relative[n])
            for n, name in enumerate(self.sources)
        ]
        lines += [row("all", *whole), row(f"{100.0 * self.confidence:g} %", *(self.factor * whole))]
        if self.knowledge.absolute.any():
            lines += [row("knowledge (AKE, MKE, RKE)", *self.knowledge.total())]
        share = (
            f"Gaussian, each axis within {self.factor:.3f} sigma with {100.0 * self.confidence:g} %: noise over time, "
            "biases over the ensemble (mixed interpretation)"
        )
        return "\n".join((*lines, share, *(f"left out: {each}" for each in self.words)))

    def plot(self) -> "Figure":
        """Return a figure with the contribution of each source per axis, and the spectral density of the error.

        Returns
        -------
        matplotlib.figure.Figure
            The figure.
        """
        return import_module("polhode.sim.results.budget_plot").draw_budget(self)  # plotting is in the room above


@one_thread
def pointing_budget(
    law: Any,
    model: LinearModel | None = None,
    *,
    window: float,
    blocks: Sequence[Block] = (),
    torque_noise: ArrayLike = 0.0,
    confidence: float = 0.95,
) -> PointingBudget:
    """Return the pointing error budget of a sampled loop about its operating point.

    Plant, law, blocks and delays form one linear system over the common period. Each noise source of a
    block (`BlockForm.noise`) enters separately; a discrete Lyapunov equation gives the covariance
    of the error at the law's samples. With R(k) the covariance between samples k apart, the mean over N samples has

        MPE^2 = (1/N^2) sum over |k| < N of (N - |k|) R(k),    RPE^2 = APE^2 - MPE^2,

    where RPE is averaged over the window: the error differs more from the mean at its ends than in its middle.

    Parameters
    ----------
    law : Law
        A law, also a user-defined one.
    model : LinearModel, optional
        The plant; a linear law has its own.
    window : float
        Averaging window, s; rounded to whole periods of the loop.
    blocks : sequence of Block
        Blocks of the loop, as in `sim.simulate`.
    torque_noise : array_like, shape () or (3,)
        White torque on the craft, N m/sqrt(Hz): the square root of its two-sided spectral density.
    confidence : float
        Probability for the last row of the table.

    Returns
    -------
    PointingBudget
        Errors by source and axis.

    Raises
    ------
    DesignError
        When the loop is not stable, holds no attitude, or a block has no linear form or draws noise that its form does
        not contain.
    InputError
        When a number is out of range, or nothing in the loop is noisy.

    Notes
    -----
    ECSS-E-ST-60-10C (2008) for the errors; M. E. Pittelkau (2003) for windows. Saturation, lost samples and gates are
    neglected. A filter enters with the gains of its steady state.

    Examples
    --------
    >>> from polhode import controllers, plant
    >>> craft = plant.Spacecraft(plant.RigidBody((10, 10, 10)))
    >>> model = craft.linearize(craft.at_rest())
    >>> law = controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=0.7, sample=0.001)
    >>> budget = controllers.pointing_budget(law, model, window=1.0, torque_noise=1e-4)
    >>> print(f"{budget.pointing.absolute[0, 0]:.4e}")  # 1e-4/sqrt(J^2 4 zeta wn^3)
    1.6905e-05
    """
    if not has_parts(law, Law):
        raise InputError(f"{type(law).__name__} has no loop to budget: it is no control law")
    of_kind("blocks", blocks, Sequence, such_as="a sequence of Block")
    length = positive("window", window, "s")
    torque = each_positive("torque_noise", torque_noise, unit="N m/sqrt(Hz)", zero=True)
    if not 0.0 < finite("confidence", confidence) < 1.0:
        raise InputError(f"confidence must be a probability between 0 and 1; got {confidence:g} (per cent?)")
    loop = asked(law).loop(model, blocks=blocks)
    if asked(law).no_margins:
        raise DesignError(f"no budget: {asked(law).no_margins}")
    found, many = _noise_of(loop, torque, length)
    pointing, knowledge, command = _errors(found, many)
    about: Any = getattr(law, "model", None) if model is None else model
    frequency, density = _densities(found)
    return PointingBudget(
        sources=tuple(found.sources),
        pointing=pointing,
        knowledge=knowledge,
        window=many * loop.repeats * loop.sample,
        sample=loop.sample,
        confidence=float(confidence),
        factor=_factor(confidence),
        command=command,
        frequency=frequency,
        density=density,
        words=(*loop.words, *_drifting(loop, torque), *_beyond(command, about.torques)),
    )


@one_thread
def budget_figures(loop: SampledLoop, *, window: float) -> dict[str, float]:
    """Return `PointingBudget.figures()` of a loop without the rest of its budget.

    loop: with its blocks; window: over which means are taken, s -> by name, rad. Raises as `pointing_budget`.
    """
    pointing, knowledge, _ = _errors(*_noise_of(loop, np.zeros(3), positive("window", window, "s")))
    return _figures(pointing, knowledge)


def _figures(pointing: ErrorBudget, knowledge: ErrorBudget) -> dict[str, float]:
    found = np.sqrt((np.vstack((pointing.total(), knowledge.total())) ** 2).sum(axis=1))
    return dict(zip(("ape", "mpe", "rpe", "ake", "mke", "rke"), found.tolist(), strict=True))


def _noise_of(loop: SampledLoop, torque: Array, window: float) -> tuple[NoiseLoop, int]:
    """Return a loop under what its blocks draw, and over how many of its periods means are taken."""
    found = loop.under_noise(torque)
    if not found.sources:
        raise InputError(
            "nothing in the loop is noisy: give blocks of sensors with noise, or torque_noise, N m/sqrt(Hz)"
        )
    period = loop.repeats * loop.sample
    many = max(1, round(window / period))
    if many > LONGEST:
        raise InputError(f"window is {many:,} periods of the loop, {period:g} s each; take one of at most {LONGEST:,}")
    return found, many


def _drifting(loop: SampledLoop, torque: Array) -> list[str]:
    """Return a warning where torque noise makes the momentum of wheels drift, which friction passes to the attitude."""
    if not np.any(torque) or loop.with_total_momentum() is loop:
        return []
    words = (
        "torque_noise lets the total momentum of the wheels drift without bound, and their friction turns it into "
        "attitude error; the budget assumes that this momentum is unloaded"
    )
    return [words]


def _beyond(command: Array, torques: TorqueBasis) -> list[str]:
    """Return a warning where noise demands more torque than available, which a linear budget cannot model."""
    reach = torques.limits()
    if torques.envelope is not None:
        reach = np.minimum(reach, 1.0 / np.abs(torques.envelope).max(axis=0))
    worst = int(np.argmax(command / reach))
    if not OFTEN * command[worst] > reach[worst]:
        return []
    words = (
        f"noise demands {command[worst]:.4g} N m (1 sigma) of torque component {worst + 1}, above the "
        f"{reach[worst]:.4g} available: it saturates, and the errors exceed this linear budget; filter the "
        "measurements or lower the gains"
    )
    return [words]


def _factor(confidence: float) -> float:
    from scipy import special

    return float(special.ndtri(0.5 + 0.5 * confidence))


def _errors(loop: NoiseLoop, many: int) -> tuple[ErrorBudget, ErrorBudget, Array]:
    """Return the budgets of pointing and knowledge, and the standard deviation of the command."""
    names = list(loop.sources)
    absolute, mean = np.zeros((len(names), 9)), np.zeros((len(names), 9))
    averaged = loop.C.mean(axis=0)
    lasting = np.zeros(
        (len(names), len(loop.F), 9)
    )  # for each source: covariance of the state with the mean a sample before
    X = _covariances(loop.F, [loop.sources[name].G for name in names])
    for n, name in enumerate(names):
        drawn = loop.sources[name]
        if drawn.constant:
            rests = np.linalg.solve(np.eye(len(loop.F)) - loop.F, drawn.G)
            absolute[n] = ((loop.C @ rests + drawn.D) ** 2).sum(axis=2).mean(axis=0)
            mean[n] = ((averaged @ rests + drawn.D.mean(axis=0)) ** 2).sum(axis=1)
            continue
        absolute[n] = np.mean([np.diag(c @ X[n] @ c.T) for c in loop.C], axis=0) + (drawn.D**2).sum(axis=2).mean(axis=0)
        through = drawn.D.mean(axis=0)
        mean[n] = (np.diag(averaged @ X[n] @ averaged.T) + (through**2).sum(axis=1)) / many
        lasting[n] = loop.F @ X[n] @ averaged.T + drawn.G @ through.T
    mean += 2.0 / many**2 * np.einsum("in,sni->si", averaged @ _falling_sum(loop.F, many - 1), lasting)
    for each in (absolute, mean):  # a part in 1e9 of the total is rounding after cancellation
        each[each < ROUNDING * np.abs(each).sum(axis=0)] = 0.0
    relative = np.maximum(absolute - mean, 0.0)
    relative[[loop.sources[name].constant and len(loop.C) == 1 for name in names]] = 0.0
    grows = np.array([loop.sources[name].grows for name in names])
    for each in (absolute, mean, relative):
        each[grows] = inf
    parts = [np.sqrt(each) for each in (absolute, mean, relative)]
    pointing, knowledge = (
        ErrorBudget(absolute=parts[0][:, at], mean=parts[1][:, at], relative=parts[2][:, at])
        for at in (slice(0, 3), slice(3, 6))
    )
    return pointing, knowledge, np.sqrt(absolute[:, 6:].sum(axis=0))


def _falling_sum(F: Array, many: int) -> Array:
    """Return T(many), the sum of (many - k) F^k over k < many, from the binary digits of `many`.

    With S(a), the sum of F^k over k < a: T(a + b) = T(a) + b S(a) + F^a T(b).
    """
    one = np.eye(len(F))
    power, s, t, n = one, np.zeros_like(F), np.zeros_like(F), 0  # F^n, S(n), T(n), n
    for digit in f"{many:b}":
        s, t, power, n = s + power @ s, t + n * s + power @ t, power @ power, 2 * n
        if digit == "1":
            s, t, power, n = one + F @ s, (n + 1) * one + F @ t, F @ power, n + 1
    return t


def _covariances(F: Array, G: Sequence[Array]) -> Array:
    """Return X = F X F' + G G' of each source, by doubling (Smith 1968)."""
    found = np.array([each @ each.T for each in G])
    power = F
    while len(F) and float(np.abs(power).max()) > FORGOTTEN:
        found = found + power @ found @ power.T
        power = power @ power
    return found


def _densities(loop: NoiseLoop) -> tuple[Array, Array]:
    """Return one-sided densities of the pointing error; for a periodic loop the mean over its samples."""
    p = len(loop.C)
    poles = np.linalg.eigvals(loop.F)
    slow = np.abs(np.log(poles[np.abs(poles) > 1e-6])).min(initial=1.0) / p
    angles: Array = np.asarray(np.geomspace(min(1e-2 * float(slow), 1e-2), np.pi, POINTS), dtype=np.float64)
    waves = np.exp(-1j * np.outer(angles, np.arange(p)))
    names: Mapping[str, Drawn] = loop.sources
    found = np.zeros((len(names), 3, len(angles)))
    G = np.hstack([each.G for each in names.values()])
    D = np.concatenate([each.D for each in names.values()], axis=2)[:, :3]
    ends = np.cumsum([0, *(each.G.shape[1] for each in names.values())])
    C = loop.C[:, :3].reshape(3 * p, -1)
    # transposed: a sample has fewer error rows (three) than noise columns
    response = on_grid(loop.F.T, C.T, G.T, p * angles)
    through = response.reshape(len(angles), -1, p, 3)
    error = np.einsum("mp,mgpi->mig", waves, through + np.moveaxis(D, 2, 0)) / p
    for n, each in enumerate(names.values()):
        if not each.constant:
            size = np.abs(error[:, :, ends[n] : ends[n + 1]]) ** 2
            found[n] = 2.0 * p * loop.sample * size.sum(axis=2).T
    return angles / (2.0 * np.pi * loop.sample), found
