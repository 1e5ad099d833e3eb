"""Subcommands that draw or convert saved results."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from .app import CaseName, Json, OneMode, Overrides, Picture, Work, app
from .completing import complete_case


@app.command("playback")
def _playback(
    case: Annotated[
        str,
        typer.Argument(
            metavar="CASE|RUN.nc", help="A case, which is simulated, or a saved run.", autocompletion=complete_case
        ),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE.html", help="Write the web page here.")],
    json: Json = False,
    overrides: Overrides = None,
) -> Work:
    """Show a run in three dimensions, with vectors and polhode, in one HTML file that works offline."""
    from .playing_back import play_back

    return partial(play_back, case, overrides=overrides or (), out=out, json=json)


@app.command("plot")
def _plot(
    runs: Annotated[list[str], typer.Argument(metavar="RUN.NC...", help="Saved runs, as polhode run --out writes.")],
    out: Annotated[Path, Picture],
    signals: Annotated[
        list[str] | None,
        typer.Option("--signal", metavar="NAME[.COMPONENT]", help="Draw this quantity, such as rate.x; repeatable."),
    ] = None,
    look: Annotated[
        str, typer.Option("--look", metavar="NAME", help="Style: screen, print (a column of 88 mm), slide or dark.")
    ] = "screen",
    json: Json = False,
) -> Work:
    """Plot saved runs in one figure and print the largest differences between them."""
    from .plotting import plot_runs

    return partial(plot_runs, runs, out=out, signals=signals or (), look=look, json=json)


@app.command("poles")
def _poles(
    case: CaseName,
    vary: Annotated[
        str,
        typer.Option("--vary", metavar="KEY.PATH=LOW:HIGH[:COUNT]", help="Parameter that is varied, and its range."),
    ],
    out: Annotated[Path | None, Picture] = None,
    overrides: Overrides = None,
    mode: OneMode = None,
    json: Json = False,
) -> Work:
    """Print and plot the poles of a case over one parameter: root locus and Campbell diagram."""
    from .pole_sweep import sweep_poles

    return partial(sweep_poles, case, vary, overrides=overrides or (), mode=mode, out=out, json=json)


@app.command("convert")
def _convert(
    run: Annotated[Path, typer.Argument(metavar="RUN.nc", help="A saved run.")],
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE", help="Output file: FILE.aem, FILE.oem or FILE.czml.")
    ],
    epoch: Annotated[str, typer.Option("--epoch", metavar="DATE", help="Date of t = 0, such as 2026-03-20T12:00:00.")],
    json: Json = False,
    name: Annotated[str | None, typer.Option("--name", help="Name of the spacecraft.")] = None,
    identifier: Annotated[str | None, typer.Option("--id", help="International designator of the spacecraft.")] = None,
    frame: Annotated[
        str | None, typer.Option("--frame", help="Name of the inertial frame; by default EME2000.")
    ] = None,
    center: Annotated[str | None, typer.Option("--center", help="Central body of the orbit; by default EARTH.")] = None,
    time_system: Annotated[
        str | None, typer.Option("--time-system", help="Time system of the epoch; by default UTC.")
    ] = None,
    position: Annotated[
        tuple[float, float, float] | None,
        typer.Option("--position", metavar="X Y Z", help="Earth-fixed position of a spacecraft without an orbit, m."),
    ] = None,
) -> Work:
    """Write attitude or orbit of a saved run as a CCSDS message (AEM, OEM) or for Cesium (CZML)."""
    from .converting import convert_run

    given = {"object_name": name, "object_id": identifier, "frame": frame, "center": center}
    given |= {"time_system": time_system, "position": position}
    return partial(convert_run, run, json=json, out=out, epoch=epoch, given=given)
