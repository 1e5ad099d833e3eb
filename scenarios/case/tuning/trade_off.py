"""Trade-off curve of a case: the best value of the soft goal for a range of bounds on one requirement."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....controllers.designs.tuning import Tuned
from ....plant.errors import InputError
from ..loader import LoadedCase, load_case
from ..located import located
from .case_goals import IN_DB, goal_for
from .case_search import CaseSearch
from .free_parameters import free_parameters
from .structure import with_structure

Array = NDArray[np.float64]

POINTS = 7  # default number of points
LOOSE = 1e6  # factor by which a bound is loosened to make it inactive
LOOSE_PEAK = 120.0  # dB


@dataclass(frozen=True, kw_only=True)
class TradePoint:
    """One tuned law of a trade-off curve.

    Attributes
    ----------
    bound : float or None
        Bound on the traded metric in this search; None at both ends of the curve: at one end the metric is not
        bounded, at the other end it is the soft goal.
    traded, soft : float
        Traded metric and soft goal of the tuned loop.
    met : bool
        Whether the bound and all other requirements are met.
    values : tuple of float
        Free parameters.
    """

    bound: float | None
    traded: float
    soft: float
    met: bool
    values: tuple[float, ...]


@dataclass(frozen=True, eq=False, kw_only=True)
class TradeOff:
    """Result of `trade_off`.

    Attributes
    ----------
    loaded : LoadedCase
        The case.
    traded, soft : str
        Names of the traded metric and of the soft goal.
    required : float or None
        Bound that the case requires of the traded metric.
    at_most : bool
        Whether the traded metric has an upper bound.
    keys : tuple of str
        Names of the free parameters.
    points : tuple of TradePoint
        From the best soft goal to the best traded metric.
    before : tuple of float
        Traded metric and soft goal of the law of the case, before the search.
    at_bound : tuple of tuple of str
        For each point, "low" or "high" for each free parameter that is at its bound, otherwise an empty string.
    interrupted : bool
        Whether Ctrl-C ended the search.
    """

    loaded: LoadedCase
    traded: str
    soft: str
    required: float | None
    at_most: bool
    keys: tuple[str, ...]
    points: tuple[TradePoint, ...]
    before: tuple[float, float]
    at_bound: tuple[tuple[str, ...], ...]
    interrupted: bool

    def meets(self, point: TradePoint) -> bool:
        """Return whether a point meets all requirements of the case, including the one on the traded metric.

        Parameters
        ----------
        point : TradePoint
            A point of the curve.

        Returns
        -------
        bool
            True if it meets them.
        """
        if self.required is None:
            return point.met
        if self.at_most:
            return point.met and point.traded <= self.required * (1.0 + 1e-9)
        return point.met and point.traded >= self.required * (1.0 - 1e-9)

    @property
    def met(self) -> bool:
        """True if any point of the curve meets every requirement."""
        return any(self.meets(each) for each in self.points)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {
            "case": self.loaded.name,
            "traded": self.traded,
            "soft": self.soft,
            "max" if self.at_most else "min": self.required,
            "before": {"traded": self.before[0], "soft": self.before[1]},
            "points": [
                {
                    "bound": each.bound,
                    "traded": each.traded,
                    "soft": each.soft,
                    "met": self.meets(each),
                    "values": dict(zip(self.keys, each.values, strict=True)),
                }
                for each in self.points
            ],
            "interrupted": self.interrupted,
        }


def trade_off(
    name_or_path: str | Path | LoadedCase,
    metric: str,
    *,
    points: int = POINTS,
    starts: int | None = None,
    seed: int | None = None,
    overrides: Iterable[str] = (),
    progress: Callable[[float], None] | None = None,
) -> TradeOff:
    """Return the trade-off curve between the soft goal of a case and one of its required margins or budgets.

    One end of the curve minimises (or maximises) the soft goal without a bound on the traded metric; the other end
    makes the traded metric as good as possible. Between the ends the soft goal is optimised for equally spaced bounds
    on the traded metric (epsilon-constraint method). All other requirements remain hard goals.

    Parameters
    ----------
    name_or_path : str, path or LoadedCase
        A shipped name, or the path of a TOML file, with `[tune]` and a soft goal.
    metric : str
        The traded metric: a margin or budget in `[[require]]`.
    points : int
        Number of points, at least 3.
    starts, seed : int, optional
        Number of starts for each end of the curve, and their seed, by default those in `[tune]`. The search for any
        other point starts from the previous point.
    overrides : iterable of str
        ``key.path=value``, applied to the case before validation.
    progress : callable, optional
        Called with the completed fraction of the work.

    Returns
    -------
    TradeOff
        The tuned laws along the curve; after Ctrl-C, the laws found so far.

    Raises
    ------
    InputError
        If the case has no soft goal, the metric is not required or is the soft goal, or the start is not stable.

    Notes
    -----
    Every point is a local minimum, so the curve is an upper bound of the best trade-off (a lower bound, if the soft
    goal is maximised). Y. Y. Haimes, L. S. Lasdon & D. A. Wismer, "On a bicriterion formulation of the problems of
    integrated system identification and system optimization", IEEE Trans. Syst. Man Cybern. 1 (1971) 296.
    """
    loaded = name_or_path if isinstance(name_or_path, LoadedCase) else load_case(name_or_path, overrides)
    with located(loaded.source):
        table = loaded.case.tune
        if table is None or (table.minimise is None and table.maximise is None):
            raise InputError('a trade-off needs a soft goal; give one in [tune], such as minimise = "ape_budget_deg"')
        loaded = with_structure(loaded)
        if points < 3:
            raise InputError(f"a trade-off needs at least 3 points, two of them its ends; got {points}")
        curve = _Curve(
            CaseSearch(
                loaded,
                free_parameters(loaded, table),
                starts=table.starts if starts is None else starts,
                seed=table.seed if seed is None else seed,
                progress=None,
            ),
            metric,
        )
        return curve.run(points, progress)


class _Curve:
    """Search for the points of a curve; number: index of the hard goal that is traded."""

    def __init__(self, search: CaseSearch, metric: str) -> None:
        self.search = search
        if not search.metric:
            raise InputError(
                "the loop of the case is not stable, so the trade-off has no start; run polhode tune first"
            )
        names = [each.key for each in search.require]
        metrics = [each.metric for each in search.require]
        if metric not in names and metrics.count(metric) == 1:
            metric = names[metrics.index(metric)]
        if metric == search.soft_name:
            raise InputError(f"{metric} is the soft goal itself; trade it with another required metric")
        if metric not in names:
            raise InputError(
                f"--trade-off {metric}: is not a required margin or budget of the case; take one of "
                f"{', '.join(each for each in names if each != search.soft_name) or 'none (give a [[require]])'}"
            )
        if names.count(metric) > 1:
            raise InputError(
                f"--trade-off {metric}: is required {names.count(metric)} times, and the other requirements would cut "
                "the curve off; keep one"
            )
        self.number = names.index(metric)
        self.goal = search.hard[self.number]
        self.required = search.bounds[self.number]
        self.metric, self.name = metrics[self.number], metric

    def run(self, points: int, progress: Callable[[float], None] | None) -> TradeOff:
        """Return the curve from the best soft goal to the best traded metric."""
        search, found = self.search, list[TradePoint]()

        def tell(count: int) -> None:
            if progress is not None:
                progress(count / points)

        first = self._tuned(None, search.parameters.start, search.starts)
        found.append(self._point(first, None))
        tell(1)
        stop = first.interrupted
        last: TradePoint | None = None
        if not stop:
            best = self._best(first.x)
            last = self._point(best, None)
            stop = best.interrupted
            tell(2)
        x = first.x
        if last is not None:
            for bound in np.linspace(found[0].traded, last.traded, points)[1:-1]:
                if stop:
                    break
                tuned = self._tuned(float(bound), x, 1)
                found.append(self._point(tuned, float(bound)))
                tell(len(found) + 1)
                x, stop = tuned.x, tuned.interrupted
            found.append(last)
        return TradeOff(
            loaded=search.loaded,
            traded=self.name,
            soft=search.soft_name,
            required=self.required,
            at_most=self.goal.at_most,
            keys=tuple(each.name for each in search.parameters.numbers),
            points=tuple(found),
            before=self._metrics(search.parameters.start),
            at_bound=tuple(
                tuple(free.at_bound(value) for free, value in zip(search.parameters.numbers, each.values, strict=True))
                for each in found
            ),
            interrupted=stop,
        )

    def _loose(self) -> float:
        """Return a bound on the traded metric that is never active."""
        if self.metric in IN_DB:
            return LOOSE_PEAK
        return self.required * LOOSE if self.goal.at_most else self.required / LOOSE

    def _tuned(self, bound: float | None, x: Array, starts: int) -> Tuned:
        self.search.bounds[self.number] = self._loose() if bound is None else bound
        self.search.tight = [1.0] * len(self.search.hard)
        return self.search.tuned(x, starts)

    def _best(self, x: Array) -> Tuned:
        """Return the law with the best traded metric, regardless of the soft goal."""
        search, soft = self.search, self.search.soft
        value, _ = self._metrics(x)
        if not isfinite(value) or (value <= 0.0 and self.metric not in IN_DB):
            raise InputError(
                f"--trade-off {self.metric}: is {value:g} for the law with the best soft goal, so there is nothing to "
                "trade; take another required metric"
            )
        mode, before = search.require[self.number].mode, search.soft_mode
        goal = goal_for(search.loaded.case, search.require[self.number], value)
        goal.every_model = False
        search.soft, search.soft_mode = [goal], mode
        try:
            return self._tuned(None, x, search.starts)
        except InputError as error:
            raise InputError(
                f"--trade-off {self.metric}: the search for its best value has no acceptable start ({error}); take "
                "another required metric, or more starts"
            ) from None
        finally:
            search.soft, search.soft_mode = soft, before

    def _point(self, tuned: Tuned, bound: float | None) -> TradePoint:
        traded, soft = self._metrics(tuned.x)
        return TradePoint(
            bound=bound,
            traded=traded,
            soft=soft,
            met=tuned.met and self.search.meets(tuned.x) and not self.search.runs.missed(tuned.x),
            values=tuple(float(each) for each in self.search.parameters.values(tuned.x)),
        )

    def _metrics(self, x: Array) -> tuple[float, float]:
        """Return traded metric and soft goal for scaled parameters."""
        search = self.search
        loop = search.loops.nominal[search.mode_of(self.number)](x)
        return float(search.measure(self.number, loop)), float(search.soft_value(x))
