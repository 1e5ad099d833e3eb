"""Vectors of the playback (rate, momentum, torque) and their largest magnitudes; target attitude."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ....plant.attitude import conjugate, from_rotation_vector, quaternion_product
from .channels import Channels

if TYPE_CHECKING:
    from ....sim import Run

Array = NDArray[np.float64]

ATTITUDE = np.radians(0.02)
"""Tolerance of the attitude, rad: a tenth of a pixel at the rim of a view 600 pixels wide."""
SHARE = 1.0 / 400.0
"""Tolerance of a vector, as a fraction of its largest magnitude."""
VISIBLE = 1e-9
"""Torques below this fraction of the largest momentum, divided by the time between rows, are round-off."""


def arrows(run: "Run", channels: Channels) -> list[dict[str, Any]]:
    """Return the vectors that are not zero throughout, as JSON-serialisable tables.

    Each table has key, label, unit, frame ("body" or "inertial"), channel and largest magnitude.
    """
    found = [
        _arrow(channels, "momentum", run.values("inertial_momentum"), "H", "angular momentum", "N m s", "inertial"),
        _arrow(channels, "rate", run.values("rate"), "ω", "body rate", "rad/s", "body"),
    ]
    torques = (
        ("torque", "τ", "torque from outside"),
        ("hub_torque", "τᵂ", "torque of the motors on the hub"),
    )
    least = VISIBLE * float(np.linalg.norm(run.values("momentum"), axis=1).max(initial=0.0))
    for name, label, words in torques:
        if name not in run.names:
            continue
        values = run.values(name)
        if float(np.linalg.norm(values, axis=1).max(initial=0.0)) > least:
            found.append(_arrow(channels, name, values, label, words, "N m", "body"))
    return [each for each in found if each["largest"] > 0.0]


def _arrow(
    channels: Channels, key: str, values: Array, label: str, words: str, unit: str, frame: str
) -> dict[str, Any]:
    largest = float(np.linalg.norm(values, axis=1).max(initial=0.0))
    if largest > 0.0 or key == "rate":
        channels.put(key, values, tolerance=SHARE * largest)
    return {
        "key": key, "label": label, "words": words, "unit": unit, "frame": frame, "channel": key, "largest": largest,
    }  # fmt: skip


def target(run: "Run", channels: Channels) -> str | None:
    """Return the channel of the target attitude; None if there is no reference.

    The target is e_ref = e o conj(exp of the error vector). The recorded error is relative to the reference of the
    active mode.
    """
    if run.reference is None or "error_vector" not in run.names:
        return None
    e = run.values("attitude")
    e = e / np.linalg.norm(e, axis=1, keepdims=True)
    error = from_rotation_vector(run.values("error_vector"))
    values = quaternion_product(e, conjugate(error))
    return channels.put("target", values, tolerance=float(ATTITUDE), how="slerp")
