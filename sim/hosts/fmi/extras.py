"""Optional content of an FMU: a linear model, terminals, an icon and a plot of a run."""

import json
import warnings
from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any
from xml.etree.ElementTree import Element, SubElement

from ....controllers import Law
from ....plant import Spacecraft
from ....plant.errors import PolhodeError
from ...codegen.escaped import xml_document
from ...runs.simulate import simulate
from .variables import Variable

FEW = 150
"""Largest number of states of a linear model in an FMU, whose matrices are stored as text."""

ROWS = 500

NAMES = ("states", "state_units", "inputs", "input_units", "outputs", "output_units")

GROUPS = {
    "torque": ("torque_1", "torque_2", "torque_3"),
    "attitude": ("attitude_0", "attitude_1", "attitude_2", "attitude_3"),
    "rate": ("rate_x", "rate_y", "rate_z"),
    "momentum": ("momentum_x", "momentum_y", "momentum_z"),
    "target": ("target_0", "target_1", "target_2", "target_3"),
}
"""Variables that a host connects together, by terminal name."""


def linear_model(craft: Spacecraft, x: Any) -> tuple[bytes, str]:
    """Return matrices A, B, C and D of the spacecraft at its initial state, as JSON, and a description.

    The model is the exact linearisation on the tangent space of the attitude, without the law. If there is no such
    model, the JSON is empty and the description states the reason.
    """
    if craft.layout.size > FEW:
        return b"", f"no linear model is included: {craft.layout.size} states are more than {FEW}"
    try:
        model = craft.linearize(x, allow_nonequilibrium=True)
    except PolhodeError as error:
        return b"", f"no linear model is included: {error}"
    content = {
        "about": "exact linear model of the spacecraft about the start: x' = A x + B u, y = C x + D u",
        **{name: getattr(model, name).tolist() for name in "ABCD"},
        **{name: list(getattr(model, name)) for name in NAMES},
        "attitude": [float(each) for each in x[3:7]],
        "residual": float(model.residual),
    }
    return (
        json.dumps(content, indent=1) + "\n"
    ).encode(), "about the start; a nonzero residual means that it is not an equilibrium"


def terminals(variables: Sequence[Variable]) -> bytes:
    """Return terminalsAndIcons/terminalsAndIcons.xml of FMI 3.0, which groups variables for connection."""
    known = {each.name for each in variables}
    root = Element("fmiTerminalsAndIcons", fmiVersion="3.0")
    graphics = SubElement(root, "GraphicalRepresentation")
    corners = {"x1": "-100", "y1": "-100", "x2": "100", "y2": "100"}
    SubElement(graphics, "CoordinateSystem", {**corners, "suggestedScalingFactorTo_mm": "0.1"})
    SubElement(graphics, "Icon", corners)
    held = SubElement(root, "Terminals")
    for name, members in GROUPS.items():
        if known.issuperset(members):
            terminal = SubElement(held, "Terminal", name=name, matchingRule="bus", terminalKind="org.polhode.vector")
            for member in members:
                last = member.rpartition("_")[2]
                given = {"variableName": member, "memberName": last, "variableKind": "signal"}
                SubElement(terminal, "TerminalMemberVariable", given)
    return xml_document(root)


def icon(name: str) -> bytes:
    """Return the icon, a square PNG that shows body axes in a circle and the name."""
    from ...results.page import new_page

    page = new_page((2.0, 2.0), dpi=100, layout=None)
    axes = page.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_axis_off()
    axes.set(xlim=(-1.0, 1.0), ylim=(-1.0, 1.0), aspect="equal")
    axes.add_patch(_circle())
    for end, colour in (((0.55, -0.25), "#aa3333"), ((0.0, 0.6), "#2255aa"), ((-0.45, -0.3), "#338833")):
        axes.annotate("", end, (0.0, 0.05), arrowprops={"arrowstyle": "-|>", "color": colour, "linewidth": 2.0})
    axes.text(0.0, -0.9, name if len(name) <= 22 else f"{name[:21]}…", ha="center", va="center", fontsize=8)
    return _png(page)


def flight_picture(craft: Spacecraft, law: Law | None, flight: Mapping[str, Any]) -> bytes:
    """Return a PNG plot of a run with the FMU's default values; empty if the run cannot be simulated."""
    options = {key: value for key, value in flight.items() if key not in {"output_times", "output_step", "ledger"}}
    if law is None:
        options.pop("blocks", None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the run reports its warnings itself
        try:
            run = simulate(craft, law, **options, output_step=float(flight["duration"]) / ROWS, ledger=False)
        except PolhodeError:
            return b""
        return _png(run.plot())


def _circle() -> Any:
    from matplotlib.patches import Circle

    return Circle((0.0, 0.05), 0.8, facecolor="#f4f4f4", edgecolor="#333333", linewidth=1.5)


def _png(page: Any) -> bytes:
    target = BytesIO()
    page.savefig(target, format="png")
    return target.getvalue()
