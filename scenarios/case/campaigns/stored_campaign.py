"""Metadata from the journal of a campaign, validated because a results folder may come from anywhere."""

from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ....plant.errors import InputError
from ....sim.runs.campaigns.journal import read_facts
from ..schema.campaign import PlanName
from ..schema.fields import NonNegativeInteger, RunNumber


class StoredCampaign(BaseModel):
    """Stored campaign: the case and the sampling of its runs."""

    model_config = ConfigDict(strict=True, frozen=True)

    name: str
    source: str
    case: dict[str, Any]
    plan: PlanName
    runs: RunNumber = Field(ge=1)
    seed: NonNegativeInteger
    law_files: dict[str, str] = {}
    """SHA-256 of each file that the case reads, by path."""


def stored_campaign(path: Path) -> StoredCampaign:
    """Return the metadata in a journal.

    Raises InputError if the file is not the journal of a case campaign.
    """
    try:
        return StoredCampaign.model_validate(read_facts(path))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise InputError(
            f"{path}: is not the journal of a campaign of a case ({'.'.join(map(str, first['loc']))}: {first['msg']})"
        ) from None
