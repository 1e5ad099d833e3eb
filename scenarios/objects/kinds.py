"""Kinds of a table of a case, each in a file of its name that is imported on first use.

A case uses a few of about seventy kinds. Importing all of them, with their pydantic models, would take half of the
start-up time.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from typing import Annotated, Any, Generic, Protocol, TypeVar, cast

from pydantic import (
    BaseModel,
    Discriminator,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    Tag,
    TypeAdapter,
    ValidationError,
    ValidationInfo,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

__all__ = ["Kind", "Kinds"]


class Kind(Protocol):
    """Protocol of every kind."""

    @property
    def table(self) -> type[Any]:
        """Its keys: a pydantic model whose `kind` is the word."""
        ...


AnyKind = TypeVar("AnyKind", bound=Kind)


def _either(tables: Sequence[Any]) -> Any:
    found = tables[0]
    for each in tables[1:]:
        found |= each
    return found


class Kinds(Generic[AnyKind]):
    """The kinds of one table, by their words; as the annotation of a field, whatever table its `kind` asks for.

    module: that of the list, beside which their files are, each with its `KIND`; files: their names, which are the
    words with underscores; plain: the kind of a table that says none, if it may leave that out.
    """

    def __init__(self, module: str, files: tuple[str, ...], *, plain: str | None = None) -> None:
        package = module.rpartition(".")[0]
        self._files = {name.replace("_", "-"): f"{package}.{name}" for name in files}
        self._plain = plain

    def __iter__(self) -> Iterator[AnyKind]:
        """Every kind, in the order of the files."""
        return (self._named(word) for word in self._files)

    def of(self, table: Any) -> AnyKind:
        """Return the kind that a table belongs to."""
        return self._named(table.kind)

    def _named(self, word: str) -> AnyKind:
        return cast("AnyKind", import_module(self._files[word]).KIND)

    @property
    def tables(self) -> tuple[type[BaseModel], ...]:
        """The tables of all of them."""
        return tuple(kind.table for kind in self)

    @cached_property
    def _any(self) -> TypeAdapter[Any]:
        """Whatever table there is: what is wrong with one is said with all of them in sight."""
        noted: Any = Annotated
        if self._plain is None:
            return TypeAdapter(noted[_either(self.tables), Field(discriminator="kind")])
        tagged = [noted[table, Tag(word)] for word, table in zip(self._files, self.tables, strict=True)]
        return TypeAdapter(noted[_either(tagged), Discriminator(self._word)])

    def _word(self, value: Any) -> str:
        """The tag of what was given; anything but a table is left to the plainest one to refuse."""
        if isinstance(value, dict):
            return str(cast("dict[str, Any]", value).get("kind", self._plain))
        return str(getattr(value, "kind", self._plain))

    def _filled(self, value: Any, info: ValidationInfo) -> BaseModel:
        if isinstance(value, Mapping) and (word := self._word(value)) in self._files:
            table = cast("type[BaseModel]", self._named(word).table)
            try:
                return table.model_validate(value, context=info.context)
            except ValidationError:  # told below
                pass
        return self._any.validate_python(value, context=info.context)

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Look at the kind first, then at what that kind has."""
        return core_schema.with_info_plain_validator_function(self._filled)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """All kinds side by side."""
        return handler(self._any.core_schema)
