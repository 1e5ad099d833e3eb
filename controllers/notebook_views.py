"""HTML views of a control law and of its margins for notebooks."""

from typing import TYPE_CHECKING

import numpy as np

from ..plant.notebook_html import details, facts, matrix, page, table, text

if TYPE_CHECKING:
    from .contracts.attitude_law import AttitudeLaw
    from .loop.margins import Margins


def law_html(law: "AttitudeLaw") -> str:
    """Return the HTML of a law: kind, timing, gains."""
    sample, delay = getattr(law, "sample", None), getattr(law, "delay", None)
    rows: list[tuple[str, object]] = [
        ("law", law.summary),
        ("sampling period, s", sample),
        ("delay, s", delay),
        ("no margins", law.no_margins),
    ]
    gains = law.gains()
    return page(type(law).__name__, facts(rows), *(details(name, matrix(value)) for name, value in gains.items()))


def margins_html(margins: "Margins") -> str:
    """Return the HTML of margins: a row for each input, a row for all together, and the poles."""
    heads = ("input", "gain up, dB", "gain down, dB", "phase, deg", "delay, s", "crossover, rad/s", "disk margin")
    rows: list[tuple[object, ...]] = [
        (each.input, each.gain_up_dB, each.gain_down_dB, each.phase_deg, each.delay_s, each.crossover_rad_s, each.disk)
        for each in margins.axes
    ]
    rows.append(("all inputs", margins.gain_up_dB, margins.gain_down_dB, margins.phase_deg, margins.delay_s, "", ""))
    poles = [(float(np.abs(z)), z.real, z.imag) for z in margins.closed_loop_poles]
    notes = "".join(f"<p>{text(each)}</p>" for each in (*margins.words, margins.periodic) if each)
    timing = f"Margins of the loop sampled every {margins.sample_s:g} s, delay {margins.computational_delay_s:g} s"
    return page(
        timing, table(heads, rows), notes, details("closed-loop poles z", table(("|z|", "real", "imaginary"), poles))
    )
