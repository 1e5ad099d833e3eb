"""Schema of `[[figures]]`: additional figures of a case, such as those in its source document."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from .fields import Positive, Sequence, Table, Text, Vector3, wrong

_OF_NODES = ("displacement", "velocity", "euler-parameters", "euler-parameter-rates", "euler-angles", "euler-rates")
_OF_BODY = ("momentum", "normalised-momentum", "euler-parameters", "euler-angles", "euler-rates", "position")


class FigureTable(Table):
    """One figure of the body or of the nodes of its flexible arms, written as figure_NAME.png.

    With two arms, nodes are numbered as in Choi (2014): from the tip of the second arm inwards to the hub, then from
    the root of the first arm outwards. Otherwise, nodes are named by arm, with the hub first.
    """

    name: Annotated[Text, Field(min_length=1, max_length=60, pattern=r"^[A-Za-z0-9_-]+$")] = Field(
        description="name of the file: letters, digits, - and _"
    )
    caption: Annotated[Text, Field(min_length=1)] = Field(description="title of the figure")
    kind: Literal[
        "displacement",
        "euler-angles",
        "euler-parameter-rates",
        "euler-parameters",
        "euler-rates",
        "momentum",
        "normalised-momentum",
        "position",
        "velocity",
    ] = Field(description="quantity plotted over time")
    of: Literal["body", "nodes"] = Field(
        default="body", description="object of the quantity: the body, or hub and nodes of arms"
    )
    sequence: Sequence | None = Field(default=None, description="sequence of Euler angles and rates")
    point_m: Vector3 = Field(
        default=(0.0, 0.0, 0.0), description="point whose position is plotted: from the mass centre, body axes, m"
    )
    to_s: Positive | None = Field(default=None, description="end of the time axis, s; by default that of the run")

    @model_validator(mode="after")
    def _consistent(self) -> "FigureTable":
        drawn = _OF_NODES if self.of == "nodes" else _OF_BODY
        if self.kind not in drawn:
            other = "body" if self.of == "nodes" else "nodes"
            raise wrong(f'kind = "{self.kind}" requires of = "{other}"; of = "{self.of}" allows {", ".join(drawn)}')
        angles = self.kind in ("euler-angles", "euler-rates")
        if angles and self.sequence is None:
            raise wrong(f'kind = "{self.kind}" needs sequence, such as "3-1-3"')
        if not angles and self.sequence is not None:
            raise wrong(f'sequence is not used when kind = "{self.kind}"; remove it')
        return self
