"""Charts for diagnosis: attitude, torque, energy, block signals, invariants."""

from typing import TYPE_CHECKING

import numpy as np

from ....sim.results.block_quantities import STAMP
from ....sim.results.kinetic_energy import largest_kinetic_energy
from ....sim.results.momentum_scale import largest_momentum
from ..followed_reference import reference_attitudes
from ..rounding import is_rounding, scale_of, still_words
from ..signal_names import signal_title
from .actuator_charts import numbered
from .chart import Chart, Line, axis_lines

if TYPE_CHECKING:
    from .series import SeriesStore

GROUP, SIGNALS, ACCURACY = "Attitude and loads", "Signals of sensors and blocks", "Accuracy of the integration"
DEGREES = float(np.degrees(1.0))
UNITS = {"rad": ("deg", DEGREES), "rad/s": ("deg/s", DEGREES), "rad/s^2": ("deg/s^2", DEGREES)}
BIASES = ("bias", "bias_sigma")
MODES = ("mode", "mode_cause", "mode_since", "mode_count")
ROUND_OFF = 1e-17


def diagnostic_charts(store: "SeriesStore") -> tuple[list[Chart], list[tuple[str, str]]]:
    """Return the charts, and title and note of each quantity that is constant or zero to rounding."""
    still: list[tuple[str, str]] = []
    charts = [_attitude(store), *_vectors(store, still), *_signals(store, still), *_invariants(store)]
    return charts, still


def _attitude(store: "SeriesStore") -> Chart:
    """Return the chart of the Euler parameters of the attitude and of the reference."""
    run = store.run
    lines: list[Line] = []
    colours = ("ink", "x", "y", "z")
    for n, (key, values) in enumerate(store.quantity("attitude").items()):
        store.add(key, values)
        lines.append(Line(key=key, label=f"e{n}", colour=colours[n], dash=max(0, n - 1)))
    if "error_vector" in run.names and np.isfinite(run.values("error_vector")).all():
        reference = reference_attitudes(run)
        for n in range(4):
            store.add(f"reference.e{n}", reference[:, n])
            lines.append(Line(key=f"reference.e{n}", label=f"reference e{n}", colour=colours[n], dash=2, faint=True))
    return Chart(
        id="attitude",
        title="Euler parameters" + (" and reference" if len(lines) > 4 else ""),
        group=GROUP,
        unit="1",
        lines=tuple(lines),
        note="Scalar first, body to inertial axes.",
    )


def _vectors(store: "SeriesStore", still: list[tuple[str, str]]) -> list[Chart]:
    """Return charts of external torque, energy, mass centre and multiplier; list constant ones in `still`."""
    run = store.run
    charts: list[Chart] = []
    for name, title in (
        ("torque", "External torque on spacecraft and elements"),
        ("energy", "Energy"),
        ("position", "Mass centre in inertial axes"),
        ("multiplier", "Multiplier of the norm of the Euler parameters"),
    ):
        if name not in run.names:
            continue
        values, unit = run.values(name), run.components(name)[1]
        words = still_words(values, scale_of(run, unit))
        if (
            name == "torque"
            and run.law is not None
            and is_rounding(values - run.values("command"), scale_of(run, unit))
        ):
            words = "only the commanded torque"
        if words:
            still.append((title, f"{words} {unit}" if "constant" in words else words))
            continue
        columns = store.quantity(name)
        for key, column in columns.items():
            store.add(key, column)
        where = "inertial" if name == "position" else "body"
        lines = axis_lines(name, words=where) if len(columns) == 3 else (Line(key=name, label=name, colour="x"),)
        charts.append(Chart(id=name, title=title, group=GROUP, unit=unit, lines=lines))
    return charts


def _signals(store: "SeriesStore", still: list[tuple[str, str]]) -> list[Chart]:
    """Return charts of block signals, except attitudes and constant signals."""
    run = store.run
    charts: list[Chart] = []
    for name in run.written:
        labels, unit = run.components(name)
        attitudes = [label for label in labels if label in {"e0", "e1", "e2", "e3"}]
        if name in MODES or attitudes or name == "attitude_sigma" or (len(labels) == 4 and "attitude" in name):
            continue
        if name == "rate_for_law":
            charts += _rate_error(store)
            continue
        title = signal_title(run, name)
        shown, factor = UNITS.get(unit, (unit, 1.0))
        if name in BIASES and unit == "rad/s":
            shown, factor = "deg/h", 3600.0 * DEGREES
        columns = {key: each for key, each in store.quantity(name).items() if key.rpartition(".")[2] not in STAMP}
        words = still_words(np.array(list(columns.values())), scale_of(run, unit))
        if words:
            still.append((title, words))
            continue
        lines: list[Line] = []
        for n, (key, values) in enumerate(columns.items()):
            store.add(key, values)
            colour, dash = (("x", "y", "z")[n], n) if len(columns) == 3 else numbered(n)
            label = key.removeprefix(f"{name}.").replace("_", " ") if labels else name.replace("_", " ")
            lines.append(Line(key=key, label=label, colour=colour, dash=dash, held=True))
        charts.append(
            Chart(
                id=f"signal-{name.replace('_', '-')}", title=title, group=SIGNALS, unit=shown, factor=factor,
                lines=tuple(lines),
            )
        )  # fmt: skip
    return charts


def _rate_error(store: "SeriesStore") -> list[Chart]:
    """Return the chart of the rate used by the law minus the true rate."""
    run = store.run
    error = run.values("rate_for_law") - run.values("rate")
    if not np.isfinite(error).all() or still_words(error, scale_of(run, "rad/s")):
        return []
    for n, axis in enumerate("xyz"):
        store.add(f"rate_knowledge_error.{axis}", error[:, n])
    return [
        Chart(
            id="rate-knowledge", title="Rate used by the law minus the true rate", group=SIGNALS, unit="deg/s",
            factor=DEGREES, lines=axis_lines("rate_knowledge_error"),
        )
    ]  # fmt: skip


def _invariants(store: "SeriesStore") -> list[Chart]:
    """Return the chart of the relative errors of conserved quantities."""
    run = store.run
    lines: list[Line] = []
    kinetic, most = largest_kinetic_energy(run, translation=False), largest_momentum(run)
    if "energy_balance" in run.names and kinetic > 0.0:
        store.add("energy_error", np.abs(run.values("energy_balance")) / kinetic)
        lines.append(Line(key="energy_error", label="energy less work", colour="x"))
    if "momentum_balance" in run.names and most > 0.0:
        store.add("momentum_error", np.linalg.norm(run.values("momentum_balance"), axis=1) / most)
        lines.append(Line(key="momentum_error", label="momentum less impulse", colour="y", dash=1))
    store.add("norm_error_of_e", np.abs(np.linalg.norm(run.values("attitude"), axis=1) - 1.0))
    lines.append(Line(key="norm_error_of_e", label="norm of e less 1", colour="z", dash=2))
    return [
        Chart(
            id="invariants", title="Drift of conserved quantities", group=ACCURACY, unit="relative", lines=tuple(lines),
            log=True, floor=ROUND_OFF, note="Exact zeros cannot be shown on a logarithmic axis.",
        )
    ]  # fmt: skip
