"""Warnings about elements: lost flags, doubtful start values, and imbalances that turn too far in a step."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ...plant.elements.element import coordinate_slices
from ...plant.elements.signal import element_labels

if TYPE_CHECKING:
    from .run import Run

LARGEST_TURN = 1.0  # rad per fixed step
LARGEST_ADAPTIVE_TURN = 6.0  # rad: about one revolution per step, beyond which the error estimate may be blind
PER_TURN = 20  # steps per revolution that resolve a harmonic force


def element_warnings(run: "Run") -> list[str]:
    """Return the warnings of the elements of a run: `Signal.lost`, `start_warning` and unresolved imbalance."""
    return [*_starts(run), *_lost_flags(run), *_unresolved_imbalance(run)]


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
