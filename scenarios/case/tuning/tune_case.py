"""Tune the law of a case to its requirements, for the nominal or for every dispersed spacecraft."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from ....plant.errors import InputError
from ...report.progress import part_of
from ..campaigns.case_campaign import run_campaign
from ..loader import LoadedCase, load_case
from ..located import located
from .case_search import CaseSearch
from .free_parameters import FreeParameters, free_parameters
from .structure import with_structure
from .tuned_case import TunedCase

SEARCH = 0.8  # share of the progress bar for the search, if nonlinear runs follow


def tune_case(
    name_or_path: str | Path | LoadedCase,
    *,
    worst: bool = False,
    starts: int | None = None,
    seed: int | None = None,
    sigmas: float = 3.0,
    boxes: int = 128,
    runs: int = 0,
    overrides: Iterable[str] = (),
    progress: Callable[[float], None] | None = None,
) -> TunedCase:
    """Tune the free parameters of `[tune]` so that the loop meets the requirements of the case.

    Hard goals are the requirements on margins and budgets and, in a second stage, those on the simulated run that the
    first stage does not meet. Gradients of run metrics follow from exact tangents. The soft goal is `tune.minimise` or
    `tune.maximise`, or otherwise the smallest change of the parameters. With `worst`, the search adds the worst-case
    spacecraft within the dispersions to its models, until the values guaranteed for every spacecraft meet the
    requirements. In a case with `[[modes]]`, each goal belongs to the loop in its mode.

    Parameters
    ----------
    name_or_path : str, path or LoadedCase
        A shipped name, or the path of a TOML file, with `[tune]`.
    worst : bool
        Whether every spacecraft within `[dispersions]` must meet the required margins and budgets.
    starts, seed : int, optional
        Number of starts and their seed, by default those in `[tune]`.
    sigmas : float
        Truncation of unbounded distributions, in standard deviations.
    boxes : int
        Largest number of boxes for a guaranteed margin; see `controllers.robust_margin_bound`.
    runs : int
        With `worst`, number of nonlinear runs of the tuned case at random values of its dispersions, simulated if the
        loop meets its requirements for every spacecraft.
    overrides : iterable of str
        ``key.path=value``, applied to the case before validation.
    progress : callable, optional
        Called with the estimated completed fraction of the work.

    Returns
    -------
    TunedCase
        Tuned values, and each requirement before and after tuning; after Ctrl-C, the best values so far.

    Raises
    ------
    InputError
        If the case has no `[tune]`, no goal, a requirement that tuning does not support, or no stable start.
    """
    loaded = name_or_path if isinstance(name_or_path, LoadedCase) else load_case(name_or_path, overrides)
    with located(loaded.source):
        table = loaded.case.tune
        if table is None:
            raise InputError('the case has no [tune]; give one, such as [tune] free = ["controller.attitude_weight"]')
        original, loaded = loaded, with_structure(loaded)
        table = loaded.case.tune or table
        if worst and not loaded.case.dispersions:
            raise InputError("--worst needs [dispersions], but the case has none; add some, or remove --worst")
        parameters = free_parameters(loaded, table)
        if worst:
            _check_apart(parameters, loaded.case.dispersions)
        many = worst and runs > 0 and bool(loaded.case.require)
        search = CaseSearch(
            loaded,
            parameters,
            starts=table.starts if starts is None else starts,
            seed=table.seed if seed is None else seed,
            progress=part_of(progress, 0.0, SEARCH) if many else progress,
        )
        found = replace(search.run(worst=worst, sigmas=sigmas, boxes=boxes), before=original)
    if not many or found.tuned.interrupted or found.unchecked or not all(each.met for each in found.requirements):
        return found
    campaign = run_campaign(found.loaded, runs=runs, plan="random", progress=part_of(progress, SEARCH, 1.0))
    return replace(found, campaign=campaign)


def _check_apart(parameters: FreeParameters, dispersed: Iterable[str]) -> None:
    """Raise InputError if a key is both free and dispersed, so that a spacecraft would not have the tuned value."""
    for key, _, _ in parameters.keys:
        for other in dispersed:
            if f"{key}.".startswith(f"{other}.") or f"{other}.".startswith(f"{key}."):
                raise InputError(
                    f"{key} is free, but dispersions.{other} changes it too, so no spacecraft would have the tuned "
                    "value; remove one of the two"
                )
