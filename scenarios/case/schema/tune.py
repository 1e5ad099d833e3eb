"""Schema of `[tune]`: parameters that `polhode tune` may change, and the quantity that it minimises."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag, model_validator

from .fields import NonNegativeInteger, Number, Positive, PositiveInteger, Table, Text, Weight, given, wrong
from .run import MarginName

ESTIMATOR = "estimator."
"""Prefix of the free keys of the estimator."""


class FreeTable(Table):
    """Free parameter: a numeric key of the controller or the estimator; if its value is a list, every entry is free."""

    key: Text = Field(description="key of the controller or the estimator, such as controller.attitude_weight")
    low: Number | None = Field(
        default=None, description="lower bound; by default 1/100 of a positive value or 100 times a negative value"
    )
    high: Number | None = Field(
        default=None, description="upper bound; by default 100 times a positive value or 1/100 of a negative value"
    )
    scale: Literal["log", "linear"] | None = Field(
        default=None, description="scale of the search; log if both bounds have the same sign"
    )
    per_axis: bool = Field(default=False, description="whether a single number is replaced by three, one per axis")
    keep_zeros: bool = Field(default=False, description="whether zero entries of a list stay zero")


def _form(value: object) -> str:
    """Return the form of a free parameter, so that a message reports the errors of this form only."""
    return "FreeTable" if isinstance(value, dict | FreeTable) else "str"


def _of_a_form(value: object) -> object:
    if not isinstance(value, str | dict | FreeTable):
        raise wrong(f"must be text in quotes or a table of keys; got {given(value)}")
    return value  # pyright: ignore[reportUnknownVariableType] # a table has any keys


AnyFree = Annotated[
    Annotated[Annotated[Text, Tag("str")] | Annotated[FreeTable, Tag("FreeTable")], Discriminator(_form)],
    BeforeValidator(_of_a_form),
]


class CostTable(Table):
    """Weights of the quadratic cost."""

    attitude_weight: Weight = Field(description="weight of the squared attitude error, 1/rad^2; one or per axis")
    rate_weight: Weight = Field(description="weight of the squared rate error, s^2/rad^2; one or per axis")
    effort_weight: Weight = Field(description="weight of the squared torque, 1/(N m)^2; one or per component")


class TuneTable(Table):
    """Free parameters and soft goal; the hard goals are the requirements of the case."""

    free: tuple[AnyFree, ...] = Field(description="free parameters: keys, or tables with bounds and scale")
    minimise: MarginName | Literal["quadratic_cost"] | None = Field(
        default=None,
        description="metric to minimise if every requirement is met; quadratic_cost uses the weights of "
        "tune.cost or of the controller; by default the change of the parameters",
    )
    maximise: MarginName | None = Field(default=None, description="margin to maximise, instead of minimise")
    mode: Text | None = Field(
        default=None, description="mode of the soft goal and of decay_rate_1_s, in a case with [[modes]]"
    )
    structure: Literal["state-feedback", "state-space"] | None = Field(
        default=None,
        description="structure of the tuned law: the gains or the matrices of the designed law, whose keys are free "
        "instead of those of the design",
    )
    cost: CostTable | None = Field(
        default=None, description="weights of quadratic_cost; by default those of an lqr controller"
    )
    decay_rate_1_s: Positive | None = Field(
        default=None, description="required decay rate of every closed-loop pole, 1/s"
    )
    consistency: tuple[Positive, Positive] | None = Field(
        default=None,
        description="smallest and largest allowed ratio of actual to reported variance of the estimates of attitude "
        "and gyro bias, along every direction; a hard goal if an estimator key is free; default [0.8, 1.05]",
    )
    starts: PositiveInteger = Field(default=3, description="number of starts of the search")
    seed: NonNegativeInteger = Field(default=0, description="seed of the starts")

    @model_validator(mode="after")
    def _consistent(self) -> "TuneTable":
        if not self.free:
            raise wrong('free needs at least one key, such as ["controller.attitude_weight"]')
        if self.minimise is not None and self.maximise is not None:
            raise wrong("give minimise or maximise, not both")
        if self.mode is not None and not self.needs_mode:
            raise wrong("mode is that of minimise, maximise or decay_rate_1_s; give one of them, or remove mode")
        if self.consistency is not None:
            low, high = self.consistency
            if low >= high:
                raise wrong(f"consistency: the smallest ratio, {low:g}, must be below the largest, {high:g}")
            if not self.frees_estimator:
                raise wrong("consistency applies to free estimator keys, but none is free; free one, or remove it")
        return self

    @property
    def frees_estimator(self) -> bool:
        """True if any free key is one of the estimator."""
        return any((each if isinstance(each, str) else each.key).startswith(ESTIMATOR) for each in self.free)

    @property
    def needs_mode(self) -> bool:
        """True if a goal belongs to the loop in one mode, in a case with modes."""
        return any(each is not None for each in (self.minimise, self.maximise, self.decay_rate_1_s))
