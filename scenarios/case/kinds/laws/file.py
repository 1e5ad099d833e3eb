"""Law kind for a law from a file."""

from collections.abc import Callable
from typing import ClassVar, Literal

from pydantic import Field

from .....controllers import Law, load_law
from .....plant import LinearModel, Spacecraft
from ...schema.fields import FileName
from ...schema.sampled import ActuatedTable
from .kind import LawKind


class FileTable(ActuatedTable):
    """Law saved to a file, for the same plant."""

    paths: ClassVar[tuple[str, ...]] = ("file",)

    kind: Literal["file"] = Field(description="which law")
    file: FileName = Field(description="path of the file, relative to the folder of the case file")


def _make(table: FileTable, craft: Spacecraft, model: Callable[[], LinearModel]) -> Law:
    """Read the law, after checking that it was saved for the same plant."""
    return load_law(table.file, model())


KIND = LawKind(table=FileTable, make=_make)
