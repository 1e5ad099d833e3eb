"""Confirmation of margins by applying each predicted gain or delay in the nonlinear simulation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, isfinite
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...controllers import Block, Law, Reference
from ...controllers.contracts.law_defaults import with_defaults
from ...controllers.loop.linear_blocks import linear_blocks
from ...plant import LinearModel, Spacecraft
from ...plant.errors import DesignError
from ..runs.default_reference import default_reference
from .changed_law import ChangedLaw
from .growth import growth
from .operating_point import operating_point

Array = NDArray[np.float64]

LIFETIMES = 60.0  # run duration times slowest nominal frequency; large, since other modes may be near their limits
FEWEST = 400  # smallest number of samples of a run
MOST = 50_000  # largest number of samples of a run, even if LIFETIMES requires more
NARROW = 2e-4  # relative bracket width below which the limit is interpolated
TICK = 0.005  # resolution of a delay as a fraction of the predicted delay; the limit is interpolated between ticks
WIDEST = 2.0  # the stability limit is searched for within this factor of the prediction
MOST_TICKS = 500
DECIMAL = (1, 2, 4, 5, 8, 10, 20, 25, 40, 50, 100, 125, 200, 250, 500)


@dataclass(frozen=True, kw_only=True)
class ConfirmedMargin:
    """One margin, predicted by the linear loop and observed in the nonlinear simulation.

    Parameters
    ----------
    input : str
        The plant input whose command is scaled or delayed, or "all".
    kind : str
        "gain up", "gain down" or "delay".
    predicted : float
        Predicted factor or additional delay (s).
    observed : float or None
        Value at which a small disturbance stops decaying; None if there is no such value within a factor of 2 of the
        prediction.
    """

    input: str
    kind: str
    predicted: float
    observed: float | None

    @property
    def ratio(self) -> float | None:
        """Ratio of the observed to the predicted value; None if none was observed."""
        return None if self.observed is None else self.observed / self.predicted

    def to_dict(self) -> dict[str, Any]:
        """Return the results as plain values for JSON.

        Returns
        -------
        dict
            input, kind, unit, predicted, observed, ratio.
        """
        return {
            "input": self.input,
            "kind": self.kind,
            "unit": "s" if self.kind == "delay" else "1",
            "predicted": self.predicted,
            "observed": self.observed,
            "ratio": self.ratio,
        }


@dataclass(frozen=True, kw_only=True)
class MarginConfirmation:
    """Comparison of every finite margin of a loop with the simulation.

    Parameters
    ----------
    rows : tuple of ConfirmedMargin
        Gain up, gain down and delay of each input, and the common delay of all inputs; infinite margins are omitted.
    duration_s : float
        Duration of each simulation, s.
    runs : int
        Number of simulations.
    words : tuple of str
        Effects neglected in the linear forms of the blocks.
    """

    rows: tuple[ConfirmedMargin, ...]
    duration_s: float
    runs: int
    words: tuple[str, ...] = ()

    @property
    def worst(self) -> float:
        """The largest |observed / predicted - 1|; inf if a stability limit was not found."""
        return max((float("inf") if row.ratio is None else abs(row.ratio - 1.0) for row in self.rows), default=0.0)

    def to_dict(self) -> dict[str, Any]:
        """Return the results as plain values for JSON.

        Returns
        -------
        dict
            rows, worst, duration_s, runs, and the neglected effects.
        """
        worst = self.worst if isfinite(self.worst) else None
        rows = [row.to_dict() for row in self.rows]
        entry = {"rows": rows, "worst_relative_error": worst, "duration_s": self.duration_s, "runs": self.runs}
        return {**entry, **({"blocks": list(self.words)} if self.words else {})}

    def __str__(self) -> str:
        """Return the comparison as a table."""
        lines = ["input      margin       predicted    observed   observed/predicted"]
        for row in self.rows:
            observed = "   not found" if row.observed is None else f"{row.observed:12.5g}"
            ratio = "" if row.ratio is None else f"{row.ratio:12.5f}"
            unit = " s" if row.kind == "delay" else "  "
            lines.append(f"{row.input:<10} {row.kind:<10} {row.predicted:11.5g}{observed}{unit} {ratio}".rstrip())
        return "\n".join([*lines, *self.words])


def confirm_margins(
    craft: Spacecraft,
    law: Law,
    *,
    state: ArrayLike | None = None,
    reference: Reference | None = None,
    model: LinearModel | None = None,
    blocks: Sequence[Block] = (),
    progress: Callable[[float], None] | None = None,
) -> MarginConfirmation:
    """Compare the margins of the linear loop with the nonlinear simulation.

    For each margin, the command of the input is scaled or delayed before it reaches the plant (`ChangedLaw`); the law
    does not know this. The spacecraft starts with an attitude error of 1e-6 rad, and the growth rate of the error is
    measured (`growth`). The observed margin is the value at which the growth rate passes through zero.

    Parameters
    ----------
    craft : Spacecraft
        The plant. The small attitude error must not lead to saturation.
    law : Law
        The law, which must have a linear loop; see `AttitudeLaw.loop`.
    state : array_like, optional
        The operating point; by default the operating point of the law's model, or rest in (1, 0, 0, 0).
    reference : Reference, optional
        Reference of the law at the operating point; by default the reference of its design.
    model : LinearModel, optional
        The linear model for the prediction; by default the model of the spacecraft about the operating point. If wheels
        provide the torque, use a model in which that torque is applied externally, because wheels cannot change the
        total momentum.
    blocks : sequence of Block
        Blocks in addition to the law, in the linear loop and in the simulation. A block that is linearised to a gain
        of 1 (quantiser, lost samples) is also simulated with this gain, because an error of 1e-6 rad is below the
        quantisation step.
    progress : callable, optional
        Called with the completed fraction of the margins.

    Returns
    -------
    MarginConfirmation
        Predicted and observed margins.

    Raises
    ------
    DesignError
        When the law has no linear loop, the loop is not stable, or a block of the loop draws random numbers. Monitors
        (`Block.as_monitor`) are ignored.

    Examples
    --------
    >>> from polhode import controllers, plant
    >>> craft = plant.Spacecraft(plant.RigidBody((100.0, 80.0, 60.0)))
    >>> law = controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=1.0, sample=0.5)
    >>> confirm_margins(craft, law).worst < 0.005
    True
    """
    at = operating_point(craft, law, state)
    model = craft.linearize(at) if model is None else model
    loop = with_defaults(law).loop(model, blocks=blocks)
    blocks = (
        linear_blocks(model, blocks, sample=law.sample).linear_equivalents() if blocks else ()
    )  # same conditions as for the margins of the loop
    if not loop.attitude:
        raise DesignError(
            f"{law.__class__.__name__} does not control attitude, but margins are confirmed by the growth of the "
            "attitude error; `margins(model)` returns the margins of its rate loop"
        )
    margins = loop.margins()
    duration = min(max(LIFETIMES / loop.slowest(), FEWEST), MOST) * law.sample
    follow = default_reference(law) if reference is None else reference
    runs = 0

    def rate(change: ChangedLaw) -> float:
        nonlocal runs
        runs += 1
        return growth(craft, change, duration=duration, reference=follow, state=at, step=change.sample, blocks=blocks)

    wanted: list[tuple[str, str, Array, float]] = []
    for n, axis in enumerate(margins.axes):
        this = np.eye(3)[n]
        wanted += [(axis.input, "gain up", this, axis.gain_up), (axis.input, "gain down", this, axis.gain_down)]
        wanted += [(axis.input, "delay", this, axis.delay_s)]
    wanted.append(("all", "delay", np.ones(3), margins.delay_s))
    wanted = [row for row in wanted if isfinite(row[3]) and row[3] > 0.0]
    rows: list[ConfirmedMargin] = []
    for done, (name, kind, on, predicted) in enumerate(wanted):
        grain = NARROW * predicted
        ticks = 1
        if kind == "delay":
            ticks = min(ceil(law.sample / (TICK * predicted)), MOST_TICKS)
            if blocks:  # a decimal fraction of the sampling period, which has a common tick with the block periods
                ticks = next(each for each in DECIMAL if each >= ticks)
            grain = law.sample / ticks

        def changed(value: float, on: Array = on, kind: str = kind, ticks: int = ticks) -> float:
            if kind == "delay":
                return rate(ChangedLaw(law, late=value * on, ticks=ticks))
            return rate(ChangedLaw(law, factor=1.0 + (value - 1.0) * on))

        observed = _edge(changed, predicted, rising=kind != "gain down", grain=grain)
        rows.append(ConfirmedMargin(input=name, kind=kind, predicted=predicted, observed=observed))
        if progress is not None:
            progress((done + 1) / len(wanted))
    return MarginConfirmation(rows=tuple(rows), duration_s=duration, runs=runs, words=margins.words)


def _edge(rate: Callable[[float], float], predicted: float, *, rising: bool, grain: float) -> float | None:
    """Return the value near the prediction at which the rate changes sign, on a grid with spacing `grain`."""
    sign = 1 if rising else -1
    centre = round(predicted / grain)
    reach = max(centre // 100, 1)
    known: dict[int, float] = {}

    def at(n: int) -> float:
        if n not in known:
            known[n] = rate(n * grain)
        return known[n]

    low, high = centre - reach, centre + reach
    while sign * at(low) > 0.0 or sign * at(high) <= 0.0:  # widen the bracket until the sign changes within it
        reach *= 3
        if reach > centre * (WIDEST - 1.0):
            return None
        low, high = max(centre - reach, 1), centre + reach
    while high - low > 1:
        middle = (low + high) // 2
        if sign * at(middle) > 0.0:
            high = middle
        else:
            low = middle
    return grain * (low + at(low) / (at(low) - at(high)))
