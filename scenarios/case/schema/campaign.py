"""`[campaign]`, `[dispersions]` and `[[correlated]]`: how the numbers of a case scatter over many runs."""

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from .fields import (
    NonNegative,
    NonNegativeInteger,
    Number,
    Positive,
    PositiveInteger,
    Share,
    Table,
    Text,
    Vector3,
    wrong,
)

__all__ = ["CampaignTable", "CorrelatedTable", "DispersionTable"]

PlanName = Literal["random", "latin-hypercube", "sobol", "saltelli", "factorial", "one-at-a-time", "corners"]

_USES = {
    "normal": {"sigma", "relative_sigma", "mean", "low", "high"},
    "uniform": {"low", "high", "half_width", "relative_half_width"},
    "log-normal": {"relative_sigma"},
    "inertia": {"relative_sigma", "axes_sigma_deg"},
    "direction": {"length", "about", "half_angle_deg"},
    "rotation": {"sigma_deg"},
    "list": {"values"},
}
_NEEDS = {
    "normal": ({"sigma"}, {"relative_sigma"}),
    "uniform": ({"low", "high"}, {"half_width"}, {"relative_half_width"}),
    "log-normal": ({"relative_sigma"},),
    "inertia": ({"relative_sigma"},),
    "direction": ({"length"},),
    "rotation": (set[str](),),
    "list": ({"values"},),
}


class CampaignTable(Table):
    """How many runs, how they are drawn, and what is claimed of them."""

    runs: PositiveInteger | None = Field(default=None, description="how many; corners and one-at-a-time know it")
    seed: NonNegativeInteger = Field(default=0, description="of all random numbers")
    plan: PlanName = Field(default="random", description="which points of the dispersions are flown")
    confidence: Share = Field(default=0.9, description="of the interval of each pass rate, and of what is claimed")
    required_share: Share | None = Field(
        default=None, description="what is claimed: at least this share meets every requirement, at that confidence"
    )
    bands: tuple[Text, ...] = Field(
        default=(), description="quantities of the run whose quantiles over all runs are drawn over time"
    )
    stop_width: Share | None = Field(
        default=None, description="stop when the interval of every requirement's pass rate is this narrow"
    )


class DispersionTable(Table):
    """How one key scatters; of a list of numbers each on its own, but of inertia, directions and rotations."""

    distribution: Literal["normal", "uniform", "log-normal", "inertia", "direction", "rotation", "list"] = Field(
        default="normal",
        description="what it is drawn from; inertia: a tensor that stays physical; direction: uniform on the sphere or "
        "a cap of it; rotation: an attitude; list: one of some values",
    )
    sigma: Positive | Vector3 | None = Field(default=None, description="standard deviation, in the unit of the key")
    relative_sigma: Positive | None = Field(default=None, description="of the value in the case")
    mean: Number | Vector3 | None = Field(default=None, description="where it is not the value in the case")
    low: Number | None = Field(default=None, description="lower bound, in the unit of the key")
    high: Number | None = Field(default=None, description="upper bound, in the unit of the key")
    half_width: Positive | Vector3 | None = Field(default=None, description="of uniform about the value in the case")
    relative_half_width: Positive | None = Field(default=None, description="of uniform, of the value in the case")
    axes_sigma_deg: NonNegative = Field(default=0.0, description="of inertia: rotation of the principal axes, deg")
    length: Positive | None = Field(default=None, description="of direction: length of the vector, unit of the key")
    about: Vector3 | None = Field(default=None, description="of direction: middle of the cap")
    half_angle_deg: Positive | None = Field(default=None, description="of direction: half opening of the cap, deg")
    sigma_deg: Positive | Vector3 | None = Field(
        default=None, description="of rotation: about the value in the case, body axes, deg; all rotations if left out"
    )
    values: Annotated[tuple[Any, ...], Field(min_length=1)] | None = Field(default=None, description="of list")

    @model_validator(mode="after")
    def _consistent(self) -> "DispersionTable":
        given = self.model_fields_set - {"distribution"}
        spare = sorted(given - _USES[self.distribution])
        if spare:
            raise wrong(f'{spare[0]} is not used by distribution = "{self.distribution}"; remove it')
        ways = _NEEDS[self.distribution]
        if not any(way <= given for way in ways):
            wanted = " or ".join(" and ".join(sorted(way)) for way in ways)
            raise wrong(f'distribution = "{self.distribution}" needs {wanted}')
        twice = sorted({key for way in ways if way <= given for key in way})
        if sum(way <= given for way in ways) > 1:
            raise wrong(f"give only one of {', '.join(twice)}")
        if (self.about is None) != (self.half_angle_deg is None):
            raise wrong("about and half_angle_deg belong together; give both or neither")
        return self


class CorrelatedTable(Table):
    """Keys that scatter together."""

    keys: Annotated[tuple[Text, ...], Field(min_length=2)] = Field(description="of [dispersions], each of one number")
    correlation: tuple[tuple[Number, ...], ...] = Field(description="correlation of the normal numbers behind them")
