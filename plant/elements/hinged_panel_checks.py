"""Checks of a hinged panel: history of its drive, and its start relative to drive and latch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..errors import InputError

if TYPE_CHECKING:
    from .hinged_panel import HingedPanel

BELOW, ABOVE = "below", "above"
WORTH_A_WORD = 1e-3  # rad: smallest offset from the rest angle that gives a warning
FASTEST = 2.0 * np.pi  # rad/s: no panel deploys at a turn per second


def check_history(panel: HingedPanel) -> None:
    """Raise InputError if the history of the drive is incomplete, not in order, or contradicts other parameters."""
    times, angles = panel.drive_times, panel.drive_angles
    if times is None and angles is None:
        return
    if times is None or angles is None or times.size != angles.size or times.size < 2:
        sizes = [0 if each is None else each.size for each in (times, angles)]
        raise InputError(
            f"the drive of a hinged panel needs two or more times and as many angles; got {sizes[0]} times and "
            f"{sizes[1]} angles"
        )
    if not (np.diff(times) > 0.0).all():
        worst = int(np.argmin(np.diff(times)))
        raise InputError(
            f"the drive times of a hinged panel must increase; got {times[worst]:g} s before {times[worst + 1]:g} s"
        )
    if panel.rest or panel.drive_rate:
        raise InputError("drive_times of a hinged panel define its rest angle; omit rest and drive_rate")
    if not panel.stiffness:
        raise InputError("drive_angles of a hinged panel need stiffness, through which they act on the panel")


def require_reachable(panel: HingedPanel, name: str, angle: float, *, rate: float) -> None:
    """Raise InputError if a panel at t = 0 is so far beyond its latch that no deployment reaches it.

    name: of the angle in the spacecraft; angle, rate: at t = 0, rad and rad/s.
    """
    if panel.latch_angle is None:
        return
    beyond = -panel.side * (angle - panel.latch_angle)
    if beyond <= panel.capture:
        return
    rate, time = max(-panel.side * rate, 0.0), panel.latch_time
    entry = (rate + beyond / time) * np.exp(beyond / (beyond + rate * time))
    if entry > FASTEST:
        raise InputError(
            f"{name} at t = 0 is {angle:g} rad, {beyond:.4g} rad beyond the latch_angle "
            f"{panel.latch_angle:g} rad: a panel from {panel.latch_from} would have to arrive at {entry:.3g} rad/s, "
            f"above {FASTEST:.3g} rad/s; start it on the open side or within capture, {panel.capture:g} rad, of the "
            f'latch, or give latch_from = "{ABOVE if panel.latch_from == BELOW else BELOW}"'
        )


def drive_warning(panel: HingedPanel, name: str, angle: float) -> str:
    """Return a warning if the start is farther from a sprung drive's rest angle than `panel.angle` is, or "".

    name: of the angle in the spacecraft; angle: at t = 0, rad.
    """
    if not (panel.drive_rate or panel.drive_times is not None) or not panel.stiffness:
        return ""
    rest = panel.rest_at_start
    offset = angle - rest
    if abs(offset) <= abs(panel.angle - rest) + WORTH_A_WORD:
        return ""
    way = (
        "set rest to the value of rest + drive_rate t at its end"
        if panel.drive_times is None
        else "subtract the time of its end from the drive_times"
    )
    return (
        f"{name} starts {offset:.4g} rad from the rest angle of its drive at t = 0, {rest:.6g} rad, so that "
        f"the hinge spring exerts {-panel.stiffness * offset:.3g} N m; to continue another run, {way}"
    )
