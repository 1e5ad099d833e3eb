"""Elements of the spacecraft as moving parts, with shapes defined by the elements."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ....plant.elements.branch import branches, is_branch
from ....plant.elements.shape import ElementMotion, Shape
from ....plant.elements.signal import element_labels
from .channels import Channels
from .hub import half_extents

if TYPE_CHECKING:
    from ....sim import Run

Array = NDArray[np.float64]

ANGLE = 0.03  # rad: tolerance of the angle of discs and slugs
SHARE = 1.0 / 300.0  # tolerance as a fraction of the size of a part
BENDING = 0.01  # tolerance as a fraction of a beam's largest deflection
VISIBLE = 0.06  # largest drawn deflection as a fraction of the beam's length


def moving_parts(run: "Run", solid: dict[str, Any], channels: Channels) -> tuple[list[dict[str, Any]], list[str]]:
    """Return JSON-serialisable tables of the moving parts, and sentences on elements without a shape."""
    parts: list[dict[str, Any]] = []
    notes: list[str] = []
    craft = run.craft
    if not craft.elements:
        return parts, notes
    coordinates = run.values("internal") if "internal" in run.names else np.zeros((run.t.size, 0))
    pivot = craft.body.pivot
    offset = np.zeros(3) if pivot is None else -np.asarray(pivot)
    own = dict(zip(map(id, branches(craft.elements)), _branch_places(run), strict=True))
    states, attitude = run.x, run.values("attitude")
    attitude = attitude / np.linalg.norm(attitude, axis=1, keepdims=True)
    start = 0
    for element, label in zip(craft.elements, element_labels(craft.elements), strict=True):
        count = len(element.coordinates)
        where = own[id(element)] if is_branch(element) else slice(0, 0)
        motion = ElementMotion(
            coordinates=coordinates[:, start : start + count],
            states=states[:, where],
            attitude=attitude,
            offset=offset,
        )
        start += count
        shapes = getattr(element, "shapes", None)
        if shapes is None:
            notes.append(f"{label} is not drawn: its model has no shape")
            continue
        for number, shape in enumerate(shapes(motion)):
            parts.append(_part(shape, f"{label}-{number}", label.replace("_", " "), solid, channels))
    return parts, notes


def _branch_places(run: "Run") -> list[slice]:
    """Return the slice of the state vector for each element with its own states."""
    at = run.craft.layout.own.start
    found: list[slice] = []
    for branch in branches(run.craft.elements):
        found.append(slice(at, at + len(branch.states)))
        at += len(branch.states)
    return found


def _part(shape: Shape, name: str, label: str, solid: dict[str, Any], channels: Channels) -> dict[str, Any]:
    """Return one part: parameters of its shape and names of its channels."""
    size = float(half_extents(solid).max())
    part: dict[str, Any] = {"kind": shape.kind, "label": label, "axis": list(shape.axis), "across": list(shape.across)}
    part |= {"center": list(shape.center), "span": shape.span, "radius": shape.radius}
    if not shape.placed:
        # size of a body with this inertia and the density of the hub: inertia grows with the fifth power of the size
        share = 0.05 if shape.inertia is None else (shape.inertia / solid["inertia"]) ** 0.2
        part["radius"] = float(np.clip(0.8 * share, 0.12, 0.75)) * size
        part["center"] = (_edge(np.asarray(shape.axis), solid) * np.asarray(shape.axis)).tolist()
        part["placed"] = False
    if shape.mass is not None and shape.kind in {"bob", "slider"}:
        part["radius"] = float(np.clip(0.5 * (shape.mass / solid["mass"]) ** (1.0 / 3.0), 0.05, 0.4)) * size
    if shape.angle is not None:
        part["angle"] = channels.put(f"{name}:angle", shape.angle, tolerance=ANGLE)
    if shape.size is not None and shape.frame is not None:
        part |= {"size": shape.size.tolist(), "frame": shape.frame.tolist()}
    if shape.points is not None:
        part |= _points(shape, name, channels)
    return part


def _points(shape: Shape, name: str, channels: Channels) -> dict[str, Any]:
    """Return the channel of the points; for a beam, of deflections from the undeformed points."""
    points: Any = shape.points
    if shape.rest is None:
        reach = float(np.ptp(points, axis=(0, 1)).max())
        farthest = float(np.linalg.norm(points, axis=2).max())
        return {
            "points": channels.put(f"{name}:points", points, tolerance=SHARE * max(reach, 1e-6)),
            "reach": farthest,
        }
    moved = points - shape.rest
    largest = float(np.linalg.norm(moved, axis=2).max())
    length = float(np.linalg.norm(shape.rest[-1] - shape.rest[0])) if shape.length is None else shape.length
    sides: Any = shape.sides
    deflection = channels.put(f"{name}:deflection", moved[:, 1:], tolerance=max(BENDING * largest, 1e-9 * length))
    turned = sides - sides[:, :1]
    twist = float(np.abs(turned).max())
    found: dict[str, Any] = {
        "rest": shape.rest.tolist(),
        "deflection": deflection,
        "largest": largest,
        "length": length,
        "enlarged": _round_factor(VISIBLE * length / largest) if largest > 1e-9 * length else 1.0,
    }
    if twist > 1e-3:
        found["sides"] = channels.put(f"{name}:sides", turned[:, 1:], tolerance=0.02 * twist)
    return found


def _round_factor(wanted: float) -> float:
    """Return the largest of 1, 2, 5, 10, 20, ... that does not exceed a factor; at least 1."""
    if wanted <= 1.0:
        return 1.0
    unit = 10.0 ** np.floor(np.log10(wanted))
    return float(unit * max(step for step in (1.0, 2.0, 5.0) if step * unit <= wanted * (1.0 + 1e-12)))


def _edge(axis: Array, solid: dict[str, Any]) -> float:
    """Return the drawn distance of a wheel from the hub centre: two thirds of the way to the surface."""
    own = np.abs(axis @ np.asarray(solid["frame"]))
    with np.errstate(divide="ignore"):
        return float(0.66 * np.min(half_extents(solid) / np.maximum(own, 1e-12)))
