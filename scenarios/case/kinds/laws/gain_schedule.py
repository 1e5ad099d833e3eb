"""Law kind for gains interpolated over a scheduling variable."""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, ValidationError, field_validator, model_validator

from .....controllers import GainSchedule, Law
from .....plant import LinearModel, Spacecraft
from .....plant.errors import InputError
from ...schema.fields import Number, Table, Text, Vector3, entries_of, wrong
from ...schema.sampled import ActuatedTable, SampledTable
from .kind import DesignPoint, LawKind
from .kinds import KINDS

OWN = ("sample_s", "delay_s", "torque_limit_N_m", "keep_direction", "actuators", "uses", "design_on", "modes")
"""Keys of the schedule that also apply to the laws at its points."""

TIMING = {"sample_s": "sample", "delay_s": "delay"}
"""Keys that a law from a file states in the file, each with the attribute of the law."""


def _parameter(value: object) -> Any:
    rows = entries_of(value)
    return value if rows is None else tuple(entries_of(row) or row for row in rows)


class PointTable(Table):
    """One point of a gain schedule."""

    value: Number = Field(description="value of the scheduling variable, in its unit")
    set: dict[Text, Any] = Field(
        default={},
        description="keys of the case with their values at this point, for the design of its law, such as "
        '{ "reference.rate_rad_s" = [0, 0, 0.2] } or { "plant.inertia_kg_m2" = [900, 800, 600] }',
    )
    law: dict[Text, Any] = Field(default={}, description="keys of the law at this point, in addition to those of `law`")


class GainScheduleTable(SampledTable):
    """Gains interpolated between laws that are designed at several values of a scheduling variable."""

    kind: Literal["gain-schedule"] = Field(description="which law")
    variable: Literal["rate", "reference-rate", "momentum", "parameter"] = Field(
        description="scheduling variable: measured body rate or rate of the reference along `axis`, rad/s; momentum of "
        "the wheels along `axis`, N m s; or the value of `parameter`"
    )
    axis: Vector3 = Field(default=(0.0, 0.0, 1.0), description="axis of the scheduling variable, body")
    parameter: Annotated[Number | tuple[tuple[Number, Number], ...] | None, BeforeValidator(_parameter)] = Field(
        default=None,
        description="scheduled parameter, such as the mass of propellant: a number, or rows of time (s) and value, "
        "interpolated linearly",
    )
    law: dict[Text, Any] = Field(
        default={}, description='keys of [controller] common to the laws at all points, such as { kind = "lqr", ... }'
    )
    points: tuple[PointTable, ...] = Field(
        description="points of the schedule, in ascending order of value; two or more"
    )

    @field_validator("points", mode="after")
    @classmethod
    def _several(cls, points: tuple[PointTable, ...]) -> tuple[PointTable, ...]:
        if len(points) < 2:
            raise wrong(f"a schedule needs 2 points or more; got {len(points)}")
        for one, other in pairwise(points):
            if not one.value < other.value:
                raise wrong(f"the values must ascend; got {other.value:g} after {one.value:g}")
        return points

    @model_validator(mode="after")
    def _laws(self) -> "GainScheduleTable":
        if (self.variable == "parameter") != (self.parameter is not None):
            raise wrong(
                'parameter: is missing; variable = "parameter" needs the value of the scheduled parameter'
                if self.parameter is None
                else f"parameter: a schedule over {self.variable} computes its variable; remove it, or give variable = "
                '"parameter"'
            )
        for n in range(len(self.points)):
            self.law_at(n)
        return self

    def beside(self, folder: Path) -> Self:
        """Return the table with the relative paths of the laws at its points resolved from a folder."""
        points = tuple(
            point.model_copy(update={"law": {**point.law, **self.law_at(n).beside(folder).named_paths()}})
            for n, point in enumerate(self.points)
        )
        return super().beside(folder).model_copy(update={"points": points})

    def tables(self) -> "Iterator[Table]":
        """Yield the table and every nested table, including those of the laws at its points."""
        yield from super().tables()
        for n in range(len(self.points)):
            yield from self.law_at(n).tables()

    def law_at(self, n: int) -> ActuatedTable:
        """Return the table of the law at a point.

        Parameters
        ----------
        n : int
            Index of the point.

        Returns
        -------
        ActuatedTable
            The table, with timing and actuators of the schedule.

        Raises
        ------
        PydanticCustomError
            If a key of the law is missing, unknown or invalid.
        """
        keys: dict[str, Any] = {**self.law, **self.points[n].law}
        where = f"points.{n}.law"
        if keys.get("kind") in (None, "gain-schedule"):
            raise wrong(
                f'{where}: needs the kind of a law, such as law = {{ kind = "lqr", ... }}; got {keys.get("kind")!r}'
            )
        tables = {kind.name: kind.table for kind in KINDS if kind.name == keys["kind"]}
        own = {key: getattr(self, key) for key in OWN if key in self.model_fields_set}
        twice = sorted(own.keys() & keys.keys())
        if twice:
            raise wrong(f"{where}.{twice[0]}: belongs to the schedule, which gives it to all its laws; remove it here")
        for table in tables.values():  # a law from a file has its own timing, which `_assembled` compares
            own = {key: value for key, value in own.items() if key not in TIMING or key in table.model_fields}
        try:
            return KINDS.validated(own | keys)
        except ValidationError as error:
            from ...explain import explain

            message = explain(error, tables.get(keys["kind"], GainScheduleTable), own | keys, where)
            raise wrong(str(message).partition("\nand ")[0]) from None


def _points(table: GainScheduleTable) -> Sequence[DesignPoint]:
    return [DesignPoint(table.law_at(n), point.set) for n, point in enumerate(table.points)]


def _assembled(table: GainScheduleTable, laws: Sequence[Law]) -> GainSchedule:
    values = [point.value for point in table.points]
    for value, law in zip(values, laws, strict=True):
        for key, attribute in TIMING.items():
            if getattr(law, attribute) != getattr(table, key):
                raise InputError(
                    f"the law at the point {value:g} of the schedule has a {attribute} of "
                    f"{getattr(law, attribute):g} s, but {key} of the schedule is {getattr(table, key):g}; "
                    "all must be equal"
                )
    return GainSchedule(laws, values, variable=table.variable, axis=table.axis, parameter=table.parameter)


def _make(table: GainScheduleTable, craft: Spacecraft, model: Callable[[], LinearModel]) -> Law:
    """Raise InputError: the laws of a schedule are designed on the case at each point, not on one spacecraft."""
    raise InputError("a gain schedule is designed at its points")


KIND = LawKind(table=GainScheduleTable, make=_make, points=_points, assembled=_assembled)
