"""Verbs and options of the `polhode` command; `invoke` runs them."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from polhode import __version__

from .completing import complete_case

__all__ = ["app"]

app = typer.Typer(
    name="polhode",
    help="Spacecraft attitude control: exact linear models, controllers, compiled nonlinear simulation.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Work = Callable[[], int]
"""Deferred work of a parsed command; `main` runs it outside typer, which handles interrupts and errors differently."""

CaseName = Annotated[
    str,
    typer.Argument(
        metavar="CASE", help="A shipped case (see polhode list) or a TOML file.", autocompletion=complete_case
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Overrides = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY.PATH=VALUE", help="Change a value of the case; repeatable."),
]
Sigmas = Annotated[
    float | None,
    typer.Option(
        "--sigmas",
        metavar="K",
        help="With --worst: truncation of normal distributions, in standard deviations (3).",
    ),
]
OneMode = Annotated[
    str | None, typer.Option("--mode", metavar="NAME", help="Mode whose loop is analysed, for a case with [[modes]].")
]
Steady = Annotated[
    bool, typer.Option("--allow-nonequilibrium", help="Linearise about a state that is not an equilibrium.")
]

EulerSequence = Annotated[str, typer.Argument(metavar="SEQUENCE", help="An Euler sequence such as 3-1-3.")]
Picture = typer.Option("--out", metavar="FILE", help="Write the picture here: .png, .svg or .pdf.")
Angles = typer.Option("--angles-deg", metavar="A1 A2 A3", help="Euler angles in the order of the sequence.")


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False,
) -> None:
    if version:
        from ...sim.codegen.library import announce_missing

        typer.echo(f"polhode {__version__}")
        announce_missing()
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit


@app.command("list")
def _list(
    folder: Annotated[
        Path | None, typer.Argument(metavar="FOLDER", help="A folder of case files; by default the shipped cases.")
    ] = None,
    json: Json = False,
) -> Work:
    """List the cases that ship with polhode, or those of a folder."""
    from .case_files import list_cases

    return partial(list_cases, folder, json=json)


@app.command("new")
def _new(
    name: Annotated[Path, typer.Argument(metavar="NAME", help="Name of the case: writes NAME.toml.")],
    json: Json = False,
) -> Work:
    """Write a commented case of a small spacecraft, to change into your own."""
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
        typer.Option("--out", metavar="DIR", help="Write run.nc, summary.json and pictures here."),
    ] = None,
    overrides: Overrides = None,
    at: Annotated[
        str | None, typer.Option("--at", metavar="T1,T2,...", help="Times of the samples in the summary, s.")
    ] = None,
    from_campaign: Annotated[
        Path | None,
        typer.Option("--from-campaign", metavar="DIR", help="Repeat a run of this campaign, in place of CASE."),
    ] = None,
    number: Annotated[
        int | None, typer.Option("--run", metavar="K", help="Number of the run, with --from-campaign.")
    ] = None,
    real_time: Annotated[
        float | None,
        typer.Option(
            "--real-time", metavar="RATE", help="Simulated seconds per second of real time, for external processes."
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
    """Write the review page of a case, a run or a campaign: one HTML file that makes no request."""
    from .reporting import report_case

    return partial(report_case, given, overrides=overrides or (), out=out, json=json)


@app.command("design")
def _design(
    case: CaseName,
    json: Json = False,
    overrides: Overrides = None,
    method: Annotated[
        str | None,
        typer.Option(
            "--method", metavar="KIND", help="Another kind of law with the same natural frequency and damping ratio."
        ),
    ] = None,
    compare: Annotated[
        str | None,
        typer.Option(
            "--compare", metavar="KIND1,KIND2,...", help="Simulate these laws with equal tuning and compare them."
        ),
    ] = None,
    mode: OneMode = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Write design.json and pictures here.")
    ] = None,
) -> Work:
    """Design the controller of a case: gains, closed-loop poles, margins of the sampled loop."""
    from .designing import design_case

    return partial(
        design_case, case, overrides=overrides or (), json=json, method=method, compare=compare, mode=mode, out=out
    )


@app.command("plan")
def _plan(
    case: CaseName,
    json: Json = False,
    overrides: Overrides = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Write the plan here; by default to reference.plan of the case."),
    ] = None,
) -> Work:
    """Plan the slew of a case in least time: duration, start that won, and extremes between the samples."""
    from .planning import plan_and_print

    return partial(plan_and_print, case, overrides=overrides or (), json=json, out=out)


@app.command("tune")
def _tune(
    case: CaseName,
    json: Json = False,
    overrides: Overrides = None,
    worst: Annotated[
        bool, typer.Option("--worst", help="Meet required margins for every spacecraft within the dispersions.")
    ] = False,
    starts: Annotated[int | None, typer.Option("--starts", metavar="N", help="Number of starts.")] = None,
    seed: Annotated[int | None, typer.Option("--seed", metavar="S", help="Seed of the starts.")] = None,
    sigmas: Sigmas = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Write tune.json, tuned.toml, law.toml and the picture here."),
    ] = None,
) -> Work:
    """Tune the free parameters of a case to its requirements; goals and values before and after."""
    if sigmas is not None and not worst:
        raise typer.BadParameter("--sigmas is an option of --worst; add --worst or remove --sigmas")
    if starts is not None and starts < 1:
        raise typer.BadParameter(f"--starts must be at least 1; got {starts}")
    if seed is not None and seed < 0:
        raise typer.BadParameter(f"--seed must be at least 0; got {seed}")
    from .tuning import tune_and_print

    return partial(
        tune_and_print,
        case,
        worst=worst,
        starts=starts,
        seed=seed,
        sigmas=sigmas,
        overrides=overrides or (),
        json=json,
        out=out,
    )


@app.command("analyse")
def _analyse(
    case: CaseName,
    json: Json = False,
    overrides: Overrides = None,
    mode: OneMode = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Write analysis.json and pictures here.")
    ] = None,
) -> Work:
    """Compare the margins of a case with its simulation; Lyapunov function, unwinding, region of attraction."""
    from .analysing import analyse_case

    return partial(analyse_case, case, overrides=overrides or (), json=json, mode=mode, out=out)


@app.command("campaign")
def _campaign(
    case: CaseName,
    json: Json = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Store every run here; an interrupted campaign resumes from it."),
    ] = None,
    overrides: Overrides = None,
    runs: Annotated[int | None, typer.Option("--runs", metavar="N", help="Number of runs.")] = None,
    seed: Annotated[int | None, typer.Option("--seed", metavar="S", help="Seed of all random numbers.")] = None,
    plan: Annotated[
        str | None,
        typer.Option(
            "--plan",
            metavar="PLAN",
            help="random, latin-hypercube, sobol, saltelli, factorial, one-at-a-time or corners.",
        ),
    ] = None,
    sweep: Annotated[
        list[str] | None,
        typer.Option(
            "--sweep",
            metavar="KEY=A:B:N",
            help="Sweep a key over N values from A to B in place of the dispersions; repeatable.",
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option("--workers", metavar="N", help="Number of parallel workers; by default the number of cores."),
    ] = None,
    dask: Annotated[
        str | None, typer.Option("--dask", metavar="ADDRESS", help="Dask scheduler whose workers simulate the runs.")
    ] = None,
    worst: Annotated[
        str | None,
        typer.Option(
            "--worst",
            metavar="METRIC",
            help="Search for the worst-case spacecraft in a metric such as disk_margin_all.",
        ),
    ] = None,
    sigmas: Sigmas = None,
    mode: OneMode = None,
) -> Work:
    """Simulate a case many times with dispersed numbers: pass rates, spread, sensitivities."""
    if worst is not None:
        from .worst import print_worst

        flown = {"runs": runs, "plan": plan, "sweep": sweep, "workers": workers, "dask": dask}
        return partial(
            print_worst,
            case,
            worst,
            mode=mode,
            overrides=overrides or (),
            seed=seed,
            sigmas=sigmas,
            json=json,
            out=out,
            spare=flown,
        )
    if sigmas is not None:
        raise typer.BadParameter("--sigmas is an option of --worst; add --worst METRIC or remove --sigmas")
    if mode is not None:
        raise typer.BadParameter("--mode is an option of --worst; add --worst METRIC or remove --mode")
    from .campaigning import fly_campaign

    return partial(
        fly_campaign,
        case,
        overrides=overrides or (),
        runs=runs,
        seed=seed,
        plan=plan,
        sweep=sweep or (),
        workers=workers,
        dask=dask,
        json=json,
        out=out,
    )


@app.command("linearize")
def _linearize(
    case: CaseName,
    json: Json = False,
    overrides: Overrides = None,
    allow_nonequilibrium: Steady = False,
    modes: Annotated[
        int | None,
        typer.Option("--modes", metavar="N", help="Replace flexible arms by their N lowest vibration modes."),
    ] = None,
    damping: Annotated[
        float | None,
        typer.Option("--damping", metavar="RATIO", help="Damping ratio of every vibration mode of flexible arms."),
    ] = None,
    actuators: Annotated[
        str | None,
        typer.Option("--actuators", metavar="NAME", help="Control torque to take as input: wheels or external."),
    ] = None,
    coordinates: Annotated[
        list[str] | None,
        typer.Option(
            "--coordinate",
            metavar="COORDINATE",
            help="Add the load on this element coordinate, such as wheel_angle, as an input; repeatable.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="DIR", help="Write linear_model.json here, with pictures of the modes of flexible arms."
        ),
    ] = None,
) -> Work:
    """Linearise a case exactly about its reference, or about its initial state when it has none.

    The options for flexible arms replace the arms, at rest, by vibration modes and list frequency, damping and
    participation.
    """
    from .list_and_linearize import linearize_case

    return partial(
        linearize_case,
        case,
        overrides=overrides or (),
        json=json,
        allow_nonequilibrium=allow_nonequilibrium,
        modes=modes,
        damping=damping,
        actuators=actuators,
        coordinates=coordinates or (),
        out=out,
    )


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
    float32: Annotated[
        bool, typer.Option("--float32", help="Use single precision (float) in place of double.")
    ] = False,
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
    """Write the law of a case as flight code in C99 with test vectors, or as a cFS application or F Prime component."""
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
        typer.Option("--out", metavar="DIR", help="Write cosimulation.nc and .csv, summary.json and a picture here."),
    ] = None,
    trust: Annotated[bool, typer.Option("--trust", help="Allow its libraries to run with your rights.")] = False,
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
            "--tolerance", metavar="SHARE", help="Largest relative error of a step; longer steps are shortened."
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
    """Show a run in three dimensions: spacecraft, axes, vectors and polhode, in one HTML file that works offline."""
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
        str, typer.Option("--look", metavar="NAME", help="screen, print (a column of 88 mm), slide or dark.")
    ] = "screen",
    json: Json = False,
) -> Work:
    """Draw saved runs in one picture and print how far they are apart."""
    from .plotting import plot_runs

    return partial(plot_runs, runs, out=out, signals=signals or (), look=look, json=json)


@app.command("poles")
def _poles(
    case: CaseName,
    vary: Annotated[
        str, typer.Option("--vary", metavar="KEY.PATH=LOW:HIGH[:COUNT]", help="The number that changes, and its range.")
    ],
    out: Annotated[Path | None, Picture] = None,
    overrides: Overrides = None,
    mode: OneMode = None,
    json: Json = False,
) -> Work:
    """Print and draw the poles of a case over one of its numbers: root locus and Campbell diagram."""
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
    frame: Annotated[str | None, typer.Option("--frame", help="Name of the inertial frame; EME2000.")] = None,
    center: Annotated[str | None, typer.Option("--center", help="Central body of the orbit; EARTH.")] = None,
    time_system: Annotated[str | None, typer.Option("--time-system", help="Time system of the epoch; UTC.")] = None,
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


@app.command("schema")
def _schema(
    kind: Annotated[
        str | None,
        typer.Argument(metavar="KIND", help="A table or kind such as plant, lqr or controller.lqr."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the JSON Schema of KIND in place of its keys.")] = False,
) -> Work:
    """Print the JSON Schema of case files, or the keys of one table or kind with units and bounds."""
    from .case_files import print_schema

    return partial(print_schema, kind, json=json)


@app.command("verify")
def _verify(
    documents: Annotated[
        bool, typer.Option("--documents", help="Verify every system and equation group of the five documents.")
    ] = False,
    mesh: Annotated[bool, typer.Option("--mesh", help="Verify the mesh convergence of flexible arms.")] = False,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="With --mesh: file of the picture.")] = None,
    json: Json = False,
) -> Work:
    """Compute the figures of the source documents, or of refined meshes, and compare them with references."""
    if documents == mesh:
        raise typer.BadParameter("nothing to verify; give --documents or --mesh")
    if out is not None and not mesh:
        raise typer.BadParameter("--out is an option of --mesh; add --mesh or remove --out")
    from ..documents.verification import verify_documents, verify_mesh

    return partial(verify_mesh, json=json, out=out) if mesh else partial(verify_documents, json=json)


@app.command("cans")
def _cans(
    sequence: EulerSequence,
    angles_deg: Annotated[tuple[float, float, float], Angles],
    out: Annotated[Path, Picture],
    json: Json = False,
) -> Work:
    """Draw an Euler sequence as cans in series, with its axes, angles and gimbal lock."""
    from .drawing import cans

    return partial(cans, sequence, angles_deg, out=out, json=json)


@app.command("bases")
def _bases(
    sequence: EulerSequence,
    angles_deg: Annotated[tuple[float, float, float] | None, Angles] = None,
    attitude: Annotated[
        tuple[float, float, float, float] | None,
        typer.Option("--attitude", metavar="E0 E1 E2 E3", help="Euler parameters, scalar first, in place of angles."),
    ] = None,
    out: Annotated[Path | None, Picture] = None,
    json: Json = False,
) -> Work:
    """Print and draw the Euler and dual Euler torque bases of a sequence at an attitude."""
    from .drawing import bases

    return partial(bases, sequence, angles_deg=angles_deg, attitude=attitude, out=out, json=json)
