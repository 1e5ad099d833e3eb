"""Warnings about the law of a run: outside its design conditions, unstable, or not settling."""

from collections.abc import Callable
from typing import Any, NamedTuple, cast
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from ...controllers import Block, DesignCondition, Law, Reference
from ...controllers.contracts.law_defaults import with_defaults
from ...controllers.designs.quaternion_tuning import tuned_inertia
from ...controllers.guidance import follows_orbit
from ...controllers.loop.routes import in_the_loop, shown_by
from ...controllers.loop.sampled_loop import SampledLoop
from ...controllers.loop.shared_loop import shared_loop
from ...plant import PolhodeError, Spacecraft, TorqueBasis
from ...plant.hub.balanced import balanced
from ...plant.hub.internal_state import constant_locked_inertia
from .mode_intervals import mode_intervals
from .run import Run
from .small_gain_cache import SmallGainCache

Array = NDArray[np.float64]

OUTSIDE = 1.0 + 1e-6  # pole modulus of an unstable loop: round-off moves a double pole at 1 by 1e-8
CHANGED = 0.1  # relative to the largest moment of inertia: slosh and vibration change it by less
NEARLY = 0.01  # relative to the largest moment of inertia: mass properties are not known more accurately
SLOW_TURN = 0.1  # relative to the slowest frequency of the loop: a slower rotation does not affect the design
MOST_UNDER_WAY = 12  # largest number of pending commands: with more, computing the poles takes longer than most runs
MOST_STATES = 500  # largest number of states: linear model and poles take 1.5 s, a time that grows as the cube
KEPT = 64  # number of cached poses per spacecraft and law
FAR = np.radians(5.0)  # a larger attitude error at the end of a run cannot be intended
STEADY = 0.9  # ratio to the error of the previous quarter above which the error does not decrease
LIFETIMES = 5.0  # time constants of the slowest mode after which a settling loop has settled
HARDLY = 10.0  # time constant of a loop that hardly acts, as a multiple of the run time
FEWEST = 16  # smallest number of rows, and of samples

_Poses = dict[tuple[tuple[Block, ...], bytes], "_Flight"]
_known: WeakKeyDictionary[Spacecraft, WeakKeyDictionary[Any, _Poses]] = WeakKeyDictionary()
_near = SmallGainCache()


class _Flight:
    """Assessment of a law for a spacecraft near a pose: warnings, and slowest time constant, s."""

    def __init__(self, sentences: tuple[str, ...], lasts: float | None) -> None:
        self.sentences = sentences
        self.lasts = lasts

        self.count = len(sentences)
        self.judged = lasts is not None


class _Near:
    """Deferred assessment of a stable loop with a known number of sentences; evaluated on first use."""

    judged = True

    def __init__(self, count: int, look: Callable[[], _Flight]) -> None:
        self.count = count
        self._look = look

    @property
    def sentences(self) -> tuple[str, ...]:
        """Sentences of the assessment."""
        return self._look().sentences

    @property
    def lasts(self) -> float | None:
        """Time constant of the slowest mode of the loop, s."""
        return self._look().lasts


def law_warnings(run: Run) -> list[str]:
    """Return the warnings about the law of a run.

    The conditions of the run are compared with the design conditions of the law (`design_condition`): torque basis,
    inertia, rate of the operating point, torque limits. The closed loop of law, blocks and this spacecraft is
    linearised about the reference at the end of the run (at its start on an orbit). Its poles are checked once per
    combination. A warning also reports a law that controls attitude but has not reduced its error in the last quarter
    of the run, and elements that moved far enough to change the inertia.

    run: the finished run -> one sentence per warning; empty if the law has no design conditions (custom laws).
    """
    return [
        f"mode {part.mode}: {each}" if part.mode else each
        for part, about, flight in _flights(run)
        for each in (
            *about.doubts,
            *flight.sentences,
            *_unsettled(run, part, about, flight),
            *_reconfigured(run, part, about),
        )
    ]


def law_warned(run: Run) -> int:
    """Return the number of `law_warnings`, skipping the analysis of loops close to ones already analysed."""
    return sum(
        len(about.doubts)
        + flight.count
        + len(_unsettled(run, part, about, flight))
        + len(_reconfigured(run, part, about))
        for part, about, flight in _flights(run)
    )


