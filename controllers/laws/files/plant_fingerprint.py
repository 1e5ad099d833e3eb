"""Identification of a plant by the values of its linear model and a short digest of them."""

import hashlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....plant import LinearModel, Spacecraft
from ....plant.errors import InputError, PolhodeError
from ...loop.acting_model import acting_model

TOLERANCE = 1e-9  # relative to the largest entry: above rounding differences, below differences between plants


def plant_numbers(model: LinearModel) -> dict[str, Any]:
    """Return the description of a plant for a law file.

    model: `craft.linearize(...)` -> fingerprint, torque basis, states, inertia and operating point, and A and B of the
    states that affect the attitude.
    """
    inner = acting_model(model)
    words = {"torque_basis": inner.torques.name, "euler_sequence": inner.torques.sequence, "states": [*inner.states]}
    numbers = {
        "inertia_kg_m2": inner.inertia.tolist(),
        "operating_attitude": inner.operating_point[3:7].tolist(),
        "operating_momentum_N_m_s": inner.operating_point[:3].tolist(),
        "A": inner.A.tolist(),
        "B": inner.B.tolist(),
    }
    return {"fingerprint": _digest({**words, **numbers}), **words, **numbers}


def plant_fingerprint(model: LinearModel) -> str:
    """Return the digest that identifies a plant in messages.

    Parameters
    ----------
    model : LinearModel
        `craft.linearize(...)`.

    Returns
    -------
    str
        Sixteen hexadecimal digits. They change with the last digit of any value, so plants are compared by their values
        (to 1e-9), not by this digest.
    """
    return str(plant_numbers(model)["fingerprint"])


def flown_fingerprint(craft: Spacecraft, law: object, state: NDArray[np.float64]) -> str:
    """Return the fingerprint of a law's plant, from its design model or from the spacecraft about a state.

    law: the law, or None; state (nx,): linearisation point, used if the law has no model -> sixteen hexadecimal digits,
    or an empty string if the plant has no linear model at that state.
    """
    try:
        model = getattr(law, "model", None) or craft.linearize(state, allow_nonequilibrium=True)
        return plant_fingerprint(model)
    except (PolhodeError, np.linalg.LinAlgError):
        return ""


def check_same_plant(saved: Mapping[str, Any], model: LinearModel, *, where: str) -> None:
    """Raise InputError if the model of a plant differs from the saved model.

    saved: result of `plant_numbers` when the law was saved; model: the plant to control; where: the file, for messages.
    Raises InputError if the plants differ, or the saved values do not match the saved fingerprint.
    """
    now = plant_numbers(model)
    rest = {key: value for key, value in saved.items() if key != "fingerprint"}
    if _digest(rest) != saved["fingerprint"]:
        raise InputError(
            f"{where}: the values of the plant do not match its fingerprint {saved['fingerprint']}: the file was "
            "changed or damaged; save the law again"
        )
    different = next((key for key in now if key != "fingerprint" and not _same(key, rest.get(key), now[key])), None)
    if different is not None:
        raise InputError(
            f"{where}: the law is for the plant with fingerprint {saved['fingerprint']}, but this one has "
            f"{now['fingerprint']}: {_difference(different, rest.get(different), now[different])}; use the law "
            "with its own plant and operating point, or repeat the design"
        )


def _digest(numbers: Mapping[str, Any]) -> str:
    text = repr(sorted((key, value) for key, value in numbers.items() if value is not None))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _same(key: str, saved: Any, now: Any) -> bool:
    if saved is None or now is None or isinstance(now, str) or key == "states":
        return saved == now
    a, b = np.asarray(saved, dtype=np.float64), np.asarray(now, dtype=np.float64)
    if a.shape != b.shape:
        return False
    size = TOLERANCE * max(float(np.abs(a).max(initial=0.0)), float(np.abs(b).max(initial=0.0)))
    differs = float(np.abs(a - b).max(initial=0.0))
    if key == "operating_attitude":  # e and -e are the same attitude
        differs = min(differs, float(np.abs(a + b).max(initial=0.0)))
    if key == "operating_momentum_N_m_s":
        size = max(size, 1e-12)
    return differs <= size


def _difference(key: str, saved: Any, now: Any) -> str:
    words = saved is None or now is None or isinstance(now, str) or key == "states"
    if not words:
        a, b = np.asarray(saved, dtype=np.float64), np.asarray(now, dtype=np.float64)
        if a.shape == b.shape:
            worst = np.unravel_index(int(np.argmax(np.abs(a - b))), a.shape)
            place = "".join(f"[{int(index)}]" for index in worst)
            return f"{key}{place} is {a[worst]:.9g} there and {b[worst]:.9g} here"
        saved, now = f"of shape {a.shape}", f"of shape {b.shape}"
    return f"{key} is {saved} there and {now} here"
