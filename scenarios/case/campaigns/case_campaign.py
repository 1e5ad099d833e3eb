"""Monte Carlo campaign of a case, for ``polhode campaign`` and for Python."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ....controllers.laws.files.provenance import provenance
from ....plant.errors import InputError
from ....sim.runs.campaigns import BatchRunner, Campaign, Choice, Distribution, Draw, campaign, clopper_pearson
from ....sim.runs.campaigns.campaign import MOST_RUNS
from ....sim.runs.campaigns.draws import check_groups, draws_of
from ..files_read import digests_of, programs_in
from ..loader import LoadedCase, checked_case, load_case
from ..located import located
from ..overrides import apply_overrides
from ..schema.authority import STORED
from ..trust import untrusted
from .dispersions import correlated_of, dispersions_of, value_at
from .flyer import CaseFlyer, dispersed_case
from .stored_campaign import stored_campaign

JOURNAL = "campaign.journal"
MANY = 100  # number of runs between evaluations of the confidence intervals


@dataclass(frozen=True, kw_only=True)
class PassRate:
    """Pass rate of one requirement, or of all requirements.

    Attributes
    ----------
    name : str
        The metric with its bounds, or "all" for all requirements together.
    metric : str or None
        Name of the metric; None for all requirements together.
    passed, runs : int
        Number of runs that met the requirement, and total number of runs.
    low, high : float
        Clopper-Pearson confidence interval of the pass probability.
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
    """Result of a campaign.

    Attributes
    ----------
    loaded : LoadedCase
        The case.
    campaign : Campaign
        All runs: their dispersed values and metrics.
    rates : tuple of PassRate
        Pass rate of each `[[require]]`, and of all requirements together; empty if the case has none.
    unchecked : tuple of str
        External programs of the case. A resumed campaign checks that the files named in the case are unchanged, but
        cannot check other files that these programs read.
    noisy : bool
        Whether runs draw random numbers in addition to the dispersions, such as sensor noise. The nominal run is then
        only one realisation.
    """

    loaded: LoadedCase
    campaign: Campaign
    rates: tuple[PassRate, ...]
    unchecked: tuple[str, ...] = ()
    noisy: bool = False

    def _repr_html_(self) -> str:
        """Return HTML for a notebook."""
        from ...report.notebook_views import case_campaign_html

        return case_campaign_html(self)

    @property
    def confidence(self) -> float:
        """Confidence level of the confidence intervals."""
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
    """Run a Monte Carlo campaign: simulate a case many times with its `[dispersions]`.

    Parameters
    ----------
    name_or_path : str, path or LoadedCase
        A shipped name, or the path of a TOML file; see `load_case`.
    runs, seed, plan
        Number of runs, seed and sampling plan, which replace the values in `[campaign]`.
    workers : int, optional
        Number of parallel workers, by default the number of cores. The results do not depend on this number.
    dask : str or distributed.Client, optional
        Dask scheduler whose workers simulate the runs.
    out : str or path, optional
        Folder of the journal. An interrupted campaign resumes from it.
    overrides : iterable of str
        ``key.path=value``, applied to the case before the dispersions.
    sweep : mapping of str to sequence, optional
        Values of each swept key. Every combination is simulated once; the sweep replaces `[dispersions]`.
    progress : callable, optional
        Called with the completed fraction of the runs.

    Returns
    -------
    CaseCampaign
        All runs and their pass rates.

    Raises
    ------
    InputError
        If the case is invalid or has no dispersions, or if a dispersion does not affect the simulation.
    SaveError
        If the journal cannot be written.

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
                raise InputError("a sweep simulates every combination of its values once; omit runs and plan")
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
            BatchRunner(flyer.several),
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
            metadata=_metadata(loaded, dispersions),
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
    """Return the case with the grid of a sweep in place of its dispersions."""
    tables = {key: {"distribution": "list", "values": list(values)} for key, values in sweep.items()}
    seed = loaded.case.campaign.seed
    document = {**loaded.document, "dispersions": tables, "campaign": {"plan": "factorial", "seed": seed}}
    document.pop("correlated", None)
    return checked_case(loaded.name, loaded.source, document, authority=loaded.authority)


def case_of_run(folder: str | Path, run: int, overrides: Iterable[str] = ()) -> tuple[LoadedCase, Draw]:
    """Return the case of one campaign run, and its draw.

    folder: folder of the journal; run: number of the run; overrides: trust keys. Returns the case with the drawn
    values, and the draw. Seed and run number of the draw determine the sensor noise. Raises InputError if the campaign
    or the run does not exist, or if a file that the case reads has changed since the campaign.
    """
    path = Path(folder) / JOURNAL
    stored = stored_campaign(path)
    if not 0 <= run < MOST_RUNS or (run >= stored.runs and stored.plan != "random"):  # a random plan can be extended
        raise InputError(f"{path}: the runs are numbered 0 to {stored.runs - 1}; got {run}")
    document = untrusted(stored.case)
    apply_overrides(document, overrides)
    loaded = checked_case(stored.name, stored.source, document, authority=STORED)
    with located(str(path)):
        _require_dispersions(loaded)
        dispersions = dispersions_of(loaded.case)
        groups = correlated_of(loaded.case)
        check_groups(groups, dispersions)
        draw = draws_of(dispersions, groups, plan=stored.plan, runs=stored.runs, seed=stored.seed)(run)
    found = dispersed_case(loaded, draw, where=f"run {run}")
    for name, digest in digests_of(found.case).items():
        if stored.law_files.get(name, digest) != digest:
            raise InputError(
                f"{path}: {name} has changed since the campaign ran, so that run {run} cannot be reproduced; restore "
                "the file, or run the campaign again"
            )
    return found, draw


def _require_dispersions(loaded: LoadedCase) -> None:
    if not loaded.case.dispersions:
        raise InputError(
            'the case has no [dispersions]; give some, such as "plant.mass_kg" = { relative_sigma = 0.05 }'
        )


def _metadata(loaded: LoadedCase, dispersions: Mapping[str, Distribution]) -> dict[str, Any]:
    """Return the metadata that must be unchanged when a campaign resumes: the case, its files and the versions."""
    versions = provenance()
    made = {name: versions[name] for name in ("polhode", "numpy")}
    return {
        "name": loaded.name,
        "source": loaded.source,
        "case": dict(loaded.document),
        "versions": made,
        **_files(loaded, dispersions),
    }


def _files(loaded: LoadedCase, dispersions: Mapping[str, Distribution]) -> dict[str, Any]:
    """Return digests of the files named in the case, or in list values of its dispersions."""
    found = digests_of(loaded.case)
    for key, each in dispersions.items():
        for value in each.values if isinstance(each, Choice) else ():
            if isinstance(value, str | dict | list | tuple):
                with suppress(InputError):  # a run with an invalid value is rejected later
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
