"""Charts of the review page: their content, as plain values for the script of the page."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

AXES = ("x", "y", "z")


@dataclass(frozen=True, kw_only=True)
class Line:
    """One line of a chart.

    key: name of the series, see `SeriesStore`; label: text in the legend; colour: name of a colour in the style sheet;
    dash: 0 solid, 1 dashed, 2 dotted; held: drawn as steps; faint: drawn thin, behind the other lines.
    """

    key: str
    label: str
    colour: str
    dash: int = 0
    held: bool = False
    faint: bool = False


@dataclass(frozen=True, kw_only=True)
class Limit:
    """A level across the chart, in the unit of the chart."""

    value: float
    label: str


@dataclass(frozen=True, kw_only=True)
class Band:
    """A shaded band between two levels, in the unit of the chart, or between two series."""

    label: str
    low: float | str
    high: float | str
    colour: str = "good"


@dataclass(frozen=True, kw_only=True)
class Mark:
    """A labelled time, s, for example of settling or of a change of mode or reference."""

    time: float
    label: str
    kind: str = "event"


@dataclass(frozen=True, kw_only=True)
class Chart:
    """One chart.

    id: identifier, used in the anchor "chart-ID"; title: title of the chart; group: heading above the chart; unit: unit
    of the axis; factor: conversion factor from SI units to that unit; log: whether the axis is logarithmic; floor:
    smallest value on a logarithmic axis; reach: largest magnitude shown in the view of the whole run, if larger values
    at the start would flatten the rest; note: text below the chart.
    """

    id: str
    title: str
    group: str
    unit: str
    lines: tuple[Line, ...]
    factor: float = 1.0
    limits: tuple[Limit, ...] = ()
    bands: tuple[Band, ...] = ()
    marks: tuple[Mark, ...] = ()
    log: bool = False
    floor: float | None = None
    reach: float | None = None
    note: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return asdict(self)


def axis_lines(name: str, labels: Sequence[str] = AXES, *, words: str = "body", held: bool = False) -> tuple[Line, ...]:
    """Return the lines of a vector; x, y and z differ in colour and dash."""
    return tuple(
        Line(key=f"{name}.{label}", label=f"{words} {label}".strip(), colour=AXES[n], dash=n, held=held)
        for n, label in enumerate(labels)
    )
