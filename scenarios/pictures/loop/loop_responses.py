"""Step and disturbance response of the linear sampled loop."""

from typing import TYPE_CHECKING

import numpy as np

from ....controllers import LinearResponse
from ..palette import AXIS_COLOURS, FAINT, stroke
from .loop_axes import clean

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_OTHER = {"linestyle": ":", "linewidth": 1.0}
"""Style for the responses of axes that are not excited."""


def draw_loop_responses(step: LinearResponse, disturbance: LinearResponse, *, title: str) -> "Figure":
    """Draw the response of each axis to a step of the reference and to a disturbance torque.

    step: response to a step of the reference; disturbance: response to a constant torque; title: title above the
    figure. Returns three axes: attitude and torque after a step of 1 deg, and attitude under a constant torque. The
    torque is 1 N m, divided by a power of ten such that the attitude stays within 5 deg, where the linear model is
    valid. Responses of the axes that are not excited are thin and dotted.
    """
    from ....sim.results.page import new_page

    figure = new_page((9.0, 9.0), title=f"{title}\nlinear model, without torque limits")
    attitude, torque, pushed = figure.subplots(3)
    degree = np.radians(1.0)
    furthest = float(np.degrees(np.abs(disturbance.attitude)).max())
    push = min(1.0, 10.0 ** float(np.floor(np.log10(5.0 / furthest)))) if furthest > 0.0 else 1.0
    for n, colour in enumerate(AXIS_COLOURS):
        name = "xyz"[n]
        for m in range(3):
            style = {**stroke(n), "linewidth": 1.5} if m == n else {"color": colour, **_OTHER}
            label = f"about {name}" if m == n else None
            attitude.plot(step.t, step.attitude[n, :, m], label=label, **style)
            torque.step(step.t, degree * step.torque[n, :, m], where="post", **style)
            pushed.plot(disturbance.t, push * np.degrees(disturbance.attitude[n, :, m]), **style)
    attitude.plot([], [], color=FAINT, **_OTHER, label="on the other axes")
    clean(attitude, x="", y="attitude (deg)\nafter a step of 1 deg")
    clean(torque, x="", y="torque (N m)\nafter a step of 1 deg")
    clean(pushed, x="time (s)", y=f"attitude (deg)\nunder {push:g} N m")
    attitude.legend(fontsize="small", framealpha=0.95, loc="lower right")
    for axes, response in ((attitude, step), (torque, step), (pushed, disturbance)):
        axes.set_xlim(0.0, float(response.t[-1]))
    return figure
