"""``polhode report``: write the review page of a case, a run or a campaign as one HTML file."""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from ...controllers.laws.files.provenance import state
from ...controllers.laws.files.whole_file import write_whole
from ...plant.errors import InputError

if TYPE_CHECKING:
    from ..report.page.source import PageSource

SUFFIXES = (".html", ".htm")


def report_case(given: str, *, overrides: Iterable[str], out: Path, json: bool) -> int:
    """Write the review page of a case, a run or a campaign.

    given: a shipped case, a TOML file, the run.nc of a saved run, or the folder of a campaign.
    overrides: ``key.path=value``, for a case.
    out: output file, with suffix .html.
    json: print one JSON object.
    Returns 0 if the run completed, every requirement is met, and the claim of a campaign, if any, is demonstrated;
    otherwise 1.
    Raises InputError if the output file has a different suffix or its folder does not exist, and SaveError if it cannot
    be written.
    """
    from ...controllers.laws.files.plant_fingerprint import flown_fingerprint
    from ..case.stored import state_case
    from ..report.json_text import dump
    from ..report.page.document import page_html
    from ..report.page.source import page_source

    _check(out)
    source = page_source(given, overrides=overrides)
    case_run = source.case_run
    problem = case_run.problem
    state_case(case_run.loaded)
    state({"plant_fingerprint": flown_fingerprint(problem.craft, problem.law, problem.state)})
    page = page_html(source, out=out.name)
    write_whole(out, lambda path: path.write_text(page, encoding="utf-8"))
    size = out.stat().st_size
    verdicts = [verdict.to_dict() for verdict in case_run.requirements]
    summary = {
        "case": case_run.loaded.name,
        "kind": source.kind,
        "status": case_run.run.status,
        "requirements": verdicts,
        "out": str(out),
        "bytes": size,
    }
    if json:
        sys.stdout.write(dump(summary) + "\n")
    else:
        sys.stdout.write(f"written to {out} ({size / 1e6:.2f} MB)\n")
    return _judgement(source)


def _check(out: Path) -> None:
    if out.suffix.lower() not in SUFFIXES:
        raise InputError(f"--out {out}: is not an HTML file; use the suffix .html")
    if out.is_dir():
        raise InputError(f"--out {out}: is a folder; give a file")
    if not out.parent.is_dir():
        raise InputError(f"--out {out}: there is no folder {out.parent}; create it first")


def _judgement(source: "PageSource") -> int:
    """Report failures on stderr and return the exit code, as `polhode run` and `polhode campaign` do."""
    from .campaigning import judge_campaign
    from .running import judge_run

    code = judge_run(source.case_run)
    if source.campaign is None:
        return code
    from ..case.campaigns.summary import campaign_summary

    return code or judge_campaign(source.campaign, campaign_summary(source.campaign).get("claim"))
