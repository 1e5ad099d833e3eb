"""Run many spacecraft, or one in many ways, from one call."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from ..controllers import Law, Reference
from ..controllers.laws.block_draws import whole
from ..plant import Spacecraft
from ..plant.errors import InputError
from .wanted import Wanted

if TYPE_CHECKING:
    from .results.runs import Runs

__all__ = ["simulate_many"]


def simulate_many(
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
    run: int = 0,
    workers: int | None = None,
    progress: Callable[[float], None] | None = None,
    **settings: Any,
) -> "Runs":
    """Return many runs of `simulate`, to the bit, that differ in craft, law, reference, start or what blocks draw.

    Runs whose way is all compiled code fly side by side on threads, many in one call: a slew takes little more than its
    steps then. What needs Python on its way (a plain Python law or block, `compiled=False`, a potential of your own, a
    law with modes) flies one by one; the numbers are the same either way, for any number of workers and any order.

    Parameters
    ----------
    craft : Spacecraft or sequence of Spacecraft
        The plant: one for all, or one for each run.
    law : Law or sequence of Law, optional
        A sampled law, likewise.
    runs : int, optional
        How many; needed where nothing else says so, as where only the numbers that blocks draw differ.
    state, attitude, rate, momentum, position, velocity : array_like, optional
        How each begins, as `simulate` takes it: of all, or a row for each run.
    inertia : array_like, shape (runs, 3, 3), optional
        Of the body of each run, about its mass centre, body axes, kg m^2, in place of the craft's: what crafts that
        differ in nothing else would be, without making them.
    reference : Reference or sequence of Reference, optional
        What the law follows.
    run : int
        The number of the first run, by which its blocks draw: run k of the result is `simulate(..., run=run + k)`.
    workers : int, optional
        Threads; as many as there are cores if left out.
    progress : callable, optional
        Called with the share of the runs done.
    **settings
        What else `simulate` takes, the same for all, but no stream. Rows are kept of every run: ask for few (`at`).

    Returns
    -------
    Runs
        In the order in which they were asked for; after Ctrl-C those until then.

    Raises
    ------
    InputError
        When what is given does not say one number of runs, no run can fly, the rows do not fit the memory, or there are
        fewer workers than 1. Of a single run that cannot fly the result tells: it is "refused".

    Examples
    --------
    >>> from polhode import plant
    >>> craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    >>> spins = [(0.0, 0.0, 0.1 * n) for n in range(3)]
    >>> found = simulate_many(craft, rate=spins, duration=10.0, at=[10.0], compiled=False)
    >>> found.values("energy").ravel().round(3)
    array([0.   , 0.005, 0.02 ])
    """
    if "stream" in settings:
        raise InputError("the rows of many runs are kept in memory, not in a stream; ask for few of them with at=")
    if workers is not None and whole("workers", workers, 2**32) < 1:
        raise InputError(f"workers must be at least 1; got {workers}")
    start = {"state": state, "attitude": attitude, "rate": rate, "momentum": momentum}
    more = {"position": position, "velocity": velocity, "inertia": inertia}
    parts = {"craft": craft, "law": law, "reference": reference, **start, **more}
    wanted = Wanted(runs, parts, settings, first=run)
    from .many_flights import fly_many  # not before there is something to fly: importing this room is light

    return fly_many(wanted, workers=workers, progress=progress)
