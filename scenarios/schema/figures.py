"""`[[figures]]`: further pictures of a case, such as those of the document it comes from."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from .fields import Positive, Sequence, Table, Text, Vector3, wrong

__all__ = ["FigureTable"]


class FigureTable(Table):
    """One picture, written as figure_NAME.png."""

    name: Annotated[Text, Field(min_length=1, max_length=60, pattern=r"^[A-Za-z0-9_-]+$")] = Field(
        description="of the file: letters, digits, - and _"
    )
    caption: Annotated[Text, Field(min_length=1)] = Field(description="above the picture")
    kind: Literal["momentum", "normalised-momentum", "euler-parameters", "euler-angles", "euler-rates", "position"] = (
        Field(description="what is drawn over time")
    )
    sequence: Sequence | None = Field(default=None, description="of Euler angles and rates")
    point_m: Vector3 = Field(default=(0.0, 0.0, 0.0), description="whose position: from the mass centre, body axes, m")

    to_s: Positive | None = Field(default=None, description="the end of the time axis, s; that of the run if left out")

    @model_validator(mode="after")
    def _consistent(self) -> "FigureTable":
        angles = self.kind in ("euler-angles", "euler-rates")
        if angles and self.sequence is None:
            raise wrong(f'kind = "{self.kind}" needs sequence, such as "3-1-3"')
        if not angles and self.sequence is not None:
            raise wrong(f'sequence is not used when kind = "{self.kind}"; remove it')
        return self
