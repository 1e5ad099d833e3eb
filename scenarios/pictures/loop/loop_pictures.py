"""All figures of a linear loop."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ....controllers import Block, LoopAnalysis, open_loop
from ....controllers.contracts.law_defaults import with_defaults
from ....plant import LinearModel
from .bode import draw_bode
from .loop_responses import draw_loop_responses
from .nichols import draw_nichols
from .nyquist import draw_nyquist
from .pole_map import draw_pole_map
from .singular_values import draw_singular_values

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def loop_pictures(
    law: Any, model: LinearModel, analysis: LoopAnalysis, *, title: str, blocks: Sequence[Block] = ()
) -> "dict[str, Figure]":
    """Draw Bode, Nyquist and Nichols diagrams, singular values, poles and responses.

    title: title of every figure; blocks: blocks of the loop. Returns figures by file name without suffix; empty for a
    loop without a frequency response.
    """
    disk, S, T = analysis.disk_input, analysis.sensitivity, analysis.complementary
    if analysis.margins.periodic or disk is None or S is None or T is None:
        return {}
    opened = open_loop(with_defaults(law).loop(model, blocks=blocks))
    found = {
        "bode": draw_bode(opened, analysis.margins, title=title),
        "nyquist": draw_nyquist(opened, disk, title=title),
        "nichols": draw_nichols(opened, disk, title=title),
        "singular_values": draw_singular_values(opened, (S, T), title=title),
    }
    poles = draw_pole_map(analysis.modes, sample=opened.sample or None, title=title)
    if poles is not None:
        found["poles"] = poles
    if analysis.step is not None and analysis.disturbance is not None:
        found["responses"] = draw_loop_responses(analysis.step, analysis.disturbance, title=title)
    return found
