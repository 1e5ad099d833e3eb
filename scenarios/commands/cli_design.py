"""Subcommands that design and analyse the controller of a case."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from .app import CaseName, Json, OneMode, Overrides, Steady, Work, app

Sigmas = Annotated[
    float | None,
    typer.Option(
        "--sigmas",
        metavar="K",
        help="With --worst: truncation of normal distributions, in standard deviations (3).",
    ),
]


@app.command("design")
def _design(
    case: CaseName,
    json: Json = False,
    overrides: Overrides = None,
    method: Annotated[
        str | None,
        typer.Option(
            "--method", metavar="KIND", help="Different kind of law with the same natural frequency and damping ratio."
        ),
    ] = None,
    compare: Annotated[
        str | None,
        typer.Option(
            "--compare", metavar="KIND1,KIND2,...", help="Simulate these laws with equal tuning and compare them."
        ),
    ] = None,
    mode: OneMode = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Folder of design.json and figures.")] = None,
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
        typer.Option(
            "--out", metavar="FILE", help="Write the plan here; by default to reference.plan_file of the case."
        ),
    ] = None,
) -> Work:
    """Plan the minimum-time slew of a case: duration, best start, extremes between the samples."""
    from .planning import plan_and_print

    return partial(plan_and_print, case, overrides=overrides or (), json=json, out=out)


@app.command("tune")
def _tune(
    case: CaseName,
    json: Json = False,
    overrides: Overrides = None,
    worst: Annotated[
        bool,
        typer.Option("--worst", help="Meet required margins and budgets for every spacecraft within the dispersions."),
    ] = False,
    starts: Annotated[int | None, typer.Option("--starts", metavar="N", help="Number of starts.")] = None,
    seed: Annotated[int | None, typer.Option("--seed", metavar="S", help="Seed of the starts.")] = None,
    sigmas: Sigmas = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Folder of tune.json, tuned.toml, law.toml and the figure."),
    ] = None,
    trade: Annotated[
        str | None,
        typer.Option("--trade-off", metavar="METRIC", help="Curve of the soft goal over bounds on a required metric."),
    ] = None,
    points: Annotated[
        int | None, typer.Option("--points", metavar="N", help="With --trade-off: number of points (7).")
    ] = None,
    runs: Annotated[
        int | None,
        typer.Option("--runs", metavar="N", help="With --worst: nonlinear runs within the dispersions (100)."),
    ] = None,
) -> Work:
    """Tune the free parameters of a case to its requirements; print goals and values before and after."""
    if sigmas is not None and not worst:
        raise typer.BadParameter("--sigmas is an option of --worst; add --worst or remove --sigmas")
    if starts is not None and starts < 1:
        raise typer.BadParameter(f"--starts must be at least 1; got {starts}")
    if seed is not None and seed < 0:
        raise typer.BadParameter(f"--seed must be at least 0; got {seed}")
    if runs is not None and not worst:
        raise typer.BadParameter("--runs is an option of --worst; add --worst or remove --runs")
    if runs is not None and runs < 0:
        raise typer.BadParameter(f"--runs must be at least 0; got {runs}")
    from .tuning import trade_and_print, tune_and_print

    if trade is not None:
        if worst:
            raise typer.BadParameter("--trade-off tunes the nominal spacecraft only; remove --worst")
        return partial(
            trade_and_print,
            case,
            trade,
            points=points,
            starts=starts,
            seed=seed,
            overrides=overrides or (),
            json=json,
            out=out,
        )
    if points is not None:
        raise typer.BadParameter("--points is an option of --trade-off; add --trade-off METRIC or remove --points")
    return partial(
        tune_and_print,
        case,
        worst=worst,
        starts=starts,
        seed=seed,
        sigmas=sigmas,
        runs=runs,
        overrides=overrides or (),
        json=json,
        out=out,
    )


@app.command("identify")
def _identify(
    case: CaseName,
    free: Annotated[
        str, typer.Option("--free", metavar="KEY,KEY", help="Parameters to identify, such as inertia,sensors.0.errors.")
    ],
    telemetry: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="Telemetry: run.nc, or CSV with named columns.")
    ] = None,
    json: Json = False,
    overrides: Overrides = None,
    prior: Annotated[
        list[str] | None,
        typer.Option("--prior", metavar="KEY=SIGMA", help="Standard deviation of the case's value; repeatable."),
    ] = None,
    known_start: Annotated[
        bool, typer.Option("--known-start", help="Initial attitude and rate of the case are exact.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Folder of identify.json, identified.toml and figures."),
    ] = None,
    design: Annotated[
        bool, typer.Option("--design", help="Design torque commands for the identification, in place of FILE.")
    ] = False,
    max_rate: Annotated[
        float | None,
        typer.Option("--max-rate", metavar="DEG_S", help="With --design: largest body rate (range of the gyro)."),
    ] = None,
    segments: Annotated[
        int | None, typer.Option("--segments", metavar="N", help="With --design: number of segments (8).")
    ] = None,
) -> Work:
    """Identify parameters of a case from telemetry, or design commands whose telemetry determines them."""
    from .identifying import design_and_print, identify_and_print, priors_of

    keys = [key.strip() for key in free.split(",") if key.strip()]
    if design:
        if telemetry is not None:
            raise typer.BadParameter("--design needs no telemetry; remove FILE, or remove --design to identify from it")
        return partial(
            design_and_print,
            case,
            free=keys,
            max_rate=max_rate,
            segments=segments,
            priors=priors_of(prior or ()),
            known_start=known_start,
            overrides=overrides or (),
            json=json,
            out=out,
        )
    if telemetry is None:
        raise typer.BadParameter("the telemetry FILE is missing; give it, or --design to plan its excitation")
    if max_rate is not None or segments is not None:
        raise typer.BadParameter("--max-rate and --segments are options of --design; add --design or remove them")
    return partial(
        identify_and_print,
        case,
        telemetry,
        free=keys,
        priors=priors_of(prior or ()),
        known_start=known_start,
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
        Path | None, typer.Option("--out", metavar="DIR", help="Folder of analysis.json and figures.")
    ] = None,
) -> Work:
    """Compare margins with simulations; Lyapunov function, unwinding, region of attraction."""
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
            help="Sweep a key over N values from A to B instead of the dispersions; repeatable.",
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
            help="Search for the worst-case spacecraft in a metric such as disk_margin_all or ape_budget_deg.",
        ),
    ] = None,
    sigmas: Sigmas = None,
    mode: OneMode = None,
) -> Work:
    """Simulate a case many times with dispersed parameters: pass rates, spread, sensitivities."""
    if worst is not None:
        from .worst import print_worst

        campaign_options = {"runs": runs, "plan": plan, "sweep": sweep, "workers": workers, "dask": dask}
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
            spare=campaign_options,
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
        typer.Option("--actuators", metavar="NAME", help="Control torque that is the input: wheels or external."),
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
            "--out", metavar="DIR", help="Folder of linear_model.json, with figures of the modes of flexible arms."
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
