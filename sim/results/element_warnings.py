"""Warnings about elements: lost flags, doubtful start values, and imbalances that turn too far in a step."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ...plant.elements.element import coordinate_slices
from ...plant.elements.signal import element_labels

if TYPE_CHECKING:
    from .run import Run

LARGEST_TURN = 1.0  # rad per fixed step
LARGEST_ADAPTIVE_TURN = 6.0  # rad: about one revolution per step, beyond which the error estimate may be blind
LARGE_SHARE = 0.01  # of the electrical energy of a wheel
PER_TURN = 20  # steps per revolution that resolve a harmonic force


def element_warnings(run: "Run") -> list[str]:
    """Return the warnings of the elements of a run.

    These are `Signal.lost`, `start_warning`, unresolved imbalance and inexact electrical energy.
    """
    return [*_starts(run), *_lost_flags(run), *_unresolved_imbalance(run), *_inexact_energy(run)]


def _inexact_energy(run: "Run") -> list[str]:
    """Return a sentence for each wheel whose electrical energy is inexact, since long steps pass zero power.

    The energy is integrated by the trapezoidal rule over the steps. A step of length h in which the mechanical power
    changes sign at the rate m' adds an error of at most k m' h^2/8, with the change k of slope of the electrical power.
    """
    steps, end = run.counters.get("steps", 0.0), run.end_time
    if not steps > 0.0 or not end > 0.0 or run.t.size < 2 or "electrical_power" not in run.names:
        return []
    h = run.counters.get("longest_adaptive_step", 0.0) if run.scheme.stepper.adaptive else end / steps
    labels = [label for label, signal in run.signals if signal.name == "motor_torque"]
    torques = np.reshape(run.values("motor_torque"), (run.t.size, -1))
    found: list[str] = []
    for label, (element, own) in zip(
        element_labels(run.craft.elements), coordinate_slices(run.craft.elements), strict=True
    ):
        efficiency = getattr(element, "motor_efficiency", None)
        if efficiency is None or label not in labels:
            continue
        power = torques[:, labels.index(label)] * run.values("internal_rate")[:, own][:, 0]
        returned: float | None = getattr(element, "regeneration_efficiency", None)
        kink = 1.0 / efficiency + (1.0 / efficiency if returned is None else -returned)
        passed = power[1:] * power[:-1] < 0.0
        slopes = np.abs(np.diff(power))[passed] / np.diff(run.t)[passed]
        error = float(np.minimum(kink * slopes * h**2 / 8.0, kink * np.abs(power).max() * h / 4.0).sum())
        energy = run.counters.get(f"{label}_electrical_power_integral", 0.0)
        if error > LARGE_SHARE * abs(energy):
            found.append(
                f"the electrical energy of {label.replace('_', ' ')}, {energy:.4g} J, may have an error of {error:.2g} "
                f"J: its power passes zero {int(passed.sum())} times in steps of up to {h:.3g} s; use shorter steps"
            )
    return found


def _unresolved_imbalance(run: "Run") -> list[str]:
    """Return a sentence for each imbalanced wheel whose rotation the steps do not resolve.

    The force of the imbalance then acts at few angles only: at a whole number of revolutions per step, it is constant.
    """
    steps, end = run.counters.get("steps", 0.0), run.end_time
    if not steps > 0.0 or not end > 0.0 or not run.t.size:
        return []
    adaptive = run.scheme.stepper.adaptive
    step = run.counters.get("longest_adaptive_step", 0.0) if adaptive else end / steps
    most, way = (LARGEST_ADAPTIVE_TURN, ", or a smaller rtol") if adaptive else (LARGEST_TURN, ", or dop853")
    found: list[str] = []
    for label, (element, own) in zip(
        element_labels(run.craft.elements), coordinate_slices(run.craft.elements), strict=True
    ):
        if not (getattr(element, "static_imbalance", 0.0) or getattr(element, "dynamic_imbalance", 0.0)):
            continue
        rate = float(np.abs(run.values("internal_rate")[:, own]).max())
        if step * rate > most:
            found.append(
                f"the steps of {step:.3g} s do not resolve the rotation of {label.replace('_', ' ')} at "
                f"{rate:.4g} rad/s: its imbalance acts at few angles, and jitter and drift are wrong; use steps of "
                f"{2.0 * np.pi / rate / PER_TURN:.2g} s{way}"
            )
    return found


def _starts(run: "Run") -> list[str]:
    names = run.craft.layout.coordinates
    coordinates = run.start[run.craft.layout.internal].tolist()
    if not any(hasattr(element, "start_warning") for element in run.craft.elements):
        return []
    rates = run.craft.internal_rates(run.start[: run.craft.layout.size]).tolist()
    found: list[str] = []
    for element, own in coordinate_slices(run.craft.elements):
        warning: Any = getattr(element, "start_warning", None)
        if warning is not None:
            found.append(warning(names[own], coordinates[own], rates=rates[own]))
    return [each for each in found if each]


def _lost_flags(run: "Run") -> list[str]:
    """Return a warning for each flag with a message `lost` that fell from 1 to 0, even between rows."""
    found: list[str] = []
    for name in dict.fromkeys(signal.name for _, signal in run.signals if signal.lost):
        matching = [(label, signal) for label, signal in run.signals if signal.name == name]
        parts = (np.reshape(run.values(name + end), (run.t.size, -1)) for end in ("", "_lowest", "_highest"))
        for (label, signal), now, least, most in zip(matching, *(part.T for part in parts), strict=True):
            before = np.concatenate(([0.0], now[:-1]))
            lost = ((before == 1.0) & (least == 0.0)) | ((most == 1.0) & (now == 0.0))
            if lost.any():
                row = int(np.argmax(lost))
                since = f" and {run.t[row]:.6g}" if row else ""
                found.append(
                    f"{label.replace('_', ' ')} {signal.lost} (between t = {run.t[max(row - 1, 0)]:.6g}{since} s)"
                )
    return found
