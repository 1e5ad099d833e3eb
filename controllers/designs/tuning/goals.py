"""Tuning goals: values and gradients of loop metrics, scaled to be at most 1 if a goal is met.

Each goal returns rows, one for each peak, crossing or pole. Response matrices are differentiated by central differences
at fixed frequencies, and singular vectors or eigenvectors give the gradient of the metric. No search is therefore
needed at neighbouring parameters, and coinciding peaks are separate rows.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from math import pi
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from ....plant.checks import choice
from ....plant.errors import DesignError, InputError
from ...loop.analysis.frequencies import frequency_range
from ...loop.analysis.opened_loop import OpenedLoop, open_loop
from ...loop.analysis.structured_norm import balanced_norm, smoothed_norm
from ...loop.crossings import Sweep, find_real_loci, find_unit_gains, loci
from ...loop.sampled_loop import SampledLoop
from .minimax import Row
from .point import STEP, Point

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]

PEAKS = 6  # largest number of rows per goal and model
NEARLY = 0.8  # rows above this fraction of the largest are kept: a step may make them the largest
POINTS = 160  # points of the frequency grid, in addition to the points around poles
EXACT, ASIDE = 3, 3  # for up to 3 signals the fast bound peaks where the norm does; else search 3 grid points
CLOSER, REFINED = 9, 4  # points per refinement of a peak, number of refinements; resolution: 1/256 of the grid spacing
LEAST = 1e-300  # smallest modulus of a pole with a decay rate
TURN = 1e-5  # relative frequency step of finite differences
RESPONSES = ("loop", "inverse loop", "sensitivity", "complementary sensitivity")
DESIGN_STEP = 1e-3  # step of differences of a value without analytic gradient: a budget has numerical noise of 1e-8


class Goal(ABC):
    """A tuning goal, for every model or only for the first.

    Parameters
    ----------
    bound : float
        Value of the metric at which the rows equal 1.
    every_model : bool
        Whether every model must meet the goal; otherwise only the first must.
    models : tuple of int, or None
        Indices of the models that must meet the goal, such as the loops of one mode; None: as `every_model` says.
    at_most : bool
        Whether a smaller metric is better.
    in_dB : bool
        Whether the bound is in dB, so that bounds differ by a sum, not by a factor.
    """

    bound: float
    every_model: bool = True
    models: tuple[int, ...] | None = None
    at_most: ClassVar[bool] = False
    in_dB: ClassVar[bool] = False

    def rows(self, point: Point, model: int, *, gradients: bool) -> list[tuple[float, Array | None]]:
        """Return value and gradient of each smooth piece of the goal for one model.

        Parameters
        ----------
        point : Point
            Loops at one set of parameters.
        model : int
            Index of the model.
        gradients : bool
            Whether gradients are needed.

        Returns
        -------
        list of (float, numpy.ndarray or None)
            Value, at most 1 if the goal is met, and gradient (n,).
        """
        return self._rows(point, model, gradients)

    def tagged(self, point: Point, number: int, *, gradients: bool) -> list[Row]:
        """Return the rows of the goal for all its models.

        Parameters
        ----------
        point : Point
            Loops at one set of parameters.
        number : int
            Index of the goal, for the tags of its rows.
        gradients : bool
            Whether gradients are needed.

        Returns
        -------
        list of Row
            Rows of every model that must meet the goal.
        """
        assert point.loops is not None  # noqa: S101 # a point without loops has no rows
        models = range(len(point.models) if self.every_model else 1) if self.models is None else self.models
        return [Row((number, m), *row) for m in models for row in self._rows(point, m, gradients)]

    @abstractmethod
    def _rows(self, point: Point, model: int, gradients: bool) -> list[tuple[float, Array | None]]:
        """Return value and gradient of each smooth piece of the goal for one model."""


def _loop(point: Point, model: int) -> SampledLoop:
    assert point.loops is not None  # noqa: S101 # a point without loops has no rows
    return point.loops[model]


def _top_rows(rows: list[tuple[float, Any]]) -> list[tuple[float, Any]]:
    """Return the rows whose values are near the largest value, in descending order."""
    rows = sorted(rows, key=lambda row: -row[0])
    return [row for row in rows[:PEAKS] if row[0] >= NEARLY * rows[0][0]]


class _Peaks(Goal):
    """Peaks over frequency of a norm of a closed-loop matrix."""

    at: str = "input"

    def _frequencies(self, opened: OpenedLoop) -> Array:
        """Return the grid on which the peaks are found, rad/s."""
        return frequency_range(opened, points=POINTS, decades=2.0)

    @abstractmethod
    def _matrix(self, opened: OpenedLoop, frequencies: Array) -> Complex:
        """Return the frequency response matrices (m, p, p) whose norm has the peaks."""

    @abstractmethod
    def _sizes(self, matrices: Complex) -> Array:
        """Return an upper bound on the norm of each matrix, computed by a fast method."""

    @abstractmethod
    def _norm(self, matrix: Complex) -> tuple[float, Complex]:
        """Return the norm of a matrix and the derivative of the norm."""

    @abstractmethod
    def _weight(self) -> float:
        """Return the factor that converts the norm to the value of a row."""

    def _rows(self, point: Point, model: int, gradients: bool) -> list[tuple[float, Array | None]]:
        """Return value and gradient of the highest peaks."""
        opened = open_loop(_loop(point, model), self.at)
        frequencies = self._frequencies(opened)
        sizes = self._sizes(self._matrix(opened, frequencies))
        padded = np.concatenate(([-np.inf], sizes, [-np.inf]))
        tops = np.flatnonzero((sizes >= padded[:-2]) & (sizes > padded[2:]) & (sizes >= NEARLY * sizes.max()))
        tops = tops[np.argsort(-sizes[tops], kind="stable")][:PEAKS]
        found: list[tuple[float, Array | None]] = []
        places = np.array([self._refined(opened, frequencies, int(n)) for n in tops])
        matrices = self._matrix(opened, places)
        norms = [self._norm(matrix) for matrix in matrices]
        slopes = np.zeros((len(places), len(point.x)))
        if gradients:
            for n, (more, less) in enumerate(point.beside(model)):
                change = self._matrix(open_loop(more, self.at), places) - self._matrix(open_loop(less, self.at), places)
                slopes[:, n] = [
                    float((W.conj() * d).sum().real) / (2.0 * STEP) for (_, W), d in zip(norms, change, strict=True)
                ]
        for (size, _), slope in zip(norms, slopes, strict=True):
            found.append((self._weight() * size, self._weight() * slope if gradients else None))
        return found

    def _refined(self, opened: OpenedLoop, frequencies: Array, n: int) -> float:
        """Return the frequency of a peak of the fast bound, refined between the neighbours of a grid point."""
        low, high = float(frequencies[max(n - 1, 0)]), float(frequencies[min(n + 1, len(frequencies) - 1)])
        best = float(frequencies[n])
        for _ in range(REFINED):
            near: Array = np.linspace(low, high, CLOSER)
            sizes = self._sizes(self._matrix(opened, near))
            k = int(np.argmax(sizes))
            best = float(near[k])
            low, high = float(near[max(k - 1, 0)]), float(near[min(k + 1, CLOSER - 1)])
        return best if len(opened.D) <= EXACT else self._own_peak(opened, frequencies, n)

    def _own_peak(self, opened: OpenedLoop, frequencies: Array, n: int) -> float:
        """Return the frequency of the peak of the norm itself, which differs from the peak of the fast bound."""
        from scipy import optimize

        low, high = float(frequencies[max(n - ASIDE, 0)]), float(frequencies[min(n + ASIDE, len(frequencies) - 1)])

        def negative(w: float) -> float:
            return -self._norm(self._matrix(opened, np.array([w]))[0])[0]

        found = cast("Any", optimize).minimize_scalar(
            negative, bounds=(low, high), method="bounded", options={"xatol": 1e-4 * (high - low)}
        )
        return float(found.x)


@dataclass(eq=False, kw_only=True)
class DiskPeaks(_Peaks):
    """Disk margin of at least `bound` for independent factors at the break: peaks of mu(S - 1/2).

    Parameters
    ----------
    bound : float
        Required alpha.
    at : {"input", "output", "both"}
        Where the loop is broken, as in `open_loop`.
    every_model : bool
        Whether every model must meet the goal.
    """

    bound: float
    at: str = "input"
    every_model: bool = True

    def _matrix(self, opened: OpenedLoop, frequencies: Array) -> Complex:
        """Return S - 1/2."""
        return np.asarray(opened.sensitivity(frequencies) - 0.5 * np.eye(len(opened.D)), dtype=np.complex128)

    def _sizes(self, matrices: Complex) -> Array:
        """Return the norm of the balanced matrices."""
        return balanced_norm(matrices, sweeps=12)

    def _norm(self, matrix: Complex) -> tuple[float, Complex]:
        """Return the smoothed structured norm."""
        return smoothed_norm(matrix)

    def _weight(self) -> float:
        """Return the required alpha."""
        return self.bound


class _GainPeaks(_Peaks):
    """Peaks of the largest singular value, with a bound in dB."""

    at_most: ClassVar[bool] = True
    in_dB: ClassVar[bool] = True

    def _sizes(self, matrices: Complex) -> Array:
        """Return the largest singular values."""
        return np.asarray(np.linalg.norm(matrices, ord=2, axis=(1, 2)), dtype=np.float64)

    def _norm(self, matrix: Complex) -> tuple[float, Complex]:
        """Return the largest singular value."""
        left, sizes, right = np.linalg.svd(matrix)
        return float(sizes[0]), np.asarray(left[:, :1] @ right[:1], dtype=np.complex128)

    def _weight(self) -> float:
        """Return the reciprocal of the allowed peak."""
        return 10.0 ** (-self.bound / 20.0)


@dataclass(eq=False, kw_only=True)
class SensitivityPeaks(_GainPeaks):
    """Sensitivity peak of at most `bound` dB at the plant input.

    Parameters
    ----------
    bound : float
        Largest peak, dB.
    every_model : bool
        Whether every model must meet the goal.
    """

    bound: float
    every_model: bool = True

    def _matrix(self, opened: OpenedLoop, frequencies: Array) -> Complex:
        """Return S."""
        return np.asarray(opened.sensitivity(frequencies), dtype=np.complex128)


@dataclass(eq=False, kw_only=True)
class BandGain(_GainPeaks):
    """Gain of at most `bound` dB in a frequency band, at the plant input.

    Parameters
    ----------
    bound : float
        Largest singular value in the band, dB.
    band : tuple of float
        Ends of the band, rad/s; equal for one frequency. The part above the Nyquist frequency is left out.
    response : {"loop", "inverse loop", "sensitivity", "complementary sensitivity"}
        Response with the gain: L, its inverse, whose bound -b dB is a gain of L of at least b dB, S = (I + L)^-1 or
        T = I - S.
    input : int, optional
        Plant input whose entry on the diagonal is used; by default the whole matrix.
    every_model : bool
        Whether every model must meet the goal.

    Raises
    ------
    InputError
        When the band is not positive and in order, or the response is unknown.
    """

    bound: float
    band: tuple[float, float]
    response: str = "loop"
    input: int | None = None
    every_model: bool = True

    def __post_init__(self) -> None:
        """Raise InputError if the band is not in order or the response is unknown."""
        choice("response", self.response, RESPONSES)
        if not 0.0 < self.band[0] <= self.band[1]:
            raise InputError(
                f"a frequency band needs positive ends in order, rad/s; got {self.band[0]:g} to {self.band[1]:g}"
            )

    def measure(self, loop: SampledLoop) -> float:
        """Return the largest gain of a loop in the band.

        Parameters
        ----------
        loop : SampledLoop
            The loop.

        Returns
        -------
        float
            Largest singular value, dB; infinite if the loop is not stable.

        Raises
        ------
        DesignError
            When the loop is periodic, which has no response to one frequency, or the band is above its Nyquist
            frequency.
        """
        if loop.periodic:
            raise DesignError(loop.periodic)
        if not loop.stable:
            return float("inf")
        opened = open_loop(loop, self.at)
        frequencies = self._frequencies(opened)
        sizes = self._sizes(self._matrix(opened, frequencies))
        places = np.array([self._refined(opened, frequencies, int(np.argmax(sizes)))])
        top = max(float(sizes.max()), float(self._sizes(self._matrix(opened, places))[0]))
        return 20.0 * float(np.log10(max(top, 1e-300)))

    def _frequencies(self, opened: OpenedLoop) -> Array:
        """Return the ends of the band, and the grid between them."""
        low, high = self.band
        if opened.sample > 0.0 and low > pi / opened.sample:
            raise DesignError(
                f"the band begins at {low:g} rad/s, above the Nyquist frequency of the loop, {pi / opened.sample:g} "
                "rad/s; move the band, or sample faster"
            )
        high = min(high, pi / opened.sample) if opened.sample > 0.0 else high
        if low == high:
            return np.array([low])
        grid = frequency_range(opened, points=POINTS, decades=2.0)
        return np.unique(np.concatenate(([low, high], grid[(grid > low) & (grid < high)])))

    def _matrix(self, opened: OpenedLoop, frequencies: Array) -> Complex:
        """Return the response, or its entry for one input."""
        if self.response in {"loop", "inverse loop"}:
            found = opened.response(frequencies)
        else:
            found = opened.sensitivity(frequencies)
        if self.response == "complementary sensitivity":
            found = np.eye(len(opened.D)) - found
        if self.input is not None:
            found = found[:, self.input, self.input, None, None]
        return np.asarray(np.linalg.inv(found) if self.response == "inverse loop" else found, dtype=np.complex128)


@dataclass(eq=False, kw_only=True)
class PoleRadius(Goal):
    """All poles within a circle.

    Parameters
    ----------
    bound : float
        Radius of the circle.
    every_model : bool
        Whether every model must meet the goal.
    """

    at_most: ClassVar[bool] = True
    bound: float
    every_model: bool = True

    def _rows(self, point: Point, model: int, gradients: bool) -> list[tuple[float, Array | None]]:
        """Return the poles of largest modulus."""
        closed = _closed(_loop(point, model))
        values, left, right = _eigenvectors(closed)
        order = np.argsort(-np.abs(values), kind="stable")
        order = [int(n) for n in order if values[n].imag >= 0.0][:PEAKS]
        order = [n for n in order if abs(values[n]) > 0.9 * abs(values[order[0]])]
        if not gradients:
            return [(float(abs(values[n])) / self.bound, None) for n in order]
        slopes = np.zeros((len(order), len(point.x)))
        for k, (more, less) in enumerate(point.beside(model)):
            change = (_closed(more) - _closed(less)) / (2.0 * STEP)
            for row, n in enumerate(order):
                moved = left[n] @ change @ right[:, n] / (left[n] @ right[:, n])
                slopes[row, k] = (np.conj(values[n]) * moved).real / abs(values[n])
        return [(float(abs(values[n])) / self.bound, slopes[row] / self.bound) for row, n in enumerate(order)]


@dataclass(eq=False, kw_only=True)
class DecayRate(PoleRadius):
    """Decay rate of every pole of at least `bound`, 1/s.

    A row is 2 - rate / bound, so that its distance from 1 is the relative distance of the rate from the bound, also for
    a short sampling period, with which every modulus is close to 1.

    Parameters
    ----------
    bound : float
        Required decay rate, 1/s.
    every_model : bool
        Whether every model must meet the goal.
    """

    at_most: ClassVar[bool] = False

    def _rows(self, point: Point, model: int, gradients: bool) -> list[tuple[float, Array | None]]:
        """Return the poles of largest modulus."""
        sample = _loop(point, model).sample
        rows = PoleRadius(bound=1.0).rows(point, model, gradients=gradients)
        slow = 1.0 / (self.bound * sample)
        return [
            (2.0 + slow * float(np.log(max(size, LEAST))), None if slope is None else slow * slope / max(size, LEAST))
            for size, slope in rows
        ]


def _eigenvectors(matrix: Array) -> tuple[Complex, Complex, Complex]:
    """Return eigenvalues, left eigenvectors as rows, and right eigenvectors as columns.

    Delayed commands are defective poles at zero, so the left eigenvectors cannot be found by inverting the right ones.
    """
    from scipy import linalg

    values, left, right = cast("Any", linalg).eig(matrix, left=True, right=True)
    return values, left.conj().T, right


def _closed(loop: SampledLoop) -> Array:
    F, G, K = loop.matrices()
    return F - G @ K


@dataclass(eq=False, kw_only=True)
class Crossings(Goal):
    """Gain, phase or delay margin of at least `bound` at every crossing of the loop.

    The delay margin is defined for a continuous factor exp(-j w tau). In a sampled loop, a delay of a fraction of a
    sample differs slightly from this factor.

    Parameters
    ----------
    bound : float
        Required margin: dB, deg or s.
    kind : {"gain", "phase", "delay"}
        Kind of margin.
    one_input : bool
        True to use only the margins of single inputs, False to include the margin of all inputs together.
    every_model : bool
        Whether every model must meet the goal.
    """

    bound: float
    kind: str = "phase"
    one_input: bool = False
    every_model: bool = True

    def _rows(self, point: Point, model: int, gradients: bool) -> list[tuple[float, Array | None]]:
        """Return bound / margin at the crossings with the smallest margins."""
        loop = _loop(point, model)
        ones, together = point.sweeps(model)
        sweeps = ones if self.one_input else [*ones, together]
        (find_real_loci if self.kind == "gain" else find_unit_gains)(ones)
        inputs: list[tuple[int, ...]] = [(0,), (1,), (2,), (0, 1, 2)]
        found: list[tuple[float, Any]] = []
        for swept, which in zip(sweeps, inputs, strict=False):
            for angle in self._angles(swept):
                found += [(value, (which, angle, k)) for value, k in self._margins(swept, angle, loop.sample)]
        if not found:
            return [(0.0, np.zeros(len(point.x)) if gradients else None)]
        rows = _top_rows(found)
        if not gradients:
            return [(value, None) for value, _ in rows]
        return [(value, self._slope(point, model, *place)) for value, place in rows]

    def _angles(self, swept: Sweep) -> list[float]:
        return [*swept.real_loci, pi] if self.kind == "gain" else list(swept.unit_gains)

    def _margins(self, swept: Sweep, angle: float, sample: float) -> list[tuple[float, int]]:
        """Return bound / margin for each locus that has a crossing at an angle, and the index of the locus."""
        values = loci(swept.broken.response([angle])[0])
        if self.kind == "gain":
            on = [k for k, v in enumerate(values) if v.real < 0.0 and abs(v.imag) < 1e-6 * abs(v.real)]
        else:
            off = np.abs(np.abs(values) - 1.0)
            on = [int(k) for k in np.flatnonzero(off <= off.min() + 1e-9)]
        return [(self.bound / max(self._margin(complex(values[k]), angle, sample), 1e-9), k) for k in on]

    def _margin(self, value: complex, angle: float, sample: float) -> float:
        if self.kind == "gain":
            return abs(20.0 * float(np.log10(abs(value.real))))
        if self.kind == "phase":
            return abs(float(np.degrees(np.angle(-value))))
        return float(np.angle(-value) % (2.0 * pi)) * sample / angle

    def _slope(self, point: Point, model: int, which: tuple[int, ...], angle: float, k: int) -> Array:
        """Return the gradient of bound / margin by the implicit function theorem along the locus."""
        loop = _loop(point, model)
        broken = loop.broken(which)
        step = TURN * angle
        places = [angle, angle + step, angle - step] if angle + step < pi else [angle, angle, angle - 2.0 * step]
        L, ahead, behind = broken.response(places)
        values, right = np.linalg.eig(L)
        left = np.linalg.inv(right)
        value = complex(values[k])
        turned = left[k] @ (ahead - behind) @ right[:, k] / (2.0 * step)
        slope = np.zeros(len(point.x))
        for n, (more, less) in enumerate(point.beside(model)):
            change = more.broken(which).response([angle])[0] - less.broken(which).response([angle])[0]
            moved = left[k] @ change @ right[:, k] / (2.0 * STEP)
            slope[n] = self._moved(value, angle, loop.sample, complex(moved), complex(turned))
        margin = max(self._margin(value, angle, loop.sample), 1e-9)
        return -self.bound / margin**2 * slope

    def _moved(self, value: complex, angle: float, sample: float, moved: complex, turned: complex) -> float:
        """Return the margin's derivative; moved, turned: derivatives of the locus by parameter and by angle."""
        if self.kind == "gain":
            shift = 0.0 if angle >= pi else -moved.imag / turned.imag
            change = (moved + turned * shift).real
            return float(np.sign(np.log(abs(value.real)))) * 20.0 / np.log(10.0) * change / value.real
        log_moved, log_turned = moved / value, turned / value
        shift = -log_moved.real / log_turned.real
        phase = log_moved.imag + log_turned.imag * shift
        if self.kind == "phase":
            return float(np.degrees(np.sign(np.angle(-value)) * phase))
        total = float(np.angle(-value) % (2.0 * pi))
        return (phase - total / angle * shift) * sample / angle


