"""A spacecraft as a discrete-time python-control system, integrated by the engine."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...controllers.contracts.checks import check_timing
from ...controllers.contracts.law_layout import SEEN
from ...controllers.contracts.signal_labels import labels
from ...controllers.loop.routes import APPLIED, COMMAND, OF_PORT, REFERENCE_SIGNAL, shown_widths
from ...controllers.loop.sampled_plant import split_delay
from ...plant import InputError, Spacecraft, TorquePulse
from ...plant.checks import of_kind
from ...plant.loads.torque.torque_limits import saturate
from ..engine import indices as at
from ..results.ending import ending
from ..runs.drive import loop_of
from ..runs.run_spec import RunSpec, run_spec

Array = NDArray[np.float64]

MOST_STEPS = 10_000_000  # largest number of integration steps between two samples


def sampled_craft(
    craft: Spacecraft,
    *,
    sample: float,
    delay: float = 0.0,
    torques: Sequence[TorquePulse] = (),
    integrator: str | None = None,
    step: float | None = None,
    rtol: float | None = None,
    compiled: bool = True,
    command: str = COMMAND,
    name: str = "craft",
) -> Any:
    """Return a spacecraft, discretised with the period of a law, as a nonlinear system of python-control.

    The system has the period of the law because python-control connects only systems of equal period. The engine of
    `simulate` integrates the spacecraft, with its torque limits and scheduled torques, and holds the command between
    samples. `control.interconnect([sampled_craft(craft, sample=0.1), law.to_nlsys(craft, reference=...)])` gives the
    same closed loop as `simulate`.

    The inputs are torque_1 to torque_3 (N m, in the torque basis of the craft; saturated at its limits). A craft with
    two control torques also has command_external_1 to command_external_3. The outputs are all measurements available to
    a law at the sample: momentum_x and so on (N m s), attitude_0 to attitude_3, rate_x and so on (rad/s), then every
    further state by its name. The states are those of the craft (`craft.layout`), then delayed commands, which start at
    zero.

    Parameters
    ----------
    craft : Spacecraft
        The plant.
    sample : float
        Period, s.
    delay : float
        Time from a sample until its command acts, s; not necessarily a multiple of the period. If a delay is given
        here, use the law without its own delay: `law.to_nlsys(with_delay=False)`.
    torques : sequence of TorquePulse
        Scheduled torques.
    integrator : str, optional
        As in `simulate`.
    step : float, optional
        As in `simulate`.
    rtol : float, optional
        As in `simulate`.
    compiled : bool
        Whether the compiled engine integrates the spacecraft.
    command : str
        The signal used as the command, such as "command_lagged" if a block follows the law.
    name : str
        The name of the system.

    Returns
    -------
    control.NonlinearIOSystem
        With dt = `sample`.

    Raises
    ------
    InputError
        When an argument is out of range or does not match the craft. Evaluating the system also raises it when the run
        cannot continue, for example at a singular attitude of the torque basis.

    Examples
    --------
    >>> from polhode import plant
    >>> craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    >>> system = sampled_craft(craft, sample=0.1, integrator="rk4", step=0.05, compiled=False)
    >>> x = system.dynamics(0.0, craft.spinning((0.0, 0.0, 0.2)), [0.0, 0.0, 1.0])
    >>> [round(float(each), 12) for each in x[:3]]
    [0.0, 0.0, 0.3]
    """
    of_kind("command", command, str, such_as='the name of a signal, "command"')
    period, lag = check_timing(sample, delay)
    plan = run_spec(
        craft, duration=period, torques=torques, integrator=integrator, step=step, rtol=rtol, compiled=compiled,
        ledger=False, max_steps=MOST_STEPS,
    )  # fmt: skip
    if plan.scheme.stepper.exact:
        raise InputError(
            f"integrator {plan.scheme.integrator!r} applies to a free body only; use a different one for a commanded "
            "spacecraft"
        )
    moved = _Moved(plan)
    whole, rest = split_delay(period, lag)
    under_way = whole + (rest > 0.0)
    ports = [command, *([OF_PORT["external"]] if craft.external is not None else [])]
    inputs = [label for port in ports for label in labels(port, 3)] if command != COMMAND or len(ports) > 1 else []
    inputs = inputs or list(labels(COMMAND, 3))
    widths = shown_widths(craft.layout.names[SEEN.rate :])
    outputs = [
        label
        for each, size in widths.items()
        if each not in (APPLIED, REFERENCE_SIGNAL)
        for label in labels(each, size)
    ]
    size, many = craft.layout.size, len(inputs)
    waiting = [f"{each}_{n + 1}_samples_ago" for n in range(under_way) for each in inputs]

    def update(t: float, x: Any, u: Any, params: Any) -> Array:
        state, newest = np.array(x[:size], dtype=np.float64), np.array(u, dtype=np.float64)
        past = [newest, *np.reshape(np.asarray(x[size:], dtype=np.float64), (under_way, many))]
        if rest:
            state = moved(float(t), rest, state, past[whole + 1])
            state = moved(float(t) + rest, period - rest, state, past[whole])
        else:
            state = moved(float(t), period, state, past[whole])
        return np.concatenate((state, *past[:under_way]))

    def put_out(t: float, x: Any, u: Any, params: Any) -> Array:
        state = np.array(x[:size], dtype=np.float64)
        return np.concatenate((state[:7], craft.rate(state), state[7:]))

    import control

    states = [*craft.layout.names, *waiting]
    return control.nlsys(update, put_out, states=states, inputs=inputs, outputs=outputs, dt=period, name=name)


class _Moved:
    """Stateless integrator of a spacecraft from any state at any time under held commands."""

    def __init__(self, plan: RunSpec) -> None:
        self._plan = plan
        self._loop = loop_of(plan._replace(times=np.zeros(0)))
        b, craft = self._loop.arrays, plan.craft
        self._start = {name: getattr(b, name).copy() for name in ("u", "clock", "count")}
        external = [] if craft.external is None else [(at.EXTERNAL_AT, craft.external.saturation())]
        self._ports = [(0, craft.torques.saturation()), *external]

    def __call__(self, t: float, span: float, x: Array, command: Array) -> Array:
        """Return the state vector at t + span (s) under constant commands (3 or 6,)."""
        b = self._loop.arrays
        for potential in self._plan.craft.potentials:
            potential.check_duration(t + span)
        for name, start in self._start.items():
            getattr(b, name)[:] = start
        b.x[:] = x
        b.clock[at.T], b.clock[at.T_END] = t, t + span
        for (place, limits), demand in zip(self._ports, np.reshape(command, (-1, 3)), strict=True):
            b.u[place : place + 3] = saturate(*demand, limits)
        status = self._loop.advance(MOST_STEPS)
        if status != at.DONE:
            ended = ending(self._loop, status, self._plan.torques)
            raise InputError(f"the spacecraft cannot be integrated from t = {t:g} s: {ended.reason}")
        return b.x.copy()
