"""What a margin lets change at the torque, as uncertain blocks.

A factor f = (2 + d) / (2 - d) on a torque: d complex with |d| < alpha is the disk margin (Seiler, Packard & Gahinet
2020); d real is a gain from (2 - alpha) / (2 + alpha) to its inverse; d = j t with t real is a shift of phase by 2
atan(t / 2). So one loop, from what is added to each torque to the mean of before and after, serves all three.
"""

from dataclasses import dataclass
from math import atan, degrees, log10, radians, tan

from .multipliers import UncertainBlock

__all__ = ["SHAPES", "Shape", "alpha_of", "value_of"]


@dataclass(frozen=True)
class Shape:
    """One way in which the torques change.

    inputs: which of them; together: by one factor, or each by its own; turn: what multiplies what is real (j of phase).
    """

    inputs: tuple[int, ...]
    kind: str
    together: bool
    turn: complex = 1.0

    @property
    def blocks(self) -> tuple[UncertainBlock, ...]:
        """As uncertain blocks."""
        kind = "complex" if self.kind == "complex" else "real"
        n = len(self.inputs)
        return (UncertainBlock(kind, n, n),) if self.together else (UncertainBlock(kind, 1, 1),) * n


_EACH = ((0,), (1,), (2,))
_ALL = (0, 1, 2)
_GAIN = tuple(Shape(one, "real", together=True) for one in _EACH)
_PHASE = tuple(Shape(one, "real", together=True, turn=1j) for one in _EACH)

SHAPES: dict[str, tuple[Shape, ...]] = {
    "disk_margin": (Shape(_ALL, "complex", together=False),),
    "gain_margin_dB": (Shape(_ALL, "real", together=True), *_GAIN),
    "one_input_gain_margin_dB": _GAIN,
    "phase_margin_deg": (Shape(_ALL, "real", together=True, turn=1j), *_PHASE),
    "one_input_phase_margin_deg": _PHASE,
}
"""Of each margin that can be guaranteed: it holds where all of these do."""


def alpha_of(margin: str, value: float) -> float:
    """Return how large d may be for a margin to have a value.

    Examples
    --------
    >>> round(alpha_of("gain_margin_dB", 6.0206), 4), round(alpha_of("phase_margin_deg", 60.0), 4)
    (0.6667, 1.1547)
    """
    if margin.endswith("dB"):
        gain = 10.0 ** (value / 20.0)
        return 2.0 * (gain - 1.0) / (gain + 1.0)
    return 2.0 * tan(0.5 * radians(value)) if margin.endswith("deg") else value


def value_of(margin: str, alpha: float) -> float:
    """Return the margin that belongs to a size of d."""
    if margin.endswith("dB"):
        return 20.0 * log10((2.0 + alpha) / (2.0 - alpha))
    return degrees(2.0 * atan(0.5 * alpha)) if margin.endswith("deg") else alpha
