"""Subcommands that export to other programs, or simulate with them."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from .app import CaseName, Json, Overrides, Work, app


@app.command("export")
def _export(
    case: CaseName,
    json: Json = False,
    overrides: Overrides = None,
    law: Annotated[Path | None, typer.Option("--law", metavar="FILE.c", help="Write the law as C99.")] = None,
    block: Annotated[
        tuple[str, Path] | None,
        typer.Option(
            "--block",
            metavar="NAME FILE.c",
            help="Write a block such as the estimator as C99; allocation is the wheel allocation.",
        ),
    ] = None,
    float32: Annotated[bool, typer.Option("--float32", help="Use single precision (float) instead of double.")] = False,
    samples: Annotated[
        int,
        typer.Option("--samples", metavar="N", help="Number of samples of the case's run to write as test vectors."),
    ] = 200,
    wrapper: Annotated[
        str | None,
        typer.Option(
            "--wrapper", metavar="cfs|fprime", help="Write the law as a cFS application or F Prime component."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="FOLDER", help="Folder of the wrapper; its name becomes the name of the application."
        ),
    ] = None,
) -> Work:
    """Write the law of a case as C99 flight code, or as a cFS application or F Prime component."""
    from .exporting import export_case

    return partial(
        export_case,
        case,
        overrides=overrides or (),
        json=json,
        law=law,
        block=block,
        float32=float32,
        samples=samples,
        wrapper=wrapper,
        out=out,
    )


@app.command("fmu")
def _fmu(
    case: CaseName,
    json: Json = False,
    overrides: Overrides = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="FILE.fmu, or FILE.ssp with plant and law as two FMUs."),
    ] = None,
    fmi: Annotated[int, typer.Option("--fmi", metavar="3|2", help="Version of the FMI standard.")] = 3,
    plant: Annotated[
        bool, typer.Option("--plant", help="Export the plant only, with the control torque as input.")
    ] = False,
    law: Annotated[bool, typer.Option("--law", help="Export the law only, with the measurements as inputs.")] = False,
    platforms: Annotated[
        str,
        typer.Option("--platforms", metavar="P1,P2,...", help="Platforms to compile libraries for (needs zig)."),
    ] = "",
) -> Work:
    """Write the closed loop of a case as a functional mock-up unit (FMU) for other simulators."""
    from .exporting import export_unit

    return partial(
        export_unit,
        case,
        overrides=overrides or (),
        json=json,
        out=out,
        fmi=fmi,
        plant=plant,
        law=law,
        platforms=platforms,
    )


@app.command("cosim")
def _cosim(
    system: Annotated[Path, typer.Argument(metavar="SYSTEM.ssp", help="A system of FMUs (SSP 1.0).")],
    json: Json = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Write cosimulation.nc and .csv, summary.json and a figure here."),
    ] = None,
    trust: Annotated[
        bool, typer.Option("--trust", help="Allow the libraries of the FMUs to run with your rights.")
    ] = False,
    step: Annotated[
        float | None,
        typer.Option("--step", metavar="S", help="Communication step, s; the maximum step with --tolerance."),
    ] = None,
    duration: Annotated[float | None, typer.Option("--duration", metavar="S", help="Duration, s.")] = None,
    order: Annotated[
        str, typer.Option("--order", metavar="ORDER", help="Order of exchange: gauss-seidel or jacobi.")
    ] = "gauss-seidel",
    inputs: Annotated[
        str, typer.Option("--inputs", metavar="HOW", help="Extrapolation of inputs: constant or linear.")
    ] = "constant",
    iterate: Annotated[bool, typer.Option("--iterate", help="Repeat each step until its inputs converge.")] = False,
    tolerance: Annotated[
        float | None,
        typer.Option(
            "--tolerance",
            metavar="SHARE",
            help="Largest relative error of a step; steps with a larger error are shortened.",
        ),
    ] = None,
    estimate: Annotated[bool, typer.Option(help="Repeat the run with a finer step to estimate the error.")] = True,
    against: Annotated[
        Path | None,
        typer.Option(
            "--against", metavar="RUN.nc", help="Run of the same system without co-simulation, for comparison."
        ),
    ] = None,
) -> Work:
    """Co-simulate a system of functional mock-up units (FMUs) and estimate the coupling error."""
    from .cosimulating import cosimulate_file

    return partial(
        cosimulate_file,
        system,
        json=json,
        out=out,
        trust=trust,
        step=step,
        duration=duration,
        order=order,
        inputs=inputs,
        iterate=iterate,
        tolerance=tolerance,
        estimate=estimate,
        against=against,
    )
