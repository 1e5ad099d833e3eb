"""Schema of `[campaign]`, `[dispersions]` and `[[correlated]]`: parameters that vary between runs."""

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from ..kinds.distributions import DISTRIBUTIONS
from .fields import NonNegativeInteger, Number, PositiveInteger, Share, Table, Text

PlanName = Literal["random", "latin-hypercube", "sobol", "saltelli", "factorial", "one-at-a-time", "corners"]


class CampaignTable(Table):
    """Number of runs, sampling plan and claim of a campaign."""

    runs: PositiveInteger | None = Field(
        default=None, description="number of runs; fixed for corners and one-at-a-time"
    )
    seed: NonNegativeInteger = Field(default=0, description="seed of all random numbers")
    plan: PlanName = Field(default="random", description="sampling plan of the dispersions")
    confidence: Share = Field(default=0.9, description="confidence of the interval of each pass rate and of the claim")
    required_share: Share | None = Field(
        default=None,
        description="claim: at least this fraction of all runs meets every requirement, with the given confidence",
    )
    bands: tuple[Text, ...] = Field(
        default=(), description="quantities whose quantiles over all runs are plotted over time"
    )
    stop_width: Share | None = Field(
        default=None, description="width of the confidence interval of every pass rate at which the campaign stops"
    )


if TYPE_CHECKING:

    class DispersionTable(Table):
        """Dispersion of one key."""

        distribution: str
else:
    DispersionTable = Annotated[Table, DISTRIBUTIONS]


class CorrelatedTable(Table):
    """Correlated dispersions of several keys."""

    keys: Annotated[tuple[Text, ...], Field(min_length=2)] = Field(
        description="keys of [dispersions], each a single number"
    )
    correlation: tuple[tuple[Number, ...], ...] = Field(
        description="correlation matrix of the underlying normal numbers"
    )
