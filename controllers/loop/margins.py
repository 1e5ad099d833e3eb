"""The stability margins of a sampled loop, as numbers, a table and a dictionary."""

from dataclasses import dataclass
from math import inf, isfinite, isnan, log10
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...plant.frozen import frozen_arrays

__all__ = ["ONE", "AxisMargins", "Margins", "decibel"]

ONE = "one_input_"
"""Before the name of a margin: of any input by itself, the others closed."""


def decibel(factor: float) -> float:
    """Return a factor in decibels; -inf for 0, inf for inf, nan for nan."""
    if isnan(factor):
        return factor
    return 20.0 * log10(factor) if 0.0 < factor < inf else (-inf if factor == 0.0 else inf)


def _number(value: float) -> float | None:
    return float(value) if isfinite(value) else None


@dataclass(frozen=True, kw_only=True)
class AxisMargins:
    """Margins of one plant input, the other inputs closed.

    Parameters
    ----------
    input : str
        The name of the input.
    gain_up : float
        The smallest factor above 1 on this input's gain at which the loop is no longer stable; inf if none.
    gain_down : float
        The largest factor below 1 at which it is no longer stable; 0 if it may be lowered without end.
    phase_deg : float
        The smallest phase shift, of either sign, at which the loop is no longer stable, deg; inf if none.
    crossover_rad_s : float
        The highest frequency at which the loop gain is 1, rad/s; 0 if it never is.
    bandwidth_rad_s : float
        The highest frequency at which the complementary sensitivity L / (1 + L) is 3 dB down, rad/s; 0 if
        never.
    delay_s : float
        The smallest further delay of this input at which the loop is no longer stable, s; inf if none. It is
        found on the exactly sampled plant, not estimated from the phase.
    disk : float
        Disk margin alpha = 1 / max |S - 1/2| (Seiler, Packard & Gahinet 2020, section II, zero skew): the
        loop stays stable for every complex factor inside the disk through `1/disk_gain` and `disk_gain`. Of a periodic
        loop the factor may be another at each of the frequencies that it answers together; see `disk_margins`.
    """

    input: str
    gain_up: float
    gain_down: float
    phase_deg: float
    crossover_rad_s: float
    bandwidth_rad_s: float
    delay_s: float
    disk: float

    @property
    def gain_up_dB(self) -> float:
        """`gain_up` in decibels."""
        return decibel(self.gain_up)

    @property
    def gain_down_dB(self) -> float:
        """`gain_down` in decibels, negative."""
        return decibel(self.gain_down)

    @property
    def disk_gain(self) -> float:
        """The gain factor (and its inverse) guaranteed together with any phase inside the disk."""
        return inf if self.disk >= 2.0 else (2.0 + self.disk) / (2.0 - self.disk)

    @property
    def disk_phase_deg(self) -> float:
        """The phase shift guaranteed by the disk, deg."""
        return float(np.degrees(2.0 * np.arctan(0.5 * self.disk)))

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers for JSON; None where a margin is unlimited.

        Returns
        -------
        dict
            Keys carry the units.
        """
        return {
            "input": self.input,
            "gain_up": _number(self.gain_up),
            "gain_up_dB": _number(self.gain_up_dB),
            "gain_down": _number(self.gain_down),
            "gain_down_dB": _number(self.gain_down_dB),
            "phase_deg": _number(self.phase_deg),
            "crossover_rad_s": _number(self.crossover_rad_s),
            "bandwidth_rad_s": _number(self.bandwidth_rad_s),
            "delay_s": _number(self.delay_s),
            "disk": _number(self.disk),
            "disk_gain_dB": _number(decibel(self.disk_gain)),
            "disk_phase_deg": _number(self.disk_phase_deg),
        }


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Margins:
    """Margins of a sampled loop: plant under zero-order hold, computational delay and gain.

    Parameters
    ----------
    axes : tuple of AxisMargins
        One for each plant input, broken there with the others closed.
    gain_up, gain_down : float
        The factors nearest 1, above and below, on the gain of all inputs together at which the loop is no longer
        stable; inf and 0 if none. An inertia or a thrust that is off by one factor is such a change.
    phase_deg : float
        The smallest phase shift of all inputs together, of either sign, at which it is no longer stable, deg; inf if
        none.
    delay_s : float
        The smallest further delay of all inputs together at which the loop is no longer stable, s; inf if none. A
        computer that is late delays all.
    sample_s, computational_delay_s : float
        Timing of the loop as designed, s.
    closed_loop_poles : numpy.ndarray
        z-plane poles, largest modulus first.
    words : tuple of str
        What the linear forms of plant and blocks leave out.
    periodic : str
        How the margins of a loop are defined that answers one frequency with many, because a block is slower than the
        law or has a period that does not divide the law's: gain and phase margins by one factor, real or exp(j phi), on
        every sample of a command, at which a pole over the whole period reaches the unit circle. Crossover and
        bandwidth are nan. Empty when the loop has one rate.
    """

    axes: tuple[AxisMargins, ...]
    gain_up: float
    gain_down: float
    phase_deg: float
    delay_s: float
    sample_s: float
    computational_delay_s: float
    closed_loop_poles: NDArray[np.complex128]
    words: tuple[str, ...] = ()
    periodic: str = ""

    @property
    def gain_up_dB(self) -> float:
        """`gain_up` in decibels."""
        return decibel(self.gain_up)

    @property
    def gain_down_dB(self) -> float:
        """`gain_down` in decibels, negative."""
        return decibel(self.gain_down)

    def smallest(self) -> dict[str, float]:
        """Return the smallest margin of each kind, by the names that a case requires them by.

        Returns
        -------
        dict
            gain_margin_dB (up or down), phase_margin_deg, delay_margin_s: of all inputs together or of any alone; the
            same with one_input_ before it: of any alone. inf where unlimited, nan where the loop has none of the kind.
        """
        alone = {
            f"{ONE}gain_margin_dB": [min(axis.gain_up_dB, -axis.gain_down_dB) for axis in self.axes],
            f"{ONE}phase_margin_deg": [axis.phase_deg for axis in self.axes],
            f"{ONE}delay_margin_s": [axis.delay_s for axis in self.axes],
        }
        together = (min(self.gain_up_dB, -self.gain_down_dB), self.phase_deg, self.delay_s)
        every = {
            name.removeprefix(ONE): [*values, all_of_them]
            for (name, values), all_of_them in zip(alone.items(), together, strict=True)
        }
        return {name: float(np.min(values)) for name, values in (every | alone).items()}  # nan where one is

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers for JSON; None where a margin is unlimited, or the loop has none of the kind.

        Returns
        -------
        dict
            `axes`: one input at a time, the others closed; `all_inputs`: all changed together. Keys carry the units;
            poles are [real, imaginary].
        """
        return {
            "axes": [axis.to_dict() for axis in self.axes],
            "all_inputs": {
                "gain_up": _number(self.gain_up),
                "gain_up_dB": _number(self.gain_up_dB),
                "gain_down": _number(self.gain_down),
                "gain_down_dB": _number(self.gain_down_dB),
                "phase_deg": _number(self.phase_deg),
                "delay_s": _number(self.delay_s),
            },
            "sample_s": self.sample_s,
            "computational_delay_s": self.computational_delay_s,
            "closed_loop_poles": [[float(pole.real), float(pole.imag)] for pole in self.closed_loop_poles],
            **({"blocks": list(self.words)} if self.words else {}),
            **({"periodic": self.periodic} if self.periodic else {}),
        }

    def __str__(self) -> str:
        """Return the table that `print` shows."""
        lines = [
            f"margins at the plant input; sample {self.sample_s:g} s, delay {self.computational_delay_s:g} s",
            "(one input at a time, the others closed; then all inputs together)",
            "            gain up  gain down    phase    delay  crossover  bandwidth  disk margin",
            "                 dB         dB      deg        s      rad/s      rad/s    dB    deg",
        ]
        lines += [
            f"{axis.input:<10} {axis.gain_up_dB:8.1f} {axis.gain_down_dB:10.1f} {axis.phase_deg:8.1f} "
            f"{axis.delay_s:8.3g} {axis.crossover_rad_s:10.3g} {axis.bandwidth_rad_s:10.3g} "
            f"{decibel(axis.disk_gain):5.1f} {axis.disk_phase_deg:6.1f}"
            for axis in self.axes
        ]
        gains = f"{self.gain_up_dB:8.1f} {self.gain_down_dB:10.1f}"
        lines.append(f"{'all inputs':<10} {gains} {self.phase_deg:8.1f} {self.delay_s:8.3g}")
        lines.append(f"largest closed-loop pole |z| = {abs(self.closed_loop_poles[0]):.6f}")
        lines += [*self.words, *([self.periodic] if self.periodic else [])]
        return "\n".join(lines)
