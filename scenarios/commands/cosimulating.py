"""``polhode cosim``: co-simulate a system of functional mock-up units (FMUs) and store the results."""

import sys
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...controllers.laws.files.provenance import state
from ...plant.errors import InputError
from ..report.output import Results, prepare

if TYPE_CHECKING:
    from ...sim import CoSimulation, Run


def cosimulate_file(
    file: Path,
    *,
    json: bool,
    out: Path | None,
    trust: bool,
    step: float | None,
    duration: float | None,
    order: str,
    inputs: str,
    iterate: bool,
    tolerance: float | None,
    estimate: bool,
    against: Path | None,
) -> int:
    """Co-simulate a system of FMUs and print the results.

    file: system structure (SSP). json: print one JSON object. out: directory for cosimulation.nc, cosimulation.csv,
    summary.json and the plot. trust: allow the libraries of the FMUs to run. step to estimate: see
    `polhode.sim.cosimulate`. against: saved run of the same system without co-simulation; outputs with equal names are
    compared. Returns 0 if the co-simulation reaches its end, 130 if interrupted, otherwise 1. Raises InputError if
    arguments are inconsistent, or the libraries are not trusted.
    """
    from ...sim import cosimulate, read_ssp
    from ..report.json_text import dump

    system = read_ssp(file)
    if not trust:
        raise InputError(
            f"{file}: contains libraries that would run on this machine with your rights "
            f"({', '.join(map(str, system.units.values()))}); add --trust if you trust them"
        )
    other = None if against is None else _rows_of(against)  # check the file before the simulation, which takes time
    if out is not None:
        prepare(out)
    result = cosimulate(
        system,
        step=step,
        duration=duration,
        order=order,
        inputs=inputs,
        iterate=iterate,
        tolerance=tolerance,
        estimate=estimate,
    )
    state({"system": str(file)})
    summary = _summary(result, file)
    if other is not None:
        summary["against"] = {"run": str(against), "largest_difference": _apart(result, other, str(against))}
    with Results(out) as results:
        results.write("cosimulation.nc", result.fill_netcdf)
        results.write("cosimulation.csv", result.fill_csv)
        results.pictures(lambda: {"cosimulation": result.plot()})
        summary = results.finish("summary.json", summary)
        if json:
            sys.stdout.write(dump(summary) + "\n")
        else:
            _show(summary)
            results.say()
        return results.code({"completed": 0, "stopped": 130}.get(result.status, 1))


def _summary(result: "CoSimulation", file: Path) -> dict[str, Any]:
    rows = {
        name: {
            "unit": unit,
            "start": float(result.values(name)[0]),
            "end": float(result.values(name)[-1]),
            "largest": float(abs(result.values(name)).max()),
            "estimated_error": result.errors.get(name),
        }
        for name, unit in zip(result.names, result.units, strict=True)
    }
    found: dict[str, Any] = {"system": str(file), "status": result.status, "reason": result.reason}
    found |= {"t_end_s": float(result.t[-1]), "settings": dict(result.settings), "outputs": rows}
    found["notes"] = list(result.notes)
    return found


def _rows_of(against: Path) -> "Run":
    """Load the reference run. Raises InputError if it has no rows."""
    from ..case.stored import load_run

    run = load_run(against)
    if run.t.size == 0:
        raise InputError(f"{against}: has no rows")
    return run


def _apart(result: "CoSimulation", run: "Run", against: str) -> dict[str, float]:
    """Return the largest difference of each output from the reference run, at their common times."""
    times: NDArray[np.float64] = result.t - result.t[0]
    nearest: NDArray[np.intp] = np.rint(np.interp(times, run.t, np.arange(run.t.size))).astype(np.intp)
    both = np.abs(run.t[nearest] - times) < 1e-9 * max(1.0, float(run.t[-1]))
    if not both.any():
        raise InputError(
            f"{against}: has no row at a communication time; run it with run.output_s = the communication step"
        )
    states = dict(zip(run.craft.layout.names, np.asarray(run.states).T, strict=False))
    states |= {f"rate_{axis}": column for axis, column in zip("xyz", run.values("rate").T, strict=True)}
    found = {
        name: float(np.abs(result.values(name)[both] - states[output][nearest[both]]).max())
        for name in result.names
        if (output := _quantity(name, states))
    }
    if not found:
        raise InputError(f"{against}: has no quantity with the name of an output of the system")
    return found


def _quantity(name: str, known: Collection[str]) -> str:
    """Return the name of an output in a polhode run: its name without the FMU name; empty if unknown.

    The name of the FMU may contain dots.
    """
    parts = name.split(".")
    return next((rest for k in range(1, len(parts)) if (rest := ".".join(parts[k:])) in known), "")


def _show(summary: dict[str, Any]) -> None:
    """Print the summary of a co-simulation."""
    stated = summary["settings"]
    way = f"{stated['order']}, inputs {stated['inputs']}{', iterated' if stated['iterate'] else ''}"
    lines = [
        f"{summary['system']}: {summary['status']} at t = {summary['t_end_s']:g} s ({way}, step {stated['step_s']:g} s)"
    ]
    if summary["reason"]:
        lines.append(f"  {summary['reason']}")
    if "steps" in stated:
        lines.append(f"  {stated['steps']} steps, {stated['steps_taken_back']} taken back")
    apart = summary.get("against", {}).get("largest_difference", {})
    head = f"  {'output':28} {'end':>14} {'largest':>12} {'error (est.)':>13}" + (
        f" {'difference':>12}" if apart else ""
    )
    lines.append(head)
    for name, row in summary["outputs"].items():
        error = "-" if row["estimated_error"] is None else f"{row['estimated_error']:.2g}"
        more = f" {apart[name]:>12.2g}" if name in apart else ""
        unit = "" if row["unit"] in {"", "1"} else f"  {row['unit']}"
        lines.append(f"  {name:28} {row['end']:>14.7g} {row['largest']:>12.4g} {error:>13}{more}{unit}")
    lines += [f"  note: {each}" for each in summary["notes"]]
    sys.stdout.write("\n".join(lines) + "\n")
