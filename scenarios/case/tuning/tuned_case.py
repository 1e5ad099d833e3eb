"""Result of tuning a case: requirements and free parameters before and after."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ....controllers.designs.tuning import Tuned
from ....controllers.loop.robustness.shapes import SHAPES
from ..campaigns.case_campaign import CaseCampaign
from ..campaigns.worst_craft import BOUNDED
from ..loader import LoadedCase
from .free_parameters import FreeParameters

PROVABLE = (*SHAPES, *BOUNDED)  # metrics for which a bound over all spacecraft exists


@dataclass(frozen=True, kw_only=True)
class Requirement:
    """One hard goal before and after tuning.

    Attributes
    ----------
    name : str
        Metric of the requirement, or "decay_rate_1_s".
    mode : str or None
        Mode whose loop must meet the goal, for a case with `[[modes]]`.
    bound : float
        Bound on the metric.
    at_most : bool
        Whether the bound is an upper bound.
    before, after : float
        Metric of the nominal spacecraft before and after tuning.
    worst, proven : float or None
        Worst value found within the dispersions, and value guaranteed for every spacecraft; None if not computed.
    no_guarantee : str
        Reason why no value is guaranteed for every spacecraft; empty otherwise.
    active : bool
        Whether the goal limits the soft goal, or conflicts with other goals.
    """

    name: str
    bound: float
    at_most: bool
    before: float
    after: float
    worst: float | None = None
    proven: float | None = None
    no_guarantee: str = ""
    active: bool = False
    mode: str | None = None

    @property
    def key(self) -> str:
        """The metric, with its mode if there is one."""
        return self.name if self.mode is None else f"{self.name} in mode {self.mode}"

    def meets(self, value: float | None) -> bool:
        """Return whether a value of the metric meets the bound."""
        return value is not None and (value <= self.bound if self.at_most else value >= self.bound)

    @property
    def met(self) -> bool:
        """True if the nominal spacecraft and, if it was computed, the worst spacecraft meet the bound."""
        if self.worst is None:
            return self.meets(self.after)
        return self.meets(self.after) and self.meets(self.proven if self.name in PROVABLE else self.worst)

    @property
    def failure(self) -> str:
        """The metric, the value that misses the bound, and the bound, for a message."""
        bound = f"{'above its maximum' if self.at_most else 'below its minimum'} of {self.bound:g}"
        if not self.meets(self.after) or self.worst is None:
            return f"{self.key} is {self.after:.6g}, {bound}"
        if self.meets(self.worst) and self.name in PROVABLE:
            if self.proven is None:
                need = f"{'at most' if self.at_most else 'at least'} {self.bound:g}"
                why = f" ({self.no_guarantee})" if self.no_guarantee else ""
                return f"{self.key} has no guaranteed value for every spacecraft{why}, and must be {need}"
            return f"{self.key} guaranteed for every spacecraft is {self.proven:.6g}, {bound}"
        return f"{self.key} is {self.worst:.6g} for the worst spacecraft found, {bound}"

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {
            "metric": self.name,
            **({} if self.mode is None else {"mode": self.mode}),
            "max" if self.at_most else "min": self.bound,
            "before": _number(self.before),
            "after": _number(self.after),
            "worst": _number(self.worst),
            "proven": _number(self.proven),
            "met": self.met,
            "active": self.active,
        }


@dataclass(frozen=True, eq=False, kw_only=True)
class TunedCase:
    """Result of `tune_case`.

    Attributes
    ----------
    before, loaded : LoadedCase
        The original case, and the case with tuned values.
    parameters : FreeParameters
        Free parameters.
    tuned : Tuned
        Result of the search.
    requirements : tuple of Requirement
        Every hard goal before and after.
    modes : tuple of str
        Modes whose loops were part of the search; empty for a case without modes.
    left_out : dict
        Modes whose loop may change, but was not part of the search, with the reason.
    soft : tuple of (str, float, float), or None
        Metric of the soft goal, with its values before and after tuning; NaN before tuning an unstable loop.
    rounds, models : int
        Number of rounds of counter-examples, and number of spacecraft in the last search.
    run_stage : bool
        Whether the linear stage left requirements on the run unmet, so that runs were part of the search.
    run_simulated : str
        Why the gradients of the run are differences of simulated runs; empty if they follow from exact tangents.
    run_active : tuple of str
        Metrics of the run that limit the soft goal, or conflict with other goals.
    run_missed : tuple of str
        Metrics of the run that miss their requirement, or have no value, with the tuned law.
    unmoved : tuple of str
        Metrics that miss their bound and that no free parameter changes.
    unfelt : tuple of str
        Free parameters that change neither a loop in the search nor a required metric of the run.
    unchecked : bool
        Whether every spacecraft must meet the requirements, but the search was interrupted before the law was checked.
    campaign : CaseCampaign or None
        Nonlinear runs of the tuned case within the dispersions; None if none were simulated.
    taken_as : str
        Simplification of the spacecraft in the loop, such as rigid arms, which the run does not make; empty if none.
    """

    before: LoadedCase
    loaded: LoadedCase
    parameters: FreeParameters
    tuned: Tuned
    requirements: tuple[Requirement, ...]
    soft: tuple[str, float, float] | None
    rounds: int
    models: int
    modes: tuple[str, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict[str, str])
    run_stage: bool = False
    run_simulated: str = ""
    run_active: tuple[str, ...] = ()
    run_missed: tuple[str, ...] = ()
    unmoved: tuple[str, ...] = ()
    unfelt: tuple[str, ...] = ()
    unchecked: bool = False
    campaign: CaseCampaign | None = None
    taken_as: str = ""

    @property
    def met(self) -> bool:
        """True if every requirement is met, on the linear loop, on the run and in the campaign."""
        of_loop = all(each.met for each in self.requirements) and not self.unchecked
        return of_loop and not self.run_missed and not self.campaign_failure

    @property
    def campaign_failure(self) -> str:
        """Number of nonlinear runs that miss each requirement, for a message; empty if enough runs meet all.

        These are all runs, or the share of them that `campaign.required_share` states.
        """
        if self.campaign is None:
            return ""
        *each, total = self.campaign.rates
        if not total.runs:
            return "no run of the campaign was completed"
        share = self.loaded.case.campaign.required_share
        if total.passed >= total.runs * (1.0 if share is None else share):
            return ""
        missed = [f"{rate.name} in {rate.runs - rate.passed}" for rate in each if rate.passed < rate.runs]
        words = f"{total.runs - total.passed} of {total.runs} nonlinear runs miss a requirement ({', '.join(missed)})"
        return words if share is None else f"{words}; {100 * share:g} % of them have to meet all"

    @property
    def values(self) -> list[dict[str, Any]]:
        """Free parameters with values before and after, bounds, and the bound reached ("low", "high" or None)."""
        after = self.parameters.values(self.tuned.x)
        return [
            {"key": free.name, "before": free.value, "after": value, "low": free.low, "high": free.high,
             "at_bound": free.at_bound(value) or None}
            for free, value in zip(self.parameters.numbers, after, strict=True)
        ]  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        soft = None
        if self.soft is not None:
            metric, before, after = self.soft
            soft = {"metric": metric, "before": _number(before), "after": _number(after)}
        return {
            "case": self.loaded.name,
            "met": self.met,
            "requirements": [each.to_dict() for each in self.requirements],
            "soft": soft,
            "values": self.values,
            "starts": [{"objective": _number(top), "violation": _number(left)} for top, left in self.tuned.starts],
            "steps": self.tuned.steps,
            "rounds": self.rounds,
            "models": self.models,
            **({"modes": list(self.modes), "left_out": dict(self.left_out)} if self.modes else {}),
            "run_stage": self.run_stage,
            **({"run_gradients": f"differences: {self.run_simulated}" if self.run_simulated else "tangents"}
               if self.run_stage else {}),
            "campaign": None if self.campaign is None else {
                "seed": self.campaign.campaign.seed, "pass_rates": [each.to_dict() for each in self.campaign.rates]
            },
            "run_active": list(self.run_active),
            "run_missed": list(self.run_missed),
            "unmoved": list(self.unmoved),
            "unfelt": list(self.unfelt),
            "taken_as": self.taken_as or None,
            "interrupted": self.tuned.interrupted,
        }  # fmt: skip


def _number(value: float | None) -> float | None:
    return None if value is None or not np.isfinite(value) else float(value)
