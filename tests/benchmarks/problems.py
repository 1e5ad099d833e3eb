"""The problems in plain numbers, equal for every contestant, and their exact final states.

A row of states is Euler parameters (4, scalar first, body to inertial) and body rate (3, rad/s), at the times `at`.
"""

from typing import Any

import numpy as np
from contestants import ours

from polhode.plant.attitude.free_motion import FreeMotion

__all__ = ["PROBLEMS", "TITLES", "apart", "reference", "shortened"]

PRODUCTS = [[400.0, 6.0, -5.0], [6.0, 307.8, 4.0], [-5.0, 4.0, 200.0]]  # kg m^2
DIAGONAL = 3**-0.5

PROBLEMS: dict[str, dict[str, Any]] = {
    "free": {
        "inertia": [[400.0, 0, 0], [0, 307.808385, 0], [0, 0, 200.0]],
        "attitude": [1.0, 0.0, 0.0, 0.0],
        "rate": [346.4101616 / 400.0, 0.0, -1.0],
        "at": [10.0, 100.0, 1000.0],
        "target": 1e-9,
    },
    "slew": {
        "inertia": PRODUCTS,
        "attitude": [0.8, 0.4, 0.2, -0.4],
        "rate": [0.001, -0.002, 0.003],
        "sample": 0.1,
        "stiffness": 3.0,  # N m on the modified Rodrigues parameters; the torque stays below 1 N m
        "damping": 24.0,  # N m s
        "at": [10.0, 30.0, 100.0, 300.0],
        "target": 1e-7,
    },
    "wheels": {
        "inertia": [[4.0, 0.06, -0.05], [0.06, 3.1, 0.04], [-0.05, 0.04, 2.0]],  # of the hub, wheels' transverse in it
        "mass": 100.0,
        "attitude": [0.8, 0.4, 0.2, -0.4],
        "rate": [0.3, -0.2, 0.8],
        "axes": [[x * DIAGONAL, y * DIAGONAL, DIAGONAL] for x, y in ((1, 1), (1, -1), (-1, 1), (-1, -1))],
        "axial": 0.05,
        "transverse": 0.03,  # for contestants that model a wheel as a body; otherwise part of the hub
        "wheel_mass": 1.0,
        "friction": [0.01, 0.02, 0.03, 0.04],  # N m s
        "wheel_rates": [0.2, 0.4, 0.6, 0.8],  # rad/s, relative
        "at": [10.0, 30.0, 100.0],
        "target": 1e-7,
    },
    "arm": {
        "inertia": 0.149,
        "mass": 22.4,
        "rate": [0.1, 0.1, 0.1],
        "section": {
            "area": 2.5e-3,
            "second_moment_m": 5.2e-7,
            "second_moment_n": 5.2e-7,
            "youngs_modulus": 7.17e10,
            "shear_modulus": 2.68e10,
            "density": 2.8e3,
        },
        "root": 0.1,
        "length": 2.0,
        "torque": 15.0,  # N m about y, a raised cosine over the first second
        "at": [1.0, 3.0, 10.0],
        "target": 1e-4,
    },
}

TITLES = {
    "free": "free body, 1000 s",
    "slew": "slew of 300 s, law sampled at 10 Hz",
    "wheels": "hub with four viscous wheels, 100 s",
    "arm": "hub with two flexible arms, 10 s",
}


def shortened(numbers: dict[str, Any]) -> dict[str, Any]:
    """The first hundredth or so of a problem, to test that everything runs."""
    return numbers | {"at": [1.0], "target": 1e-3}


def reference(name: str, numbers: dict[str, Any]) -> Any:
    """States of a problem at its times: closed form for the free body, otherwise small steps of high order."""
    at = np.array(numbers["at"])
    if name == "free":
        motion = FreeMotion(numbers["inertia"], rate=numbers["rate"], attitude=numbers["attitude"])
        return np.hstack([motion.attitude(at), motion.rate(at)])
    finest: dict[str, dict[str, Any]] = {
        "slew": {"integrator": "rk8", "step": 0.05},
        "wheels": {"integrator": "rk8", "step": 0.05},
        "arm": {"elements": 16, "step": 1e-3},
    }
    return np.array(ours.PROBLEMS[name](numbers, **finest[name])()())


def apart(found: Any, expected: Any) -> float:
    """Largest angle between attitudes, rad, or largest difference of rates over the largest rate."""
    found, expected = np.asarray(found), np.asarray(expected)
    e, f = found[:, :4] / np.linalg.norm(found[:, :4], axis=1, keepdims=True), expected[:, :4]
    f = f * np.sign(np.sum(e * f, axis=1))[:, None]
    angle = 4.0 * np.arcsin(np.clip(0.5 * np.linalg.norm(e - f, axis=1), 0.0, 1.0))
    rate = np.abs(found[:, 4:] - expected[:, 4:]).max() / np.abs(expected[:, 4:]).max()
    return float(max(angle.max(), rate))
