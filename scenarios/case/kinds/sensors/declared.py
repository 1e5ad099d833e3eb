"""Kinds of sensor whose keys follow from the quantities that the sensor declares."""

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
    """Return the kind of a sensor.

    word: the word under `kind`; sensor: its class; module: name of the module that its table becomes part of; more:
    further keys, each in the form of `pydantic.create_model`; of_more: function of the table that returns the arguments
    of the sensor for these.
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
    """Return a table, for pickled cases."""
    return KINDS.table_named(name)
