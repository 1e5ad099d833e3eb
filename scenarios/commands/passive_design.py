"""``polhode design`` for a spacecraft without a controller: its steady spins and the best damper."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant import SpinEquilibrium, damping_chart, spin_equilibria
from ...plant.errors import InputError, PolhodeError

if TYPE_CHECKING:
    from ...plant import DampingChart, Spacecraft

Array = NDArray[np.float64]


@runtime_checkable
class _Damper(Protocol):
    """Element that dissipates nutation energy."""

    @property
    def friction(self) -> float: ...

    def tuned_over(self) -> Mapping[str, ArrayLike]: ...


def spins_of(craft: "Spacecraft", state: Array) -> tuple[SpinEquilibrium, ...]:
    """Return the steady spins that have the angular momentum of the initial state, most stable first.

    craft: a spacecraft with elements; state (nx,): initial state vector. Raises InputError if the spacecraft has no
    elements, does not rotate, or external torques act on it.
    """
    if not craft.elements:
        raise InputError(
            "the case has no [controller] to design and no [[plant.elements]] to analyse; add one of the two"
        )
    size = float(np.linalg.norm(state[:3]))
    if size == 0.0:
        raise InputError("the spacecraft has no angular momentum, so it has no steady spin; set a rate in [initial]")
    return spin_equilibria(craft, momentum=size)


def chart_of(craft: "Spacecraft", spins: tuple[SpinEquilibrium, ...]) -> "DampingChart | None":
    """Return a chart of the nutation time constant over the parameters of the first damper.

    spins: steady spins of the spacecraft. Returns None if no spin is damped.
    """
    stable = [spin for spin in spins if spin.kind == "asymptotically stable"]
    dampers = [
        (number, element.tuned_over())
        for number, element in enumerate(craft.elements)
        if isinstance(element, _Damper) and element.friction > 0.0
    ]
    if not stable or not dampers:
        return None
    number, fields = dampers[0]
    spin = stable[0]
    try:
        return damping_chart(craft, fields, rate=float(np.linalg.norm(spin.rate)), element=number, axis=spin.momentum)
    except PolhodeError:
        return None


def passive_summary(spins: tuple[SpinEquilibrium, ...], chart: "DampingChart | None") -> dict[str, Any]:
    """Return steady spins and best damper as plain values.

    ``polhode design --json`` prints them for a case without a controller.
    """
    found: dict[str, Any] = {"method": "passive", "spins": [_spin(spin) for spin in spins], "optimum": None}
    if chart is not None:
        found["optimum"] = {
            "numbers": dict(zip(chart.parameters, map(float, chart.optimum), strict=True)),
            "time_constant_s": float(chart.best_time_constant),
            "time_constant_as_given_s": float(chart.given_time_constant),
            "at_limit": list(chart.at_limit),
        }
    return found


def _spin(spin: SpinEquilibrium) -> dict[str, Any]:
    nutation = complex(spin.nutation)
    return {
        "axis": spin.axis,
        "verdict": spin.kind,
        "rate_rad_s": spin.rate.tolist(),
        "moments_kg_m2": spin.moments.tolist(),
        "internal": spin.coordinates.tolist(),
        "residual": float(spin.residual),
        "eigenvalues": [[float(value.real), float(value.imag)] for value in spin.eigenvalues],
        "nutation": [nutation.real, nutation.imag],
        "nutation_time_constant_s": None if nutation.real == 0.0 else -1.0 / nutation.real,
        "energy_sink_1_s": float(spin.energy_sink) if np.isfinite(spin.energy_sink) else None,
        "words": spin.words,
    }
