"""A loop broken at some of its signals: loop transfer matrix L and sensitivity S = (I + L)^-1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....plant.brief import brief
from ....plant.checks import choice, of_kind
from ....plant.errors import DesignError, InputError
from ....plant.frozen import frozen_arrays
from ....plant.one_thread import one_thread
from ..margin_search import way_out
from ..sampled_loop import SampledLoop
from ..schur_system import on_circle

if TYPE_CHECKING:
    import control

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]

MOST = 400  # largest number of signals times samples: a sweep of larger matrices takes minutes
OPENINGS = ("input", "output", "both")


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class OpenedLoop:
    """Loop transfer matrix L = C (q - A)^-1 B + D, with q = exp(j w h), or j w for a continuous loop.

    Negative feedback closes the loop: S = (I + L)^-1. A loop with blocks slower than the law is periodic. Such a loop
    is lifted over `repeats` samples, with all channels broken at each sample. `response` and `sensitivity` are then the
    harmonic transfer matrices between the frequencies w + 2 pi m / h, m = 0 .. repeats - 1, of a signal at the law's
    rate.

    Parameters
    ----------
    A, B, C, D : numpy.ndarray
        The open loop, from the inputs at the break to the outputs there, with the sign of the outputs reversed.
    channels : tuple of str
        The signals at which the loop is broken.
    sample : float
        Period h of the matrices, s: the law's sampling period times `repeats`; 0 for a continuous loop.
    repeats : int
        Number of law samples in that period: 1 except in a periodic loop. The matrices have one row and column per
        channel and sample.
    """

    A: Array
    B: Array
    C: Array
    D: Array
    channels: tuple[str, ...]
    sample: float
    repeats: int = 1

    __repr__ = brief

    @classmethod
    def from_control(cls, system: control.StateSpace | control.TransferFunction) -> OpenedLoop:
        """Return the loop for a loop transfer matrix of python-control.

        Parameters
        ----------
        system : control.StateSpace or control.TransferFunction
            L, square, continuous or discrete, to be closed by negative feedback.

        Returns
        -------
        OpenedLoop
            The same loop.

        Raises
        ------
        InputError
            When L is not square, or discrete without a sampling period.
        """
        import control as ct

        form: Any = ct.ss(system)
        if form.ninputs != form.noutputs:
            raise InputError(f"a loop transfer matrix is square; got {form.noutputs} x {form.ninputs}")
        if form.dt is True:
            raise InputError("the discrete loop has no sampling period; give dt in seconds")
        return cls(
            A=np.asarray(form.A, dtype=np.float64),
            B=np.asarray(form.B, dtype=np.float64),
            C=np.asarray(form.C, dtype=np.float64),
            D=np.asarray(form.D, dtype=np.float64),
            channels=tuple(str(name) for name in form.input_labels),
            sample=float(form.dt or 0.0),
        )

    @property
    def too_many(self) -> bool:
        """True if a periodic loop's number of channels times samples is too large for a frequency sweep."""
        return self.repeats > 1 and self.repeats * len(self.channels) > MOST

    def to_control(self) -> control.StateSpace:
        """Return L for python-control.

        Returns
        -------
        control.StateSpace
            L, to be closed by negative feedback.
        """
        import control as ct

        return ct.StateSpace(self.A, self.B, self.C, self.D, self.sample)

    @one_thread
    def response(self, frequencies: ArrayLike) -> Complex:
        """Return L on the imaginary axis or the unit circle, at some frequencies.

        Parameters
        ----------
        frequencies : array_like, shape (m,)
            Frequencies, rad/s.

        Returns
        -------
        numpy.ndarray, shape (m, p, p)
            Loop transfer matrices; p = channels times repeats. In a periodic loop, rows and columns are grouped by
            coupled frequency.
        """
        return _on_boundary(self, (self.A, self.B, self.C, self.D), frequencies)

    @one_thread
    def sensitivity(self, frequencies: ArrayLike) -> Complex:
        """Return the sensitivity S = (I + L)^-1.

        Parameters
        ----------
        frequencies : array_like, shape (m,)
            Frequencies, rad/s.

        Returns
        -------
        numpy.ndarray, shape (m, p, p)
            Sensitivity matrices S; the complementary sensitivity is T = I - S.
        """
        # from a state-space realisation of S, because S is finite where L is infinite
        back = np.linalg.inv(np.eye(len(self.D)) + self.D)
        right = self.B @ back
        return _on_boundary(self, (self.A - right @ self.C, right, -back @ self.C, back), frequencies)

    @one_thread
    def closed_poles(self) -> Complex:
        """Return the poles of the closed loop.

        Returns
        -------
        numpy.ndarray, shape (n,)
            Poles in the z-plane, or in the s-plane (1/s) for a continuous loop.

        Raises
        ------
        DesignError
            When the matrix of the closed loop is not finite.
        """
        with np.errstate(over="ignore", invalid="ignore"):
            closed = self.A - self.B @ np.linalg.solve(np.eye(len(self.D)) + self.D, self.C)
        if not np.isfinite(closed).all():
            raise DesignError(
                "the closed loop has entries that are not finite; check the units of the spacecraft and the law"
            )
        return np.asarray(np.linalg.eigvals(closed), dtype=np.complex128)

    def check_stable(self) -> None:
        """Raise DesignError unless the closed loop is stable.

        Raises
        ------
        DesignError
            When the closed loop is unstable; the message gives the unstable pole.
        """
        poles = self.closed_poles()
        size = np.abs(poles) - 1.0 if self.sample > 0.0 else poles.real
        worst = int(np.argmax(size))
        if size[worst] >= 0.0:
            plane, rests = ("z", 1.0) if self.sample > 0.0 else ("s", 0.0)
            raise DesignError(
                f"the loop is not stable, so it has no margins: a closed-loop pole lies at {poles[worst]:.6g} "
                f"({plane}-plane); {way_out(complex(poles[worst]), rests=rests)}"
            )


