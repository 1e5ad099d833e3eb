"""Comparison of an estimator with its own covariance: chi-square tests of NEES and NIS.

NIS: the squared innovations of each sensor are averaged. NEES: the squared errors of attitude and gyro bias about each
axis, divided by their variances, are averaged. The values are treated as independent, so that their number determines
the band of the mean. Means are taken over the run and over each eighth of the run. A warning requires a mean outside
its band and, for NIS, a ratio that is large enough to matter. A consistent estimator causes a warning in fewer than 1
of 1,000 runs.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...controllers import Block, Clock
from ...controllers.sensing.estimators.filter_block_kernel import filter_block_kernel
from ...controllers.sensing.estimators.filter_layout import FILTER_NUMBERS
from ...controllers.sensing.estimators.kalman_kernel import kalman_kernel
from ...controllers.sensing.sensors.gyro_kernel import gyro_kernel
from .knowledge import at_samples, knowledge_error

if TYPE_CHECKING:
    from .run import Run

Array = NDArray[np.float64]

FALSE_ALARM = 2e-4
"""Total probability of a false alarm over all tests of one kind."""

PARTS = 8
LARGER, SMALLER = 1.25, 0.5
"""Ratios to the expected mean: only means above the first or below the second are reported."""

FEWEST = 8  # smallest number of innovations; with fewer, the initial transient dominates
REFUSED = 0.5  # fraction of rejected messages above which a warning is given
LOST = 1.0  # rad: with a larger sigma, the attitude is considered unknown
ATTITUDE = 4  # width of an attitude message, excluding validity and time
AXES = "xyz"
GYRO_MESSAGE = 5  # width of a gyro message
MOST_READINGS = 1_000_000  # largest number of measurements to replay for a comparison
MOST_ROWS = 2_000_000  # largest number of rows: 64 MB of attitudes
CAUSE = (
    "noise, bias, scale factor or misalignment of a sensor is larger than the filter assumes, or its measurements are "
    "correlated in time"
)


def filter_warnings(run: "Run") -> list[str]:
    """Return a sentence for each estimator in a run if its errors disagree with its covariance."""
    faults: list[str] = []
    if not run.t.size or "attitude" not in run.names:
        return faults
    if run.t.size > MOST_ROWS:
        return [
            f"{block.name} was not compared with its own covariance (NEES and NIS): the run has {run.t.size} rows, and "
            f"at most {MOST_ROWS} are compared; use a longer run.output_s"
            for block in run.blocks
            if {"nis", "attitude_sigma"} & block.writes.keys()
        ]
    for number, block in enumerate(run.blocks):
        signals = {made.signal: name for name, made in run.written.items() if made.by == number}
        if "restarts" in signals:
            faults += _restarts(block, run.values(signals["restarts"]))
        if block.kernel is kalman_kernel:
            faults += _missed(run, block, signals)
        if block.kernel is filter_block_kernel and "missed" in signals:
            faults += _left_out(block, run.values(signals["missed"]))
        innovations = list(_innovations(run, block, signals)) if "nis" in signals else []
        fault = next((words for each in innovations if (words := innovation_fault(each, len(innovations)))), "")
        if not fault and "attitude_sigma" in signals and block.attitude_estimate in signals:
            fault = _error_fault(run, block, signals)
        faults += [f"{block.name}: {fault}"] if fault else _unchecked_bias(run, block, signals)
    return faults


class Innovations(NamedTuple):
    """Squared innovations of a sensor at times t (negative if rejected), and the bound of its gate."""

    sensor: str
    t: Array
    squares: Array
    degrees: int
    gate: float = np.inf


def _innovations(run: "Run", block: Block, signals: dict[str, str]) -> Iterator[Innovations]:
    """Yield the innovations of each sensor of a filter, at the rows with a new message."""
    rows = run.values(signals["nis"]).reshape(run.t.size, -1)
    widths = {name: width for each in run.blocks for name, width in each.widths.items()}
    first = FILTER_NUMBERS.gates
    gates = block.parameters[first : first + 2].tolist() if block.kernel is filter_block_kernel else [np.inf] * 2
    for column, sensor in zip(rows.T, block.reads[1 : 1 + rows.shape[1]], strict=False):
        new = np.append(column[:1] != 0.0, column[1:] != column[:-1]) & (column != 0.0)
        degrees = 3 if widths.get(sensor, 0) - 2 == ATTITUDE else 2
        yield Innovations(sensor, run.t[new], column[new], degrees, gates[3 - degrees])


def innovation_fault(innovations: Innovations, sensors: int = 1) -> str:
    """Return a sentence if a sensor's innovations are inconsistent; sensors: number of tested sensors."""
    sensor, t, squares, degrees, gate = innovations
    taken = squares > 0.0
    if t.size >= FEWEST and taken.mean() < REFUSED:
        return f"the gate rejected {int((~taken).sum())} of {t.size} messages of {sensor}"
    mean, variance = _truncated(degrees, gate)
    tests = (PARTS + 1) * sensors
    for part in _parts(t[taken]):
        values = squares[taken][part]
        if values.size < FEWEST:
            continue
        found = float(values.mean())
        low, high = _gamma_band(mean, variance, values.size, 0.5 * FALSE_ALARM / tests)
        if low <= found <= high or SMALLER * mean < found < LARGER * mean:
            continue
        span = f"{t[taken][part][0]:.4g} to {t[taken][part][-1]:.4g} s"
        words = (
            f"the innovations of {sensor} are {'larger' if found > high else 'smaller'} than the filter predicts: mean "
            f"NIS {found:.3g} over {values.size} messages from {span}, expected {mean:.3g} ({low:.3g} to {high:.3g}); "
        )
        return words + (CAUSE if found > high else "the sensors are better than the filter assumes")
    return ""


