"""`[campaign]`, `[dispersions]` and `[[correlated]]`: dispersions of the numbers of a case over many runs."""

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
    """Number of runs, sampling plan and claim of a campaign."""

    runs: PositiveInteger | None = Field(
        default=None, description="number of runs; fixed for corners and one-at-a-time"
    )
    seed: NonNegativeInteger = Field(default=0, description="seed of all random numbers")
    plan: PlanName = Field(default="random", description="sampling plan of the dispersions")
    confidence: Share = Field(default=0.9, description="confidence of the interval of each pass rate and of the claim")
    required_share: Share | None = Field(
        default=None, description="claim: at least this share of all runs meets every requirement, at that confidence"
    )
    bands: tuple[Text, ...] = Field(
        default=(), description="quantities whose quantiles over all runs are plotted over time"
    )
    stop_width: Share | None = Field(
        default=None, description="stop when the confidence interval of every pass rate is this narrow"
    )


class DispersionTable(Table):
    """Dispersion of one key; numbers of a list are independent, except for inertia, directions and rotations."""

    distribution: Literal["normal", "uniform", "log-normal", "inertia", "direction", "rotation", "list"] = Field(
        default="normal",
        description="distribution; inertia: a tensor that stays physical; direction: uniform on the sphere or "
        "a cap of it; rotation: an attitude; list: one of values",
    )
    sigma: Positive | Vector3 | None = Field(default=None, description="standard deviation, in the unit of the key")
    relative_sigma: Positive | None = Field(
        default=None, description="standard deviation relative to the value in the case"
    )
    mean: Number | Vector3 | None = Field(default=None, description="mean; by default the value in the case")
    low: Number | None = Field(default=None, description="lower bound, in the unit of the key")
    high: Number | None = Field(default=None, description="upper bound, in the unit of the key")
    half_width: Positive | Vector3 | None = Field(
        default=None, description="uniform: half width about the value in the case, in the unit of the key"
    )
    relative_half_width: Positive | None = Field(
        default=None, description="uniform: half width relative to the value in the case"
    )
    axes_sigma_deg: NonNegative = Field(default=0.0, description="inertia: 1-sigma rotation of the principal axes, deg")
    length: Positive | None = Field(default=None, description="direction: length of the vector, in the unit of the key")
    about: Vector3 | None = Field(default=None, description="direction: centre of the cap")
    half_angle_deg: Positive | None = Field(default=None, description="direction: half angle of the cap, deg")
    sigma_deg: Positive | Vector3 | None = Field(
        default=None,
        description="rotation: 1 sigma about the value in the case, body axes, deg; by default uniform rotations",
    )
    values: Annotated[tuple[Any, ...], Field(min_length=1)] | None = Field(
        default=None, description="list: the values to draw from"
    )

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
    """Correlated dispersions of several keys."""

    keys: Annotated[tuple[Text, ...], Field(min_length=2)] = Field(
        description="keys of [dispersions], each a single number"
    )
    correlation: tuple[tuple[Number, ...], ...] = Field(
        description="correlation matrix of the underlying normal numbers"
    )
