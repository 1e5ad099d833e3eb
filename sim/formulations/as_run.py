"""A run in a formulation, seen as any other run."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...controllers import FixedReference
from ...plant import InputError, TorquePulse
from ..ending import Ending
from ..loop import Loop
from ..run import Run
from ..run_warnings import run_warnings
from ..scheme import Scheme
from .run import FormulationRun

__all__ = ["as_run"]


def as_run(found: FormulationRun, *, scheme: Scheme, torques: Sequence[TorquePulse] = ()) -> Run:
    """Return momentum, Euler parameters and all that follows from them as a `Run`.

    Parameters
    ----------
    found : FormulationRun
        The run of a craft.
    scheme : Scheme
        How it was integrated.
    torques : sequence of TorquePulse
        What was scheduled.

    Returns
    -------
    Run
        Without a ledger; its Euler parameters have the norm that the formulation left them.

    Raises
    ------
    InputError
        When the formulation was given a bare inertia, or a load that a craft does not have.
    """
    if found.craft is None or any(map(np.any, (found.load.body_torque, found.load.inertial_torque, found.load.force))):
        raise InputError("only the run of a craft without a further load can be seen as a Run")
    states = np.hstack((found.rate @ found.model.inertia, found.attitude))
    inputs = np.zeros((found.t.size, 3 + 4 * len(torques)))
    for port, pulse in enumerate(torques):
        acts = (pulse.start <= found.t) & (found.t < pulse.stop)
        inputs[acts, 3 + 4 * port : 7 + 4 * port] = (1.0, *np.asarray(pulse.components))
    loop = Loop(
        found.craft,
        states[0],
        None,
        FixedReference(),
        pulses=torques,
        scheme=scheme,
        duration=float(found.t[-1]),
        times=found.t,
        ledger=False,
        compiled=True,
        max_steps=1,
        pose_limit=0.0,
    )
    observables = loop.observe(found.t, states, inputs, follows=False)
    closest = {} if not np.isfinite(found.closest) else {"nearest_gimbal_lock_rad": float(found.closest)}
    run = Run(
        craft=found.craft,
        law=None,
        reference=None,
        scheme=scheme,
        t=found.t,
        states=states,
        inputs=loop.acting(found.t, inputs),
        observables=observables,
        start=states[0],
        ledger=False,
        ended=Ending(found.status, found.reason, (), closest),
    )
    return replace(run, ended=replace(run.ended, warnings=run_warnings(run)))
