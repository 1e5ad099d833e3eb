"""Data for the playback of a run: everything that the page draws, as one JSON-serialisable table."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ....plant.errors import InputError
from ....sim.results.mode_intervals import MODE_QUANTITY
from ....sim.results.nutation import spin_axis
from .channels import BUDGET, Channels
from .directions import directions
from .gimbal_view import gimbal_view
from .hub import half_extents, hub_solid
from .moving_parts import moving_parts
from .polhode_view import polhode_view
from .rolling_cones import is_free, rolling_cones
from .sensors import boresights, sensors_of
from .thrusters import thrusters
from .vectors import ATTITUDE, arrows, target

if TYPE_CHECKING:
    from ....sim import Run
    from ...case.schema import Case

Array = NDArray[np.float64]

MOST_ROWS = 200_000
"""Largest number of rows of a run that the playback accepts."""
FAR = 6.0
"""Translation is shown up to this multiple of the spacecraft size; beyond it, the view moves with the mass centre."""
TURN = 0.9 * np.pi
"""Rotation between rows, rad, above which the direction of rotation is ambiguous."""


def playback_data(run: "Run", case: "Case | None" = None, *, name: str = "", title: str = "") -> dict[str, Any]:
    """Return the data of the playback of a run.

    Parameters
    ----------
    run : Run
        The run.
    case : Case, optional
        Case of the run, for the dimensions of the hub, the sensors and the thrusters.
    name : str
        Name of the case.
    title : str
        Title of the case.

    Returns
    -------
    dict
        Numbers, strings, lists, and signals as keyframes in base64 (see `Channels.encoded`), all JSON-serialisable.
        Each signal includes its largest interpolation error. All signals together take at most about 600 kB.

    Raises
    ------
    InputError
        When the run has more than 200,000 rows, or contains an attitude that is not finite.

    Examples
    --------
    >>> from polhode.scenarios import run_case
    >>> made = playback_data(run_case("torque-free", overrides=["run.duration_s=20"]).run)
    >>> made["hub"]["kind"], sorted(made["channels"])
    ('box', ['attitude', 'momentum', 'rate'])
    """
    t = np.asarray(run.t, dtype=np.float64)
    if t.size > MOST_ROWS:
        raise InputError(
            f"the run has {t.size:,} rows, and a playback can have at most {MOST_ROWS:,}; increase run.output_s"
        )
    attitude = run.values("attitude")
    if not np.isfinite(attitude).all():
        raise InputError("the attitude of the run is not finite in every row; end the run before it fails")
    channels = Channels(t=t)
    channels.put("attitude", attitude, tolerance=float(ATTITUDE), how="slerp")
    solid = hub_solid(run.craft.body, size=None if case is None else case.plant.hub_size_m)
    parts, notes = moving_parts(run, solid, channels)
    fields = () if case is None else sensors_of(case)
    found: dict[str, Any] = {
        "name": name,
        "title": title,
        "duration": float(t[-1]),
        "start": float(t[0]),
        "rows": int(t.size),
        "hub": solid,
        "parts": parts,
        "extent": _extent(run, solid, parts),
        "arrows": arrows(run, channels),
        "target": target(run, channels),
        "directions": directions(run, fields, channels),
        "sensors": boresights(run, fields, channels),
        "thrusters": thrusters(run, case, channels),
        "trace": _trace(run, fields),
        "cones": rolling_cones(run),
        "polhode": polhode_view(run),
        "gimbals": gimbal_view(run, case),
        "place": _place(run, solid, channels),
        "mode": _mode(run, channels),
        "speed": _speed(run),
        "notes": [solid["words"], *notes, *_warnings(run)],
    }
    found["channels"] = channels.encoded(BUDGET)
    if channels.coarser > 1.0:
        found["notes"].append(f"the run is long: every signal is shown {channels.coarser:g} times as coarsely as usual")
    return found


def _extent(run: "Run", solid: dict[str, Any], parts: list[dict[str, Any]]) -> float:
    """Return the distance from the hub's mass centre to the farthest point of the spacecraft, m."""
    reach = [float(np.linalg.norm(half_extents(solid)))]
    reach += [float(np.linalg.norm(part["center"])) + (part["radius"] or 0.0) for part in parts]
    reach += [float(np.linalg.norm(np.asarray(part["rest"]), axis=1).max()) for part in parts if "rest" in part]
    reach += [float(part["reach"]) for part in parts if "reach" in part]
    if run.craft.body.pivot is not None:
        reach.append(float(np.linalg.norm(run.craft.body.pivot)))
    return max(reach)


