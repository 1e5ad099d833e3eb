"""Effects that a linear model omits: kinks of wheel motors, friction and allocations, and the change of the field."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..elements.element import coordinate_slices
from ..elements.signal import element_labels
from ..elements.wheel import Wheel
from ..elements.wheel_motor import THROTTLED
from ..elements.wheel_sharing_kernel import sharing_cell, torque_in_cell

if TYPE_CHECKING:
    from ..spacecraft import Spacecraft

Array = NDArray[np.float64]

NEAR_REST = 3.0  # rates, in smoothing rates, at which the slope of dry friction exceeds 1 % of that at rest
NOTICED = 1e-9  # 1/s: omitted friction torque per demanded torque and time; smaller values are rounding


def left_out(
    craft: "Spacecraft",
    x: Array,
    *,
    inputs: Sequence[str] = (),
    held: Mapping[str, float] | None = None,
    frozen: bool = True,
) -> tuple[str, ...]:
    """Return one sentence per effect of wheels and magnetic torques that the linear model about a state omits.

    x (nx,): the state; inputs: coordinates with their own inputs; held: torques that hold wheel rates, N m, by
    coordinate; frozen: whether the model holds the magnetic field at t = 0 -> sentences; empty if the model is exact.
    """
    fields = craft.potentials if frozen else ()
    magnetic = tuple(words for each in fields if (words := getattr(each, "frozen_words", "")))
    rates, labels = craft.internal_rates(x), element_labels(craft.elements)
    rotors: dict[str, tuple[Wheel, float]] = {}
    first = 0
    for label, element in zip(labels, craft.elements, strict=True):
        if isinstance(element, Wheel):
            rotors[label.replace("_", " ")] = element, float(rates[first])
        first += len(element.coordinates)
    always = (*magnetic, *_dead_zones(craft, inputs, held or {}), *_dry_friction_near_rest(rotors))
    if not craft.torques.internal:
        return always
    wheels = {name: (wheel, rate) for name, (wheel, rate) in rotors.items() if wheel.has_command}
    return (*always, *_near_speed_limits(wheels), *_kinked_shares(wheels), *_other_axes(wheels))


def _dead_zones(craft: "Spacecraft", inputs: Sequence[str], held: Mapping[str, float]) -> list[str]:
    """Report motors that give no torque for the small demands of which a linear model consists."""
    zones: dict[float, list[str]] = {}
    sentences: list[str] = []
    for (element, own), label in zip(coordinate_slices(craft.elements), element_labels(craft.elements), strict=True):
        if not isinstance(element, Wheel) or element.minimum_torque is None:
            continue
        number: int = own.start
        name, least = craft.layout.coordinates[number], element.minimum_torque
        if (element.has_command and craft.torques.internal) or name in inputs or name in held:
            zones.setdefault(least, []).append(label.replace("_", " "))
        if 0.0 < abs(held.get(name, 0.0)) < least:
            sentences.append(
                f"{label.replace('_', ' ')} needs {abs(held[name]):.4g} N m to hold its rate against friction, but its "
                f"motor gives no torque below {least:g} N m: its rate varies about that of the linear model"
            )
    for least, names in zones.items():
        which = f"the motor of {names[0]} gives" if len(names) == 1 else f"the motors of {', '.join(names)} give"
        sentences.append(
            f"{which} no torque for a demand below the minimum torque of {least:g} N m, while the linear model has "
            "the gain of larger demands: near its operating point the motion is uncontrolled or a limit cycle, which "
            "a run shows"
        )
    return sentences


def _dry_friction_near_rest(rotors: dict[str, tuple[Wheel, float]]) -> list[str]:
    """Report wheels so slow that the linear model has the steep slope of dry friction through zero."""
    slow = {
        name: (wheel, rate)
        for name, (wheel, rate) in rotors.items()
        if wheel.dry_friction > 0.0 and abs(rate) < NEAR_REST * wheel.smoothing_rate
    }
    if not slow:
        return []
    name = max(slow, key=lambda each: _slope(*slow[each]))
    wheel, rate = slow[name]
    rate = 0.0 if abs(rate) < 1e-9 * wheel.smoothing_rate else rate  # rounding
    words = (
        f"{name} rotates at {rate:.4g} rad/s, where dry friction changes its sign: the linear model has its slope "
        f"there, a damping of {_slope(wheel, rate):.4g} 1/s, which holds within {wheel.smoothing_rate:.4g} rad/s of "
        f"rest only; beyond, the friction is nearly constant, up to {wheel.dry_friction:.4g} N m; linearise with the "
        "wheels at the rates of operation"
    )
    return [words]


def _near_speed_limits(wheels: dict[str, tuple[Wheel, float]]) -> list[str]:
    """Report motors near their speed limit, which have less torque to accelerate a wheel than to brake it."""
    sentences: list[str] = []
    for name, (wheel, rate) in wheels.items():
        if wheel.speed_limit is None or abs(rate) <= wheel.speed_limit * (1.0 - THROTTLED):
            continue
        share = max((wheel.speed_limit - abs(rate)) / (THROTTLED * wheel.speed_limit), 0.0)
        sentences.append(
            f"{name} rotates at {rate:.6g} rad/s, so near its speed limit of {wheel.speed_limit:.6g} rad/s that its "
            f"motor gives {100.0 * share:.3g} % of an accelerating torque but all of a braking one, while the linear "
            f"model has the same gain for both; lower the relative rate below "
            f"{wheel.speed_limit * (1.0 - THROTTLED):.6g} rad/s"
        )
    return sentences


def _kinked_shares(wheels: dict[str, tuple[Wheel, float]]) -> list[str]:
    """Report min-max allocations whose wheels differ in friction, which then does not cancel on the hub."""
    arrays: dict[bytes, dict[str, tuple[Wheel, float]]] = {}
    for name, (wheel, rate) in wheels.items():
        if np.size(wheel.sharing):
            arrays.setdefault(np.asarray(wheel.sharing)[1:].tobytes(), {})[name] = wheel, rate
    sentences: list[str] = []
    for array in arrays.values():
        slopes = {name: _slope(wheel, rate) for name, (wheel, rate) in array.items()}
        if not any(slopes.values()):
            continue
        most = max(float(np.linalg.norm(_missed(array, slopes, np.array(d)))) for d in product((-1, 0, 1), repeat=3))
        if most <= NOTICED:
            continue
        low, high = min(slopes, key=lambda name: slopes[name]), max(slopes, key=lambda name: slopes[name])
        sentences.append(
            f"the wheels share a torque by min-max, which has no derivative at zero torque, and friction decelerates "
            f"{high} at {slopes[high]:.3g} 1/s and {low} at {slopes[low]:.3g} 1/s per change of rate: the linear model "
            f"omits up to {most:.3g} N m per N m demanded for 1 s; operate the wheels where their friction is equal, "
            'or use allocation="pseudo-inverse"'
        )
    return sentences


def _other_axes(wheels: dict[str, tuple[Wheel, float]]) -> list[str]:
    """Report a min-max allocation for assumed axes, whose torque on the hub is not linear in the demand."""
    if not any(np.size(wheel.sharing) and wheel.surplus().any() for wheel, _ in wheels.values()):
        return []
    words = (
        "the min-max allocation assumes wheel axes that differ from the true ones: the gain from the demand to the "
        "torque on the hub then depends on the direction of the demand; the linear model has the gain of one direction"
    )
    return [words]


def _slope(wheel: Wheel, rate: float) -> float:
    """Return the derivative of the friction deceleration with respect to the rate, 1/s."""
    sharp, wide = wheel.smoothing_rate, wheel.stribeck_rate or 1.0
    excess = wheel.stiction * np.exp(-((rate / wide) ** 2))
    with np.errstate(over="ignore"):
        sets_in = (wheel.coulomb + excess) / sharp / np.cosh(rate / sharp) ** 2
    fades = 2.0 * rate / wide**2 * excess * np.tanh(rate / sharp)
    return float((wheel.friction + sets_in - fades) / wheel.inertia)


def _missed(array: dict[str, tuple[Wheel, float]], slopes: dict[str, float], demand: Array) -> Array:
    """Return the wheel-friction torque on the hub that the linear allocation omits, shape (3,).

    The unit is N m per N m s of demanded angular impulse, 1/s.
    """
    total = np.zeros(3)
    size = float(np.linalg.norm(demand))
    if size == 0.0:
        return total
    for name, (wheel, _) in array.items():
        sharing = np.asarray(wheel.sharing)
        number, table, d = int(sharing[0]), sharing[1:], (float(each) / size for each in demand)
        d0, d1, d2 = d
        shares = [
            float(torque_in_cell(table, cell, number, d0, d1, d2))
            for cell in (sharing_cell(table, 0, d0, d1, d2), sharing_cell(table, 0, 0.0, 0.0, 0.0))
        ]
        total += slopes[name] * (shares[0] - shares[1]) * np.asarray(wheel.axis)
    return total
