"""Advice on the motion that makes an unobservable combination of parameters observable."""

import numpy as np
from numpy.typing import NDArray

from ....sim.analysis.identification.information import Combination
from ....sim.analysis.identification.pseudo_inertia import NAMES

Array = NDArray[np.float64]

ALIKE = 0.95  # a combination is the common scale factor if its cosine with the inertia tensor exceeds this
NAMED = 0.3  # fraction of the largest weight; a parameter with a smaller weight is ignored


def excitation_for(combination: Combination, values: Array) -> str:
    """Return advice on the excitation with which telemetry would determine a combination.

    combination: unobservable combination; values: estimates of all parameters.
    """
    weights = np.asarray(combination.weights)
    largest = float(np.abs(weights).max())
    inertia = [n for n, name in enumerate(combination.names) if name.startswith("inertia_")]
    strong = [n for n in range(weights.size) if abs(weights[n]) > NAMED * largest]
    if inertia and all(n in inertia for n in strong):
        tensor = values[inertia] / np.linalg.norm(values[inertia])
        if abs(float(weights[inertia] @ tensor)) > ALIKE:
            return (
                "apply a known torque, or spin known wheels: torque-free motion reveals only ratios of inertia, not "
                "their common scale"
            )
        axes = sorted({axis for n in strong for axis in combination.names[n].removeprefix("inertia_")})
        assert set(axes) <= {part for name in NAMES for part in name}  # noqa: S101
        return f"accelerate the rate about body {' and '.join(axes)} by a known torque, or tumble about these axes"
    names = " and ".join(combination.names[n] for n in strong)
    if len(strong) == 1 and names.startswith("sensors.") and combination.sigma == np.inf:
        return (
            f"no simulated measurement depends on {names}; noise, which only weights the residuals, cannot be "
            "identified"
        )
    if any(name.startswith("sensors.") for name in (combination.names[n] for n in strong)):
        return (
            f"rotate about at least two body axes, at rates far above the noise, so that {names} differ in their effect"
        )
    acts = "acts" if len(strong) == 1 else "act"
    return f"excite a motion on which {names} {acts} (free vibration, or spin-down after a known torque)"
