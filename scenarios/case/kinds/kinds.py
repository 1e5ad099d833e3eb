"""Kinds of a table of a case: each has a file of its name, which is imported on first use.

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


def _place(package: str, entry: str) -> tuple[str, str]:
    """Return the word of an entry, and its module with the class after a colon, if any."""
    word, _, place = entry.partition(" = ")
    return (word, f"{package.partition('.')[0]}.{place}") if place else (word.replace("_", "-"), f"{package}.{word}")


class Kinds(Generic[AnyKind]):
    """Registry of the kinds of one table. As the annotation of a field it is the union of tables selected by `kind`.

    module: that of the registry, in the folder of their files, each with its `KIND`; files: their names, which are the
    words with underscores; plain: the kind of a table without `kind`, if this is optional; marks: for tables without
    `kind`, from a key that only one kind has to this kind.

    An entry "word = room.module:Class" needs no file: `declared.kind_of(word, Class)` of the folder derives the kind
    from the quantities declared by the class.
    """

    def __init__(
        self, module: str, files: tuple[str, ...], *, plain: str | None = None, marks: Mapping[str, str] | None = None
    ) -> None:
        package = module.rpartition(".")[0]
        self._declared = f"{package}.declared"
        self._files = dict(_place(package, entry) for entry in files)
        self._made: dict[str, AnyKind] = {}
        self._plain = plain
        self._marks: Mapping[str, str] = {} if marks is None else marks

    @property
    def words(self) -> tuple[str, ...]:
        """The words under `kind`, in the order of the files."""
        return tuple(self._files)

    def __iter__(self) -> Iterator[AnyKind]:
        """Every kind, in the order of the files."""
        return (self._named(word) for word in self._files)

    def of(self, table: Any) -> AnyKind:
        """Return the kind of a table."""
        return self._named(table.kind)

    def _named(self, word: str) -> AnyKind:
        if word not in self._made:
            module, _, name = self._files[word].partition(":")
            found = import_module(module)
            declared = import_module(self._declared).kind_of(word, getattr(found, name)) if name else found.KIND
            self._made[word] = cast("AnyKind", declared)
        return self._made[word]

    def table_named(self, name: str) -> type[Any]:
        """Return a table by its name, for pickled cases; raises AttributeError if no kind has it."""
        for kind in self if name.endswith("Table") else ():
            if kind.table.__name__ == name:
                return kind.table
        raise AttributeError(name)

    @property
    def tables(self) -> tuple[type[BaseModel], ...]:
        """The tables of all of them."""
        return tuple(kind.table for kind in self)

    @cached_property
    def _any(self) -> TypeAdapter[Any]:
        """Union of all tables; it reports the errors of a table whose kind is unknown or wrong."""
        noted: Any = Annotated
        if self._plain is None:
            return TypeAdapter(noted[_either(self.tables), Field(discriminator="kind")])
        tagged = [noted[table, Tag(word)] for word, table in zip(self._files, self.tables, strict=True)]
        return TypeAdapter(noted[_either(tagged), Discriminator(self._word)])

    def _word(self, value: Any) -> str:
        """The tag of a value; a value that is not a table is left to the plainest kind to reject."""
        if isinstance(value, dict):
            table = cast("dict[str, Any]", value)
            marked = next((kind for key, kind in self._marks.items() if key in table), self._plain)
            return str(table.get("kind", marked))
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
        """Validate the kind first, then the keys of that kind."""
        return core_schema.with_info_plain_validator_function(self._filled)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """All kinds as alternatives."""
        return handler(self._any.core_schema)
