"""Schema of `[run]`, `[metrics]` and `[[require]]`: simulation settings, metrics and requirements."""

from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

from pydantic import Field, model_validator

from ....plant.formulations import FORMULATIONS
from ....sim.engine.steppers.kinds import INTEGRATORS
from ...report.metrics.kinds import METRICS
from .fields import (
    AboveOne,
    NonNegative,
    NonNegativeInteger,
    Number,
    Positive,
    PositiveInteger,
    RunNumber,
    Sequence,
    Table,
    Text,
    Tolerance,
    wrong,
)

if TYPE_CHECKING:
    FormulationName = str
    IntegratorName = str
    MetricName = str
else:
    FormulationName = Literal[*sorted(FORMULATIONS)]
    IntegratorName = Literal[*INTEGRATORS, "auto"]
    MetricName = Literal[*METRICS]

MarginName = Literal[
    "ake_budget_deg",
    "ape_budget_deg",
    "delay_margin_s",
    "disk_margin_all",
    "disk_margin_inputs",
    "disk_margin_outputs",
    "gain_margin_dB",
    "mke_budget_deg",
    "mpe_budget_deg",
    "one_input_delay_margin_s",
    "one_input_gain_margin_dB",
    "one_input_phase_margin_deg",
    "phase_margin_deg",
    "rke_budget_deg",
    "rpe_budget_deg",
    "sensitivity_peak_dB",
]

BAND_GAIN = "gain_in_band_dB"
"""Margin metric that has settings: the response and the frequency band."""

MARGINS: tuple[str, ...] = (*get_args(MarginName), BAND_GAIN)
"""Names of the margin metrics."""

MARGIN_WORDS = {
    "ake_budget_deg": "ake_deg of the ensemble of all runs, predicted by the linear loop under its sensor noise",
    "ape_budget_deg": "ape_deg of the ensemble of all runs, predicted by the linear loop under its sensor noise",
    "delay_margin_s": "smallest additional delay in all plant inputs together or in any single one",
    "disk_margin_all": "alpha for factors at inputs and outputs simultaneously: the smallest disk margin",
    "disk_margin_inputs": "alpha for independent factors at all plant inputs simultaneously",
    "disk_margin_outputs": "alpha for independent factors on all measurements of the law simultaneously",
    "gain_in_band_dB": "largest singular value of L, 1/L, S or T at the plant input, from from_rad_s to to_rad_s",
    "gain_margin_dB": "smallest gain change, up or down, in all plant inputs together or in any single one",
    "mke_budget_deg": "mke_deg of the ensemble of all runs, predicted by the linear loop",
    "mpe_budget_deg": "mpe_deg of the ensemble of all runs, predicted by the linear loop",
    "one_input_delay_margin_s": "delay margin of one input at a time",
    "one_input_gain_margin_dB": "gain margin of one input at a time, with the other inputs as designed",
    "one_input_phase_margin_deg": "phase margin of one input at a time",
    "phase_margin_deg": "smallest phase shift in all plant inputs together or in any single one",
    "rke_budget_deg": "rke_deg of the ensemble of all runs, predicted by the linear loop",
    "rpe_budget_deg": "rpe_deg of the ensemble of all runs, predicted by the linear loop",
    "sensitivity_peak_dB": "largest singular value of S at the plant input",
}
"""Meaning of each margin metric, for the guide."""

if TYPE_CHECKING:
    RequiredName = str
else:
    RequiredName = Literal[*METRICS, *MARGINS]  # one Literal, so that an unknown word is reported once


def _append(schema: dict[str, Any], words: str) -> None:
    """Append words to the description of a key in the JSON Schema.

    Only the schema needs these words, so validating a case does not import the kinds.
    """
    schema["description"] += words


class RunTable(Table):
    """Duration, integrator and output."""

    duration_s: Positive = Field(description="duration, s")
    integrator: IntegratorName | None = Field(
        default=None,
        description="by default dop853, or gauss4 with flexible arms if no rtol is given; ",
        json_schema_extra=lambda schema: _append(
            schema,
            "; ".join(f"{name}: {stepper.words}" for name, stepper in INTEGRATORS.items())
            + "; auto: chosen for the spacecraft, with accuracy_deg",
        ),
    )
    step_s: Positive | None = Field(
        default=None,
        description="fixed step, or largest step of dop853, s; optional for the Gauss methods with flexible arms",
    )
    rtol: Tolerance | None = Field(default=None, description="relative tolerance of dop853")
    accuracy_deg: Positive | None = Field(
        default=None,
        description="required accuracy of the attitude, deg: the step is reduced until two runs agree",
    )
    output_s: Positive | None = Field(
        default=None,
        description="period of the recorded output, s; by default 1/500 of the duration",
    )
    formulation: FormulationName | None = Field(
        default=None,
        description="name of the equations of motion; by default those of polhode: ",
        json_schema_extra=lambda schema: _append(
            schema, "; ".join(f"{name}: {FORMULATIONS[name].title}" for name in sorted(FORMULATIONS))
        ),
    )
    formulation_sequence: Sequence | None = Field(
        default=None, description="Euler sequence of a formulation in Euler angles"
    )
    seed: NonNegativeInteger | None = Field(default=None, description="seed of all random numbers")
    number: RunNumber = Field(default=0, description="number of the run within a series with that seed")
    max_steps: PositiveInteger | None = Field(default=None, description="largest number of steps of a run")
    amplification_limit: AboveOne | None = Field(
        default=None, description="largest amplification by an Euler or dual basis; the run then ends as singular"
    )

    @model_validator(mode="after")
    def _consistent(self) -> "RunTable":
        if self.integrator == "auto":
            self._check_auto()
        elif self.integrator is not None and not (stepper := INTEGRATORS[self.integrator]).adaptive:
            if self.step_s is None and not (stepper.implicit or stepper.exact):
                raise wrong(f'integrator = "{self.integrator}" needs step_s')
            if self.rtol is not None:
                raise wrong(f'rtol is not used by integrator = "{self.integrator}"; remove it or choose "dop853"')
        if self.formulation is None and self.formulation_sequence is not None:
            raise wrong("formulation_sequence needs a formulation in Euler angles")
        if self.formulation is not None:
            self._check_formulation(self.formulation)
        if self.step_s is not None and self.duration_s / self.step_s > 1e12:
            raise wrong(
                f"step_s = {self.step_s:g} s divides {self.duration_s:g} s into more than 1e12 steps; use a longer one"
            )
        return self

    def _check_auto(self) -> None:
        if self.accuracy_deg is None:
            raise wrong('integrator = "auto" needs accuracy_deg, such as 1e-6')
        for key in ("step_s", "rtol"):
            if getattr(self, key) is not None:
                raise wrong(f'{key} is determined by integrator = "auto"; remove it or choose an integrator')

    def _check_formulation(self, name: str) -> None:
        angles = FORMULATIONS[name].has_angles
        if angles and self.formulation_sequence is None:
            raise wrong(f'formulation = "{name}" needs formulation_sequence, such as "3-1-3"')
        if not angles and self.formulation_sequence is not None:
            raise wrong(f'formulation_sequence is not used by formulation = "{name}"; remove it')


