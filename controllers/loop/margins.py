"""Stability margins of a sampled loop: values, table and dictionary."""

from dataclasses import dataclass
from math import inf, isfinite, isnan, log10
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...plant.frozen import frozen_arrays

ONE = "one_input_"
"""Prefix of margin names: smallest one-loop-at-a-time margin over the inputs, other loops closed."""


def decibel(factor: float) -> float:
    """Return a factor in decibels; -inf for 0, inf for inf, nan for nan."""
    if isnan(factor):
        return factor
    return 20.0 * log10(factor) if 0.0 < factor < inf else (-inf if factor == 0.0 else inf)


def _number(value: float) -> float | None:
    return float(value) if isfinite(value) else None


@dataclass(frozen=True, kw_only=True)
class AxisMargins:
    """Margins of one plant input, with the remaining inputs closed.

    Parameters
    ----------
    input : str
        The name of the input.
    gain_up : float
        The smallest factor above 1 on this input's gain at which the loop becomes unstable; inf if none.
    gain_down : float
        The largest factor below 1 at which the loop becomes unstable; 0 if no reduction makes it unstable.
    phase_deg : float
        The smallest phase shift, of either sign, at which the loop becomes unstable, deg; inf if none.
    crossover_rad_s : float
        The highest frequency at which the loop gain is 1, rad/s; 0 if there is none.
    bandwidth_rad_s : float
        The highest frequency at which the complementary sensitivity L / (1 + L) is -3 dB, rad/s; 0 if there is none.
    delay_s : float
        The smallest additional delay of this input at which the loop becomes unstable, s; inf if none. The margin is
        computed with the exactly sampled plant instead of being estimated from the phase margin.
    disk : float
        Disk margin alpha = 1 / max |S - 1/2| (Seiler, Packard & Gahinet 2020, section II, zero skew): the
        loop stays stable for every complex factor inside the disk through `1/disk_gain` and `disk_gain`. In a periodic
        loop the factor may differ at each of the coupled frequencies; see `disk_margins`.
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
        """The gain factor that the disk margin tolerates; its inverse is tolerated as well."""
        return inf if self.disk >= 2.0 else (2.0 + self.disk) / (2.0 - self.disk)

    @property
    def disk_phase_deg(self) -> float:
        """The phase shift that is tolerated by the disk margin, deg."""
        return float(np.degrees(2.0 * np.arctan(0.5 * self.disk)))

    def to_dict(self) -> dict[str, Any]:
        """Return the margins as plain values for JSON; None if a margin is unlimited.

        Returns
        -------
        dict
            Plain values; keys carry the units.
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
    """Margins of a sampled loop, with plant under zero-order hold, computational delay and law.

    Parameters
    ----------
    axes : tuple of AxisMargins
        One for each plant input, at which the loop is broken while the remaining inputs stay closed.
    gain_up, gain_down : float
        The factors nearest 1, above and below, on the gain of all inputs together at which the loop becomes
        unstable; inf and 0 if none. A common error in inertia or thrust is such a factor.
    phase_deg : float
        The smallest phase shift of all inputs together, of either sign, at which the loop becomes unstable, deg; inf if
        none.
    delay_s : float
        The smallest additional delay of all inputs together at which the loop becomes unstable, s; inf if none. A
        slow on-board computer delays all inputs.
    sample_s, computational_delay_s : float
        Timing of the nominal loop, s.
    closed_loop_poles : numpy.ndarray
        z-plane poles, largest modulus first.
    words : tuple of str
        Effects neglected in the linear forms of plant and blocks.
    periodic : str
        Description of how the margins of a periodic loop are defined; empty for a single-rate loop. In a periodic loop
        a block is slower than the law or has a period that does not divide the law's. The gain and phase margins are
        the factors, real or exp(j phi) and the same on every sample of a command, at which a pole over the full period
        reaches the unit circle. Crossover and bandwidth are nan.
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

    def _repr_html_(self) -> str:
        """Return the margins as an HTML table for a notebook."""
        from ..notebook_views import margins_html

        return margins_html(self)

    @property
    def gain_up_dB(self) -> float:
        """`gain_up` in decibels."""
        return decibel(self.gain_up)

    @property
    def gain_down_dB(self) -> float:
        """`gain_down` in decibels, negative."""
        return decibel(self.gain_down)

    def smallest(self) -> dict[str, float]:
        """Return the smallest margin of each kind, by its name in a case.

        Returns
        -------
        dict
            gain_margin_dB (up or down), phase_margin_deg, delay_margin_s: the smallest over all inputs together and
            single inputs. With the prefix one_input_: the smallest over single inputs. inf if unlimited, nan if the
            margin does not exist.
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
        return {name: float(np.min(values)) for name, values in (every | alone).items()}  # nan if any is nan

    def to_dict(self) -> dict[str, Any]:
        """Return the margins as plain values for JSON; None if a margin is unlimited or does not exist.

        Returns
        -------
        dict
            `axes`: margins of one input at a time, with the remaining inputs closed; `all_inputs`: margins for a common
            change of all inputs. Keys carry the units; poles are [real, imaginary].
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
        """Return the margins as a table."""
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
