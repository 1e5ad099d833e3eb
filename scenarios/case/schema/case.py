"""Schema of a complete case file."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field, model_validator

from .blocks import AnyBlockTable
from .campaign import CampaignTable, CorrelatedTable, DispersionTable
from .controller import ControllerTable
from .environment import EnvironmentTable
from .estimators import AnyEstimatorTable
from .fault import FaultTable
from .fields import Table, Text, wrong
from .figures import FigureTable
from .initial import InitialTable
from .mode import ModeTable
from .orbit import OrbitTable
from .plant import PlantTable
from .reference import ReferenceTable
from .run import MARGINS, MetricsTable, RequireTable, RunTable
from .sensors import AnySensorTable
from .torques import TorqueTable
from .tune import TuneTable


class CompareTable(Table):
    """Law to simulate in the same case and compare with the law of [controller]."""

    label: Annotated[Text, Field(min_length=1, max_length=40)] = Field(description="label in the comparison")
    controller: ControllerTable = Field(description="the law")


class NominalTable(Table):
    """Design model of the law, if it differs from the simulated plant."""

    plant: PlantTable | None = Field(default=None, description="plant of the design model; by default [plant]")
    initial: InitialTable | None = Field(
        default=None, description="initial state of the design model; by default [initial]"
    )
    orbit: OrbitTable | None = Field(default=None, description="orbit of the design model; by default [orbit]")
    environment: EnvironmentTable | None = Field(
        default=None, description="environment of the design model; by default [environment]"
    )
    sensors: tuple[AnySensorTable, ...] | None = Field(
        default=None, description="sensors that the estimator assumes, matched by name; by default [[sensors]]"
    )
    actuators: PlantTable | None = Field(
        default=None,
        description="plant with the actuators that allocation and steering assume; by default the plant above "
        "if it has as many of them, else [plant]",
    )


class Case(Table):
    """A case: plant, initial state, torques, control system, run settings and requirements.

    The key of a value with a dimension ends in the unit. Quaternions are scalar first and convert body components to
    inertial components, a_inertial = R(e) a_body.
    """

    title: Text = Field(default="", description="title, one line; by default the name of the case")
    description: Text = Field(default="", description="description")
    plant: PlantTable = Field(description="the spacecraft")
    initial: InitialTable = Field(default_factory=InitialTable, description="the state at t = 0")
    orbit: OrbitTable | None = Field(default=None, description="orbit along which the environment acts")
    environment: EnvironmentTable | None = Field(
        default=None, description="torques of gravity, magnetic field, sunlight and atmosphere along [orbit]"
    )
    torques: tuple[TorqueTable, ...] = Field(default=(), description="external torques")
    faults: tuple[FaultTable, ...] = Field(default=(), description="faults of actuators, sensors and signals")
    reference: ReferenceTable | None = Field(default=None, description="the attitude to hold, or the motion to follow")
    controller: ControllerTable | None = Field(default=None, description="the control law")
    nominal: NominalTable | None = Field(
        default=None, description="design model of the law, if it differs from the plant"
    )
    sensors: tuple[AnySensorTable, ...] = Field(default=(), description="sensors for law and estimator")
    estimator: AnyEstimatorTable | None = Field(
        default=None, description="estimator of attitude and rate from the sensors"
    )
    blocks: tuple[AnyBlockTable, ...] = Field(
        default=(), description="blocks between plant and law, or law and plant, in this order"
    )
    modes: tuple[ModeTable, ...] = Field(
        default=(), description="modes of the control system; [controller] is the law of a mode without its own"
    )
    compare: tuple[CompareTable, ...] = Field(default=(), description="further laws, simulated for comparison")
    run: RunTable = Field(description="simulation settings")
    metrics: MetricsTable = Field(default_factory=MetricsTable, description="settings of the metrics")
    figures: tuple[FigureTable, ...] = Field(default=(), description="additional pictures")
    require: tuple[RequireTable, ...] = Field(default=(), description="requirements on metrics and margins")
    tune: TuneTable | None = Field(default=None, description="free parameters and soft goal of polhode tune")
    campaign: CampaignTable = Field(
        default_factory=CampaignTable, description="number and plan of the runs of a campaign"
    )
    dispersions: dict[Text, DispersionTable] = Field(
        default={}, description="dispersion in a campaign by key path, such as plant.mass_kg"
    )
    correlated: tuple[CorrelatedTable, ...] = Field(default=(), description="correlated dispersions")

    @model_validator(mode="after")
    def _consistent(self) -> "Case":
        self._check()
        return self

    def _check(self) -> None:
        """Raise an error if tables are inconsistent with each other."""
        moves = self.initial.position_m is not None or self.initial.velocity_m_s is not None
        if moves and not self.plant.translation:
            raise wrong("initial.position_m and initial.velocity_m_s need plant.translation = true")
        start = self.metrics.residual_from_s
        if start is not None and start >= self.run.duration_s:
            raise wrong(f"metrics.residual_from_s = {start:g} s must be before the end, {self.run.duration_s:g} s")
        settled = self.metrics.pointing_from_s
        if settled is not None and settled >= self.run.duration_s:
            raise wrong(f"metrics.pointing_from_s = {settled:g} s must be before the end, {self.run.duration_s:g} s")
        self._check_environment()
        self._check_laws()
        self._check_blocks()
        self._check_modes()
        self._check_actuators()
        self._check_figures()
        if self.nominal is not None and self.controller is None:
            raise wrong("nominal: is the design model of a law, but there is no [controller]; remove it")
        assumed = None if self.nominal is None else self.nominal.actuators
        if assumed is not None and assumed.actuator_counts != self.plant.actuator_counts:
            raise wrong(
                f"nominal.actuators has {_counted(assumed)}, but the plant has {_counted(self.plant)}; give as many of "
                "each, or omit it"
            )

    def _check_environment(self) -> None:
        """Raise an error if the environment has torques without a body or element to act on."""
        table, plant = self.environment, self.plant
        if table is None:
            for key in ("faces", "magnetorquers"):
                if getattr(plant, key):
                    raise wrong(f"plant.{key}: need [environment], along an [orbit]; give both")
            self._check_rods()
            return
        if self.orbit is None:
            raise wrong("environment: needs an [orbit]; give epoch, altitude_km and inclination_deg, or a tle")
        if plant.translation:
            raise wrong(
                "environment: the orbit is prescribed, and plant.translation = true would leave it; remove translation"
            )
        magnetic = {
            "plant.magnetorquers": plant.magnetorquers,
            "environment.residual_dipole_A_m2": table.residual_dipole_A_m2,
            "environment.eddy_coefficient_A_m2_s_T": table.eddy_coefficient_A_m2_s_T,
        }
        for key, value in magnetic.items():
            if value is not None and table.magnetic_field is None:
                raise wrong(f'{key}: needs environment.magnetic_field = "igrf" or "dipole"')
        self._check_rods()
        if (table.solar_pressure or table.density is not None) and not plant.faces:
            raise wrong("environment: solar_pressure and density act on [[plant.faces]], but there are none; add faces")
        if table.gravity_gradient and any(each.orbit is not None for each in plant.potentials):
            raise wrong(
                "environment.gravity_gradient: plant.potentials also has a gravity-gradient, which would act twice; "
                "remove one"
            )

    def _check_rods(self) -> None:
        """Raise an error if there are hysteresis rods without a magnetic field."""
        if self.environment is not None and self.environment.magnetic_field is not None:
            return
        for index, each in enumerate(self.plant.elements):
            if each.needs_magnetic_field:
                raise wrong(
                    f"plant.elements[{index}]: a {each.kind} needs the magnetic field of an orbit; give [orbit], and "
                    'environment.magnetic_field = "igrf" or "dipole"'
                )

    def _check_laws(self) -> None:
        if self.reference is None and self.controller is not None and self.controller.needs_reference:
            raise wrong("a [controller] needs a [reference] with the attitude to hold")
        for index, each in enumerate(self.compare):
            if self.reference is None and each.controller.needs_reference:
                raise wrong(f"compare.{index}: its controller needs a [reference] with the attitude to hold")
        if self.compare and self.controller is None:
            raise wrong("compare: needs a [controller] for the comparison; add one")
        labels = [self.label, *(each.label for each in self.compare)]
        if len(set(labels)) < len(labels):
            raise wrong(f"compare: labels must differ; got {', '.join(labels)}")
        laws = {"controller": self.controller} | {
            f"compare.{n}": each.controller for n, each in enumerate(self.compare)
        }
        for key, law in laws.items():
            if law is not None and law.design_on == "modes" and not self.plant.has_arms:
                raise wrong(f'{key}: design_on = "modes" requires a spacecraft with flexible arms; remove it')

    def _check_blocks(self) -> None:
        for key in ("blocks", "sensors"):
            if getattr(self, key) and self.controller is None:
                raise wrong(f"{key}: need a [controller]; add one")
        tables: tuple[tuple[str, tuple[AnySensorTable | AnyBlockTable, ...]], ...] = (
            ("sensors", self.sensors),
            ("blocks", self.blocks),
        )
        names: list[str] = []
        for key, each in tables:
            names += [table.label for table in each]
            twice = next((name for name in names if names.count(name) > 1), None)
            if twice is not None:
                raise wrong(f"{key}: two of them are called {twice!r}; use different names")
        if self.estimator is not None and not self.sensors:
            raise wrong("estimator: needs [[sensors]], but there are none; add a gyro and a star tracker")

    def _check_modes(self) -> None:
        if self.modes and self.controller is None:
            raise wrong(
                "modes: need a [controller], which is the law of every mode without a law of its own and sets the "
                "limits of the spacecraft"
            )
        names = [mode.name for mode in self.modes]
        for index, mode in enumerate(self.modes):
            law = mode.controller or self.controller
            if law is not None and law.needs_reference and mode.reference is None and self.reference is None:
                raise wrong(f"modes.{index}: its controller needs a [reference] with the attitude to hold")
            if mode.controller is not None and mode.controller.uses is not None:
                raise wrong(
                    f"modes.{index}.controller.uses: state the signals of a mode in modes.{index}.remap; remove it"
                )
        self._check_required_modes(names)

    def _check_required_modes(self, names: list[str]) -> None:
        for index, each in enumerate(self.require):
            margin = each.metric in MARGINS
            if each.mode is not None and not margin:
                raise wrong(
                    f"require.{index}: mode applies to margins, but {each.metric} is a metric of the whole run; remove "
                    "it"
                )
            if each.mode is not None and each.mode not in names:
                raise wrong(f"require.{index}: there is no mode {each.mode!r}; modes: {', '.join(names) or 'none'}")
            if margin and self.modes and each.mode is None:
                raise wrong(f"require.{index}: {each.metric} belongs to the loop in one mode; add mode = ...")
        tune = self.tune
        if tune is None:
            return
        if tune.mode is not None and tune.mode not in names:
            raise wrong(f"tune: there is no mode {tune.mode!r}; modes: {', '.join(names) or 'none'}")
        if self.modes and tune.mode is None and tune.needs_mode:
            raise wrong(f"tune: the goal belongs to the loop in one mode; add mode = ..., one of {', '.join(names)}")

    def _check_actuators(self) -> None:
        laws = {"controller": self.controller} | {
            f"compare.{n}": each.controller for n, each in enumerate(self.compare)
        }
        laws |= {f"modes.{n}.controller": mode.controller for n, mode in enumerate(self.modes)}
        for key, law in laws.items():
            if law is not None and law.actuators == "wheels" and not self.plant.has_wheels:
                raise wrong(
                    f'{key}.actuators: "wheels", but the spacecraft has none that accept a command; add '
                    '[[plant.elements]] kind = "wheel-array", or write "external"'
                )
        for index, mode in enumerate(self.modes):
            if mode.unload_s is not None and not self.plant.has_wheels:
                raise wrong(
                    f"modes.{index}.unload_s: the spacecraft has no wheels to unload; add [[plant.elements]] "
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
                "plant.thrusters: the wheels apply the torque of every controller, so no law uses the thrusters; set "
                'actuators = "external" for a law that uses them, or remove them'
            )

    def _check_figures(self) -> None:
        names = [each.name.lower() for each in self.figures]  # some file systems are case-insensitive
        if len(set(names)) < len(names):
            raise wrong(f"figures: names must differ, since each is a file; got {', '.join(names)}")
        for index, each in enumerate(self.figures):
            if each.of == "nodes" and not self.plant.has_arms:
                raise wrong(f'figures.{index}: of = "nodes" draws the nodes of flexible arms, but the plant has none')

    def changed(self, tables: Mapping[str, Any]) -> "Case":
        """Return the case with some of its tables replaced by validated tables.

        Parameters
        ----------
        tables : mapping of str to any
            Validated tables, by key.

        Returns
        -------
        Case
            The changed case, checked for consistency between its tables.

        Raises
        ------
        PydanticCustomError
            If the tables are inconsistent.
        """
        found = self.model_copy(update=dict(tables))
        found._check()  # noqa: SLF001 # a method of this class
        return found

    @property
    def designed(self) -> "Case":
        """The case with the design model in `[nominal]` in place of the simulated plant and its environment."""
        nominal = {} if self.nominal is None else {key: getattr(self.nominal, key) for key in NominalTable.model_fields}
        given = {key: table for key, table in nominal.items() if table is not None and key != "actuators"}
        return self.model_copy(update={**given, "nominal": None})

    @property
    def assumed(self) -> PlantTable:
        """The plant whose wheels, gyros and thrusters the control system assumes.

        This is `[nominal.actuators]`, or the plant of the design model if it has as many actuators of each kind, or
        else the simulated plant.
        """
        tables = () if self.nominal is None else (self.nominal.actuators, self.nominal.plant)
        alike = (t for t in tables if t is not None and t.actuator_counts == self.plant.actuator_counts)
        return next(alike, self.plant)

    @property
    def label(self) -> str:
        """Label of the law in a comparison: its kind and filters."""
        if self.controller is None:
            return "free"
        filters = getattr(self.controller, "filters", ())
        return " + ".join((self.controller.kind, *(each.kind for each in filters)))


def _counted(plant: PlantTable) -> str:
    """Return the numbers of actuators of a plant in words."""
    return ", ".join(f"{count} {what}" for what, count in plant.actuator_counts.items())
