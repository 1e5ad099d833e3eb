"""The whole case file of a craft with flexible arms: `[satellite]` in place of `[plant]`."""

from typing import Annotated

from pydantic import Field, model_validator

from .controller import ControllerTable, RateDampingTable
from .fields import Table, Text, wrong
from .reference import ReferenceTable
from .satellite import SatelliteTable
from .satellite_run import (
    SatelliteFigureTable,
    SatelliteInitialTable,
    SatelliteMetricsTable,
    SatelliteRequireTable,
    SatelliteRunTable,
    SatelliteTorqueTable,
)

__all__ = ["CompareTable", "SatelliteCase"]


class CompareTable(Table):
    """Another law, flown through the same case and set beside the one of [controller]."""

    label: Annotated[Text, Field(min_length=1, max_length=40)] = Field(description="what it is called in the table")
    controller: ControllerTable = Field(description="the law")


class SatelliteCase(Table):
    """A case of a rigid hub with flexible arms: a start, what acts on it, how it is run and what must hold.

    Every key that has a dimension ends in its unit; quaternions are scalar first and turn hub components
    into inertial ones, a_inertial = R(e) a_hub.
    """

    title: Annotated[Text, Field(min_length=1)] = Field(description="one line on what the case shows")
    description: Text = Field(default="", description="a few words more")
    satellite: SatelliteTable = Field(description="the craft")
    initial: SatelliteInitialTable = Field(default_factory=SatelliteInitialTable, description="the state at t = 0")
    torques: tuple[SatelliteTorqueTable, ...] = Field(default=(), description="torques on the hub from outside")
    reference: ReferenceTable | None = Field(default=None, description="the attitude to hold, or the motion to follow")
    controller: ControllerTable | None = Field(
        default=None, description="the law that closes the loop, designed on the satellite with rigid arms"
    )
    compare: tuple[CompareTable, ...] = Field(default=(), description="further laws, flown and set beside it")
    run: SatelliteRunTable = Field(description="how it is simulated")
    metrics: SatelliteMetricsTable = Field(default_factory=SatelliteMetricsTable, description="what the metrics mean")
    figures: tuple[SatelliteFigureTable, ...] = Field(default=(), description="further pictures")
    require: tuple[SatelliteRequireTable, ...] = Field(default=(), description="what must hold at the end")

    @model_validator(mode="after")
    def _consistent(self) -> "SatelliteCase":
        if self.reference is None and not isinstance(self.controller, RateDampingTable | None):
            raise wrong("a [controller] needs a [reference] with the attitude to hold")
        for index, each in enumerate(self.compare):
            if self.reference is None and not isinstance(each.controller, RateDampingTable):
                raise wrong(f"compare.{index}: its controller needs a [reference] with the attitude to hold")
        if self.compare and self.controller is None:
            raise wrong("compare: further laws are set beside a [controller]; give one")
        start = self.metrics.residual_from_s
        if start is not None and start >= self.run.duration_s:
            raise wrong(f"metrics.residual_from_s = {start:g} s must be before the end, {self.run.duration_s:g} s")
        names = [each.name.lower() for each in self.figures]  # some file systems do not tell case apart
        if len(set(names)) < len(names):
            raise wrong(f"figures: names must differ, for each is a file; got {', '.join(names)}")
        labels = [self.label, *(each.label for each in self.compare)]
        if len(set(labels)) < len(labels):
            raise wrong(f"compare: labels must differ; got {', '.join(labels)}")
        return self

    @property
    def label(self) -> str:
        """What the case's own law is called beside others: its kind and its filters."""
        if self.controller is None:
            return "free"
        filters = getattr(self.controller, "filters", ())
        return " + ".join((self.controller.kind, *(each.kind for each in filters)))
