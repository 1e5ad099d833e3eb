"""Warnings about orbits: a lost orbit, a position inside the central body, and a reference along another orbit."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...plant import GravityGradient, Oblateness, PointGravity
from ...plant.environment.loads import EnvironmentLoads
from ...plant.loads.potentials.central_bodies import surface_of
from ...plant.loads.potentials.oblateness import POLAR
from ..engine.steppers.phase_error import step_error
from .row_norms import row_norms
from .shared_rows import energy_imbalance

if TYPE_CHECKING:
    from .run import Run

Array = NDArray[np.float64]

WORTH_A_WORD = 1e-3  # rad: smallest error along the orbit that gives a warning
APART = 0.01  # rad: largest angle between directions to the centre that count as the same orbit
FAR_ABOVE = 100.0  # orbital over rotational energy, above which an energy drift is attributed to the orbit
DRIFT_TO_ANGLE = 0.75
"""A linearly growing relative energy error d changes the mean motion by 3/2 d at the end and half that on average."""


def on_orbit(run: "Run") -> bool:
    """Return whether the position moves in a central field whose energy far exceeds the rotational energy."""
    field = _centre(run) if run.craft.translation else None
    if field is None:
        return False
    return _binding(run, field) > FAR_ABOVE * float(
        np.abs(run.values("rate") * run.values("momentum")).sum(axis=1).max()
    )


def _binding(run: "Run", field: PointGravity | GravityGradient) -> float:
    """Return the largest magnitude of the energy of the orbit, kinetic and potential, J."""
    distances, speeds = row_norms(run.values("position")), row_norms(run.values("velocity"))
    return float(np.abs(0.5 * speeds**2 - field.mu / distances).max()) * run.craft.mass


def orbit_warnings(run: "Run") -> list[str]:
    """Return the warnings about the orbit of a run."""
    field = _centre(run) if run.craft.translation else None
    if field is None or run.status == "failed":
        return []
    positions = run.values("position")
    return [*_inside(run, field, positions), *_lost(run, field, positions)]


def other_orbit(run: "Run") -> list[str]:
    """Return a warning if the reference points along an orbit that neither the loads nor the spacecraft follow."""
    toward: Any = getattr(run.reference, "center_direction", None)
    if toward is None:
        return []
    for row in (0, -1):
        t, centres = float(run.t[row]), _directions(run, row)
        angle = min((_angle(np.asarray(toward(t)), each) for each in centres), default=0.0)
        if angle > APART:
            words = (
                "the reference uses another orbit than the spacecraft or its loads: the directions to their centres "
                f"differ by {np.degrees(angle):.3g} deg at t = {t:.6g} s; give all of them the same position (m), "
                "velocity (m/s) and mu (m^3/s^2), or the same orbit"
            )
            return [words]
    return []


def _directions(run: "Run", row: int) -> list[Array]:
    """Return the directions to the centre in a row (3,), of the spacecraft's own orbit or of its loads."""
    if run.craft.translation:
        return [] if _centre(run) is None else [-run.values("position")[row]]
    t = float(run.t[row])
    found = [
        each.center_direction(t)
        for each in run.craft.potentials
        if isinstance(each, GravityGradient) and each.position is not None
    ]
    orbits: list[Any] = [each.fields.orbit for each in run.craft.potentials if isinstance(each, EnvironmentLoads)]
    return found + [-orbit.state(np.array([t]))[0][0] for orbit in orbits if orbit is not None]


def _angle(a: Array, b: Array) -> float:
    return float(np.arctan2(np.linalg.norm(np.cross(a, b)), a @ b))


def _centre(run: "Run") -> PointGravity | GravityGradient | None:
    return next((each for each in run.craft.potentials if isinstance(each, (PointGravity, GravityGradient))), None)


def _inside(run: "Run", field: PointGravity | GravityGradient, positions: Array) -> list[str]:
    """Return a warning if a row is inside the central body, where its field is not that of a point mass."""
    surface = surface_of(field.mu)
    for each in run.craft.potentials:
        if surface is None and isinstance(each, Oblateness):
            surface = "the oblate body", POLAR * each.radius
    distances = row_norms(positions)
    if surface is None:
        return []
    if not (distances < surface[1]).any():
        return _between_rows(run, field, positions, surface)
    row = int(np.argmax(distances < surface[1]))
    words = (
        f"the position is inside {surface[0]} from t = {run.t[row]:.6g} s: {distances[row]:.4g} m from the centre, "
        f"within the radius of {surface[1]:g} m, where the field is not that of a point mass; end the run earlier, or "
        "check position (m) and velocity (m/s)"
    )
    return [words]


