"""Design of an excitation: torque commands whose telemetry determines the free parameters of a case."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....controllers.laws.recorded_commands import RecordedCommands
from ....controllers.sensing.sensors import RateGyro
from ....plant.errors import InputError
from ....sim.analysis.identification.information import Information
from ..kinds.sensors.sensed import sensed
from ..loader import LoadedCase, load_case
from ..located import located
from .designed_excitation import DesignedExcitation
from .excitation_search import ExcitationSearch

Array = NDArray[np.float64]

SEGMENTS = 8  # default number of segments


def design_excitation(
    name_or_path: str | Path | LoadedCase,
    *,
    free: Sequence[str],
    max_rate: float | None = None,
    segments: int = SEGMENTS,
    priors: Mapping[str, float] | None = None,
    known_start: bool = False,
    overrides: Iterable[str] = (),
    progress: Callable[[float], None] | None = None,
) -> DesignedExcitation:
    """Design torque commands whose telemetry determines the free parameters of a case.

    The duration of the run is divided into segments. In each segment the search adds the command that gives the most
    information. The candidates are constant torques and doublets at the torque limit, about one axis or all axes
    together, a braking torque, and no torque. Commands that leave the envelope of torque, rate and wheel speed are
    discarded. The criterion is the trace of the inverse of the scaled information matrix. The smallest eigenvalue of
    this matrix dominates the trace.

    Parameters
    ----------
    name_or_path : str, path or LoadedCase
        The case, with a torque limit, and at least one gyro, star tracker or tachometer.
    free : sequence of str
        Keys to identify, as in `identify_case`.
    max_rate : float, optional
        Largest magnitude of the body rate, rad/s; by default the smallest gyro measurement range.
    segments : int
        Number of segments.
    priors : mapping of str to float, optional
        Standard deviation of the value in the case, by key, in the unit of the key.
    known_start : bool
        Whether the initial attitude and rate of the case are exact.
    overrides : iterable of str
        ``key.path=value``, applied to the case before validation.
    progress : callable, optional
        Called with the completed fraction of the work.

    Returns
    -------
    DesignedExcitation
        Commands, standard deviations expected from the telemetry, and the motion of the nominal spacecraft.

    Raises
    ------
    InputError
        If the case has no torque limit, rate limit or usable sensor, or if the initial motion exceeds the envelope.

    Notes
    -----
    The information is computed with the values in the case. If they are wrong, so is the predicted standard deviation,
    and the rates of the true spacecraft differ from the planned ones.

    Examples
    --------
    >>> sets = ["run.duration_s=20"]
    >>> found = design_excitation("identified-inertia", free=["inertia"], max_rate=0.1, segments=2, overrides=sets)
    >>> found.commands.shape, found.peak_rate <= 0.1, bool((abs(found.commands) <= 0.5).all())
    ((200, 3), True, True)
    """
    loaded = name_or_path if isinstance(name_or_path, LoadedCase) else load_case(name_or_path, overrides)
    with located(loaded.source):
        if max_rate is None:
            max_rate = _gyro_range(loaded)
        search = ExcitationSearch(
            loaded, free, priors or {}, max_rate=max_rate, segments=segments, known_start=known_start
        )
        return search.run(progress)


def commands_information(
    name_or_path: str | Path | LoadedCase,
    commands: ArrayLike,
    *,
    free: Sequence[str],
    priors: Mapping[str, float] | None = None,
    known_start: bool = False,
    overrides: Iterable[str] = (),
) -> Information:
    """Return the information about the free parameters of a case in telemetry recorded under given commands.

    Parameters
    ----------
    name_or_path : str, path or LoadedCase
        The case.
    commands : array_like, shape (n, 3)
        Torque commands at the period of the law, in the torque basis of the case, N m.
    free, priors, known_start, overrides
        As in `design_excitation`.

    Returns
    -------
    Information
        Standard deviations and combinations of the free parameters.

    Raises
    ------
    InputError
        If the case has no controller or usable sensor, or the commands have the wrong shape.

    Examples
    --------
    >>> pulse = np.repeat([(0.5, 0.0, 0.0), (0.0, 0.0, 0.0)], 50, axis=0)
    >>> found = commands_information("identified-inertia", pulse, free=["inertia"])
    >>> len(found.unobservable(0.1)) < len(found.names) == 6
    True
    """
    loaded = name_or_path if isinstance(name_or_path, LoadedCase) else load_case(name_or_path, overrides)
    with located(loaded.source):
        rows = RecordedCommands(commands, sample=1.0).commands
        search = ExcitationSearch(
            loaded, free, priors or {}, max_rate=np.inf, segments=1, known_start=known_start, count=len(rows)
        )
        return search.information(rows)


def _gyro_range(loaded: LoadedCase) -> float:
    """Return the smallest gyro measurement range in a case, rad/s."""
    gyros = [each.sensor for each in sensed(loaded.case, sample=1.0) if isinstance(each.sensor, RateGyro)]
    ranges = [each.limit for each in gyros if each.limit is not None]
    if not ranges:
        raise InputError(
            "no gyro of the case has a range, so the body rate of the excitation would be unlimited; give --max-rate "
            "DEG_S"
        )
    return min(ranges)