def _flights(run: Run) -> "list[tuple[_Part, DesignCondition, _Flight | _Near]]":
    """Return the active laws that have design conditions, and the assessment of each."""
    if run.law is None or run.reference is None or not run.t.size:
        return []
    parts = ((part, getattr(part.law, "design_condition", None)) for part in _parts(run, run.law, run.reference))
    return [(part, about, _flight(run, part, about)) for part, about in parts if about is not None]


class _Part(NamedTuple):
    """An active law with its spacecraft, reference, blocks, mode, and time of its last entry, s.

    `entered` is the time origin of the reference, s.
    """

    law: Law
    craft: Spacecraft
    reference: Reference
    blocks: tuple[Block, ...]
    mode: str
    since: float
    entered: float = 0.0


def _parts(run: Run, law: Law, reference: Reference) -> list[_Part]:
    """Return the law of a run, or the laws of all modes that were active."""
    alone = getattr(law, "alone", None)
    if alone is None:
        return [_Part(law, run.craft, reference, run.blocks, "", float(run.t[0]))]
    intervals, law_of_modes = mode_intervals(run), cast("Any", law)
    found: list[_Part] = []
    for name in dict.fromkeys(each.mode for each in intervals):
        mine, beside = alone(name, run.blocks)
        mode = law_of_modes.mode(name)
        since = intervals[-1].start if intervals[-1].mode == name else np.inf
        last = max(each.start for each in intervals if each.mode == name)
        followed, from_entry = law_of_modes.followed(law_of_modes.names.index(name), reference)
        entered = last if from_entry else 0.0
        found.append(_Part(mine, mode.flown_on(run.craft), followed, beside, name, since, entered))
    return found


def _flight(run: Run, part: _Part, about: DesignCondition) -> _Flight | _Near:
    craft, law = part.craft, part.law
    orbits = craft.translation and bool(craft.potentials)
    if run.counters["samples"] == 0:
        return _Flight((), None)
    # at a time that the run has evaluated: a user-defined reference may be undefined at other times
    when = 0.0 if orbits or run.status != "completed" else float(run.t[-1]) - part.entered
    pose = np.asarray(part.reference.at(when), dtype=np.float64)[:7]
    orbiting = follows_orbit(part.reference)
    where = {"position": run.x[0][craft.layout.position]} if orbits else {}

    def look() -> _Flight:
        try:
            poses = _known.setdefault(craft, WeakKeyDictionary()).setdefault(law, {})
        except TypeError:  # an unhashable user-defined law
            poses = {}
        key = (part.blocks, np.round(pose, 12).tobytes(), *(place.tobytes() for place in where.values()))
        found = poses.get(key)
        if found is None:
            if len(poses) >= KEPT:
                poses.clear()
            found = poses[key] = _look(craft, law, about, pose, where, part.blocks, orbiting)
        return found

    still = about.rate is None or not about.rate.any()  # otherwise the result depends on a frequency of the loop
    alike = still and _basis(about.torques) == _basis(craft.torques) and not part.blocks and not where
    if not alike or not _near.holds(craft, law, pose):
        return look()
    return _Near(1 if _differences(craft, about, pose, share=NEARLY, turn=0.0) else 0, look)


def _basis(torques: TorqueBasis) -> tuple[object, ...]:
    return torques.code, *torques.axes


