"""The whole case file."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field, model_validator

from .blocks import AnyBlockTable
from .campaign import CampaignTable, CorrelatedTable, DispersionTable
from .controller import ControllerTable
from .estimators import AnyEstimatorTable
from .fields import Table, Text, wrong
from .figures import FigureTable
from .initial import InitialTable
from .mode import ModeTable
from .plant import PlantTable
from .reference import ReferenceTable
from .run import MARGINS, MetricsTable, RequireTable, RunTable
from .sensors import AnySensorTable
from .torques import TorqueTable

__all__ = ["Case", "CompareTable", "NominalTable"]


class CompareTable(Table):
    """Another law, flown through the same case and set beside the one of [controller]."""

    label: Annotated[Text, Field(min_length=1, max_length=40)] = Field(description="what it is called in the table")
    controller: ControllerTable = Field(description="the law")


class NominalTable(Table):
    """The craft that the law is designed on, where it is not the one that flies."""

    plant: PlantTable | None = Field(default=None, description="in place of [plant]")
    initial: InitialTable | None = Field(default=None, description="in place of [initial]")


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
    nominal: NominalTable | None = Field(default=None, description="what the law is designed on in place of the craft")
    sensors: tuple[AnySensorTable, ...] = Field(default=(), description="what measures, for law and estimator")
    estimator: AnyEstimatorTable | None = Field(
        default=None, description="what makes attitude and rate of what the sensors tell"
    )
    blocks: tuple[AnyBlockTable, ...] = Field(
        default=(), description="what stands between plant and law, or law and plant, in this order"
    )
    modes: tuple[ModeTable, ...] = Field(
        default=(), description="laws that take turns; [controller] is that of every mode which gives none"
    )
    compare: tuple[CompareTable, ...] = Field(default=(), description="further laws, flown and set beside it")
    run: RunTable = Field(description="how it is simulated")
    metrics: MetricsTable = Field(default_factory=MetricsTable, description="what the metrics mean")
    figures: tuple[FigureTable, ...] = Field(default=(), description="further pictures")
    require: tuple[RequireTable, ...] = Field(default=(), description="what must hold at the end")
    campaign: CampaignTable = Field(default_factory=CampaignTable, description="how many runs a campaign flies")
    dispersions: dict[Text, DispersionTable] = Field(
        default={}, description="from key path, such as plant.mass_kg, to how it scatters in a campaign"
    )
    correlated: tuple[CorrelatedTable, ...] = Field(default=(), description="keys that scatter together")

    @model_validator(mode="after")
    def _consistent(self) -> "Case":
        self._check()
        return self

    def _check(self) -> None:
        """Refuse tables that do not go together."""
        moves = self.initial.position_m is not None or self.initial.velocity_m_s is not None
        if moves and not self.plant.translation:
            raise wrong("initial.position_m and initial.velocity_m_s need plant.translation = true")
        start = self.metrics.residual_from_s
        if start is not None and start >= self.run.duration_s:
            raise wrong(f"metrics.residual_from_s = {start:g} s must be before the end, {self.run.duration_s:g} s")
        settled = self.metrics.pointing_from_s
        if settled is not None and settled >= self.run.duration_s:
            raise wrong(f"metrics.pointing_from_s = {settled:g} s must be before the end, {self.run.duration_s:g} s")
        self._check_laws()
        self._check_blocks()
        self._check_modes()
        self._check_actuators()
        self._check_figures()
        if self.nominal is not None and self.controller is None:
            raise wrong("nominal: says what the law is designed on, and there is no [controller]; remove it")

    def _check_laws(self) -> None:
        if self.reference is None and self.controller is not None and self.controller.needs_reference:
            raise wrong("a [controller] needs a [reference] with the attitude to hold")
        for index, each in enumerate(self.compare):
            if self.reference is None and each.controller.needs_reference:
                raise wrong(f"compare.{index}: its controller needs a [reference] with the attitude to hold")
        if self.compare and self.controller is None:
            raise wrong("compare: further laws are set beside a [controller]; give one")
        labels = [self.label, *(each.label for each in self.compare)]
        if len(set(labels)) < len(labels):
            raise wrong(f"compare: labels must differ; got {', '.join(labels)}")
        laws = {"controller": self.controller} | {
            f"compare.{n}": each.controller for n, each in enumerate(self.compare)
        }
        for key, law in laws.items():
            if law is not None and law.design_on == "modes" and not self.plant.has_arms:
                raise wrong(f'{key}: design_on = "modes" is for a craft with flexible arms; remove it')

    def _check_blocks(self) -> None:
        for key in ("blocks", "sensors"):
            if getattr(self, key) and self.controller is None:
                raise wrong(f"{key}: they stand round a [controller]; give one")
        tables: tuple[tuple[str, tuple[AnySensorTable | AnyBlockTable, ...]], ...] = (
            ("sensors", self.sensors),
            ("blocks", self.blocks),
        )
        names: list[str] = []
        for key, each in tables:
            names += [table.label for table in each]
            twice = next((name for name in names if names.count(name) > 1), None)
            if twice is not None:
                raise wrong(f"{key}: two of them are called {twice!r}; give each a name")
        if self.estimator is not None and not self.sensors:
            raise wrong("estimator: it works on [[sensors]], and there are none; give a gyro and a star tracker")

    def _check_modes(self) -> None:
        if self.modes and self.controller is None:
            raise wrong(
                "modes: they need a [controller], the law of every mode that gives none; its limits are the craft's"
            )
        names = [mode.name for mode in self.modes]
        for index, mode in enumerate(self.modes):
            law = mode.controller or self.controller
            if law is not None and law.needs_reference and mode.reference is None and self.reference is None:
                raise wrong(f"modes.{index}: its controller needs a [reference] with the attitude to hold")
            if mode.controller is not None and mode.controller.uses is not None:
                raise wrong(f"modes.{index}.controller.uses: say what it sees in modes.{index}.sees; remove it")
        for index, each in enumerate(self.require):
            margin = each.metric in MARGINS
            if each.mode is not None and not margin:
                raise wrong(f"require.{index}: mode is for margins, and {each.metric} is of the whole run; remove it")
            if each.mode is not None and each.mode not in names:
                raise wrong(f"require.{index}: there is no mode {each.mode!r}; modes: {', '.join(names) or 'none'}")
            if margin and self.modes and each.mode is None:
                raise wrong(f"require.{index}: {each.metric} is of the loop in one mode; give mode = ...")

    def _check_actuators(self) -> None:
        laws = {"controller": self.controller} | {
            f"compare.{n}": each.controller for n, each in enumerate(self.compare)
        }
        laws |= {f"modes.{n}.controller": mode.controller for n, mode in enumerate(self.modes)}
        for key, law in laws.items():
            if law is not None and law.actuators == "wheels" and not self.plant.has_wheels:
                raise wrong(
                    f'{key}.actuators: "wheels", and the craft has none that take a command; give it '
                    '[[plant.elements]] kind = "wheel-array", or write "external"'
                )
        for index, mode in enumerate(self.modes):
            if mode.unload_s is not None and not self.plant.has_wheels:
                raise wrong(
                    f"modes.{index}.unload_s: the craft has no wheels to unload; give it [[plant.elements]] "
                    'kind = "wheel-array", or remove it'
                )
            if mode.unload_s is not None and self.plant.torque_basis != "body":
                raise wrong(
                    f"modes.{index}.unload_s: wheels are unloaded along the body axes; got plant.torque_basis = "
                    f'"{self.plant.torque_basis}"'
                )
        both = self.plant.has_wheels and self.plant.thrusters is not None and self.controller is not None
        pushed = any(law is not None and law.actuators == "external" for law in laws.values())
        if both and not pushed and not any(mode.unload_s is not None for mode in self.modes):
            raise wrong(
                "plant.thrusters: the wheels give the torque of every controller, so nothing asks for them; write "
                'actuators = "external" where it does, or remove them'
            )

    def _check_figures(self) -> None:
        names = [each.name.lower() for each in self.figures]  # some file systems do not tell case apart
        if len(set(names)) < len(names):
            raise wrong(f"figures: names must differ, for each is a file; got {', '.join(names)}")
        for index, each in enumerate(self.figures):
            if each.of == "nodes" and not self.plant.has_arms:
                raise wrong(f'figures.{index}: of = "nodes" draws the nodes of flexible arms, and the plant has none')

    def changed(self, tables: Mapping[str, Any]) -> "Case":
        """Return the case with some checked tables in place of its own.

        Parameters
        ----------
        tables : mapping of str to any
            By key.

        Returns
        -------
        Case
            Checked for what goes together.

        Raises
        ------
        PydanticCustomError
            Where they do not go together, in words.
        """
        found = self.model_copy(update=dict(tables))
        found._check()  # noqa: SLF001 # its own
        return found

    @property
    def designed(self) -> "Case":
        """The case as its law knows it."""
        told = {} if self.nominal is None else {"plant": self.nominal.plant, "initial": self.nominal.initial}
        given = {key: table for key, table in told.items() if table is not None}
        return self.model_copy(update={**given, "nominal": None})

    @property
    def label(self) -> str:
        """What the case's own law is called beside others: its kind and its filters."""
        if self.controller is None:
            return "free"
        filters = getattr(self.controller, "filters", ())
        return " + ".join((self.controller.kind, *(each.kind for each in filters)))
