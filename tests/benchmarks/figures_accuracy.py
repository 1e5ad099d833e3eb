"""Figures of docs/accuracy.md about accuracy, measured again; `figures.py` prints them.

The published values are those of the tests: each is written down once.
"""

import io
import json
from contextlib import redirect_stdout
from typing import Any

import numpy as np

from polhode import controllers, plant, sim
from polhode.plant.attitude import attitude_error, rotation_angle
from polhode.scenarios.commands.invoke import invoke
from tests.plant.elements.test_ring_damper import rotor
from tests.scenarios import test_cases, test_elements
from tests.sim.analysis import test_confirm_margins as confirmed

__all__ = ["ACCURACY"]


def case(name: str, *words: str) -> dict[str, Any]:
    """Results that `polhode run NAME --json` prints."""
    printed = io.StringIO()
    with redirect_stdout(printed):
        invoke(["run", name, "--json", *words])
    return json.loads(printed.getvalue())


def largest(found: Any, expected: Any) -> float:
    """Largest difference of two rows of numbers."""
    return float(np.abs(np.asarray(found) - expected).max())


def degrees_apart(found: Any, expected: Any) -> float:
    """The angle between two attitudes."""
    return float(np.degrees(rotation_angle(attitude_error(np.array(found), np.array(expected)))))


def jacobi() -> str:
    from scipy.special import ellipj

    sn, cn, dn, _ = ellipj(0.473953920599135 * 1000.0, 0.779596459297165)
    exact = np.array((346.4101616 * dn, 365.447089415460 * sn, -200.0 * cn))
    (sample,) = case("torque-free", "--at", "1000")["samples"]
    return f"{largest(sample['momentum_N_m_s'], exact) / np.linalg.norm(exact):.1e} of the momentum"


def drift() -> str:
    kept = case("torque-free", "--at", "10000", "--set", "run.duration_s=10000")["invariants"]
    return f"{kept['energy_drift_relative']:.0e}, {kept['momentum_drift_relative']:.0e}"


def ring() -> str:
    apart: list[float] = []
    for sample in case("nutation-damping", "--at", "1,5,60")["samples"]:
        momentum, angle, energy = test_elements.RING[sample["t_s"]]
        apart.append(largest(np.array((1, 1, 1.6)) * sample["rate_rad_s"], momentum))
        apart += [abs(sample["internal"]["ring_angle_rad"] - angle), abs(sample["energy_J"] - energy)]
    return f"{max(apart):.1e} N m s, rad, J"


def slug() -> str:
    from scipy.optimize import brentq

    craft = rotor(angle=0.0)

    def state(lean: float) -> Any:
        return craft.spinning(np.array((np.sin(lean), 0.0, np.cos(lean))) * 10.0)

    def off(lean: float) -> float:
        return float(np.cross(state(lean)[:3], np.array((np.sin(lean), 0.0, np.cos(lean))))[1])

    values = craft.linearize(state(float(brentq(off, -1.0, 1.0, xtol=1e-15)))).eigenvalues()
    return f"{np.abs(values - (-0.07861464 + 6.07334705j)).min():.0e} 1/s (the reference has eight decimals)"


def satellite() -> str:
    (free,) = case("flexible-satellite-free", "--at", "2.5")["samples"]
    pushed = case("flexible-satellite-torque", "--at", "3")
    angles = max(
        largest(free["euler_angles_deg"], (21.497399, 72.783884, -9.710439)),
        largest(pushed["samples"][0]["euler_angles_deg"], (13.713539, 45.372325, 6.886417)),
    )
    tip = abs(pushed["metrics"]["peak_tip_deflection_m"] / 2.0355e-4 - 1.0)
    return f"{angles:.0e} deg; {100.0 * tip:.2f} %"


def vibration() -> str:
    notch, alone, _ = case("flexible-slew")["comparison"]
    key = "residual_tip_deflection_m"
    return f"alone {1e3 * alone[key]:.2g} mm; with a notch {1e9 * notch[key]:.2g} nm"


def books() -> str:
    return f"{case('flexible-on-wheels')['invariants']['momentum_drift_relative']:.0e} of the momentum"


def bending() -> str:
    from polhode.scenarios.documents.verification.mesh_study import mesh_study

    curves = [curve for curve in mesh_study() if "free flight" in curve.words]
    few, many = (max(curve.errors[curve.elements.index(n)] for curve in curves) for n in (2, 8))
    return f"{100.0 * few:.2f} %, {many:.1e}"


def margins() -> str:
    craft = plant.Spacecraft(plant.RigidBody(confirmed.INERTIA), torques=plant.TorqueBasis("body", limit=1.0))
    model = craft.linearize(craft.at_rest())
    designs = (confirmed.lqr, confirmed.lqg, confirmed.lqi, confirmed.quaternion_feedback)
    worst = max(sim.confirm_margins(craft, design(craft, model)).worst for design in designs)
    return f"{100.0 * worst:.3f} %, at rest"


def disk() -> str:
    import control as ct

    a = 10.0
    loop = ct.ss([[0, a], [-a, 0]], np.eye(2), [[1, a], [-a, 1]], np.zeros((2, 2)))
    found = controllers.disk_margins(controllers.OpenedLoop.from_control(loop)).simultaneous
    off = found.alpha / (2.0 * (np.sqrt(a * a + 1.0) - a)) - 1.0
    return f"{found.alpha:.4f}, {found.gain_dB:.3f} dB, {found.phase_deg:.2f} deg; {abs(off):.0e}"


def brick() -> str:
    samples = case("tumbling-brick", "--at", "5,10,20,30")["samples"]
    return f"{max(largest(np.degrees(s['rate_rad_s']), test_cases.NESC[s['t_s']]) for s in samples):.1e} deg/s"


def stations() -> str:
    marked: Any = test_cases.test_jeods_cases
    (marks,) = (mark for mark in marked.pytestmark if mark.name == "parametrize")
    rates, angles = [], []
    for name, rate, attitude, _ in marks.args[1]:
        (sample,) = case(name, "--at", "28800")["samples"]
        rates.append(largest(sample["rate_rad_s"], rate))
        angles.append(degrees_apart(sample["attitude"], np.array(attitude) * (1, -1, -1, -1)))
    return f"{max(rates):.0e} rad/s; {angles[0]:.0e}, {angles[1]:.0e} deg"


def singularity() -> str:
    return f"{case('spring-mounted-case-2')['t_end_s']:.9f} s"


ACCURACY = {
    "`torque-free` at 1000 s": jacobi,
    "`torque-free` over 10,000 s": drift,
    "ring nutation damper": ring,
    "damping of the linear model": slug,
    "`flexible-satellite-free`": satellite,
    "`flexible-slew`": vibration,
    "`flexible-on-wheels`": books,
    "bending frequencies": bending,
    "gain and delay margins": margins,
    "simultaneous disk margin": disk,
    "`tumbling-brick`": brick,
    "`pulsed-station`": stations,
    "`spring-mounted-case-2`": singularity,
}
"""How a row of that table begins, and what measures it."""
