"""Law kind for state feedback by pole placement."""

from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from .....controllers import LinearFeedback, pole_placement
from .....plant import LinearModel, Spacecraft
from ...schema.fields import Number, entries_of, given, wrong
from .kind import LawKind
from .linear_table import LinearTable


def _poles(value: object) -> Any:
    what = "poles in 1/s, each a number or [real, imaginary]"
    entries = entries_of(value)
    if entries is None:
        raise wrong(f"must be {what}; got {given(value)}")
    found: list[tuple[float, float]] = []
    for index, entry in enumerate(entries):
        pair = entries_of(entry) or [entry, 0.0]
        numbers = [part for part in pair if isinstance(part, int | float) and not isinstance(part, bool)]
        if len(pair) != 2 or len(numbers) != 2:
            raise wrong(f"must be {what}; number {index + 1} is {given(entry)}")
        found.append((numbers[0], numbers[1]))  # `Number` checks each value
    return tuple(found)


class PolePlacementTable(LinearTable):
    """State feedback for given closed-loop poles."""

    kind: Literal["pole-placement"] = Field(description="which law")
    poles_1_s: Annotated[tuple[tuple[Number, Number], ...], BeforeValidator(_poles)] = Field(
        description="one pole per state, 1/s, each a number or [real, imaginary]; none more than three times"
    )
    internal: Literal["locked", "measured"] = Field(
        default="locked",
        description="whether states of elements are fed back, or the elements are locked in the design",
    )


def _make(table: PolePlacementTable, craft: Spacecraft, model: Callable[[], LinearModel]) -> LinearFeedback:
    """Design state feedback for the given poles."""
    law = pole_placement(
        model(),
        poles=[complex(*pair) for pair in table.poles_1_s],
        internal=table.internal,
        sample=table.sample_s,
        delay=table.delay_s,
        saturation=table.saturation,
    )
    return table.with_filters(law)


KIND = LawKind(table=PolePlacementTable, make=_make)