def _truncated(degrees: int, gate: float) -> tuple[float, float]:
    """Return mean and variance of the chi-square distribution truncated at the bound of a gate."""
    if not gate < 1e6:
        return float(degrees), 2.0 * degrees
    from scipy.special import gammainc

    below = [float(gammainc(0.5 * (degrees + more), 0.5 * gate)) for more in (0, 2, 4)]
    mean = degrees * below[1] / below[0]
    return mean, degrees * (degrees + 2.0) * below[2] / below[0] - mean**2


def _gamma_band(mean: float, variance: float, count: int, tail: float) -> tuple[float, float]:
    """Return the band of the mean of `count` values, exceeded with probability `tail` at either end."""
    from scipy.special import gammainccinv, gammaincinv

    shape = count * mean**2 / variance
    return float(gammaincinv(shape, tail)) * mean / shape, float(gammainccinv(shape, tail)) * mean / shape


def _parts(t: Array) -> Iterator[slice]:
    """Yield the whole range, then PARTS consecutive parts of about equal numbers of rows."""
    yield slice(None)
    ends = np.linspace(0, t.size, PARTS + 1).astype(int).tolist()
    yield from (slice(first, last) for first, last in pairwise(ends))


def _error_fault(run: "Run", block: Block, signals: dict[str, str]) -> str:
    """Return a sentence if the errors of attitude or bias exceed their sigmas at the samples."""
    estimate = signals[str(block.attitude_estimate)]
    if estimate == run.estimate:
        error = run.values("knowledge_error")
    else:
        error = knowledge_error(run.values("attitude"), run.values(estimate))
    sigma = run.values(signals["attitude_sigma"])
    rows = at_samples(run.t, block) & np.isfinite(error).all(axis=1)
    rows &= ((sigma > 0.0) & (sigma < LOST)).all(axis=1)
    if "estimate_valid" in signals:
        rows &= run.values(signals["estimate_valid"]) > 0.0
    fault = error_fault("attitude", run.t[rows], error[rows] / sigma[rows])
    if fault or not {"bias", "bias_sigma"} <= signals.keys():
        return fault
    truth = true_bias(run, block.reads[0], run.t[rows])
    if truth is None:
        return ""
    error, sigma = truth - run.values(signals["bias"])[rows], run.values(signals["bias_sigma"])[rows]
    known = (sigma > 0.0).all(axis=1)
    return error_fault("gyro bias", run.t[rows][known], error[known] / sigma[known])


