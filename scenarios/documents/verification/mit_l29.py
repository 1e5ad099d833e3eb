"""MIT OpenCourseWare 16.07, lecture L29: Euler angles and free motion."""

import numpy as np

from ....plant.attitude import rotation_matrix
from ....plant.attitude.free_motion import (
    AxisymmetricMotion,
    axisymmetric_motion,
    euler_angle_rates,
    momentum_frame,
    roll_coupling,
)
from . import outside
from .fly import fly
from .row import Row

TITLE = "MIT 16.07, lecture L29: Euler angles and free motion of a rigid body"


def general() -> Row:
    """Compare the Euler-angle rates (18)-(20) of a tumbling body with rates from elliptic functions."""
    inertia = (400.0, 307.808385, 200.0)
    momenta, changes = outside.free_body((1.0, 2.0, 7.0), inertia, amplitudes=(346.4101616, 200.0))
    frames = [momentum_frame(h) for h in momenta.T]
    return Row(
        equations="(18)-(20)",
        system="Euler-angle rates of free motion",
        where="plant.attitude.free_motion.euler_angle_rates",
        reached=[euler_angle_rates(frame.angles, frame.momentum, inertia=inertia) for frame in frames],
        expected=[
            outside.free_body_rates(h, change, inertia=inertia) for h, change in zip(momenta.T, changes.T, strict=True)
        ],
        kind="closed form",
        tolerance=1e-14,
        unit="rad/s",
    )


def _figures(motion: AxisymmetricMotion) -> tuple[float, float, float, float]:
    return motion.momentum, motion.theta, motion.precession, motion.spin


def prolate() -> Row:
    """Compare the closed-form motion (21)-(29) of a prolate body, a rod."""
    motion = axisymmetric_motion(2.0, 0.5, speed=3.0, angle=np.radians(10.0))
    return Row(
        equations="(21)-(29)",
        system="prolate body: H, theta, phidot, psidot, space cone; direct precession",
        where="plant.free_motion.axisymmetric_motion",
        reached=(
            motion.momentum,
            motion.theta,
            motion.precession,
            motion.spin,
            motion.space_cone,
            motion.kind == "direct",
        ),
        expected=(1.807674479611248, 0.6142794525393278, 0.903837239805624, 2.215817444277468, 0.43974652734, 1.0),
        kind="closed form",
        tolerance=1e-11,
        note="'omega makes beta with the Z axis' is the body z axis",
    )


def oblate() -> Row:
    """Compare the closed-form motion (21)-(29) of an oblate body, a disk."""
    motion = axisymmetric_motion(1.0, 1.8, speed=3.0, angle=np.radians(20.0))
    return Row(
        equations="(21)-(29)",
        system="oblate body: H, theta, phidot, psidot; retrograde precession",
        where="plant.free_motion.axisymmetric_motion",
        reached=(*_figures(motion), motion.kind == "retrograde"),
        expected=(5.177038534397759, 0.1995155090910779, 5.177038534397759, -2.25526228988618, 1.0),
        kind="closed form",
        tolerance=1e-12,
        note="'same sign for I0 > I' holds for cos theta > 0",
    )


def roll() -> Row:
    """Compare the simulated roll coupling of an aircraft with its closed form."""
    coned = roll_coupling(85000.0, 12800.0, misalignment=np.radians(2.0), impulse=51200.0)
    out = coned.time_of_largest_swing
    run = fly("roll-coupling", (out,))
    axis = np.array((np.sin(np.radians(2.0)), 0.0, np.cos(np.radians(2.0))))
    nose = rotation_matrix(run.x[-1, 3:7]) @ axis
    swing = float(np.degrees(np.arctan2(np.linalg.norm(np.cross(nose, axis)), nose @ axis)))
    return Row(
        equations="roll coupling",
        system="aircraft: precession rate, largest swing of the nose",
        where="case roll-coupling",
        reached=(coned.motion.precession, swing),
        expected=(0.6023529412, 4.0),
        kind="closed form",
        tolerance=1e-7,
        unit="rad/s, deg",
        note="the lecture gives no inertias; 85000 and 12800 kg m^2 with 2 deg between the axes are assumed",
    )


ROWS = (general, prolate, oblate, roll)
