"""Content of a review page: the run of a case, the campaign if any, and their origin."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ....plant.errors import InputError
from ...case.kinds.problem import build
from ...case.loader import LoadedCase, checked_case, load_case, shipped_cases
from ...case.located import located
from ...case.schema.authority import STORED
from ...case.trust import untrusted
from ...case_run import CaseRun, fly, measured

if TYPE_CHECKING:
    from ...case.campaigns.case_campaign import CaseCampaign

RUN_FILE = "run.nc"
"""Name of the run file in a folder written by `polhode run CASE --out`."""


@dataclass(frozen=True, eq=False, kw_only=True)
class PageSource:
    """Content of a page before it is written.

    Attributes
    ----------
    case_run : CaseRun
        The run of the case, or the nominal run of a campaign, with metrics and verdicts.
    given : str
        Argument of the command: the name of a shipped case, a case file, a run file, or the folder of a run or
        campaign.
    kind : str
        "case", "run" or "campaign".
    overrides : tuple of str
        Changed values of the case, ``key.path=value``.
    campaign : CaseCampaign or None
        The campaign.
    """

    case_run: CaseRun
    given: str
    kind: str
    overrides: tuple[str, ...] = ()
    campaign: "CaseCampaign | None" = None

    @property
    def noisy(self) -> bool:
        """True if the run drew random numbers, so that its results represent a single realisation."""
        return any(block.random for block in self.case_run.problem.blocks)


def page_source(given: str, *, overrides: Iterable[str] = ()) -> PageSource:
    """Return the content of a page.

    given: a shipped case, a TOML file, the run.nc of a run, or the folder of a run or campaign; overrides:
    ``key.path=value``, for a case. The name of a shipped case has priority over a folder of the same name. A case is
    simulated and a run is read. A campaign is read, and its nominal run is simulated. Raises InputError when `given` is
    none of these, or when overrides are given with results.
    """
    changes, path = tuple(overrides), Path(given)
    if path.is_dir() and given not in shipped_cases():
        if (path / RUN_FILE).is_file():
            path = path / RUN_FILE
        else:
            _require_no_overrides(given, changes, "the folder of a campaign")
            return _of_campaign(path)
    if path.suffix == ".nc":
        _require_no_overrides(given, changes, "a recorded run")
        return _of_run(path)
    loaded = load_case(given, changes)
    return PageSource(case_run=_simulated(loaded), given=given, kind="case", overrides=changes)


def _require_no_overrides(given: str, overrides: tuple[str, ...], what: str) -> None:
    if overrides:
        raise InputError(f"{given}: is {what}, which --set cannot change; use --set with a case")


def _simulated(loaded: LoadedCase) -> CaseRun:
    with located(loaded.source):
        problem = build(loaded.case)
        return measured(loaded, problem, fly(problem, name=loaded.name))


def _of_run(path: Path) -> PageSource:
    from ....sim import load

    loaded = load_case(path)
    with located(loaded.source):
        problem = build(loaded.case)
        run = load(path, craft=problem.craft, law=problem.law, reference=problem.reference, blocks=problem.blocks)
        return PageSource(case_run=measured(loaded, problem, run), given=str(path), kind="run")


def _of_campaign(folder: Path) -> PageSource:
    from ...case.campaigns.case_campaign import JOURNAL, run_campaign
    from ...case.campaigns.stored_campaign import stored_campaign

    journal = folder / JOURNAL
    if not journal.is_file():
        raise InputError(
            f"{folder}: has neither {RUN_FILE} nor {JOURNAL}; give the folder of polhode run or polhode campaign"
        )
    kept = stored_campaign(journal)
    loaded = checked_case(kept.name, kept.source, untrusted(kept.case), authority=STORED)
    found = run_campaign(loaded, runs=kept.runs, seed=kept.seed, plan=kept.plan, out=folder)
    return PageSource(case_run=_simulated(loaded), given=str(folder), kind="campaign", campaign=found)
