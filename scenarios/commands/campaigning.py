"""``polhode campaign``: Monte Carlo campaign of a case with dispersed parameters."""

import sys
from collections.abc import Iterable
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...plant.errors import InputError
from ..case.campaigns.case_campaign import JOURNAL, CaseCampaign, run_campaign
from ..case.campaigns.summary import campaign_summary, table_of
from ..case.campaigns.table_file import table_name, write_table
from ..case.loader import load_case
from ..case.stored import state_case
from ..report.output import Results, prepare
from ..report.progress import progress

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST = 100_000


def fly_campaign(
    name: str,
    *,
    overrides: Iterable[str],
    runs: int | None,
    seed: int | None,
    plan: str | None,
    sweep: Iterable[str],
    workers: int | None,
    dask: str | None,
    json: bool,
    out: Path | None,
) -> int:
    """Run a campaign and print its results.

    Returns 0 if every run was simulated and the claim of the case is demonstrated, 130 if interrupted, otherwise 1.
    """
    grid = dict(parse_sweep(text) for text in sweep) or None
    loaded = load_case(name, overrides)
    state_case(loaded)
    resumes = out is not None and (out / JOURNAL).exists()
    if out is not None:
        prepare(out)
    with Results(out) as results:
        with progress(loaded.name) as show:
            found = run_campaign(
                loaded,
                runs=runs,
                seed=seed,
                plan=plan,
                sweep=grid,
                workers=workers,
                dask=dask,
                out=out,
                progress=show,
            )
        if resumes and found.unchecked:
            sys.stderr.write(
                f"polhode: {loaded.name}: resumes earlier runs; files read by these programs were not compared: "
                f"{'; '.join(found.unchecked)}\n"
            )
        return _report(found, results, json=json)


def parse_sweep(text: str) -> tuple[str, list[float]]:
    """Parse the argument of ``--sweep``.

    text: ``key=a:b:n``. Returns the key, and n evenly spaced values from a to b. Raises InputError for any other form.

    Examples
    --------
    >>> parse_sweep("controller.sample_s=0.1:0.3:3")
    ('controller.sample_s', [0.1, 0.2, 0.3])
    """
    key, _, span = text.partition("=")
    try:
        first, last, count = span.split(":")
        low, high, many = float(first), float(last), int(count)
    except ValueError:
        raise InputError(f"--sweep {text!r}: write key=first:last:count, such as plant.mass_kg=90:110:5") from None
    if not (key and isfinite(low) and isfinite(high) and 2 <= many <= MOST):
        raise InputError(f"--sweep {text!r}: requires 2 to {MOST} values between two finite numbers")
    return key.strip(), [float(f"{value:.12g}") for value in np.linspace(low, high, many)]


def _report(found: CaseCampaign, results: Results, *, json: bool) -> int:
    from ..report.json_text import dump

    summary = campaign_summary(found)
    table = table_name()
    results.write(table, lambda path: write_table(path, table_of(found.campaign), table))
    results.pictures(lambda: _pictures(found))
    summary = results.finish("campaign.json", summary)
    if json:
        sys.stdout.write(dump(summary) + "\n")
    else:
        from ..report.console_campaign import show_campaign

        show_campaign(summary, title=found.loaded.case.title, files=results.files, out=results.where)
    return results.code(judge_campaign(found, summary.get("claim")))


def _pictures(found: CaseCampaign) -> "dict[str, Figure]":
    from ..pictures.study.campaign import campaign_figures

    return campaign_figures(found)


def judge_campaign(found: CaseCampaign, claim: dict[str, object] | None) -> int:
    """Report failures of a campaign on stderr and return the exit code."""
    c, name = found.campaign, found.loaded.name
    if c.ended == "interrupted":
        sys.stderr.write(
            f"polhode: {name}: interrupted after {c.run.size} of {c.planned} runs; repeat the command with the same "
            "--out to resume\n"
        )
        return 130
    if claim is not None and not claim["shown"]:
        verb = "refute" if claim["refuted"] else "do not show"
        sys.stderr.write(f"polhode: {name}: the runs {verb} what the case claims\n")
        return 1
    return 0