def _between_rows(
    run: "Run", field: PointGravity | GravityGradient, positions: Array, surface: tuple[str, float]
) -> list[str]:
    """Return a warning if the orbit in a row enters the central body before the next row.

    The last row counts until the end of the run. surface: name of the body, and its radius, m.
    """
    r, v, mu = positions, run.values("velocity"), field.mu
    ends = np.append(run.t[1:], run.end_time)
    distances, steps = row_norms(r), ends - run.t
    turn = row_norms(np.cross(r, v)) ** 2 / mu
    outward = (r * v).sum(axis=1) / np.sqrt(mu)
    share = 2.0 / distances - (v * v).sum(axis=1) / mu  # 1/a
    eccentricity = np.sqrt(np.maximum(1.0 - turn * share, 0.0))
    lowest = turn / (1.0 + eccentricity)
    closed, size = share > 0.0, 1.0 / np.where(share == 0.0, np.nan, np.abs(share))
    sine, motion = outward / np.sqrt(size), np.sqrt(mu / size**3)  # e sin E or e sinh H, and the mean motion
    ellipse = np.mod(np.arctan2(sine, 1.0 - distances * share) - sine, 2.0 * np.pi) - 2.0 * np.pi
    hyperbola = sine - np.arcsinh(sine / eccentricity)
    # mean anomaly; negative: before the next pericentre
    anomaly = np.asarray(np.where(closed, ellipse, hyperbola), dtype=np.float64)
    cosine = (1.0 - surface[1] * share) / eccentricity  # cos E or cosh H where the orbit enters the body
    falling = np.arccos(np.clip(cosine, -1.0, 1.0)), np.arccosh(np.maximum(cosine, 1.0))
    entries = eccentricity * np.sin(falling[0]) - falling[0], falling[1] - eccentricity * np.sinh(falling[1])
    entry = np.asarray(np.where(closed, *entries), dtype=np.float64)
    passed = (lowest < surface[1]) & (anomaly < 0.0) & (anomaly + motion * steps >= entry)
    if not passed.any():
        return []
    row = int(np.argmax(passed))
    words = (
        f"the position is inside {surface[0]} between t = {run.t[row]:.6g} and {ends[row]:.6g} s: the orbit comes "
        f"within {lowest[row]:.4g} m of the centre, below the radius of {surface[1]:g} m, where the field is not that "
        "of a point; end the run earlier, or check position (m) and velocity (m/s)"
    )
    return [words]


def _lost(run: "Run", field: PointGravity | GravityGradient, positions: Array) -> list[str]:
    """Return a warning if integration errors may have shifted the position along the orbit.

    The error is the larger of two: the change of the mean motion by the drift of the energy, and the phase error of
    fixed steps at the largest angular rate.
    """
    distances, velocities = row_norms(positions), run.values("velocity")
    rates = row_norms(np.cross(positions, velocities)) / distances**2
    angle = float(np.sum(0.5 * (rates[1:] + rates[:-1]) * np.diff(run.t)) + rates[-1] * (run.end_time - run.t[-1]))
    drift, method = 0.0, run.scheme.stepper
    if "energy_balance" in run.names:
        binding = _binding(run, field)
        drift = energy_imbalance(run) / binding if binding else 0.0
    phase, steps = 0.0, run.counters.get("steps", 0.0)
    if not method.adaptive and steps > 0.0:
        phase = steps * step_error(method, 1j * run.end_time / steps * float(rates.max()))
    error = max(DRIFT_TO_ANGLE * drift * angle, phase)
    if not error > WORTH_A_WORD:
        return []
    way = (
        f"a smaller rtol than {run.scheme.rtol:g}"
        if method.adaptive
        else f"a shorter step than {run.scheme.step:g} s, or dop853"
    )
    words = (
        f"the position at the end may have an error of {error:.2g} rad along the orbit, "
        f"{error * float(distances[-1]):.2g} m, after {angle:.3g} rad: the energy of the orbit drifted by {drift:.2g} "
        f"of its magnitude; use {way}, or a shorter run"
    )
    return [words]
