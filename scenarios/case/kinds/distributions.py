"""Registry of the distributions in `[dispersions]`, one line each, and the table of a dispersion."""

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
    """Return the declared quantities of a distribution, by name."""
    declared = {name: each for name, each in quantities(distribution).items() if each.case is not None}
    return {**declared, **distribution.more_keys}


def keys_of(distribution: "type[Distribution]") -> dict[str, str]:
    """Return the case key of each declared quantity of a distribution, by name of the quantity."""
    return {name: key_of(name, each.case_unit) for name, each in quantities_of(distribution).items()}


class Distributions:
    """Registry of distributions. In the annotation of a field, it stands for the table of a dispersion.

    lines: entries "word = room.module:Class". A class is imported when a case or the schema needs it.
    """

    def __init__(self, lines: Collection[str]) -> None:
        self._places = dict(line.split(" = ") for line in lines)

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of the distributions, in the order of the lines."""
        return iter(self._places)

    def __getitem__(self, word: str) -> "type[Distribution]":
        """Return the class of a distribution by name."""
        module, _, name = self._places[word].partition(":")
        found = import_module(f"{__name__.partition('.')[0]}.{module}")
        return cast("type[Distribution]", getattr(found, name))

    @cached_property
    def table(self) -> type[Any]:
        """Table of a dispersion, with a key for each quantity of any distribution."""
        from .dispersion_table import dispersion_table

        return dispersion_table(self)

    @cached_property
    def _adapter(self) -> TypeAdapter[Any]:
        return TypeAdapter(self.table)

    def _filled(self, value: Any, info: ValidationInfo) -> Any:
        return self._adapter.validate_python(value, context=info.context)

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return a validator that imports the distributions only if a case has dispersions."""
        return core_schema.with_info_plain_validator_function(self._filled)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Return a reference to the table, which pydantic would inline otherwise because it occurs only once."""
        pair = handler(TypeAdapter(cast("Any", tuple)[self.table, self.table]).core_schema)
        return cast("JsonSchemaValue", pair["prefixItems"][0])


DISTRIBUTIONS = Distributions(LINES)
