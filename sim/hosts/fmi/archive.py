"""The archive of an FMU, and its documentation page."""

import zipfile
from collections.abc import Mapping
from pathlib import Path

from ...codegen.escaped import html_text

LINEAR = "extra/org.polhode/linear_model.json"

DATE = (2000, 1, 1, 0, 0, 0)  # fixed, so that equal parts give a bitwise identical archive


def archived(path: Path, parts: Mapping[str, bytes]) -> None:
    """Write the parts of an FMU to an archive, in the given order."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            entry = zipfile.ZipInfo(name, DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content)


CRAFT = """
<p>Time starts at 0 when the host starts. In co-simulation, events at the end of a step, such as a sample of the law,
are processed before the step returns; an end within a millionth of a sample counts as the sample. Steps that are not
multiples of the sample split the steps of the integrator. In model exchange a tolerance of 1e-9 is assumed; the
attitude is normalised at events, and an event is requested if its norm deviates by 1e-9.</p>
<p>Parameters are set before initialization ends. The initial rate is start_rate, for any inertia, attitude and
coordinates that are set with it, and the momenta follow from it. A momentum that is set to a value other than its start
value takes precedence, and start_rate then shows the resulting rate. Setting a variable to its start value changes
nothing. The design of the law does not change. Arms move with the attitude and rate that are set, unless their own
states are set. A target is an attitude to hold, which may be changed before any step. If a torque basis has singular
poses, pose_clearance is an event indicator, and the simulation ends when it reaches zero.</p>
<p>The following are refused with an error and change nothing: a call in a state in which the standard does not allow
it, a number that is not finite, a step that does not start at the end of the previous step or needs more than 100
million steps of the integrator, and a null pointer.</p>
"""

LAW = """
<p>Time starts at 0 when the host starts. The law samples at the end of initialization, and then at each multiple of its
period. A sample at the end of a step, to a millionth of the step, uses the inputs of that step, and is processed before
the step returns. Step the plant first, and pass its outputs at the end of the step to the law; with the outputs at the
start of the step, the law is one step late.</p>
<p>Parameters are set before initialization ends. A target is an attitude to hold, which may be changed before any
step.</p>
"""


def page(
    name: str, about: str, rows: list[tuple[str, str, str, str]], *, linear: str, picture: bool, law_alone: bool
) -> bytes:
    """Return documentation/index.html: a description, and a table with one row per variable.

    linear: paragraph about the linear model. picture: whether the page shows a plot of a run. law_alone: whether the
    FMU contains only the law.
    """
    said = LAW if law_alone else f"{CRAFT}<p>{LINEAR}: {html_text(linear)}.</p>\n"
    shown = "<p><img src='flight.png' alt='the flight without anything set'></p>\n" if picture else ""
    body = "".join("<tr>" + "".join(f"<td>{html_text(each)}</td>" for each in row) + "</tr>\n" for row in rows)
    return (
        f"<!DOCTYPE html>\n<html><head><meta charset='utf-8'><title>{html_text(name)}</title></head><body>\n"
        f"<h1>{html_text(name)}</h1>\n<p>{html_text(about)}</p>\n"
        f"{said}{shown}"
        f"<table border='1'><tr><th>variable</th><th>causality</th><th>unit</th><th></th></tr>\n{body}</table>\n"
        "</body></html>\n"
    ).encode()
