"""The whole case file."""

from typing import Annotated

from pydantic import Field, model_validator

from .controller import ControllerTable, RateDampingTable
from .fields import Table, Text, wrong
from .figures import FigureTable
from .initial import InitialTable
from .plant import PlantTable
from .reference import ReferenceTable
from .run import MetricsTable, RequireTable, RunTable
from .torques import TorqueTable

__all__ = ["Case"]


class Case(Table):
    """A case: a plant, a start, what acts on it, how it is run and what must hold.

    Every key that has a dimension ends in its unit; quaternions are scalar first and turn body components
    into inertial ones, a_inertial = R(e) a_body.
    """

    title: Annotated[Text, Field(min_length=1)] = Field(description="one line on what the case shows")
    description: Text = Field(default="", description="a few words more")
    plant: PlantTable = Field(description="the craft")
    initial: InitialTable = Field(default_factory=InitialTable, description="the state at t = 0")
    torques: tuple[TorqueTable, ...] = Field(default=(), description="torques from outside")
    reference: ReferenceTable | None = Field(default=None, description="the attitude to hold, or the motion to follow")
    controller: ControllerTable | None = Field(default=None, description="the law that closes the loop")
    run: RunTable = Field(description="how it is simulated")
    metrics: MetricsTable = Field(default_factory=MetricsTable, description="what the metrics mean")
    figures: tuple[FigureTable, ...] = Field(default=(), description="further pictures")
    require: tuple[RequireTable, ...] = Field(default=(), description="what must hold at the end")

    @model_validator(mode="after")
    def _consistent(self) -> "Case":
        if self.reference is None and not isinstance(self.controller, RateDampingTable | None):
            raise wrong("a [controller] needs a [reference] with the attitude to hold")
        if self.run.formulation is not None and self.controller is not None:
            raise wrong("run.formulation is for motion without a [controller]; remove one of the two")
        moves = self.initial.position_m is not None or self.initial.velocity_m_s is not None
        if moves and not self.plant.translation:
            raise wrong("initial.position_m and initial.velocity_m_s need plant.translation = true")
        return self
