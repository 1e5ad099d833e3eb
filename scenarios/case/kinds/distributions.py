"""Registry of the distributions of `[dispersions]`, one line each, and the table derived from their quantities."""

from collections.abc import Collection, Iterator
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from pydantic import (
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    TypeAdapter,
    ValidationInfo,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from ....plant.quantity import Quantity, key_of, quantities

if TYPE_CHECKING:
    from ....sim.runs.campaigns import Distribution

LINES = (
    "normal = sim.runs.campaigns.distributions:Normal",
    "uniform = sim.runs.campaigns.distributions:Uniform",
    "log-normal = sim.runs.campaigns.distributions:LogNormal",
    "inertia = sim.runs.campaigns.joint_distributions:Inertia",
    "direction = sim.runs.campaigns.joint_distributions:Direction",
    "rotation = sim.runs.campaigns.joint_distributions:Rotation",
    "list = sim.runs.campaigns.distributions:Choice",
)


def quantities_of(distribution: "type[Distribution]") -> dict[str, Quantity]:
    """Return the quantities of all dispersions, by name."""
    declared = {name: each for name, each in quantities(distribution).items() if each.case is not None}
    return {**declared, **distribution.more_keys}


def keys_of(distribution: "type[Distribution]") -> dict[str, str]:
    """Return the keys of these quantities, by name."""
    return {name: key_of(name, each.case_unit) for name, each in quantities_of(distribution).items()}


class Distributions:
    """Registry of distributions. As the annotation of a field it is the table of a dispersion.

    lines: each "word = room.module:Class"; a class is imported when a case or the schema needs it.
    """

    def __init__(self, lines: Collection[str]) -> None:
        self._places = dict(line.split(" = ") for line in lines)

    def __iter__(self) -> Iterator[str]:
        """Every word, in the order of the lines."""
        return iter(self._places)

    def __getitem__(self, word: str) -> "type[Distribution]":
        """Return the class of a word."""
        module, _, name = self._places[word].partition(":")
        found = import_module(f"{__name__.partition('.')[0]}.{module}")
        return cast("type[Distribution]", getattr(found, name))

    @cached_property
    def table(self) -> type[Any]:
        """The table of a dispersion: a key for each quantity of any distribution."""
        from .dispersion_table import dispersion_table

        return dispersion_table(self)

    @cached_property
    def _adapter(self) -> TypeAdapter[Any]:
        return TypeAdapter(self.table)

    def _filled(self, value: Any, info: ValidationInfo) -> Any:
        return self._adapter.validate_python(value, context=info.context)

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Import the distributions only if a case has dispersions."""
        return core_schema.with_info_plain_validator_function(self._filled)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """The table, by reference: pydantic would otherwise inline a table that occurs once."""
        pair = handler(TypeAdapter(cast("Any", tuple)[self.table, self.table]).core_schema)
        return cast("JsonSchemaValue", pair["prefixItems"][0])


DISTRIBUTIONS = Distributions(LINES)
