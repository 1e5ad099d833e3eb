"""Quantities of a run: unit, frame, availability and source of each."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...plant.elements.propulsion import Propulsion
from ...plant.hub.parameters import LEDGER_SIZE
from ..engine.indices import EXTERNAL_AT
from ..engine.observe import COLUMNS, WIDTH
from .knowledge import knowledge_error_of
from .nutation import internal_rates, nutation

if TYPE_CHECKING:
    from .run import Run

Array = NDArray[np.float64]
XYZ = ("x", "y", "z")


@dataclass(frozen=True, kw_only=True)
class Quantity:
    """A quantity of a run.

    Parameters
    ----------
    components : tuple of str
        Names of the components; empty for a scalar.
    unit : str
        Unit of the quantity.
    frame : str
        "body", "inertial", "torque basis" or "" for a quantity without a frame.
    words : str
        Description.
    held : bool
        Whether the quantity is held between samples, and therefore drawn as steps.
    """

    components: tuple[str, ...] = ()
    unit: str = ""
    frame: str = ""
    words: str = ""
    held: bool = False


@dataclass(frozen=True, kw_only=True)
class RunQuantity(Quantity):
    """A quantity and its source in a run.

    read: returns the values in a run, (n,) or (n, components); here: whether a run has the quantity; needs: what a run
    that lacks the quantity is missing; labels: components and unit, if these depend on the spacecraft.
    """

    read: "Callable[[Run], Any]" = field(repr=False)
    here: "Callable[[Run], bool]" = field(default=lambda run: True, repr=False)
    needs: str = field(default="", repr=False)
    labels: "Callable[[Run], tuple[tuple[str, ...], str]] | None" = field(default=None, repr=False)


@dataclass(frozen=True)
class Columns:
    """Reader of columns of a run table ("states", "inputs", "observables"); one column gives a scalar."""

    table: str
    which: slice | int

    def __call__(self, run: "Run") -> Array:
        """Return the columns in a run."""
        return self.of(getattr(run, self.table), run)

    def of(self, table: Any, run: "Run") -> Array:
        """Return the columns in a table (..., columns) of a run, or of several similar runs."""
        del run
        return table[..., self.which]


def _observed(name: str) -> Columns:
    """Return the reader of an observable of the engine."""
    which = COLUMNS[name]
    return Columns("observables", which.start if which.stop == which.start + 1 else which)


def _state(part: str) -> "Callable[[Run], Any]":
    """Return the reader of a part of the state vector, at its columns in the layout of the spacecraft."""
    return lambda run: run.states[:, getattr(run.craft.layout, part)]


def _burns(run: "Run") -> bool:
    return any(isinstance(element, Propulsion) and element.propellant for element in run.craft.elements)


def _energy_balance(run: "Run") -> Array:
    return run.values("energy") - run.energy_before - (run.states[:, -LEDGER_SIZE] - run.start[-LEDGER_SIZE])


def _momentum_balance(run: "Run") -> Array:
    momentum, impulse = (np.ascontiguousarray(each.T) for each in (run.values("inertial_momentum"), run.states[:, -3:]))
    return (momentum - run.momentum_before[:, None] - (impulse - run.start[-3:, None])).T  # long rows are faster


def _internal_rates(run: "Run") -> Array:
    rates = run.velocities
    return internal_rates(run.craft, run.x) if rates is None else rates[:, 3:]


def _hub_torque(run: "Run") -> Array:
    signals = run.observables[:, WIDTH : WIDTH + len(run.signals)]
    return signals @ np.array([signal.on_hub for _, signal in run.signals])


def _motors(run: "Run") -> dict[str, tuple[int, int]]:
    """Return, for each motor by the label of its element, the columns of its torque and of its coordinate."""
    coordinates = run.craft.layout.coordinates
    return {
        label: (WIDTH + column, next(n for n, name in enumerate(coordinates) if name.startswith(f"{label}_")))
        for column, (label, signal) in enumerate(run.signals)
        if signal.name == "motor_torque"
    }


def _motor_power(run: "Run") -> Array:
    columns = np.array(list(_motors(run).values()))
    return run.observables[:, columns[:, 0]] * run.values("internal_rate")[:, columns[:, 1]]


def _of_elements(units: "Callable[[Any], tuple[str, ...]]") -> "Callable[[Run], tuple[tuple[str, ...], str]]":
    """Return the labels of a quantity with one component per element coordinate, with units from a layout."""

    def labels(run: "Run") -> tuple[tuple[str, ...], str]:
        layout = run.craft.layout
        each = units(layout)
        return layout.coordinates, each[0] if len(set(each)) == 1 else ", ".join(each)

    return labels


def _momentum_units(layout: Any) -> tuple[str, ...]:
    n = len(layout.coordinates)
    return layout.units[7 + n : 7 + 2 * n]


def _formulation_labels(run: "Run") -> tuple[tuple[str, ...], str]:
    made: Any = run.formulation
    return made.states, ", ".join(dict.fromkeys(made.units))


def _moves(run: "Run") -> bool:
    return run.craft.translation


def _has_coordinates(run: "Run") -> bool:
    return bool(run.craft.layout.coordinates)


def _has_reference(run: "Run") -> bool:
    return run.reference is not None


def _is_view(run: "Run") -> bool:
    return run.formulation is not None


def _has_both(run: "Run") -> bool:
    return run.craft.external is not None


_OUTSIDE = slice(EXTERNAL_AT, EXTERNAL_AT + 3)


class _Command(Columns):
    """Reader of the control torque: wheel torque plus external torque, if the spacecraft has both."""

    def of(self, table: Any, run: "Run") -> Array:
        """Return the torque in a table (..., columns) of a run, or of several similar runs."""
        own = super().of(table, run)
        return own + table[..., _OUTSIDE] if _has_both(run) else own


_BOTH: dict[str, Any] = {"here": _has_both, "needs": "needs Spacecraft(..., torques=..., external=...)"}
_MOVES: dict[str, Any] = {"here": _moves, "needs": "needs Spacecraft(..., translation=True)"}
_ELEMENTS = "needs Spacecraft(..., elements=...)"
_COORDINATES: dict[str, Any] = {"here": _has_coordinates, "needs": _ELEMENTS, "frame": "body"}
_REFERENCE: dict[str, Any] = {"here": _has_reference, "needs": "needs a reference"}
_FORMULATION: dict[str, Any] = {"here": _is_view, "needs": "needs simulate(..., formulation=...)"}
_LEDGER = "needs ledger=True; energy_balance also needs potentials constant in time, or none if propellant leaves"

QUANTITIES: dict[str, RunQuantity] = {
    "attitude": RunQuantity(
        components=("e0", "e1", "e2", "e3"),
        unit="1",
        frame="inertial",
        words="Euler parameters, scalar first, body to inertial",
        read=Columns("states", slice(3, 7)),
    ),
    "rate": RunQuantity(components=XYZ, unit="rad/s", frame="body", words="body rate", read=_observed("rate")),
    "momentum": RunQuantity(
        components=XYZ, unit="N m s", frame="body", words="angular momentum", read=Columns("states", slice(0, 3))
    ),
    "inertial_momentum": RunQuantity(
        components=XYZ, unit="N m s", frame="inertial", words="angular momentum", read=_observed("inertial_momentum")
    ),
    "energy": RunQuantity(unit="J", words="Hamiltonian: kinetic energy and potentials", read=_observed("energy")),
    "torque": RunQuantity(
        components=XYZ,
        unit="N m",
        frame="body",
        words="total external torque on hub and elements",
        read=_observed("torque"),
    ),
    "hub_torque": RunQuantity(
        components=XYZ,
        unit="N m",
        frame="body",
        words="torque of the motors of the elements on the hub",
        read=_hub_torque,
        here=lambda run: any(any(signal.on_hub) for _, signal in run.signals),
        needs="needs elements with motor signals: wheel_array, or Wheel(...) with a command, a torque or a limit",
    ),
    "motor_power": RunQuantity(
        unit="W",
        words="mechanical power of each motor, its torque times the rate of its wheel; negative where it brakes",
        read=_motor_power,
        labels=lambda run: (tuple(_motors(run)), "W"),
        here=lambda run: bool(_motors(run)),
        needs="needs wheels with a motor: wheel_array, or Wheel(...) with a command, a torque or a limit",
    ),
    "command": RunQuantity(
        components=("1", "2", "3"),
        unit="N m",
        frame="torque basis",
        words="control torque, limited and held; the sum of wheel torque and external torque if there are both",
        held=True,
        read=_Command("inputs", slice(0, 3)),
    ),
    "command_wheels": RunQuantity(
        components=("1", "2", "3"),
        unit="N m",
        frame="torque basis",
        words="control torque commanded to the wheels, limited and held",
        held=True,
        read=Columns("inputs", slice(0, 3)),
        **_BOTH,
    ),
    "command_external": RunQuantity(
        components=("1", "2", "3"),
        unit="N m",
        frame="torque basis",
        words="external control torque, limited and held",
        held=True,
        read=Columns("inputs", _OUTSIDE),
        **_BOTH,
    ),
    "attitude_error": RunQuantity(
        unit="rad",
        words="angle of the rotation from the reference",
        read=_observed("attitude_error"),
        **_REFERENCE,
    ),
    "error_vector": RunQuantity(
        components=XYZ,
        unit="rad",
        frame="body",
        words="rotation vector from the reference, along the shorter rotation",
        read=_observed("error_vector"),
        **_REFERENCE,
    ),
    "knowledge_error": RunQuantity(
        components=XYZ,
        unit="rad",
        frame="body",
        words="rotation vector from the current estimate, held between its samples, to the attitude; at the end, the "
        "error of the last estimate at its own time",
        read=knowledge_error_of,
        here=lambda run: run.estimate is not None,
        needs="needs a block that estimates the attitude, such as MEKF(...).block(...)",
    ),
    "nutation": RunQuantity(
        unit="rad",
        words="angle from the momentum to the principal axis nearest to it at the start",
        read=lambda run: nutation(run.craft, run.x, start=run.start[: run.craft.layout.size]),
        here=lambda run: bool(run.craft.elements),
        needs=_ELEMENTS,
    ),
    "internal": RunQuantity(
        words="coordinates of the elements",
        read=_state("internal"),
        labels=_of_elements(lambda layout: layout.coordinate_units),
        **_COORDINATES,
    ),
    "internal_rate": RunQuantity(
        words="their rates",
        read=_internal_rates,
        labels=_of_elements(lambda layout: tuple(f"{unit}/s" for unit in layout.coordinate_units)),
        **_COORDINATES,
    ),
    "internal_momentum": RunQuantity(
        words="their momenta",
        read=_state("internal_momentum"),
        labels=_of_elements(_momentum_units),
        **_COORDINATES,
    ),
    "position": RunQuantity(
        components=XYZ,
        unit="m",
        frame="inertial",
        words="position of the mass centre",
        read=_state("position"),
        **_MOVES,
    ),
    "velocity": RunQuantity(
        components=XYZ,
        unit="m/s",
        frame="inertial",
        words="velocity of the mass centre",
        read=lambda run: (
            run.states[:, run.craft.layout.linear_momentum] / np.reshape(run.craft.mass_at(run.x), (-1, 1))
        ),
        **_MOVES,
    ),
    "linear_momentum": RunQuantity(
        components=XYZ,
        unit="N s",
        frame="inertial",
        words="linear momentum",
        read=_state("linear_momentum"),
        **_MOVES,
    ),
    "hub_position": RunQuantity(
        components=XYZ,
        unit="m",
        frame="inertial",
        words="mass centre of the hub; without translation relative to that of the spacecraft",
        read=_observed("hub_position"),
        here=lambda run: run.craft.body.pivot is None and any(element.moves_mass for element in run.craft.elements),
        needs="needs a free spacecraft with elements that move mass",
    ),
    "energy_balance": RunQuantity(
        unit="J",
        words="energy minus its initial value and the work of all non-potential torques and forces",
        read=_energy_balance,
        # a potential energy that depends on time does work; the work of a load that has no energy is in the ledger
        here=lambda run: (
            run.ledger
            and not any(each.time_dependent and each.has_energy for each in run.craft.potentials)
            and not (_burns(run) and any(each.has_energy for each in run.craft.potentials))
        ),
        needs=_LEDGER,
    ),
    "momentum_balance": RunQuantity(
        components=XYZ,
        unit="N m s",
        frame="inertial",
        words="angular momentum minus its initial value and all angular impulse",
        read=_momentum_balance,
        here=lambda run: run.ledger,
        needs=_LEDGER,
    ),
    "formulation_state": RunQuantity(
        words="states of the formulation", read=lambda run: run.own, labels=_formulation_labels, **_FORMULATION
    ),
    "multiplier": RunQuantity(
        unit="N m",
        words="Lagrange multiplier of the norm of e",
        read=_observed("multiplier"),
        here=lambda run: run.formulation is not None and bool(run.formulation.multiplier),
        needs="needs a formulation with a Lagrange multiplier, such as 'lagrange-29'",
    ),
    "norm_error": RunQuantity(
        unit="1",
        words="|e|^2 - 1 as integrated by the formulation",
        read=lambda run: (run.states[:, 3:7] ** 2).sum(axis=1) - 1.0,
        **_FORMULATION,
    ),
}
"""Every quantity by name, except the signals of the elements, such as `motor_torque` or `tip_deflection`. Quantities of
elements have the components and units of the spacecraft: `Run.components`."""