@dataclass(eq=False, kw_only=True)
class Value(Goal):
    """Bound on any smooth positive function of the loop, with gradients by central differences.

    Parameters
    ----------
    bound : float
        Largest value.
    function : callable
        `function(loop)` returns the value, or several values in order, such as the moduli of a response at the samples;
        then each local maximum is a row.
    every_model : bool
        Whether every model must meet the goal.
    step : float
        Step of the central differences in the scaled parameters.
    name : str
        Name of the value in messages.
    """

    at_most: ClassVar[bool] = True
    bound: float
    function: Callable[[SampledLoop], float | Array]
    every_model: bool = False
    step: float = DESIGN_STEP
    name: str = "a value"

    def _rows(self, point: Point, model: int, gradients: bool) -> list[tuple[float, Array | None]]:
        """Return value / bound, for several values at the highest local maxima."""
        values = self._values(_loop(point, model))
        if not np.isfinite(values).all():
            worst = values[~np.isfinite(values)][0]
            raise DesignError(
                f"{self.name} is {worst:g} for this loop, so it cannot be tuned to at most {self.bound:g}; change what "
                "the law reads, or remove the requirement"
            )
        padded = np.concatenate(([-np.inf], values, [-np.inf]))
        tops = np.flatnonzero((values >= padded[:-2]) & (values > padded[2:]) & (values >= NEARLY * values.max()))
        tops = tops[np.argsort(-values[tops], kind="stable")][:PEAKS]
        if not gradients:
            return [(float(values[k]), None) for k in tops]
        slopes = np.zeros((len(tops), len(point.x)))
        for n in range(len(point.x)):
            more, less = (self._values(point.models[model](x)) for x in point.pair(n, self.step))
            slope = (more - less)[tops] / (2.0 * self.step)
            slopes[:, n] = np.where(np.isfinite(slope), slope, 0.0)  # a neighbour without a value gives no slope
        return [(float(values[k]), slope) for k, slope in zip(tops, slopes, strict=True)]

    def _values(self, loop: SampledLoop) -> Array:
        return np.atleast_1d(np.asarray(self.function(loop), dtype=np.float64)) / self.bound
