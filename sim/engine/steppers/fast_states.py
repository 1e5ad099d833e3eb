"""Largest step at which an explicit method keeps fast states of elements stable, such as the rate loop of a gyro."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from ....plant import Spacecraft
from ....plant.elements.branch import is_branch
from ....plant.elements.wheel import Wheel
from ....plant.errors import InputError
from ....plant.hub.dynamics import derivative
from ....plant.hub.parameters import CONSTANT
from .kinds import INTEGRATORS
from .phase_error import stability_polynomial
from .scheme import Scheme

Array = NDArray[np.float64]

MOST_STATES = 100  # with more, the Jacobian takes longer than most runs
GROWTH = 1e-6  # amplification per step, beyond 1, that counts as growth
SLOW = 1.0  # h |lambda| up to which the accuracy of a step, not its stability, is in question
WIDEST = 30.0  # h |lambda| beyond which every explicit method grows
STEP = 1e-6  # step of the differences, relative
FLAT = 1e-6  # real part, relative to the modulus, that counts as zero
SPEED = 1.0  # rad/s or m/s at which saturating forces, such as dry friction, are no longer steep


class FastState(NamedTuple):
    """A motion that does not grow: eigenvalue, 1/s, and the state variable with the largest part in it."""

    value: complex
    name: str


_known: "WeakKeyDictionary[Spacecraft, dict[float, tuple[FastState, ...]]]" = WeakKeyDictionary()


def longest_step(scheme: Scheme, span: float, law: Any, blocks: Sequence[Any]) -> float:
    """Return the longest fixed step that a run takes, s; a sample or a command that takes effect ends a step.

    span: duration of the run, s. Returns 0 where the step is not known in advance: adaptive steps, and blocks that
    sample between the samples of others.
    """
    if scheme.step is None or any(block.clock.offset or block.clock.delay for block in blocks):
        return 0.0
    periods = [span, *(block.clock.period for block in blocks)]
    if law is not None:
        late = math.fmod(law.delay, law.sample)
        periods += [law.sample, max(late, law.sample - late)]
    longest = min(periods)
    return longest / max(math.ceil(longest / scheme.step - 1e-9), 1)


def require_stable_states(craft: Spacecraft, scheme: Scheme, step: float) -> None:
    """Raise InputError if a fixed explicit step lets a state of the elements grow that in truth does not.

    The eigenvalues are those about the initial rates of the elements and about higher rates, and states must grow about
    both: dry friction is steep at rest only, and chatters without growing. Spacecraft with arms are checked by
    `require_stable_step`.

    step: longest step of the run, s.
    """
    if scheme.stepper.adaptive or scheme.stepper.implicit or scheme.stepper.exact or not step > 0.0:
        return
    if not craft.layout.coordinates or craft.layout.size > MOST_STATES:
        return
    if any(is_branch(element) for element in craft.elements):
        return
    if step * _fastest_wheel(craft) <= SLOW:
        return
    polynomial = stability_polynomial(INTEGRATORS[scheme.integrator])
    unstable = [each for each in _fast_states(craft, 0.0) if _grows(polynomial, step * each.value)]
    if not unstable or not any(_grows(polynomial, step * each.value) for each in _fast_states(craft, SPEED)):
        return
    fastest = max(unstable, key=lambda each: abs(each.value))
    fractions = np.linspace(0.0, min(1.0, WIDEST / (step * abs(fastest.value))), 2001)[1:]
    stable = step * float(fractions[[not _grows(polynomial, f * step * fastest.value) for f in fractions]].max())
    raise InputError(
        f"a step of {step:.4g} s is too long for {scheme.integrator!r}: {fastest.name} changes at a rate of "
        f"{abs(fastest.value):.4g}/s, and the largest stable step is {stable:.4g} s; use that step or less, or "
        "'dop853', which adapts its step"
    )


def _fastest_wheel(craft: Spacecraft) -> float:
    """Return a bound on |lambda| of a spacecraft whose only elements are wheels, 1/s; infinity for other elements.

    p' = -C sdot and sdot = W p, where W is the block of the wheels in the inverse of the constant mass matrix, and C is
    diagonal. The eigenvalues of -C W are at most max |C| trace(W) in magnitude, since W is positive definite.
    """
    slopes = [element.torque_slope if type(element) is Wheel else math.inf for element in craft.elements]
    steepest = max(slopes)
    if steepest in (0.0, math.inf):
        return steepest
    p = craft.pack(())
    inverse = p[int(p[CONSTANT]) :].reshape(3 + len(slopes), -1)
    return steepest * float(inverse.diagonal()[3:].sum())


def _grows(polynomial: Any, z: complex) -> bool:
    return abs(z) > SLOW and abs(complex(np.polyval(polynomial, z))) > 1.0 + GROWTH


def _fast_states(craft: Spacecraft, above: float) -> tuple[FastState, ...]:
    """Return the motions that do not grow, about element rates that are `above` the initial ones; cached."""
    known = _known.setdefault(craft, {})
    if above not in known:
        known[above] = _about(craft, np.asarray(craft.initial_rates, dtype=np.float64) + above)
    return known[above]


def _about(craft: Spacecraft, rates: Array) -> tuple[FastState, ...]:
    """Return the motions of the elements that have the given rates, rad/s or m/s, on a hub without momentum.

    The Jacobian of the internal coordinates and momenta at constant momentum of the hub, by one-sided differences: the
    hub reacts, but the rotation of its momentum is slow.
    """
    if not rates.size:  # elements with states of their own kind only, such as hysteresis rods
        return ()
    layout, state = craft.layout, craft.state(internal_rate=rates)
    places = [*range(layout.internal.start, layout.internal.stop)]
    places += range(layout.internal_momentum.start, layout.internal_momentum.stop)
    matrix = _jacobian(craft, state, places)
    if not np.isfinite(matrix).all():  # a gravity field is undefined at the origin
        free = Spacecraft(craft.body, torques=craft.torques, elements=craft.elements, translation=craft.translation)
        matrix = _jacobian(free, state, places)
    if not np.isfinite(matrix).all():
        return ()
    values, vectors = np.linalg.eig(matrix)
    names = [layout.names[places[int(k)]] for k in np.abs(vectors).argmax(axis=0)]
    return tuple(
        FastState(complex(value), name)
        for value, name in zip(values, names, strict=True)
        if value.real <= FLAT * abs(value)
    )


def _jacobian(craft: Spacecraft, state: Array, places: Sequence[int]) -> Array:
    p, w, user = craft.pack(()), craft.work_space(), craft.user_loads()
    u, here = np.zeros(3 + 3 * (craft.external is not None)), np.zeros(state.size)
    columns, steps = np.zeros((len(places), state.size)), STEP * np.maximum(np.abs(state[places]), 1e-3)
    with np.errstate(all="ignore"):
        derivative(0.0, state, u, p, here, user, w)
        for column, place, step in zip(columns, places, steps, strict=True):
            beside = state.copy()
            beside[place] += step
            derivative(0.0, beside, u, p, column, user, w)
        return ((columns - here) / steps[:, None])[:, places].T