def _look(
    craft: Spacecraft,
    law: Law,
    about: DesignCondition,
    pose: Array,
    where: dict[str, Array],
    blocks: tuple[Block, ...],
    orbiting: bool,
) -> _Flight:
    mine, its = about.torques, craft.torques
    if _basis(mine) != _basis(its):
        words = (
            f"the law commands torque in the {mine.name!r} basis, but the spacecraft uses the {its.name!r} basis: the "
            "components act along different axes than in the design; design the law for this spacecraft"
        )
        return _Flight((words,), None)
    found = _loop(craft, law, pose, where, blocks, orbiting=orbiting)
    if isinstance(found, str):
        return _Flight((f"the margins of the loop are unknown, and its poles were not checked: {found}",), None)
    if found is None:
        there = _differences(craft, about, pose, share=NEARLY, turn=np.inf)
        if not there:
            return _Flight((), None)
        return _Flight((f"the law is used outside its design conditions: {'; '.join(there)}",), None)
    loop, poles, locked = found
    radius = float(np.abs(poles).max())
    if radius >= OUTSIDE:
        there = _differences(craft, about, pose, share=1e-6, turn=1e-9, locked=locked)
        why = f"; {'; '.join(there)}: design it on craft.linearize(...) of this spacecraft about that motion"
        alone = "; see its closed_loop_poles(): reduce the gain, or the sampling period"
        names = ", ".join(repr(block.name) for block in blocks)
        beside = f" with the other blocks ({names})" if blocks else ""
        words = (
            f"the law does not stabilise this spacecraft about its reference{_turning(pose)}{beside}: the sampled loop "
            f"has a pole of modulus {radius:.6g} there, so errors grow{why if there else alone}"
        )
        return _Flight((words,), None)
    sentences: list[str] = []
    slow = float(np.abs(np.log(poles[np.abs(poles) > 1e-6])).min()) / (law.sample * loop.repeats)
    there = _differences(craft, about, pose, share=NEARLY, turn=SLOW_TURN * slow, locked=locked)
    if there:
        sentences.append(
            f"the law is used outside its design conditions: {'; '.join(there)}; the loop is stable here (largest pole "
            f"modulus {radius:.6g}), but its margins differ from those of the design"
        )
    twice = loop.radius(factor=(2.0, 2.0, 2.0))
    if max(radius, twice) < 1.0 and not blocks and not where:
        _near.add(craft, law, pose, loop)
    if twice >= OUTSIDE:
        sentences.append(
            f"the loop is unstable with twice the gain (pole modulus {twice:.4g}): its gain margin is below 6 dB "
            f"with a sample of {law.sample:g} s and a delay of {law.delay:g} s; with such high weights, gains or "
            "frequencies, sampling dominates the motion"
        )
    return _Flight(tuple(sentences), law.sample * loop.repeats / -np.log(radius) if radius < 1.0 else np.inf)


def _loop(
    craft: Spacecraft, law: Law, pose: Array, where: dict[str, Array], blocks: tuple[Block, ...], *, orbiting: bool
) -> tuple[SampledLoop, NDArray[np.complex128], Array] | str | None:
    """Return the linear loop about the pose, its poles and the locked inertia; or None, or a reason."""
    if law.delay > MOST_UNDER_WAY * law.sample:
        return None
    if craft.layout.size > MOST_STATES:
        return (
            f"the craft has {craft.layout.size} states, and above {MOST_STATES} a run does not spend the time on it; "
            "margins(model) of the law checks the loop"
        )
    plant = craft = balanced(craft)  # about rotating wheels with imbalance, the model is not constant
    reads = {name for block in blocks for name in block.reads}
    sees_wheels = not reads.isdisjoint(craft.layout.names[craft.layout.internal_momentum])
    # no law can change the total momentum; along an orbit its change is a slow disturbance, as in the design
    if craft.torques.internal and (orbiting or not pose[4:].any()) and not sees_wheels:
        plant = craft.from_outside
    try:
        with np.errstate(all="ignore"):
            state = plant.state(attitude=pose[:4], rate=pose[4:], **where)
            model = plant.linearize(state, allow_nonequilibrium=True)
            loop = None if blocks else shared_loop(craft, law, model)
            inside = in_the_loop(shown_by(craft), blocks)
            asks = [repr(block.name) for block in inside if not block.compiled and block.linear is None]
            if asks:
                with_defaults(law).loop(model)
                return (
                    f"plain Python is not called again after its run, and {', '.join(asks)} has no linear= form; "
                    "margins(model, blocks=...) of the law computes it"
                )
            if loop is None:
                try:
                    loop = shared_loop(craft, law, model, blocks)
                except PolhodeError as error:
                    with_defaults(law).loop(model)  # a law that has no loop on this plant gives no warning
                    return str(error)
            poles = loop.poles()
    except (PolhodeError, np.linalg.LinAlgError):
        return None
    return (loop, poles, model.inertia) if np.isfinite(poles).all() else None