def _trace(run: "Run", fields: tuple[Any, ...]) -> dict[str, Any]:
    """Return the body axis whose path is drawn: spin axis, boresight of reference or sensor, or z."""
    if run.law is None and is_free(run, within=0.5):
        return {"axis": spin_axis(run.craft, run.x[0]).tolist(), "words": "spin axis"}
    own = getattr(run.reference, "boresight", None)
    if own is not None:
        axis = np.asarray(own, dtype=np.float64)
        return {"axis": (axis / np.linalg.norm(axis)).tolist(), "words": "boresight"}
    for sensor in fields:
        sights = getattr(sensor, "lines_of_sight", ())
        if len(sights) == 1:
            return {"axis": list(sights[0].axis), "words": f"boresight of {str(sensor.name).replace('_', ' ')}"}
    return {"axis": [0.0, 0.0, 1.0], "words": "body z"}


def _place(run: "Run", solid: dict[str, Any], channels: Channels) -> dict[str, Any]:
    """Return the channel of the hub position, and the name of the point to which it is relative."""
    pivot, size = run.craft.body.pivot, float(half_extents(solid).max())
    if pivot is not None and np.asarray(pivot).any():
        return {"pivot": np.asarray(pivot).tolist(), "words": "about the pivot"}
    values: Array | None = run.values("hub_position") if "hub_position" in run.names else None
    words = "about the mass centre"
    if run.craft.translation:
        place = run.values("position")
        shift = np.zeros_like(place) if values is None else values - place
        if float(np.linalg.norm(np.ptp(place, axis=0))) <= FAR * size:
            values, words = place - place[0] + shift, "relative to the first position of the mass centre"
        else:
            values, words = shift, "moving with the mass centre"
    if values is None or float(np.abs(values).max(initial=0.0)) < 1e-4 * size:
        return {"words": words}
    return {"channel": channels.put("place", values, tolerance=2e-3 * size), "words": words}


def _mode(run: "Run", channels: Channels) -> dict[str, Any] | None:
    """Return the channel and names of the active mode of the control system; None if it has no modes."""
    if MODE_QUANTITY not in run.names:
        return None
    values = np.asarray(run.values(MODE_QUANTITY), dtype=np.float64).reshape(run.t.size, -1)[:, :1]
    return {
        "channel": channels.put("mode", values, tolerance=0.5, how="held"),
        "labels": list(run.labels(MODE_QUANTITY)),
    }


def _speed(run: "Run") -> float:
    """Return the initial playback speed: about 30 s for the run, but below a third of a revolution per second."""
    rates = np.linalg.norm(run.values("rate"), axis=1)
    span, fastest = float(run.t[-1] - run.t[0]), float(rates.max(initial=0.0))
    wanted = max(span / 30.0, 1e-6)
    wanted = min(wanted, 2.0 / fastest) if fastest > 0.0 else wanted
    unit = 10.0 ** np.floor(np.log10(wanted))
    return float(f"{unit * max(step for step in (1.0, 2.0, 5.0) if step * unit <= wanted * (1.0 + 1e-9)):.6g}")


def _warnings(run: "Run") -> list[str]:
    """Return sentences on what the playback cannot show."""
    if run.t.size < 2:
        return ["the run has one row: nothing moves"]
    rates = np.linalg.norm(run.values("rate"), axis=1)
    turned = float((np.maximum(rates[1:], rates[:-1]) * np.diff(run.t)).max())
    if turned < TURN:
        return []
    words = (
        f"the body turns by up to {np.degrees(turned):.0f}° between rows, so the rotation shown between them may be "
    )
    return [words + "wrong; decrease run.output_s"]
