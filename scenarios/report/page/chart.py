"""Charts of the page: content of each, as plain values for its script."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

AXES = ("x", "y", "z")


@dataclass(frozen=True, kw_only=True)
class Line:
    """One line of a chart.

    key: series, see `SeriesStore`; label: in the legend; colour: name of a colour of the style sheet; dash: 0 solid, 1
    dashed, 2 dotted; held: drawn as steps; faint: drawn thin, behind the others.
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
    """A shaded band: between two levels in the unit of the chart, or between two series."""

    label: str
    low: float | str
    high: float | str
    colour: str = "good"


@dataclass(frozen=True, kw_only=True)
class Mark:
    """A time with a word: settling, a change of mode or of the reference; s."""

    time: float
    label: str
    kind: str = "event"


@dataclass(frozen=True, kw_only=True)
class Chart:
    """One chart.

    id: its anchor is "chart-ID"; title; group: heading above it; unit and factor: of the axis, and from SI units
    to it; log: whether the axis is logarithmic; floor: least value that a logarithmic axis shows; reach: largest
    magnitude that the whole run is drawn with, where the start would flatten the rest; note: below the chart.
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
    """Return the lines of a vector: x, y and z differ by colour and by dash."""
    return tuple(
        Line(key=f"{name}.{label}", label=f"{words} {label}".strip(), colour=AXES[n], dash=n, held=held)
        for n, label in enumerate(labels)
    )
