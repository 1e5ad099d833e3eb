"""Complete analysis of a linear sampled loop: margins, sensitivity peaks, poles and responses."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ....plant import LinearModel
from ....plant.brief import brief
from ....plant.errors import InputError
from ....plant.one_thread import one_thread
from ....plant.parts import has_parts
from ...contracts.block import Block
from ...contracts.law import Law
from ...contracts.law_defaults import with_defaults
from ..margins import Margins
from .disk_margins import DiskMargins, disk_margins
from .loop_modes import LoopMode, loop_modes
from .opened_loop import OpenedLoop, open_loop
from .responses import LinearResponse, disturbance_response, step_response
from .sensitivity_peaks import SensitivityPeak, sensitivity_peaks


@dataclass(frozen=True, eq=False, kw_only=True)
class LoopAnalysis:
    """Analysis of the sampled loop about its operating point.

    Parameters
    ----------
    margins : Margins
        Gain, phase and delay margins at the plant inputs.
    disk_input, disk_output, disk_both : DiskMargins or None
        Disk margins of the loop broken at the law's command, at the law's measurements, and at both.
        None for a periodic loop (`margins.periodic`) in which the number of signals times samples exceeds 400.
    sensitivity : SensitivityPeak or None
        Peak of S at the plant input; None under the same condition as the disk margins.
    complementary : SensitivityPeak or None
        Peak of T at the plant input; None under the same condition as the disk margins.
    modes : tuple of LoopMode
        Closed-loop poles, slowest first.
    step : LinearResponse or None
        Response to a step of the reference; None for a periodic loop, or a law that does not control attitude.
    disturbance : LinearResponse or None
        Response to a constant torque; None for a periodic loop, or a law that does not control attitude.
    """

    margins: Margins
    disk_input: DiskMargins | None
    disk_output: DiskMargins | None
    disk_both: DiskMargins | None
    sensitivity: SensitivityPeak | None
    complementary: SensitivityPeak | None
    modes: tuple[LoopMode, ...]
    step: LinearResponse | None
    disturbance: LinearResponse | None

    __repr__ = brief

    def to_dict(self) -> dict[str, Any]:
        """Return the results as plain values for JSON.

        Returns
        -------
        dict
            `margins`, `disk_margins`, `sensitivity_peaks`, `modes`, `step`, `disturbance`.
        """
        return {
            "margins": self.margins.to_dict(),
            "disk_margins": {
                "input": _as_dict(self.disk_input),
                "output": _as_dict(self.disk_output),
                "both": _as_dict(self.disk_both),
            },
            "sensitivity_peaks": [_as_dict(self.sensitivity), _as_dict(self.complementary)],
            "modes": [mode.to_dict() for mode in self.modes],
            "step": None if self.step is None else self.step.figures(),
            "disturbance": None if self.disturbance is None else self.disturbance.figures(),
        }

    def __str__(self) -> str:
        """Return the report as text."""
        lines = [str(self.margins), ""]
        disks = {
            "plant inputs": self.disk_input,
            "measurements": self.disk_output,
            "inputs and measurements": self.disk_both,
        }
        rows = [(words, found.simultaneous) for words, found in disks.items() if found is not None]
        if rows:
            lines += [
                "simultaneously, each by its own factor (disk margin)",
                "                      alpha  gain dB  phase deg  at rad/s",
            ]
        lines += [
            f"{words:<23} {one.alpha:6.3f} {one.gain_dB:7.2f} {one.phase_deg:9.1f} {one.frequency_rad_s:10.3g}"
            for words, one in rows
        ]
        peaks = [
            f"{words} {one.peak:.3f} ({one.peak_dB:.1f} dB) at {one.frequency_rad_s:.3g} rad/s"
            for words, one in (("sensitivity peak  ", self.sensitivity), ("complementary peak", self.complementary))
            if one is not None
        ]
        lines += [
            *([""] * bool(rows)),
            *peaks,
            *([""] * bool(peaks)),
            "modes    rad/s  damping  time constant s",
        ]
        lines += [
            f"{mode.frequency_rad_s:14.4g} {mode.damping_ratio:8.3f} {mode.time_constant_s:16.4g}"
            for mode in self.modes
        ]
        if self.step is None or self.disturbance is None:
            return "\n".join(lines)
        lines += ["", "step of 1 rad: reaches  overshoot %  settling s  peak torque N m   error under 1 N m, rad"]
        for axis, step, push in zip("xyz", self.step.figures(), self.disturbance.figures(), strict=True):
            settling = step["settling_time_s"]
            error = "drifts" if push["final"] is None else f"{push['final']:.3g}"
            overshoot = "-" if step["overshoot"] is None else f"{100.0 * step['overshoot']:.1f}"
            lines.append(
                f"{axis:<14} {step['final']:7.3f} {overshoot:>12} "
                f"{'-' if settling is None else format(settling, '.3g'):>11} "
                f"{step['peak_torque']:16.4g} {error:>25}"
            )
        return "\n".join(lines)


@one_thread
def analyse(law: Any, model: LinearModel | None = None, *, blocks: Sequence[Block] = ()) -> LoopAnalysis:
    """Analyse the sampled loop of a law, delay included, about its operating point.

    Parameters
    ----------
    law : Law
        A law, which may be user-defined. A nonlinear law is replaced by its exact linear form about the model's
        operating point.
    model : LinearModel, optional
        The plant; by default the model that the law was designed for, if it is a linear law.
    blocks : sequence of Block
        Blocks of the loop, as in `sim.simulate`; each is replaced by its linear form.

    Returns
    -------
    LoopAnalysis
        Margins, disk margins, sensitivity peaks, modes, responses.

    Raises
    ------
    DesignError
        When the loop is not stable, or a block has no linear form.
    InputError
        When the law has no linear loop, or needs a model.

    Examples
    --------
    >>> from polhode import controllers, plant
    >>> craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    >>> model = craft.linearize(craft.at_rest())
    >>> law = controllers.lqr(model, attitude=1.0, rate=1.0, effort=1.0, sample=0.1)
    >>> found = analyse(law)
    >>> found.disk_both.simultaneous.alpha < found.disk_input.simultaneous.alpha
    True
    """
    if not has_parts(law, Law):
        raise InputError(f"{type(law).__name__} has no linear loop to analyse: it is not a control law")
    loop = with_defaults(law).loop(model, blocks=blocks)
    opened = open_loop(loop, "input")
    S, T = (None, None) if opened.too_many else sensitivity_peaks(opened)
    responds = loop.attitude and not loop.periodic
    return LoopAnalysis(
        margins=loop.margins(),
        disk_input=_disk_margins(opened),
        disk_output=_disk_margins(open_loop(loop, "output")),
        disk_both=_disk_margins(open_loop(loop, "both")),
        sensitivity=S,
        complementary=T,
        modes=loop_modes(loop.poles(), sample=loop.repeats * loop.sample),
        step=step_response(loop) if responds else None,
        disturbance=disturbance_response(loop) if responds else None,
    )


def _disk_margins(opened: OpenedLoop) -> DiskMargins | None:
    return None if opened.too_many else disk_margins(opened)


def _as_dict(part: DiskMargins | SensitivityPeak | None) -> dict[str, Any] | None:
    return None if part is None else part.to_dict()
