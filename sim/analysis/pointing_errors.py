"""Pointing errors of a run, defined as in a pointing budget."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...plant.brief import brief
from ...plant.checks import non_negative, of_kind, positive
from ...plant.errors import InputError
from ...plant.frozen import frozen_results

if TYPE_CHECKING:
    from ..results.run import Run

Array = NDArray[np.float64]

EVEN = 1e-6  # tolerance for evenly spaced rows, relative to the time between rows
FULL = 1.0 - 1e-9  # fraction of a limit above which a command counts as limited


@frozen_results
@dataclass(frozen=True, repr=False, kw_only=True)
class PointingErrors:
    """Root mean square pointing and knowledge errors over an interval of a run, rad.

    Attributes
    ----------
    pointing : numpy.ndarray, shape (3, 3)
        APE, MPE, RPE (rows) about each body axis (columns): attitude relative to the reference.
    knowledge : numpy.ndarray, shape (3, 3) or None
        AKE, MKE, RKE (rows) about each body axis (columns): estimated attitude relative to the true one. None if there
        is no estimator.
    window : float
        Averaging window, s.
    windows : int
        Number of adjacent windows; the MPE is the root mean square of the window means.
    start : float
        Start of the first window, s.
    limited : float
        Fraction of the rows in which a component of the command is at its torque limit, which the budget of a linear
        loop does not model.
    """

    pointing: Array
    knowledge: Array | None
    window: float
    windows: int
    start: float
    limited: float

    __repr__ = brief

    def figures(self) -> dict[str, float]:
        """Return each error as the root sum of squares over axes.

        Returns
        -------
        dict
            `ape`, `mpe`, `rpe` and, if there is an estimator, `ake`, `mke`, `rke`, rad.
        """
        names = ("ape", "mpe", "rpe", "ake", "mke", "rke")
        rows = self.pointing if self.knowledge is None else np.vstack((self.pointing, self.knowledge))
        return dict(zip(names, np.sqrt((rows**2).sum(axis=1)).tolist(), strict=False))

    def to_dict(self) -> dict[str, Any]:
        """Return the results as plain values for JSON.

        Returns
        -------
        dict
            All attributes; angles in rad.
        """
        return {
            "pointing_rad": self.pointing.tolist(),
            "knowledge_rad": None if self.knowledge is None else self.knowledge.tolist(),
            "window_s": self.window,
            "windows": self.windows,
            "start_s": self.start,
            "limited": self.limited,
        }


def pointing_errors(run: "Run", *, window: float, start: float | None = None) -> PointingErrors:
    """Return the pointing and knowledge errors of a run, evaluated in adjacent windows.

    With e the rotation vector from the reference at the rows of the run, and m its mean over each window,
    ``MPE^2 = <m^2>``, ``RPE^2 = <(e - m)^2>`` and ``APE^2 = <e^2> = MPE^2 + RPE^2``: the temporal interpretation of
    ECSS-E-ST-60-10C, for this single run. APE and MPE include any constant bias, with the value drawn for this run.

    Parameters
    ----------
    run : Run
        A run with a reference, and with a row at every sample of the law or more often.
    window : float
        Averaging window, s, rounded to whole rows.
    start : float, optional
        Start of the evaluation, s; by default the middle of the run.

    Returns
    -------
    PointingErrors
        Root mean squares.

    Raises
    ------
    InputError
        When there is no reference, the rows are unevenly spaced or fewer than the law's samples, or no window fits.
    """
    from ..results.run import Run

    of_kind("run", run, Run, such_as="a Run, as simulate returns it")
    length = positive("window", window, "s")
    begin = 0.5 * float(run.t[-1]) if start is None else non_negative("start", start, "s")
    if "error_vector" not in run.names:
        raise InputError("the run has no reference, so there is no pointing error; simulate with a reference")
    at = np.flatnonzero(run.t >= begin - EVEN)
    steps = np.diff(run.t[at])
    if steps.size and float(np.abs(steps[-1] - steps[0])) > EVEN * steps[0]:
        at, steps = at[:-1], steps[:-1]  # the last row may be off the even grid
    if not steps.size or float(np.ptp(steps)) > EVEN * float(steps[0]):
        raise InputError("pointing errors need rows at equal intervals; give simulate(..., output_step=...)")
    step = float(steps.mean())
    if run.law is not None and step > run.law.sample * (1.0 + EVEN):
        raise InputError(
            f"rows are {step:g} s apart, but the law samples every {run.law.sample:g} s, so that window means would "
            f"omit samples between rows; simulate with output_step={run.law.sample:g}"
        )
    many = max(1, round(length / step))
    windows = len(at) // many
    if not windows:
        raise InputError(
            f"no window of {length:g} s fits into the run from {begin:g} s on; use a shorter window or a longer run"
        )
    at = at[: windows * many]
    known = None
    if "knowledge_error" in run.names:
        known = _errors(run.values("knowledge_error")[at], windows)
        if np.isnan(known).any():
            raise InputError("some rows have no estimate yet; choose a later start")
    return PointingErrors(
        pointing=_errors(run.values("error_vector")[at], windows),
        knowledge=known,
        window=many * step,
        windows=windows,
        start=float(run.t[at[0]]),
        limited=_limited(run, at),
    )


def _limited(run: "Run", rows: NDArray[np.intp]) -> float:
    """Return the fraction of rows in which a command is at a limit or at the edge of its envelope."""
    if run.law is None:
        return 0.0
    full = np.zeros(len(rows), dtype=bool)
    for port, basis in run.craft.ports.items():
        u = run.values("command" if len(run.craft.ports) == 1 else f"command_{port}")[rows]
        full |= (np.abs(u) >= FULL * basis.limits()).any(axis=1)
        if basis.envelope is not None:
            full |= (u @ basis.envelope.T >= FULL).any(axis=1)
    return float(full.mean())


def _errors(e: Array, windows: int) -> Array:
    """Return absolute, mean and relative errors (3, 3) of error rows (m, 3)."""
    rows = e.reshape(windows, -1, 3)
    mean = rows.mean(axis=1)
    squares = (rows**2).mean(axis=(0, 1)), (mean**2).mean(axis=0), ((rows - mean[:, None]) ** 2).mean(axis=(0, 1))
    return np.sqrt(np.array(squares))
