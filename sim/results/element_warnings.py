"""Warnings that elements define: lost flags and doubtful start values."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ...plant.elements.element import coordinate_slices

if TYPE_CHECKING:
    from .run import Run


def element_warnings(run: "Run") -> list[str]:
    """Return the warnings of the elements of a run: `Signal.lost` and `start_warning`."""
    return [*_starts(run), *_lost_flags(run)]


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