def _differences(
    craft: Spacecraft, about: DesignCondition, pose: Array, *, share: float, turn: float, locked: Array | None = None
) -> list[str]:
    found: list[str] = []
    if about.inertia is not None:
        if locked is None:
            locked = constant_locked_inertia(craft) if craft.elements else craft.body.inertia
        if locked is None:
            locked = craft.locked_inertia(craft.state(attitude=pose[:4]))
        both = (locked, tuned_inertia(craft))  # with and without elements
        off = [np.abs(J - about.inertia) for J in both]
        worst, J = min(zip(off, both, strict=True), key=lambda pair: float(pair[0].max()))
        if worst.max() > share * float(np.abs(J).max()):
            n, m = np.unravel_index(int(worst.argmax()), (3, 3))
            found.append(
                f"it was designed for inertia[{n}, {m}] = {about.inertia[n, m]:.6g} kg m^2, but this spacecraft has "
                f"{J[n, m]:.6g}"
            )
    if about.rate is not None and float(np.abs(about.rate - pose[4:]).max()) > turn:
        found.append(f"it was designed about {_motion(about.rate)}, but the reference is {_motion(pose[4:])}")
    if about.limits is not None and (np.asarray(craft.torques.limits()) < about.limits * (1.0 - 1e-9)).any():
        found.append(
            f"its memory assumes torque limits of {_three(about.limits)} N m, but the spacecraft has "
            f"{_three(np.asarray(craft.torques.limits()))}"
        )
    return found


def _three(values: Array) -> str:
    return f"({', '.join(f'{value:.4g}' for value in values)})"


def _motion(rate: Array) -> str:
    return f"a spin of {_three(rate)} rad/s" if rate.any() else "rest"


def _turning(pose: Array) -> str:
    return f", which rotates at {_three(pose[4:])} rad/s" if pose[4:].any() else ""


def _reconfigured(run: Run, part: _Part, about: DesignCondition) -> list[str]:
    """Return a sentence if moving elements or an emptied tank took the inertia away from that of the design."""
    craft = part.craft
    if about.inertia is None or not craft.elements or not np.isfinite(part.since):
        return []
    if constant_locked_inertia(craft) is not None:
        return []
    start, end = (craft.locked_inertia(run.states[row, : craft.layout.size]) for row in (0, -1))
    if not (np.isfinite(start).all() and np.isfinite(end).all()):
        return []
    change, size = np.abs(end - about.inertia), CHANGED * float(np.abs(end).max())
    of_hub, of_all = (float(np.abs(each - about.inertia).max()) for each in (tuned_inertia(craft), start))
    by_choice = of_hub < of_all
    if by_choice or float(np.abs(end - start).max()) <= size or float(change.max()) <= size:
        return []  # the law is for the hub only, the elements hardly moved, or the law is for where they went
    n, m = np.unravel_index(int(change.argmax()), (3, 3))
    words = (
        f"elements moved or propellant was used: inertia[{n}, {m}] of the spacecraft is {end[n, m]:.6g} kg m^2 at the "
        f"end, {start[n, m]:.6g} at the start and {about.inertia[n, m]:.6g} in the design of the law; the poles of "
        "the loop were checked at the start only: check the law with craft.linearize(...) of the last state"
    )
    return [words]


def _unsettled(run: Run, part: _Part, about: DesignCondition, flight: _Flight | _Near) -> list[str]:
    """Return a sentence if the attitude error of a law is larger than allowed and does not decrease."""
    t = run.t
    span = float(t[-1] - t[0])
    if about.deadband is None or run.status != "completed" or t.size < FEWEST or part.since > t[-1] - 0.5 * span:
        return []
    if not flight.judged and about.deadband == 0.0:  # its loop is unknown, or its warnings are sufficient
        return []
    error = run.values("attitude_error")
    last = t > t[-1] - 0.25 * span
    before = (t > t[-1] - 0.5 * span) & ~last
    if not before.any() or float(error[last].max()) < max(FAR, 3.0 * about.deadband):
        return []
    here, there = float(error[last].max()), float(error[before].max())
    reaches = f"the attitude error reaches {np.degrees(here):.3g} deg in the last quarter of the run"
    if flight.lasts is not None and flight.lasts > HARDLY * span and span > FEWEST * part.law.sample:
        takes = f"takes {flight.lasts:.3g} s to decay to a third" if np.isfinite(flight.lasts) else "does not decay"
        return [
            f"the law has little effect: {reaches}, and the slowest mode of its loop {takes}; the run lasts {span:g} s"
        ]
    if flight.lasts is not None and span < LIFETIMES * flight.lasts:
        return []
    limits = np.minimum(part.craft.torques.limits(), getattr(part.law, "torque", np.inf))
    full = float((np.abs(run.values("command")[last]) >= 0.999 * limits).any(axis=1).mean())
    if here <= (STEADY if about.deadband == 0.0 else 1.0) * there and full < 0.5:
        return []
    cut = f"; the torque is at its limit in {100.0 * full:.0f} % of that time" if full else ""
    return [f"the law does not settle: {reaches}, and {np.degrees(there):.3g} deg in the quarter before{cut}"]