def _readings(run: "Run", gyro: Block, t: Array) -> int:
    """Return the number of measurements of a gyro up to the last of the given times."""
    return round((float(t.max(initial=0.0)) - gyro.clock.offset - gyro.clock.delay) / gyro.clock.period) + 1


def _unchecked_bias(run: "Run", block: Block, signals: dict[str, str]) -> list[str]:
    """Return a sentence if the bias is not compared because its gyro has too many measurements."""
    gyro = next((each for each in run.blocks if block.reads and block.reads[0] in each.writes), None)
    if "bias_sigma" not in signals or gyro is None or gyro.kernel is not gyro_kernel:
        return []
    count = _readings(run, gyro, run.t)
    words = (
        f"{block.name}: the error of the gyro bias was not compared with its sigma: the gyro has produced {count} "
        f"measurements, but at most {MOST_READINGS} are replayed; use a shorter run"
    )
    return [words] if count > MOST_READINGS else []


def true_bias(run: "Run", name: str, t: Array) -> Array | None:
    """Return the true bias (n, 3) of a gyro at its measurements at t, rad/s; None for other kinds of gyros."""
    gyro = next((each for each in run.blocks if name in each.writes), None)
    if gyro is None or gyro.kernel is not gyro_kernel or run.seed is None or not t.size:
        return None
    first = gyro.clock.offset + gyro.clock.delay
    index = np.round((t - first) / gyro.clock.period).astype(int)
    if index.min() < 0 or index.max() > MOST_READINGS:
        return None
    # the bias does not depend on the motion; if its output has room, the gyro writes it after its message
    rows = np.tile((1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0), (int(index.max()) + 1, 1))
    telling = Block(
        gyro_kernel, reads=gyro.reads, writes={name: GYRO_MESSAGE, "true_bias": 3}, clock=Clock(gyro.clock.period),
        parameters=gyro.parameters, memory=gyro.memory, name=gyro.name, random=True,
    )  # fmt: skip
    found = telling.replay(
        gyro.clock.offset + gyro.clock.period * np.arange(len(rows)), rows, seed=run.seed, run_index=run.number
    )
    return np.asarray(found[index, -3:])


def error_fault(quantity: str, t: Array, ratios: Array) -> str:
    """Return a sentence if errors exceed their sigmas by too much. ratios (n, 3): values at times t."""
    if not t.size:
        return ""
    from scipy.special import chdtri

    bound = float(chdtri(1.0, FALSE_ALARM / (6.0 * (PARTS + 1))))  # two quantities with three axes each
    for part in _parts(t):
        values = ratios[part]
        if not len(values):
            continue
        squares = (values**2).mean(axis=0)
        axis = int(squares.argmax())
        if squares[axis] > bound:
            return (
                f"the error of the {quantity} about {AXES[axis]} is {np.sqrt(squares[axis]):.3g} times the sigma "
                f"of the filter (root mean square from {t[part][0]:.4g} to {t[part][-1]:.4g} s; NEES "
                f"{squares.sum():.3g}, expected 3); {CAUSE}"
            )
    return ""


def _restarts(block: Block, restarts: Array) -> list[str]:
    count = int(restarts[-1])
    many = f"{count} times" if count > 1 else "once"
    return (
        [f"{block.name} rejected every message for a long time and restarted from its sensors {many}"] if count else []
    )


def _left_out(block: Block, missed: Array) -> list[str]:
    """Return a sentence about messages that an attitude filter skipped: late, or not at a sample."""
    count = int(missed[-1])
    many = f"{count} messages" if count > 1 else "1 message"
    words = f"{block.name} omitted {many} later than the delay of the sensor; set it to the longest delay"
    return [words] if count else []


def _missed(run: "Run", block: Block, signals: dict[str, str]) -> list[str]:
    """Return a sentence about messages that a linear filter skipped because of their age."""
    counts = (run.values(made)[-1] for name, made in signals.items() if name.endswith("_missed"))
    return [
        f"{block.name} omitted {int(count)} messages of {block.reads[0]}, since their time is not the time of a "
        "sample of the sensor; state the time of the sample in each message"
        for count in counts
        if count > 0.0
    ]
