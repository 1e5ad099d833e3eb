"""Registry of the kinds of a table, each imported on first use.

A case uses only a few of about seventy kinds. Importing all kinds, with their pydantic models, would take half of the
start-up time.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any, Generic, Protocol, TypeVar, cast

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
from pydantic_core import CoreSchema, core_schema

if TYPE_CHECKING:
    from pydantic.json_schema import JsonSchemaValue


class Kind(Protocol):
    """Protocol that every kind implements."""

    @property
    def table(self) -> type[Any]:
        """Pydantic model with the keys of the table, including its `kind`."""
        ...


AnyKind = TypeVar("AnyKind", bound=Kind)


def _either(tables: Sequence[Any]) -> Any:
    found = tables[0]
    for each in tables[1:]:
        found |= each
    return found


def _place(package: str, entry: str) -> tuple[str, str]:
    """Return the kind name of an entry, and the module; for a declared kind, ":Class" follows the module."""
    word, _, place = entry.partition(" = ")
    return (word, f"{package.partition('.')[0]}.{place}") if place else (word.replace("_", "-"), f"{package}.{word}")


class Kinds(Generic[AnyKind]):
    """Registry of the kinds of one table.

    In the annotation of a field, a registry stands for the union of the tables of its kinds.

    module: name of the module with the registry, in the same folder as the files of the kinds.
    files: entries of the registry. An entry is the name of a file that defines `KIND`; the value of the key `kind` is
        this name with hyphens in place of underscores. An entry "word = room.module:Class" needs no file:
        `declared.kind_of(word, Class)` in the folder derives the kind from the declared quantities of the class.
    plain: kind of a table without `kind`; None if `kind` is required.
    marks: kind of a table without `kind`, by a key that only this kind has.
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
        """Values of the key `kind`, in the order of the entries."""
        return tuple(self._files)

    def __iter__(self) -> Iterator[AnyKind]:
        """Iterate over all kinds, in the order of the entries."""
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
        """Return a table by its name, so that pickled cases find it.

        Raises AttributeError if no kind has a table of that name.
        """
        for kind in self if name.endswith("Table") else ():
            if kind.table.__name__ == name:
                return kind.table
        raise AttributeError(name)

    @property
    def tables(self) -> tuple[type[BaseModel], ...]:
        """Tables of all kinds."""
        return tuple(kind.table for kind in self)

    @cached_property
    def _any(self) -> TypeAdapter[Any]:
        """Validator for the union of all tables, which reports the errors of an invalid table."""
        noted: Any = Annotated
        if self._plain is None:
            return TypeAdapter(noted[_either(self.tables), Field(discriminator="kind")])
        tagged = [noted[table, Tag(word)] for word, table in zip(self._files, self.tables, strict=True)]
        return TypeAdapter(noted[_either(tagged), Discriminator(self._word)])

    def validated(self, keys: Mapping[str, Any]) -> Any:
        """Return the table of some keys, one of which is `kind`.

        Raises pydantic's ValidationError if a key is missing, unknown or invalid.
        """
        word = str(keys.get("kind"))
        return self._named(word).table.model_validate(keys) if word in self._files else self._any.validate_python(keys)

    def _word(self, value: Any) -> str:
        """Return the kind name of a value.

        A value that is not a table gets the default kind, which rejects the value.
        """
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
            except ValidationError:  # ignored here: the union validator below raises the error
                pass
        return self._any.validate_python(value, context=info.context)

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return a validator that determines the kind first, and then validates the keys of this kind."""
        return core_schema.with_info_plain_validator_function(self._filled)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> "JsonSchemaValue":
        """Return the JSON Schema with all kinds as alternatives."""
        return handler(self._any.core_schema)
