"""Values of a case that may become sliders of a page: keys, labels, units and selectable values."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from ...case.sentences import name_of, unit_of

MOST = 18
"""Largest number of sliders on a page."""

FACTORS = tuple(10.0 ** (k / 14.0) for k in range(-14, 15, 2))
HALF = tuple(2.0 ** (k / 7.0) for k in range(-7, 8))
SHARES = tuple(k / 7.0 for k in range(-7, 8))
RATE_DEG_S = 0.5

TABLES = ("initial", "controller", "plant", "sensors", "estimator", "run")
"""Tables of a case, in the order of their sliders."""

LEFT_OUT = re.compile(
    r"sample_s|period|_size|column|count|order|elements|number|step_s|output_s|rtol|limit_deg|accuracy|max_steps"
    r"|^port$|_within_s$"
)
"""Keys of numerical settings, such as steps and ports, which are not properties of the spacecraft or its law."""


@dataclass(frozen=True, kw_only=True)
class SliderKey:
    """A value of a case that a slider sets.

    path: key path as in ``--set``; label: text shown to the reader; unit: empty if the key has none; value: value in
    the case; values: slider values, ascending, including the value in the case.
    """

    path: str
    label: str
    unit: str
    value: float
    values: tuple[float, ...]


def slider_keys(document: Mapping[str, Any]) -> tuple[SliderKey, ...]:
    """Return the values of a case that a page may offer as sliders, in the order of the page.

    document: TOML document of the case. Values that the document leaves to defaults have no sliders.
    """
    found: list[SliderKey] = []
    for table in TABLES:
        if table in document:
            found += _keys(document[table], (table,))
        if table == "controller" and table in document and "delay_s" not in document[table]:
            found += _made((table, "delay_s"), "", 0.0)
    return tuple(found[:MOST])


def _keys(value: Any, path: Sequence[str]) -> Iterator[SliderKey]:
    if isinstance(value, Mapping):
        for key, each in cast("Mapping[str, Any]", value).items():
            yield from _keys(each, (*path, key))
    elif isinstance(value, list):
        yield from _of_list(cast("list[Any]", value), path)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield from _of_number(value, path)


def _of_list(items: list[Any], path: Sequence[str]) -> Iterator[SliderKey]:
    """Yield the sliders of a list, for the moments of inertia or for the components of a vector."""
    if path[-1].startswith("inertia"):
        for n, each in enumerate(items):
            own = (*path, str(n), str(n)) if isinstance(each, list) else (*path, str(n))
            yield from _made(own, "xyz"[n % 3], cast("list[float]", each)[n] if isinstance(each, list) else each)
        return
    for n, each in enumerate(items):
        if isinstance(each, Mapping) or (path[0] in {"initial", "controller"} and not isinstance(each, list)):
            yield from _keys(each, (*path, str(n)))


def _of_number(value: float, path: Sequence[str]) -> Iterator[SliderKey]:
    name = ".".join(path)
    if path[0] == "run" and path[-1] not in {"duration_s", "seed"}:
        return
    if path[0] == "plant" and len(path) > 2 and path[1] != "elements":
        return
    if LEFT_OUT.search(path[-1]) or "attitude." in name:
        return
    yield from _made(path, "", value)


def _made(path: Sequence[str], axis: str, value: float) -> Iterator[SliderKey]:
    key = next((part for part in reversed(path) if not part.isdigit()), path[-1])
    values = _values(key, path, float(value))
    if len(values) < 2:
        return
    unit = "deg" if key == "angles" else unit_of(key)
    number = path[-1] if path[-1].isdigit() and not axis else ""
    yield SliderKey(
        path=".".join(path), label=_label(path, key, axis or _component(key, number)), unit=unit, value=float(value),
        values=values,
    )  # fmt: skip


def _component(key: str, number: str) -> str:
    if not number:
        return ""
    return f"angle {int(number) + 1}" if key == "angles" else "xyz"[int(number)] if int(number) < 3 else number


def _label(path: Sequence[str], key: str, part: str) -> str:
    """Return the label of a key: table, name without unit, and component."""
    name = "attitude" if key == "angles" else name_of(key)
    table = path[0].rstrip("s") if path[0] == "sensors" else path[0]
    place = f"{table} {int(path[1]) + 1}" if len(path) > 1 and path[1].isdigit() else table
    if ".".join(path).startswith("plant.elements."):
        place = f"element {int(path[2]) + 1}"
    return f"{place}: {name.replace('_', ' ')} {part}".strip()


def _values(key: str, path: Sequence[str], value: float) -> tuple[float, ...]:
    """Return the values of a slider, rounded to four digits except the value of the case."""
    if key == "seed":
        return tuple(float(n) for n in sorted({int(value), *range(1, 16)}))
    if key == "delay_s":
        return _with(value, (k * max(value, 0.1) / 5.0 for k in range(16)))
    if key == "angles":
        reach = 85.0 if path[-1] == "1" else 175.0
        return _with(value, (reach * share for share in SHARES))
    if key.startswith("rate_") and path[0] == "initial":
        size = max(2.0 * abs(value), RATE_DEG_S * (1.0 if key.endswith("deg_s") else math.radians(1.0)))
        return _with(value, (size * share for share in SHARES))
    if value == 0.0:
        return ()
    factors = HALF if key.startswith(("inertia", "mass", "duration")) else FACTORS
    return _with(value, (value * factor for factor in factors))


def _with(value: float, others: Iterable[float]) -> tuple[float, ...]:
    rounded = (float(f"{each:.4g}") + 0.0 for each in others)
    near = 1e-3 * abs(value)
    return tuple(sorted({value, *(each for each in rounded if abs(each - value) > near)}))
