"""Evaluation of a single named margin of a loop, for repeated use in a search."""

from math import inf

import numpy as np

from ....plant.checks import choice, of_kind
from ....plant.errors import DesignError
from ..analysis.disk_margins import ENDS, simultaneous_margin
from ..analysis.frequencies import frequency_range
from ..analysis.opened_loop import open_loop
from ..analysis.sensitivity_peaks import sensitivity_peaks
from ..sampled_loop import SampledLoop
from .shapes import SHAPES

POINTS = 200  # points of the frequency grid, on which the highest points are refined

MEASURED = tuple(dict.fromkeys((*SHAPES, *ENDS, "sensitivity_peak_dB")))


def loop_margin(loop: SampledLoop, name: str) -> float:
    """Return one margin of a sampled loop, selected by its name in a case.

    Parameters
    ----------
    loop : SampledLoop
        `law.loop(model)` of one spacecraft.
    name : str
        "disk_margin_inputs", "disk_margin_outputs", "disk_margin_all", "gain_margin_dB", "phase_margin_deg",
        "delay_margin_s" or "sensitivity_peak_dB". Gain, phase and delay margins also with the prefix one_input_.

    Returns
    -------
    float
        The margin in its unit; inf if unlimited. For an unstable loop, a margin is -inf and the sensitivity peak is
        inf, because a larger peak is worse.

    Raises
    ------
    InputError
        When there is no margin of this name.
    DesignError
        When this margin is not defined for the loop.

    Examples
    --------
    >>> from polhode import controllers, plant
    >>> craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    >>> law = controllers.lqr(craft.linearize(craft.at_rest()), attitude=1.0, rate=1.0, effort=1.0, sample=0.1)
    >>> round(loop_margin(law.loop(), "phase_margin_deg"), 1) == round(law.margins().smallest()["phase_margin_deg"], 1)
    True
    """
    of_kind("loop", loop, SampledLoop, such_as="a SampledLoop, such as law.loop()")
    choice("margin", name, MEASURED)
    peak = name == "sensitivity_peak_dB"
    if not loop.stable:
        return inf if peak else -inf
    if name in ENDS or peak:
        opened = open_loop(loop, ENDS.get(name, "input"))
        if peak:
            return sensitivity_peaks(opened)[0].peak_dB
        frequencies = frequency_range(opened, points=POINTS, decades=3.0)
        return simultaneous_margin(
            opened, frequencies, opened.sensitivity(frequencies) - 0.5 * np.eye(len(opened.D))
        ).alpha
    margins = loop.margins()
    if name not in (found := margins.smallest()) or np.isnan(found[name]):
        raise DesignError(margins.periodic or f"the loop has no {name}")
    return found[name]
