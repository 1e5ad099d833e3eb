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
<p>Time of the craft begins at 0 where the host starts. In co-simulation whatever falls on the end of a step, such as a
sample of the law, has happened when the step returns; ends within a millionth of a sample are taken as its time. Steps
that are no multiples of the sample split those of the integrator. In model exchange a tolerance of 1e-9 is meant; the
attitude is put back to unit norm at events, and one is asked for where it is 1e-9 off.</p>
<p>Parameters are set before initialization ends. The rate at the start is start_rate, whatever inertia, attitude and
coordinates are set with it, and the momenta follow from it; a momentum that is set to another value than its start
value decides instead, and start_rate then reads the rate that follows. To set a variable to its start value changes
nothing. The law stays as it was designed. Arms turn with the attitude and rate that are set, unless their own states
are. A target is an attitude to hold, which may be set anew before any step. Where a torque basis has singular poses,
pose_clearance is an event indicator, and the simulation ends where it comes to zero.</p>
<p>A call in a state in which the standard does not allow it, a number that is not finite, a step that does not begin
where the last one ended or that needs more than 100 million steps of the integrator, and a null pointer are refused
with an error and change nothing.</p>
"""

LAW = """
<p>Time of the law begins at 0 where the host starts. It samples at the end of initialization, and then at each multiple
of its period: a sample that falls on the end of a step, to a millionth of it, sees the inputs of that step, and has
happened when the step returns. Step the plant first, and tell the law what it shows at the end of the step; told what
it showed at the begin, the law is a step late.</p>
<p>Parameters are set before initialization ends. A target is an attitude to hold, which may be set anew before any
step.</p>
"""


def page(
    name: str, about: str, rows: list[tuple[str, str, str, str]], *, linear: str, picture: bool, law_alone: bool
) -> bytes:
    """Return documentation/index.html: a description, and a table with one row per variable.

    linear: text on the linear model. picture: whether the page shows a plot of a run. law_alone: whether the FMU
    contains only the law.
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