def _on_boundary(loop: OpenedLoop, matrices: tuple[Any, ...], frequencies: ArrayLike) -> Complex:
    """Return C (q - A)^-1 B + D on the imaginary axis or the unit circle."""
    A, B, C, D = matrices
    w = np.asarray(frequencies, dtype=np.float64)
    if loop.sample > 0.0:
        return _between_aliases(loop, on_circle(A, B, C, loop.sample * w) + D, w)
    pencil = 1j * w[:, None, None] * np.eye(len(A)) - A
    right = np.asarray(B, dtype=np.complex128)
    inside = np.linalg.solve(pencil, np.broadcast_to(right, (len(w), *right.shape)))
    return np.asarray(C @ inside + D, dtype=np.complex128)


def _between_aliases(loop: OpenedLoop, stacked: Complex, frequencies: Array) -> Complex:
    """Convert matrices between samples to matrices between the harmonics exp(j (w + 2 pi m / h) t)."""
    p = loop.repeats
    if p == 1:
        return stacked
    turns = (loop.sample * frequencies[:, None, None] + 2.0 * np.pi * np.arange(p)) / p * np.arange(p)[:, None]
    waves = np.exp(1j * turns) / np.sqrt(p)  # (m, sample, alias), unitary
    m, c = len(stacked), len(loop.channels)
    parts = stacked.reshape(m, p, c, p, c)
    found = np.einsum("wka,wkilj,wlb->waibj", waves.conj(), parts, waves, optimize=True)
    return np.asarray(found.reshape(m, p * c, p * c), dtype=np.complex128)


@one_thread
def open_loop(loop: SampledLoop, at: str = "input") -> OpenedLoop:
    """Break a sampled loop at the torque into the plant, at its measurements, or at both.

    Parameters
    ----------
    loop : SampledLoop
        `law.loop()`, or `law.loop(model)` of a nonlinear law.
    at : str
        "input": the three torque commands; "output": attitude error, rate and further measurements of the law; "both":
        commands and measurements, for margins against changes of both at the same time.

    Returns
    -------
    OpenedLoop
        The broken loop, with torques in units of the mean inertia and outputs in the units of the measurement. A loop
        with slower blocks is lifted over its full period.

    Raises
    ------
    InputError
        When `at` is none of these.

    Examples
    --------
    >>> from polhode import controllers, plant
    >>> craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    >>> model = craft.linearize(craft.at_rest())
    >>> law = controllers.lqr(model, attitude=1.0, rate=1.0, effort=1.0, sample=0.1)
    >>> open_loop(law.loop(), "output").channels[0]
    'attitude_error_x'
    """
    of_kind("loop", loop, SampledLoop, such_as="a SampledLoop, such as law.loop()")
    choice("at", at, OPENINGS)
    if loop.repeats > 1:
        return _open_lifted(loop, at)
    F, G, N, Ks, Ky, C, _ = loop.parts()
    matrices: tuple[Array, Array, Array, Array]
    if at == "input":
        u = Ks + Ky @ C
        matrices = F + N @ C, G, -u, np.zeros((3, 3))
        channels = loop.inputs
    elif at == "output":
        matrices = F + G @ Ks, G @ Ky + N, -C, np.zeros((len(C), len(C)))
        channels = loop.outputs
    else:
        through = np.zeros((3 + len(C), 3 + len(C)))
        through[:3, 3:] = -Ky
        matrices = F, np.hstack((G, N)), -np.vstack((Ks, C)), through
        channels = (*loop.inputs, *loop.outputs)
    A, B, rows, straight = matrices
    return OpenedLoop(A=A, B=B, C=rows, D=straight, channels=channels, sample=loop.sample)


def _open_lifted(loop: SampledLoop, at: str) -> OpenedLoop:
    """Break a periodic loop, lifted over its period, at the same places as `open_loop`."""
    F, G, N, K, D, C, H = loop.lifted_cut()
    if at == "input":
        matrices, channels = (F + N @ C, G + N @ H, -K - D @ C, -D @ H), loop.inputs
    elif at == "output":
        matrices, channels = (F + G @ K, N + G @ D, -C - H @ K, -H @ D), loop.outputs
    else:
        p, channels = loop.repeats, (*loop.inputs, *loop.outputs)
        through = np.block([[np.zeros((len(K), len(K))), -D], [-H, np.zeros((len(C), len(C)))]])
        ends = np.arange(len(K)).reshape(p, -1), len(K) + np.arange(len(C)).reshape(p, -1)
        order = np.hstack(ends).ravel()  # grouped by sample
        matrices = F, np.hstack((G, N))[:, order], -np.vstack((K, C))[order], through[order][:, order]
    A, B, rows, straight = matrices
    return OpenedLoop(
        A=A, B=B, C=rows, D=straight, channels=channels, sample=loop.repeats * loop.sample, repeats=loop.repeats
    )
