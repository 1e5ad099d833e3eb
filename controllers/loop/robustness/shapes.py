"""Changes of torque that a margin allows, as uncertain blocks.

Every such change is a factor on a torque: a + b d / (1 - c d) with |d| <= 1.

- (1 + alpha d / 2) / (1 - alpha d / 2): complex d is the disk margin (Seiler, Packard & Gahinet 2020). Real d is a gain
  from (2 - alpha) / (2 + alpha) to its inverse. j d instead of d, d real, is a phase shift by 2 atan(alpha / 2).
- A delay of up to T samples shifts a signal of theta rad per sample by a phase from -theta T to 0. That is half of it,
  times (1 + j t d) / (1 - j t d) with t = tan(theta T / 4) and d real. Where theta T is nearly a whole turn, d is
  anything in the unit disk. So a delay, unlike the rest, depends on frequency: on an arc its value at the end is used.
"""

from cmath import exp
from dataclasses import dataclass
from math import radians, tan
from typing import Literal, NamedTuple

from .multipliers import UncertainBlock

ROUND = 5.5  # rad: from here on any phase is allowed


class Factor(NamedTuple):
    """A factor start + slope d / (1 - bend d) on a torque."""

    start: complex
    slope: complex
    bend: complex


@dataclass(frozen=True)
class Shape:
    """One kind of change of the torques.

    inputs: indices of the torques; together: by a common factor, or each by its own.
    """

    inputs: tuple[int, ...]
    kind: Literal["disk", "gain", "phase", "delay"]
    together: bool = True

    def factor(self, size: float, top: float) -> tuple[Factor, tuple[UncertainBlock, ...]]:
        """Return the factor and its d as uncertain blocks.

        size: alpha, or the samples of a delay; top: largest angle per sample for which it is valid, rad.
        """
        n = len(self.inputs)
        lag = size * top if self.kind == "delay" else 0.0
        kind = "complex" if self.kind == "disk" or lag > ROUND else "real"
        blocks = (UncertainBlock(kind, n, n),) if self.together else (UncertainBlock(kind, 1, 1),) * n
        if self.kind != "delay":
            turned = size * (1j if self.kind == "phase" else 1.0)
            return Factor(1.0, turned, 0.5 * turned), blocks
        if lag > ROUND:
            return Factor(0.0, 1.0, 0.0), blocks
        middle, bend = exp(-0.5j * lag), 1j * tan(0.25 * lag)
        return Factor(middle, 2.0 * bend * middle, bend), blocks


_EACH = ((0,), (1,), (2,))
_ALL = (0, 1, 2)
_GAIN = tuple(Shape(one, "gain") for one in _EACH)
_PHASE = tuple(Shape(one, "phase") for one in _EACH)
_DELAY = tuple(Shape(one, "delay") for one in _EACH)

SHAPES: dict[str, tuple[Shape, ...]] = {
    "disk_margin_inputs": (Shape(_ALL, "disk", together=False),),
    "gain_margin_dB": (Shape(_ALL, "gain"), *_GAIN),
    "one_input_gain_margin_dB": _GAIN,
    "phase_margin_deg": (Shape(_ALL, "phase"), *_PHASE),
    "one_input_phase_margin_deg": _PHASE,
    "delay_margin_s": (Shape(_ALL, "delay"), *_DELAY),
    "one_input_delay_margin_s": _DELAY,
}
"""Kinds of change for each margin: the margin holds if all of them are tolerated."""


def alpha_of(margin: str, value: float) -> float:
    """Return the size of a factor for a value of a margin other than a delay margin.

    Examples
    --------
    >>> round(alpha_of("gain_margin_dB", 6.0206), 4), round(alpha_of("phase_margin_deg", 60.0), 4)
    (0.6667, 1.1547)
    """
    if margin.endswith("dB"):
        gain = 10.0 ** (value / 20.0)
        return 2.0 * (gain - 1.0) / (gain + 1.0)
    return 2.0 * tan(0.5 * radians(value)) if margin.endswith("deg") else value
