"""All pictures of a linear loop."""

from typing import TYPE_CHECKING, Any

from ....controllers import LoopAnalysis, open_loop
from ....controllers.laws.law import asked
from ....plant import LinearModel
from .bode import draw_bode
from .loop_responses import draw_loop_responses
from .nichols import draw_nichols
from .nyquist import draw_nyquist
from .singular_values import draw_singular_values

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["loop_pictures"]


def loop_pictures(law: Any, model: LinearModel, analysis: LoopAnalysis, *, title: str) -> "dict[str, Figure]":
    """Draw Bode, Nyquist and Nichols diagrams, singular values and responses.

    title: above every picture -> from the name of the file, without ending, to the picture.
    """
    opened = open_loop(asked(law).loop(model))
    found = {
        "bode": draw_bode(opened, analysis.margins, title=title),
        "nyquist": draw_nyquist(opened, analysis.disk_input, title=title),
        "nichols": draw_nichols(opened, analysis.disk_input, title=title),
        "singular_values": draw_singular_values(opened, (analysis.sensitivity, analysis.complementary), title=title),
    }
    if analysis.step is not None and analysis.disturbance is not None:
        found["responses"] = draw_loop_responses(analysis.step, analysis.disturbance, title=title)
    return found
