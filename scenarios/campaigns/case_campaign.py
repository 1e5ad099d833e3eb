"""A case flown many times: what ``polhode campaign`` does, and what Python gets of it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...controllers.files.provenance import provenance
from ...plant.errors import InputError
from ...sim.campaigns import Campaign, Choice, Distribution, Draw, Together, campaign, clopper_pearson
from ...sim.campaigns.campaign import MOST_RUNS
from ...sim.campaigns.draws import check_groups, draws_of
from ..case.files_read import digests_of, programs_in
from ..case.loader import LoadedCase, checked_case, load_case
from ..case.located import located
from ..case.overrides import apply_overrides
from ..case.schema.authority import STORED
from ..case.trust import untrusted
from .dispersions import correlated_of, dispersions_of, value_at
from .flyer import CaseFlyer, dispersed_case
from .stored_campaign import stored_campaign

__all__ = ["JOURNAL", "CaseCampaign", "PassRate", "case_of_run", "run_campaign"]

JOURNAL = "campaign.journal"
MANY = 100  # runs between two looks at the intervals


@dataclass(frozen=True, kw_only=True)
class PassRate:
    """How many runs met a requirement, or all of them.

    Attributes
    ----------
    name : str
        The metric with its bounds; "all" for every requirement at once.
    metric : str or None
        The metric.
    passed, runs : int
        How many runs met it, of how many.
    low, high : float
        Confidence interval of the probability (Clopper and Pearson).
    """

    name: str
    metric: str | None
    passed: int
    runs: int
    low: float
    high: float

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON.

        Returns
        -------
        dict
            requirement, passed, runs, share, low, high.
        """
        numbers = {"passed": self.passed, "runs": self.runs, "share": self.passed / self.runs}
        return {"requirement": self.name, **numbers, "low": self.low, "high": self.high}


@dataclass(frozen=True, eq=False, kw_only=True)
class CaseCampaign:
    """What came of a case flown many times.

    Attributes
    ----------
    loaded : LoadedCase
        The case.
    campaign : Campaign
        Every run: what was flown, what was measured.
    rates : tuple of PassRate
        Of each `[[require]]`, and of all together; empty without any.
    unchecked : tuple of str
        Programs of the case: a campaign that resumes compares every file that the case names, but not what else these
        read.
    noisy : bool
        Whether a run draws random numbers beside what scatters, such as noise of sensors: the nominal run, which is
        that of the case itself, is one draw then.
    """

    loaded: LoadedCase
    campaign: Campaign
    rates: tuple[PassRate, ...]
    unchecked: tuple[str, ...] = ()
    noisy: bool = False

    @property
    def confidence(self) -> float:
        """Of the intervals."""
        return self.loaded.case.campaign.confidence


def run_campaign(
    name_or_path: str | Path | LoadedCase,
    *,
    runs: int | None = None,
    seed: int | None = None,
    plan: str | None = None,
    workers: int | None = None,
    dask: Any = None,
    out: str | Path | None = None,
    overrides: Iterable[str] = (),
    sweep: Mapping[str, Sequence[Any]] | None = None,
    progress: Callable[[float], None] | None = None,
) -> CaseCampaign:
    """Fly a case many times with its numbers scattered as `[dispersions]` says.

    Parameters
    ----------
    name_or_path : str, path or LoadedCase
        A shipped name, or the path of a TOML file; see `load_case`.
    runs, seed, plan
        In place of those of `[campaign]`.
    workers : int, optional
        How many runs fly at once; as many as there are cores if left out. The results are the same for any number.
    dask : str or distributed.Client, optional
        A Dask scheduler whose workers fly in their place.
    out : str or path, optional
        A folder for the journal: a campaign that was interrupted goes on from there.
    overrides : iterable of str
        ``key.path=value``, applied to the case before anything scatters.
    sweep : mapping of str to sequence, optional
        Values of some keys: every combination of them is flown, once, in place of what `[dispersions]` says.
    progress : callable, optional
        Called with the share of the runs done.

    Returns
    -------
    CaseCampaign
        Every run, and how many met the requirements.

    Raises
    ------
    InputError
        When the case is refused, or nothing in it scatters, or what scatters reaches nothing that flies.
    SaveError
        When the journal cannot be written.

    Examples
    --------
    >>> found = run_campaign("slew-dispersed", runs=20, workers=1)
    >>> found.campaign.run.size, len(found.rates)
    (20, 3)
    """
    loaded = name_or_path if isinstance(name_or_path, LoadedCase) else load_case(name_or_path, overrides)
    with located(loaded.source):
        if sweep is not None:
            if runs is not None or plan is not None:
                raise InputError("a sweep flies every combination of its values once; leave runs and plan out")
            loaded = _swept(loaded, sweep)
        if seed is not None and seed < 0:
            raise InputError(f"seed must be a whole number of at least 0; got {seed}")
        _require_dispersions(loaded)
        dispersions = dispersions_of(loaded.case)
        flyer = CaseFlyer(loaded, dispersions)
        flyer.require_reach()
        table = loaded.case.campaign
        stop = table.stop_width
        found = campaign(
            Together(flyer.several),
            dispersions,
            runs=table.runs if runs is None else runs,
            seed=table.seed if seed is None else seed,
            plan=table.plan if plan is None else plan,
            correlated=correlated_of(loaded.case),
            nominal={key: value_at(loaded.case, key) for key in dispersions},
            workers=workers,
            engine="auto" if flyer.flies_together else "processes",
            dask=dask,
            journal=None if out is None else Path(out) / JOURNAL,
            facts=_facts(loaded, dispersions),
            enough=None if stop is None or not loaded.case.require else lambda so_far: _narrow(loaded, so_far, stop),
            each=MANY,
            progress=progress,
        )
    return CaseCampaign(
        loaded=loaded,
        campaign=found,
        rates=_rates(loaded, found),
        unchecked=programs_in(loaded.case),
        noisy=any(block.random for block in flyer.nominal.blocks),
    )


