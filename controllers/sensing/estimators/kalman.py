"""Kalman filter for a linear model, for records and loops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....plant.brief import brief
from ....plant.checks import numbers, of_kind, positive
from ....plant.errors import DesignError, InputError
from ....plant.frozen import frozen_arrays, frozen_results
from ....plant.kernels.fields import filled
from ...contracts.block import Block
from ...contracts.block_form import BlockForm
from ...contracts.clock import Clock
from ...designs.riccati import filter_gain
from .kalman_kernel import KALMAN, MEMORY, kalman_kernel
from .kalman_sensor import EACH_SAMPLE, KalmanSensor, sensor_of

Array = NDArray[np.float64]

NEVER = -1e300  # s: time of an event that has not happened


@frozen_results
@dataclass(frozen=True, repr=False, kw_only=True)
class KalmanEstimate:
    """Estimates of a linear Kalman filter at each sample.

    Attributes
    ----------
    state : numpy.ndarray, shape (m, n)
        State estimate after the measurement of each row.
    covariance : numpy.ndarray, shape (m, n, n)
        Covariance of the state error.
    innovations : numpy.ndarray, shape (m,)
        Normalised innovation squared y' S^-1 y, chi-square distributed with as many degrees of freedom as a measurement
        has components.
    """

    state: Array
    covariance: Array
    innovations: Array

    __repr__ = brief


@frozen_arrays
@dataclass(frozen=True, repr=False, kw_only=True)
class KalmanFilter:
    """The Kalman filter for ``x[k+1] = A x + B u + w``, ``y = C x + v`` with white noise w and v.

    The state estimate at a sample includes the measurement of this sample; u is the input held since the last sample.

    Parameters
    ----------
    A : array_like, shape (n, n)
        Transition matrix over a sample.
    B : array_like, shape (n, m), optional
        Input matrix for inputs held over a sample; by default the model has no inputs.
    C : array_like, shape (p, n)
        Output matrix.
    Q : array_like, shape (n, n)
        Covariance of w, symmetric and positive semidefinite.
    R : array_like, shape (p, p)
        Covariance of v, symmetric and positive definite.
    sample : float
        Time between samples, s.

    Raises
    ------
    InputError
        When shapes do not match, or a covariance is invalid.

    Notes
    -----
    R. E. Kalman (1960); the covariance update uses Joseph's form.

    Examples
    --------
    >>> filter = KalmanFilter.from_continuous([[0, 1], [0, 0]], C=[[1, 0]], noise=[[0], [1e-3]], R=[[1e-6]], sample=0.1)
    >>> gain, after = filter.steady_state()
    >>> gain.shape, bool(after[0, 0] < 1e-6)
    ((2, 1), True)
    """

    A: ArrayLike
    C: ArrayLike
    Q: ArrayLike
    R: ArrayLike
    sample: float
    B: ArrayLike | None = None

    __repr__ = brief

    def __post_init__(self) -> None:
        """Check shapes and covariances."""
        A, C = (np.atleast_2d(numbers(name, getattr(self, name))) for name in ("A", "C"))
        n = len(A)
        B = np.zeros((n, 0)) if self.B is None else np.atleast_2d(numbers("B", self.B))
        if A.shape != (n, n) or B.ndim != 2 or len(B) != n or C.ndim != 2 or C.shape[1] != n:
            raise InputError(f"A must be (n, n), B (n, m) and C (p, n); got {A.shape}, {B.shape} and {C.shape}")
        found = {"A": A, "B": B, "C": C}
        for name, size in (("Q", n), ("R", len(C))):
            value = np.atleast_2d(numbers(name, getattr(self, name)))
            if value.shape != (size, size) or not np.allclose(value, value.T, rtol=1e-9, atol=0.0):
                raise InputError(f"{name} must be symmetric, {size} x {size}; got shape {value.shape}")
            least = float(np.linalg.eigvalsh(value).min())
            if least < -1e-12 * float(np.abs(value).max()) or (name == "R" and not least > 0.0):
                must = "positive definite" if name == "R" else "positive semidefinite"
                raise InputError(f"{name} must be {must}; its smallest eigenvalue is {least:g}")
            found[name] = value
        for name, value in found.items():
            object.__setattr__(self, name, value)
        object.__setattr__(self, "sample", positive("sample", self.sample, "s"))

    @classmethod
    def from_continuous(
        cls,
        A: ArrayLike,
        *,
        B: ArrayLike | None = None,
        C: ArrayLike,
        noise: ArrayLike,
        R: ArrayLike,
        sample: float,
    ) -> KalmanFilter:
        """Return the filter for a continuous model, discretised exactly.

        Parameters
        ----------
        A : array_like, shape (n, n)
            State matrix of x' = A x + B u + noise w, with white noise w.
        B : array_like, shape (n, m), optional
            Input matrix for inputs held over a sample.
        C : array_like, shape (p, n)
            Output matrix.
        noise : array_like, shape (n, k)
            Input matrix for white noise w of unit two-sided spectral density, for example torque noise in N m/sqrt(Hz)
            times the corresponding column of B.
        R : array_like, shape (p, p)
            Covariance of the measurement noise at a sample.
        sample : float
            Time between samples, s.

        Returns
        -------
        KalmanFilter
            The filter, with A, B and Q discretised over a sample (Van Loan 1978).

        Raises
        ------
        InputError
            When shapes do not match, or a covariance is invalid.
        """
        from scipy import linalg

        tool, h = cast("Any", linalg), positive("sample", sample, "s")
        flow, G = np.atleast_2d(numbers("A", A)), np.atleast_2d(numbers("noise", noise))
        n = len(flow)
        enter = np.zeros((n, 0)) if B is None else np.atleast_2d(numbers("B", B))
        if flow.shape != (n, n) or len(G) != n or len(enter) != n:
            raise InputError(f"A must be (n, n), B (n, m) and noise (n, k); got {flow.shape}, {enter.shape}, {G.shape}")
        m = enter.shape[1]
        held = tool.expm(h * np.block([[flow, enter], [np.zeros((m, n + m))]]))
        loan = tool.expm(h * np.block([[-flow, G @ G.T], [np.zeros((n, n)), flow.T]]))
        Q = held[:n, :n] @ loan[:n, n:]
        return cls(A=held[:n, :n], B=held[:n, n:], C=C, Q=0.5 * (Q + Q.T), R=R, sample=h)

    def steady_state(self) -> tuple[Array, Array]:
        """Return the gain and covariance of the filter in steady state.

        Returns
        -------
        gain : numpy.ndarray, shape (n, p)
            K of x <- x + K (y - C x).
        covariance : numpy.ndarray, shape (n, n)
            Covariance just after a measurement.

        Raises
        ------
        DesignError
            When there is no steady state, because a mode that does not decay is unobservable or not excited by noise.
        """
        A, C, Q, R = (np.asarray(each) for each in (self.A, self.C, self.Q, self.R))
        try:
            gain, P = filter_gain(A, C, Q, R=R)
        except (np.linalg.LinAlgError, ValueError) as error:
            raise DesignError(
                f"the Kalman filter has no stationary gain ({error}): a mode that does not decay is unobservable, "
                "or not excited by noise"
            ) from error
        return gain, (np.eye(len(A)) - gain @ C) @ P

    def block(
        self,
        measured: str | Block,
        *,
        state: ArrayLike,
        covariance: ArrayLike,
        inputs: str | Sequence[str] = (),
        writes: str = "state",
        offset: float = 0.0,
        name: str = "Kalman filter",
    ) -> Block:
        """Return the filter as a block of a loop.

        Parameters
        ----------
        measured : str or Block
            The signal measured at each sample (p values), or the block of a sensor whose messages consist of p values,
            validity flag and time. The filter uses each valid message once, at its time of validity: the filter state
            lags by the delay of the sensor, and the output is predicted from it with the inputs held since then. The
            period of the sensor must be a multiple of the filter's period, and their samples must coincide.
        state : array_like, shape (n,)
            State estimate at the first sample.
        covariance : array_like, shape (n, n)
            Covariance of the initial state error.
        inputs : str or sequence of str
            Input signals, m values in total, such as "applied", the command in force since the last sample.
        writes : str
            Name of the output signal (n values).
        offset : float
            Time of the first sample, s.
        name : str
            Name of the block.

        Returns
        -------
        Block
            The block writes the state estimate after the measurement of each sample. If a sensor is given, it also
            writes the signal "<writes>_missed": the number of messages omitted because their time is not a sample time
            of the sensor. A run warns of omitted messages.

        Raises
        ------
        InputError
            When shapes do not match, inputs are given without B, or a sensor measures between samples.
        """
        if not isinstance(measured, Block):
            of_kind("measured", measured, str, such_as="the name of a signal or the block of a sensor")
        names = (inputs,) if isinstance(inputs, str) else tuple(inputs)
        n, m = np.asarray(self.B).shape
        if bool(names) != bool(m):
            raise InputError(f"the model has {m} inputs; name their signals, such as inputs='applied', or omit B")
        sensor, signal, signals = EACH_SAMPLE, measured, {writes: n}
        if isinstance(signal, Block):
            sensor = sensor_of(signal, numbers=len(np.asarray(self.C)), sample=self.sample, offset=offset)
            signal, signals = signal.timestamped, {writes: n, f"{writes}_missed": 1}

        def form(y0: Array) -> BlockForm:
            return sensor.form(self, y0, sum(signals.values()))

        def steady(y0: Array) -> tuple[Array, Array]:
            x, P = sensor.settled(self, y0)
            return self._numbers(sensor), self._memory(x, P, sensor.late)

        return Block(
            kalman_kernel, reads=(signal, *names), writes=signals, clock=Clock(self.sample, offset=offset),
            parameters=self._numbers(sensor), memory=self._memory(state, covariance, sensor.late), name=name,
            linear=form, noise_free=steady,
        )  # fmt: skip

    def replay(
        self,
        measured: ArrayLike,
        inputs: ArrayLike | None = None,
        *,
        state: ArrayLike,
        covariance: ArrayLike,
        compiled: bool = True,
    ) -> KalmanEstimate:
        """Run the filter over recorded data.

        Parameters
        ----------
        measured : array_like, shape (rows, p)
            One measurement per sample.
        inputs : array_like, shape (rows, m), optional
            Inputs held since the last sample; the first row is not used.
        state : array_like, shape (n,)
            Initial state estimate.
        covariance : array_like, shape (n, n)
            Covariance of the initial state error.
        compiled : bool
            False runs the same source as plain Python.

        Returns
        -------
        KalmanEstimate
            Estimates with one row per sample.

        Raises
        ------
        InputError
            When shapes do not match.
        """
        n, m = np.asarray(self.B).shape
        p = len(np.asarray(self.C))
        y = numbers("measured", measured)
        u = np.zeros((len(y), 0)) if inputs is None else numbers("inputs", inputs)
        if y.ndim != 2 or y.shape[1] != p or u.shape != (len(y), m):
            raise InputError(f"measured must be (rows, {p}) and inputs (rows, {m}); got {y.shape} and {u.shape}")
        engine = Block(
            kalman_kernel, reads="record", writes={"state": n + n * n + 1}, clock=Clock(self.sample),
            parameters=self._numbers(), memory=self._memory(state, covariance), name="Kalman filter",
        )  # fmt: skip
        found = engine.replay(self.sample * np.arange(len(y)), np.hstack((y, u)), compiled=compiled)
        return KalmanEstimate(
            state=found[:, :n], covariance=found[:, n:-1].reshape(-1, n, n), innovations=found[:, -1].copy()
        )

    def _numbers(self, sensor: KalmanSensor = EACH_SAMPLE) -> Array:
        matrices = (np.asarray(each) for each in (self.A, self.B, self.C, self.Q, self.R))
        head = filled(
            KALMAN, states=len(np.asarray(self.A)), inputs=np.asarray(self.B).shape[1],
            measured=len(np.asarray(self.C)), message=sensor.more, late=sensor.late,
            sample=self.sample,
        )  # fmt: skip
        return np.concatenate((head, *(np.ravel(each) for each in matrices)))

    def _memory(self, state: ArrayLike, covariance: ArrayLike, late: int = 0) -> Array:
        (n, m), p = np.asarray(self.B).shape, len(np.asarray(self.C))
        x, P = numbers("state", state).ravel(), np.atleast_2d(numbers("covariance", covariance))
        if x.shape != (n,) or P.shape != (n, n) or not np.allclose(P, P.T, rtol=1e-9, atol=0.0):
            raise InputError(f"state must be {n} numbers and covariance symmetric, {n} x {n}; got {x.shape}, {P.shape}")
        head = filled(MEMORY, samples=0.0, newest=NEVER, missed=0.0)
        return np.concatenate((head, x, P.ravel(), np.zeros(2 * n * n + p * p + p * n + p + n + m * (late + 1))))
