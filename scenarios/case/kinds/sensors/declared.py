"""Derive sensor kinds from sensor classes with declared quantities."""

from collections.abc import Callable, Mapping
from typing import Any

from .....controllers.sensing.sensors.sensor import Sensor
from .....plant.quantity import quantities
from ...schema.sensor import SensorTable
from ..declared_keys import DeclaredKeys
from .kind import SensorKind
from .kinds import KINDS


def kind_of(
    word: str,
    sensor: type[Sensor],
    *,
    module: str = __name__,
    more: Mapping[str, Any] | None = None,
    of_more: Callable[[Any], Mapping[str, Any]] | None = None,
) -> SensorKind:
    """Return the kind of a sensor class.

    word: value of the key `kind`; sensor: class of the sensor; module: name of the module that the table becomes part
    of; more: additional keys, in the form that `pydantic.create_model` takes; of_more: of_more(table) returns the
    arguments of the sensor for these keys.
    """
    keys = DeclaredKeys(sensor)
    delayed = "delay" in quantities(sensor)  # the sensor applies its delay itself

    def make(table: Any) -> Sensor:
        values = keys.values(table) | dict(of_more(table) if of_more else {})
        values |= {"delay": table.delay_s} if delayed else {}
        return sensor(**values, name=table.label, loss=table.loss, outages=table.outages_s)

    table = keys.table(word, SensorTable, noun="sensor", module=module, more=more)
    return SensorKind(table=table, make=make, shadows=sensor.shadows, delayed=delayed)


def __getattr__(name: str) -> type[Any]:
    """Return the table of a kind by name, so that pickled cases find it."""
    return KINDS.table_named(name)
