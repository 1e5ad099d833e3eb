"""Create the blocks of sensors and estimator, according to the input of the law, `controller.uses`."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ....controllers import Block
from ....controllers.contracts.law_defaults import with_defaults
from ....controllers.contracts.law_layout import REFERENCE, SEEN
from ....controllers.loop.routes import shown_by
from ....plant.errors import InputError
from ..explain import nearest
from ..located import located
from .estimators.estimator_of import estimator_of
from .faults import sensor_faults
from .jitter import with_jitter
from .sensors.sensed import Sensed, sensed
from .start import initial_state

if TYPE_CHECKING:
    from ....controllers import Law
    from ....plant import Spacecraft
    from ..schema import Case

BESIDE = {"attitude": "attitude_estimate", "rate": "rate_estimate"}
"""Output signals of an estimator when the law reads the true state."""


def uses_of(case: "Case", sensors: Sequence[Sensed]) -> str:
    """Return the input of the law: "estimate", "measurement" or "truth".

    Raises InputError if the case does not provide this input.
    """
    choice_of_law = None if case.controller is None else case.controller.uses
    standing = [each for each in sensors if each.kind.shadows]
    if choice_of_law == "estimate" and case.estimator is None:
        raise InputError('controller.uses = "estimate" needs an [estimator], such as kind = "mekf"')
    if choice_of_law == "measurement" and not standing:
        raise InputError(
            'controller.uses = "measurement" needs [[sensors]] that measure rate or attitude; add a gyro or a star '
            "tracker"
        )
    if choice_of_law is not None:
        return choice_of_law
    return "estimate" if case.estimator is not None else "measurement" if standing else "truth"


def sensing_of(case: "Case", craft: "Spacecraft", *, law: "Law") -> tuple[Block, ...]:
    """Return the blocks of sensors and estimator of a case, in execution order.

    Parameters
    ----------
    case : Case
        The case.
    craft : Spacecraft
        Spacecraft of the case.
    law : Law
        Law that is sampled after the sensors.

    Returns
    -------
    tuple of Block
        Blocks of sensors, their faults and the estimator. Signals that nothing reads are only recorded.

    Raises
    ------
    InputError
        If a value is invalid, or the input of the law is unavailable; the message begins with the key path.
    """
    sensors = sensed(case, sample=law.sample)
    uses = uses_of(case, sensors)
    found = _measured(sensors) if uses == "measurement" else [_block(each, shadows=False) for each in sensors]
    found = sensor_faults(case, found)
    if case.estimator is not None and uses != "measurement":
        attitude = initial_state(craft, case.initial)[SEEN.attitude : SEEN.rate]
        with located("estimator"):
            block = estimator_of(
                case.estimator, _assumed(case, sensors, sample=law.sample), blocks={each.name: each for each in found},
                attitude=attitude,
            )  # fmt: skip
        found.append(block if uses == "estimate" else block.as_monitor(BESIDE))
    return tuple(_with_jitter(found, sensors, craft))


def _assumed(case: "Case", sensors: Sequence[Sensed], *, sample: float) -> list[Sensed]:
    """Return the sensors with the quantities that the estimator assumes, from `[nominal]` if it states them."""
    tables = None if case.nominal is None else case.nominal.sensors
    if tables is None:
        return list(sensors)
    with located("nominal"):
        nominal = {each.name: each for each in sensed(case.model_copy(update={"sensors": tables}), sample=sample)}
    names = [each.name for each in sensors]
    for name, other in nominal.items():
        if name not in names:
            raise InputError(
                f"nominal.sensors: {name!r} has the name of no sensor in [[sensors]]{nearest(name, names)}"
            )
        if sensors[names.index(name)].kind is not other.kind:
            raise InputError(f"nominal.sensors: {name!r} is a different kind of sensor in [[sensors]]; give the same")
    return [replace(each, sensor=nominal[each.name].sensor) if each.name in nominal else each for each in sensors]


def _with_jitter(found: Sequence[Block], sensors: Sequence[Sensed], craft: "Spacecraft") -> list[Block]:
    widths = shown_by(craft)
    named = {each.name: each for each in sensors}
    all_of_them: list[Block] = []
    for block in found:
        each = named.get(block.name)
        if each is None:
            all_of_them.append(block)
            continue
        with located(each.key):
            all_of_them += with_jitter(block, each.jitter, all_of_them, widths=widths)
    return all_of_them


def _block(each: Sensed, *, shadows: bool) -> Block:
    with located(each.key):
        return each.block(shadows)


def _measured(sensors: Sequence[Sensed]) -> list[Block]:
    """Return sensor blocks, ordered such that no sensor reads a signal that an earlier one has replaced.

    Sensors that replace no plant output come first, then the gyro, then the star tracker.
    """
    found = [_block(each, shadows=False) for each in sensors if not each.kind.shadows]
    for signal in ("rate", "attitude"):
        standing = [each for each in sensors if each.kind.shadows == signal]
        if len(standing) > 1:
            names = ", ".join(each.name for each in standing)
            raise InputError(f'controller.uses = "measurement": {names} all measure the {signal}; keep one')
        found += [_block(each, shadows=True) for each in standing]
    return found


def looks_at_momentum(law: "Law") -> bool:
    """Return whether, in any mode, the command of a law depends on the momentum as well as on the rate.

    The dependence is determined by evaluating the law with different momenta.
    """
    return getattr(law, "unloads", False) or any(_looks_at_momentum(each) for each in with_defaults(law).parts)


def _looks_at_momentum(law: "Law") -> bool:
    said = getattr(law, "looks_at_momentum", None)  # declared by a law that cannot be evaluated here
    if said is not None:
        return bool(said)
    size = SEEN.size + 64  # more entries than the element signals of any spacecraft
    for shift in (1.0, -3.0):
        answers: list[np.ndarray] = []
        for momentum in ((0.0, 0.0, 0.0), (0.3 * shift, -0.7, 0.5)):
            y = np.zeros(size)
            y[:3], y[3:7], y[7:10] = momentum, (0.5, 0.5, -0.5, 0.5), (0.2, -0.3 * shift, 0.4)
            r = np.zeros(REFERENCE.size)
            r[:4], r[4:7] = (0.5, 0.5, 0.5, 0.5), (0.1, 0.2, -0.3)
            u, z = np.zeros(3), np.array(law.memory, dtype=float)
            law.kernel(0.0, y, r, law.parameters, z, u)
            answers.append(u)
        if not np.array_equal(answers[0], answers[1]):
            return True
    return False
