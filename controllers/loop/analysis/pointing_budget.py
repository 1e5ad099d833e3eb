"""Pointing error budget of a loop from its linear model: the error due to each noise source, by axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from polhode import provided

from ....plant import LinearModel, TorqueBasis
from ....plant.brief import brief
from ....plant.checks import each_positive, finite, of_kind, positive
from ....plant.errors import DesignError, InputError
from ....plant.frozen import frozen_results
from ....plant.one_thread import one_thread
from ....plant.parts import has_parts
from ...contracts.block import Block
from ...contracts.law import Law
from ...contracts.law_defaults import with_defaults
from ..noise_loop import NoiseLoop
from ..sampled_loop import SampledLoop
from .loop_errors import ErrorBudget, error_densities, loop_errors

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Array = NDArray[np.float64]

ARCSEC = np.pi / 180.0 / 3600.0
LONGEST = 1_000_000  # largest number of periods in a window
OFTEN = 3.0  # sigma: a limit closer than this is exceeded in at least 1 of 370 samples


@frozen_results
@dataclass(frozen=True, repr=False, kw_only=True)
class PointingBudget:
    """Pointing and knowledge errors of a loop with noisy blocks, as defined by ECSS-E-ST-60-10C.

    All errors are given as one standard deviation. Noise is assumed Gaussian, stationary and ergodic. A bias, which is
    constant within a run, is evaluated over the ensemble of runs (the mixed interpretation of the standard): it
    contributes to the absolute and mean errors, but not to the relative error.

    Attributes
    ----------
    sources : tuple of str
        Names of the error sources: block and noise, or "torque".
    pointing : ErrorBudget
        Error of the attitude relative to its reference, as small rotations about the body axes.
    knowledge : ErrorBudget
        Error of the attitude measured by the law, relative to the true attitude.
    window : float
        Averaging window, s.
    sample : float
        Sampling period of the law, s; errors are evaluated at the law's samples.
    confidence : float
        Probability that an error stays within `factor` standard deviations on each axis.
    factor : float
        Number of standard deviations for this confidence.
    command : numpy.ndarray, shape (3,)
        Standard deviation of the commanded torque, N m; `words` warns if the limits are too close to it.
    frequency : numpy.ndarray, shape (m,)
        Frequency, Hz, up to half the sampling rate of the law.
    density : numpy.ndarray, shape (s, 3, m)
        One-sided spectral density of the pointing error by source and axis, rad^2/Hz; zero for biases.
    words : tuple of str
        Effects neglected in the linear forms, and warnings if noise demands more torque than is available.
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
        """Return each error as the root sum of squares over axes and sources.

        Returns
        -------
        dict
            `ape`, `mpe`, `rpe`, `ake`, `mke`, `rke`: root mean square of the total rotation angle, rad.
        """
        return _figures(self.pointing, self.knowledge)

    def to_dict(self) -> dict[str, Any]:
        """Return the results as plain values for JSON.

        Returns
        -------
        dict
            Window, confidence, and each error by axis, for each source and in total, rad.
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

    def plot(self) -> Figure:
        """Return a figure of each source's contribution per axis and of the spectral density of the error.

        Returns
        -------
        matplotlib.figure.Figure
            The figure.
        """
        return provided("budget plot")(self)


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
    block (`BlockForm.noise`) drives this system separately; a discrete Lyapunov equation gives the covariance
    of the error at the law's samples. With R(k) the covariance of errors k samples apart, a window of N samples has

        MPE^2 = (1/N^2) sum over |k| < N of (N - |k|) R(k),    RPE^2 = APE^2 - MPE^2,

    where RPE is averaged over the window, because the error differs from the mean more near the ends of the window than
    in the middle.

    Parameters
    ----------
    law : Law
        A law, which may be user-defined.
    model : LinearModel, optional
        The plant; by default the model that the law was designed for, if it is a linear law.
    window : float
        Averaging window, s; rounded to whole periods of the loop.
    blocks : sequence of Block
        Blocks of the loop, as in `sim.simulate`.
    torque_noise : array_like, shape () or (3,)
        White torque on the spacecraft, N m/sqrt(Hz): the square root of its two-sided spectral density.
    confidence : float
        Probability for the last row of the table.

    Returns
    -------
    PointingBudget
        Errors by source and axis.

    Raises
    ------
    DesignError
        When the loop is not stable or does not control attitude, or when a block has no linear form or draws noise that
        its linear form does not declare.
    InputError
        When an argument is out of range, or the loop has no noise source.

    Notes
    -----
    The errors follow ECSS-E-ST-60-10C (2008), and the windows follow M. E. Pittelkau (2003). Saturation, lost samples
    and innovation gates are neglected. A filter is represented by its steady-state gains.

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
        raise InputError(f"{type(law).__name__} has no loop for a pointing budget: it is not a control law")
    of_kind("blocks", blocks, Sequence, such_as="a sequence of Block")
    length = positive("window", window, "s")
    torque = each_positive("torque_noise", torque_noise, unit="N m/sqrt(Hz)", zero=True)
    if not 0.0 < finite("confidence", confidence) < 1.0:
        raise InputError(f"confidence must be a probability between 0 and 1; got {confidence:g} (per cent?)")
    loop = with_defaults(law).loop(model, blocks=blocks)
    if with_defaults(law).no_margins:
        raise DesignError(f"no budget: {with_defaults(law).no_margins}")
    found, many = _noise_of(loop, torque, length)
    pointing, knowledge, command = loop_errors(found, many)
    about: Any = getattr(law, "model", None) if model is None else model
    frequency, density = error_densities(found)
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
    """Return `PointingBudget.figures()` of a loop without computing the rest of the budget.

    loop: the loop with its blocks; window: averaging window, s -> errors by name, rad. Raises the same errors as
    `pointing_budget`.
    """
    pointing, knowledge, _ = loop_errors(*_noise_of(loop, np.zeros(3), positive("window", window, "s")))
    return _figures(pointing, knowledge)


def _figures(pointing: ErrorBudget, knowledge: ErrorBudget) -> dict[str, float]:
    found = np.sqrt((np.vstack((pointing.total(), knowledge.total())) ** 2).sum(axis=1))
    return dict(zip(("ape", "mpe", "rpe", "ake", "mke", "rke"), found.tolist(), strict=True))


def _noise_of(loop: SampledLoop, torque: Array, window: float) -> tuple[NoiseLoop, int]:
    """Return a loop driven by the noise of its blocks, and its number of periods in the window."""
    found = loop.under_noise(torque)
    if not found.sources:
        raise InputError("the loop has no noise source: give sensor blocks with noise, or torque_noise, N m/sqrt(Hz)")
    period = loop.repeats * loop.sample
    many = max(1, round(window / period))
    if many > LONGEST:
        raise InputError(f"the window spans {many:,} periods of the loop of {period:g} s each; use at most {LONGEST:,}")
    return found, many


def _drifting(loop: SampledLoop, torque: Array) -> list[str]:
    """Return a warning if torque noise makes wheel momenta drift and act on the attitude through friction."""
    if not np.any(torque) or loop.with_total_momentum() is loop:
        return []
    words = (
        "torque_noise lets the total momentum of the wheels drift without bound, and their friction turns it into "
        "attitude error; the budget assumes that this momentum is unloaded"
    )
    return [words]


def _beyond(command: Array, torques: TorqueBasis) -> list[str]:
    """Return a warning if noise demands more torque than is available, which a linear budget cannot model."""
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