def _swept(loaded: LoadedCase, sweep: Mapping[str, Sequence[Any]]) -> LoadedCase:
    """The case with a grid in place of its dispersions: the same as if it were written there."""
    tables = {key: {"distribution": "list", "values": list(values)} for key, values in sweep.items()}
    seed = loaded.case.campaign.seed
    document = {**loaded.document, "dispersions": tables, "campaign": {"plan": "factorial", "seed": seed}}
    document.pop("correlated", None)
    return checked_case(loaded.name, loaded.source, document, authority=loaded.authority)


def case_of_run(folder: str | Path, run: int, overrides: Iterable[str] = ()) -> tuple[LoadedCase, Draw]:
    """Return the case that a run of a campaign flew, and what it drew.

    folder: where its journal is; run: its number; overrides: what of it is trusted -> the case with the values drawn,
    and the draw, by whose seed and number its sensors draw. Raises InputError when there is no such campaign or run.
    """
    path = Path(folder) / JOURNAL
    stored = stored_campaign(path)
    if not 0 <= run < MOST_RUNS or (run >= stored.runs and stored.plan != "random"):  # a random plan may have grown
        raise InputError(f"{path}: has runs 0 to {stored.runs - 1}; got {run}")
    document = untrusted(stored.case)
    apply_overrides(document, overrides)
    loaded = checked_case(stored.name, stored.source, document, authority=STORED)
    with located(str(path)):
        _require_dispersions(loaded)
        dispersions = dispersions_of(loaded.case)
        groups = correlated_of(loaded.case)
        check_groups(groups, dispersions)
        draw = draws_of(dispersions, groups, plan=stored.plan, runs=stored.runs, seed=stored.seed)(run)
    return dispersed_case(loaded, draw, where=f"run {run}"), draw


def _require_dispersions(loaded: LoadedCase) -> None:
    if not loaded.case.dispersions:
        raise InputError(
            'the case has no [dispersions]: say what scatters, such as "plant.mass_kg" = { relative_sigma = 0.05 }'
        )


def _facts(loaded: LoadedCase, dispersions: Mapping[str, Distribution]) -> dict[str, Any]:
    """Facts that must be the same when a campaign resumes: the case, the files it reads and the versions."""
    told = provenance()
    made = {name: told[name] for name in ("polhode", "numpy")}
    return {
        "name": loaded.name,
        "source": loaded.source,
        "case": dict(loaded.document),
        "versions": made,
        **_files(loaded, dispersions),
    }


def _files(loaded: LoadedCase, dispersions: Mapping[str, Distribution]) -> dict[str, Any]:
    """Digests of the files that the case names, such as one of gains, or that a value of a list in it names."""
    found = digests_of(loaded.case)
    for key, each in dispersions.items():
        for value in each.values if isinstance(each, Choice) else ():
            if isinstance(value, str | dict | list | tuple):
                with suppress(InputError):  # a value that makes no case is a run that was refused
                    draw = Draw(run=0, seed=0, values={key: value})
                    found |= digests_of(dispersed_case(loaded, draw, where=key).case)
    return {"law_files": found} if found else {}


def _rates(loaded: LoadedCase, found: Campaign) -> tuple[PassRate, ...]:
    required, total = loaded.case.require, found.run.size
    if not required or not total:
        return ()
    together = np.ones(total, dtype=np.bool_)
    rates: list[PassRate] = []
    for requirement in required:
        low, high = requirement.bounds
        good = found.passed(requirement.key, low=low, high=high)
        together &= good
        bounds = (f">= {low:g}" if np.isfinite(low) else "", f"<= {high:g}" if np.isfinite(high) else "")
        name = f"{requirement.key} {' and '.join(word for word in bounds if word)}"
        rates.append(_rate(loaded, name, requirement.key, int(good.sum()), total))
    return (*rates, _rate(loaded, "all", None, int(together.sum()), total))


def _rate(loaded: LoadedCase, name: str, metric: str | None, passed: int, runs: int) -> PassRate:
    low, high = clopper_pearson(passed, runs, confidence=loaded.case.campaign.confidence)
    return PassRate(name=name, metric=metric, passed=passed, runs=runs, low=low, high=high)


def _narrow(loaded: LoadedCase, so_far: Campaign, width: float) -> bool:
    return all(rate.high - rate.low <= width for rate in _rates(loaded, so_far))
