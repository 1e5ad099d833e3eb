"""Torque changes that a margin allows, as uncertain blocks.

Every such change is a factor a + b d / (1 - c d) with |d| <= 1 on a torque.

- (1 + alpha d / 2) / (1 - alpha d / 2) with complex d describes the disk margin (Seiler, Packard & Gahinet 2020).
  Real d gives gains from (2 - alpha) / (2 + alpha) to the inverse of this value. Imaginary d gives phase shifts of up
  to 2 atan(alpha / 2) of either sign.
- A delay of up to T samples shifts the phase of a signal of theta rad per sample by -theta T to 0. The factor is a
  shift by -theta T / 2, times (1 + j t d) / (1 - j t d) with t = tan(theta T / 4) and real d. If theta T is nearly a
  full turn, any phase is allowed, represented by d in the unit disk. Unlike the factors above, a delay depends on
  frequency: on an arc, its value at the upper end is used.
"""

from cmath import exp
from dataclasses import dataclass
from math import radians, tan
from typing import Literal, NamedTuple

from .multipliers import UncertainBlock

ROUND = 5.5  # rad: for larger phase shifts any phase is allowed


class Factor(NamedTuple):
    """The factor start + slope d / (1 - bend d) on a torque."""

    start: complex
    slope: complex
    bend: complex


@dataclass(frozen=True)
class Shape:
    """One kind of torque change.

    inputs: indices of the torques; together: whether all torques share a common factor; otherwise each has an
    independent factor.
    """

    inputs: tuple[int, ...]
    kind: Literal["disk", "gain", "phase", "delay"]
    together: bool = True

    def factor(self, size: float, top: float) -> tuple[Factor, tuple[UncertainBlock, ...]]:
        """Return the factor, and d as uncertain blocks.

        size: alpha, or the delay in samples; top: largest angle per sample for which the factor is valid, rad.
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
"""Kinds of torque change for each margin: the margin holds if the loop tolerates all of them."""


def alpha_of(margin: str, value: float) -> float:
    """Return alpha for the value of a disk, gain or phase margin.

    Examples
    --------
    >>> round(alpha_of("gain_margin_dB", 6.0206), 4), round(alpha_of("phase_margin_deg", 60.0), 4)
    (0.6667, 1.1547)
    """
    if margin.endswith("dB"):
        gain = 10.0 ** (value / 20.0)
        return 2.0 * (gain - 1.0) / (gain + 1.0)
    return 2.0 * tan(0.5 * radians(value)) if margin.endswith("deg") else value
