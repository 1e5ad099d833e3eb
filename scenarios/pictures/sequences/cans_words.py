"""Text for the figure of cans: names of the angles, heading, and gimbal state."""

from typing import Any

import numpy as np

from .cans_geometry import Cans

_NEAR_DEG = 10.0


def symbols_of(cans: Cans) -> tuple[str, str, str]:
    """Return the usual names of the angles, as mathtext without dollar signs.

    Symmetric sequences: phi, theta, psi in this order. Asymmetric: roll phi about axis 1, pitch theta about
    axis 2, yaw psi about axis 3.
    """
    names = (r"\phi", r"\theta", r"\psi")
    if cans.symmetric:
        return names
    first, second, third = cans.pairs
    return names[first.axis], names[second.axis], names[third.axis]


def degrees(angle: float) -> str:
    """Return an angle, given in rad, as text in degrees with its significant digits."""
    value = float(np.degrees(angle))
    return f"{round(value, 4) + 0.0:.6g}°".replace("-", "−")


def state_of(cans: Cans) -> str:
    """Return "gimbal lock", "near gimbal lock" (closer than 10 deg) or "regular"."""
    if cans.locked:
        return "gimbal lock"
    return "near gimbal lock" if np.degrees(cans.distance) < _NEAR_DEG else "regular"


def caption(cans: Cans, symbols: tuple[str, str, str]) -> tuple[str, str]:
    """Return the heading, and the text below the figure."""
    turns = " ".join(rf"$\mathbf{{R}}_{pair.axis + 1}({word})$" for pair, word in zip(cans.pairs, symbols, strict=True))
    heading = f"Euler sequence {cans.sequence} as cans in series:  " + r"$\mathbf{R}$ = " + turns
    first, middle, third = (f"${word}$" for word in symbols)
    halves = "Each pair of cans is one rotation: the pale half is fixed in the frame before it, the dark half rotates."
    function = r"\sin" if cans.symmetric else r"\cos"
    size = abs(float(np.sin(cans.angles[1]) if cans.symmetric else np.cos(cans.angles[1])))
    triple = rf"|$\,{function}\,${middle}| = |$\,\mathbf{{g}}_1\times\mathbf{{g}}_3$| = {size:.3g}"
    if cans.locked:
        sign = "+" if cans.parallel else "−"
        lines = (
            r"Gimbal lock: the axes $\mathbf{g}_1$, $\mathbf{g}_2$, $\mathbf{g}_3$ lie in one plane (shaded)."
            f"\nNo angle rates rotate the body about the normal; the attitude determines only {first} {sign} {third}."
        )
    elif state_of(cans) == "regular":
        lines = f"Regular: {degrees(cans.distance)} from gimbal lock;  {triple}."
    else:
        lines = f"Near gimbal lock ({degrees(cans.distance)} away): the three axes almost lie in one plane;  {triple}."
    return heading, f"{lines}\n{halves}"


def summary_of(cans: Cans) -> dict[str, Any]:
    """Return the rotations, the attitude and the gimbal state as plain values for JSON."""
    letters = (("x", "y", "z"), ("xi", "eta", "zeta"), ("xi'", "eta'", "zeta'"))
    return {
        "sequence": cans.sequence,
        "angles_deg": np.degrees(cans.angles).tolist(),
        "turns": [
            {"axis": letters[n][pair.axis], "direction": pair.direction.tolist()} for n, pair in enumerate(cans.pairs)
        ],
        "rotation_matrix": cans.frames[3].tolist(),
        "distance_deg": float(np.degrees(cans.distance)),
        "state": state_of(cans),
    }
