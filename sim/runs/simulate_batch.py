"""Simulation of many spacecraft, or of many variants of one, in one call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from ...controllers import Law, Reference
from ...controllers.contracts.block_draws import whole
from ...plant import Spacecraft
from ...plant.errors import InputError
from .batch_request import BatchRequest

if TYPE_CHECKING:
    from ..results.runs import Runs


def simulate_batch(
    craft: Spacecraft | Sequence[Spacecraft],
    law: Law | Sequence[Law] | None = None,
    *,
    runs: int | None = None,
    state: ArrayLike | None = None,
    attitude: ArrayLike | None = None,
    rate: ArrayLike | None = None,
    momentum: ArrayLike | None = None,
    position: ArrayLike | None = None,
    velocity: ArrayLike | None = None,
    inertia: ArrayLike | None = None,
    reference: Reference | Sequence[Reference] | None = None,
    run_index: int = 0,
    workers: int | None = None,
    progress: Callable[[float], None] | None = None,
    **settings: Any,
) -> Runs:
    """Simulate many runs with different spacecraft, laws, references, initial states or random numbers.

    Each result is bitwise identical to that of `simulate`. Runs in compiled code are simulated in batches on several
    threads, with little overhead per run. Runs that need Python (a plain Python law or block, `compiled=False`, a
    custom potential, a law with modes) follow one by one. The results do not depend on the number of workers or on
    the order.

    Parameters
    ----------
    craft : Spacecraft or sequence of Spacecraft
        The plant: one for all runs, or one for each.
    law : Law or sequence of Law, optional
        A sampled law: one for all runs, or one for each.
    runs : int, optional
        Number of runs. Required if no other argument implies it, for example if only the random numbers differ.
    state, attitude, rate, momentum, position, velocity : array_like, optional
        Initial state as in `simulate`: one for all runs, or a row for each.
    inertia : array_like, shape (runs, 3, 3) or (runs, 3), optional
        Inertia tensor, or principal moments, of the body of each run, about its mass centre, body axes, kg m^2. It
        replaces the tensor of the spacecraft, and avoids a sequence of spacecraft that differ only in inertia.
    reference : Reference or sequence of Reference, optional
        Reference of the law: one for all runs, or one for each.
    run_index : int
        Run index of the first run: run k of the result equals `simulate(..., run_index=run_index + k)`.
    workers : int, optional
        Number of threads; by default the number of cores.
    progress : callable, optional
        Called with the completed fraction of the runs.
    **settings
        Other arguments of `simulate`, equal for all runs, except stream. All rows stay in memory: limit their number
        with `output_times`.

    Returns
    -------
    Runs
        The runs in the order of the arguments; after Ctrl-C, runs not simulated have the status "stopped".

    Raises
    ------
    InputError
        When the arguments give different numbers of runs, no run has valid arguments, the rows do not fit into memory,
        or workers is below 1. If only some runs have invalid arguments, these have the status "refused".

    Examples
    --------
    >>> from polhode import plant
    >>> craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    >>> spins = [(0.0, 0.0, 0.1 * n) for n in range(3)]
    >>> found = simulate_batch(craft, rate=spins, duration=10.0, output_times=[10.0], compiled=False)
    >>> found.values("energy").ravel().round(3)
    array([0.   , 0.005, 0.02 ])
    """
    if "stream" in settings:
        raise InputError(
            "the rows of a batch are kept in memory, not in a stream; limit their number with output_times="
        )
    if workers is not None and whole("workers", workers, 2**32) < 1:
        raise InputError(f"workers must be at least 1; got {workers}")
    start = {"state": state, "attitude": attitude, "rate": rate, "momentum": momentum}
    more = {"position": position, "velocity": velocity, "inertia": inertia}
    parts = {"craft": craft, "law": law, "reference": reference, **start, **more}
    wanted = BatchRequest(runs, parts, settings, first=run_index)
    from .batch_run import fly_many  # imported by the first run: keeps the import of this package fast

    return fly_many(wanted, workers=workers, progress=progress)