class MetricsTable(Table):
    """Settings of the metrics."""

    settling_band_deg: Positive = Field(default=0.1, description="settling band of the attitude error, deg")
    residual_from_s: NonNegative | None = Field(
        default=None,
        description="start of the residual vibration, s; by default the end of the last torque, or the settling time",
    )
    window_s: Positive | None = Field(
        default=None,
        description="averaging window of mean and relative pointing errors, s; by default, these errors are not "
        "computed",
    )
    pointing_from_s: NonNegative | None = Field(
        default=None, description="start of the evaluation of pointing errors, s; by default half the run"
    )
    euler_sequence: Sequence | None = Field(
        default=None, description="sequence of the Euler angles that are added to every sample"
    )


class BoundsTable(Table):
    """Bounds on a metric."""

    max: Number | None = Field(default=None, description="upper bound, in the unit of the metric")
    min: Number | None = Field(default=None, description="lower bound, in the unit of the metric")

    @model_validator(mode="after")
    def _bounds(self) -> "BoundsTable":
        if self.max is None and self.min is None:
            raise wrong("needs max or min")
        if self.max is not None and self.min is not None and self.min > self.max:
            raise wrong(f"min = {self.min:g} is above max = {self.max:g}")
        return self

    @property
    def bounds(self) -> tuple[float, float]:
        """Smallest and largest permitted value; infinite for a missing bound."""
        return -inf if self.min is None else self.min, inf if self.max is None else self.max


class RequireTable(BoundsTable):
    """Requirement: a metric and its bounds; a metric without a value does not meet them."""

    id: Annotated[Text, Field(min_length=1, max_length=40)] | None = Field(
        default=None, description="identifier in the specification, such as AOCS-012, for the table of verdicts"
    )
    text: Annotated[Text, Field(min_length=1, max_length=1000)] | None = Field(
        default=None, description="wording of the requirement in the specification, for the table of verdicts"
    )
    metric: RequiredName = Field(
        description="metric of the run, or margin of the loop: "
        + "; ".join(f"{kind.name}: {kind.words}" for kind in METRICS.values())
    )
    mode: Text | None = Field(default=None, description="mode of a margin, in a case with [[modes]]")
    from_rad_s: Positive | None = Field(default=None, description="lower end of the band of gain_in_band_dB, rad/s")
    to_rad_s: Positive | None = Field(
        default=None,
        description="upper end of the band of gain_in_band_dB, rad/s; the part above the Nyquist frequency is left out",
    )
    response: Literal["loop", "inverse loop", "sensitivity", "complementary sensitivity"] | None = Field(
        default=None,
        description="response of gain_in_band_dB at the plant input: L (default), 1/L, whose maximum of -b dB is a "
        "gain of L of at least b dB, S = 1/(1 + L) or T = 1 - S",
    )

    @model_validator(mode="after")
    def _band(self) -> "RequireTable":
        low, high = self.from_rad_s, self.to_rad_s
        if self.metric != BAND_GAIN:
            if low is not None or high is not None or self.response is not None:
                raise wrong(f"from_rad_s, to_rad_s and response belong to {BAND_GAIN}; remove them")
            return self
        if low is None or high is None:
            raise wrong(f"{BAND_GAIN} needs from_rad_s and to_rad_s, the ends of the band")
        if low > high:
            raise wrong(f"from_rad_s = {low:g} is above to_rad_s = {high:g}")
        if self.max is None or self.min is not None:
            raise wrong(
                f'{BAND_GAIN} has a max only; for a gain of L of at least b dB, give response = "inverse loop", '
                "max = -b"
            )
        return self

    @property
    def name(self) -> str:
        """Name of the metric, with its band if there is one."""
        if self.metric != BAND_GAIN:
            return self.metric
        return f"{self.metric} of {self.response or 'loop'} from {self.from_rad_s:g} to {self.to_rad_s:g} rad/s"

    @property
    def key(self) -> str:
        """Name of the metric in the results of a run."""
        return self.name if self.mode is None else f"{self.name} in mode {self.mode}"
