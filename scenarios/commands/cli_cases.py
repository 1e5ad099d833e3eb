"""Subcommands that list, write, run and report cases."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from .app import CaseName, Json, Overrides, Work, app
from .completing import complete_case


@app.command("list")
def _list(
    folder: Annotated[
        Path | None, typer.Argument(metavar="FOLDER", help="A folder of case files; by default the shipped cases.")
    ] = None,
    json: Json = False,
) -> Work:
    """List the cases that ship with polhode, or the cases in a folder."""
    from .case_files import list_cases

    return partial(list_cases, folder, json=json)


@app.command("new")
def _new(
    name: Annotated[Path, typer.Argument(metavar="NAME", help="Name of the case: writes NAME.toml.")],
    json: Json = False,
) -> Work:
    """Write a commented case of a small spacecraft, to adapt to your own."""
    from .case_files import new_case

    return partial(new_case, name, json=json)


@app.command("show")
def _show(case: CaseName, json: Json = False, overrides: Overrides = None) -> Work:
    """Print the file of a case."""
    from .case_files import show_case

    return partial(show_case, case, overrides=overrides or (), json=json)


@app.command("run")
def _run(
    case: Annotated[
        str | None,
        typer.Argument(
            metavar="CASE", help="A shipped case (see polhode list) or a TOML file.", autocompletion=complete_case
        ),
    ] = None,
    json: Json = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Folder of run.nc, summary.json and figures."),
    ] = None,
    overrides: Overrides = None,
    at: Annotated[
        str | None, typer.Option("--at", metavar="T1,T2,...", help="Times of the samples in the summary, s.")
    ] = None,
    from_campaign: Annotated[
        Path | None,
        typer.Option("--from-campaign", metavar="DIR", help="Repeat a run of this campaign, instead of CASE."),
    ] = None,
    number: Annotated[
        int | None, typer.Option("--run", metavar="K", help="Number of the run, with --from-campaign.")
    ] = None,
    real_time: Annotated[
        float | None,
        typer.Option(
            "--real-time",
            metavar="RATE",
            help="Simulated seconds per second of wall-clock time, for external processes.",
        ),
    ] = None,
) -> Work:
    """Simulate a case, measure it and check its requirements."""
    from .running import run_and_print

    return partial(
        run_and_print,
        case,
        overrides=overrides or (),
        at=at,
        json=json,
        out=out,
        campaign=from_campaign,
        number=number,
        real_time=real_time,
    )


@app.command("report")
def _report(
    given: Annotated[
        str,
        typer.Argument(
            metavar="CASE|RUN.nc|DIR",
            help="A case, the run.nc of polhode run, or the folder of polhode campaign.",
            autocompletion=complete_case,
        ),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE.html", help="Write the page here.")],
    json: Json = False,
    overrides: Overrides = None,
) -> Work:
    """Write the review page of a case, a run or a campaign: one self-contained HTML file."""
    from .reporting import report_case

    return partial(report_case, given, overrides=overrides or (), out=out, json=json)
