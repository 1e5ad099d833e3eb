"""HTML views of a spacecraft and of its linear model for notebooks."""

from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .brief import brief
from .notebook_html import details, facts, matrix, page, table

if TYPE_CHECKING:
    from .linear.model import LinearModel
    from .spacecraft import Spacecraft


def craft_html(craft: "Spacecraft") -> str:
    """Return the HTML of a spacecraft: hub, elements, control torques and loads."""
    names = [type(each).__name__ for each in craft.elements]
    counted = ", ".join(f"{names.count(name)} x {name}" for name in dict.fromkeys(names))
    rows: list[tuple[str, object]] = [
        ("mass, kg", None if craft.body.mass is None else craft.mass),
        ("motion", "rotation and translation" if craft.translation else "rotation"),
        *((f"control torque, {port}", _torques(basis)) for port, basis in craft.ports.items()),
        ("elements", counted or "none"),
        ("potentials", ", ".join(type(each).__name__ for each in craft.potentials)),
        ("user forces", len(craft.user_forces) or None),
        ("states", craft.layout.size),
    ]
    parts = [details("inertia of the hub, kg m^2", matrix(craft.body.central_inertia, "xyz", "xyz"))]
    parts += [
        details(f"{number}. {type(each).__name__}", facts(_fields(each)))
        for number, each in enumerate((*craft.elements, *craft.potentials), start=1)
    ]
    return page("Spacecraft", facts(rows), *parts)


def _torques(basis: Any) -> str:
    where = "through the wheels" if basis.internal else "from outside"
    sequence = f" {basis.sequence}" if basis.sequence else ""
    limit = "" if basis.limit is None else f", limit {np.array2string(np.asarray(basis.limit), precision=6)} N m"
    return f"{basis.name}{sequence} components, {where}{limit}"


def _fields(each: Any) -> list[tuple[str, object]]:
    if not is_dataclass(each):
        return [("", repr(each))]
    found = [(field.name, getattr(each, field.name)) for field in fields(each) if field.repr]
    return [(name, brief(value) if is_dataclass(value) and not isinstance(value, type) else value)
            for name, value in found]  # fmt: skip


def model_html(model: "LinearModel") -> str:
    """Return the HTML of a linear model: signals, eigenvalues and matrices."""
    named = [
        (sort, name, unit)
        for sort, names, units in (
            ("state", model.states, model.state_units),
            ("input", model.inputs, model.input_units),
            ("output", model.outputs, model.output_units),
        )
        for name, unit in zip(names, units, strict=True)
    ]
    sizes = f"{len(model.states)} states, {len(model.inputs)} inputs, {len(model.outputs)} outputs"
    roots = [(value.real, value.imag) for value in model.eigenvalues()]
    rows: list[tuple[str, object]] = [("size", sizes), ("residual of the operating point", model.residual)]
    rows += [(f"motor torque that holds {name}, N m", value) for name, value in model.holding.items()]
    rows += [("left out", sentence) for sentence in model.left_out]
    return page(
        "Linear model",
        facts(rows),
        details("signals", table(("", "name", "unit"), named)),
        details("eigenvalues, 1/s", table(("real", "imaginary"), roots)),
        details("A", matrix(model.A, model.states, model.states)),
        details("B", matrix(model.B, model.states, model.inputs)),
    )
