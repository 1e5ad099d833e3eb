"""Poles, stability and margins of a linear plant with a sampled law and the blocks around the law."""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...plant.errors import DesignError
from ...plant.one_thread import one_thread
from .broken_loop import BrokenLoop
from .lifted import Lifted
from .linear_blocks import linear_blocks
from .loop_matrices import LoopMatrices
from .noise_loop import NoiseLoop, NoiseSystem, noise_loop, noise_system
from .routes import COMMAND_SIZE
from .schur_system import on_circle

if TYPE_CHECKING:
    from .margins import Margins

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]

UNREACHED = 1e-11  # singular value below which a direction neither changes by itself nor by a command
ROUNDING = 1e-12  # distance from |z| = 1 within which a computed single pole counts as constant


class SampledLoop(LoopMatrices):
    """A linear plant under zero-order hold, controlled by a law v = C x + D y, x+ = A x + B y.

    The loop is s[k+1] = F s + G w, u = -K s with s = [plant states; pending commands; states of the law]. Internally,
    momenta and torques are in units of the mean inertia, so that the conditioning is the same for a CubeSat and a
    space station. Loop gains, poles and margins do not depend on these units.

    Parameters
    ----------
    model : LinearModel
        The linear model of the plant.
    compensator : Compensator
        The law in linear form.
    measured : sequence of str
        The states that the law measures in addition to attitude error and rate.
    sample : float
        Sampling period, s.
    delay : float
        Time from a sample until its command reaches the plant, s.
    attitude : bool
        Whether the law is intended to hold an attitude. If it is not, and neither law nor plant uses the attitude, the
        attitude is not part of the loop.
    blocks : sequence of Block
        Blocks of the loop.
    of_momentum : tuple of numpy.ndarray, optional
        Part of the law's rate gain that is in fact a momentum gain; see `SmallSignal`.
    scale : float, optional
        Internal torque unit, N m; by default the mean inertia.
    total_momentum : bool
        Whether the total momentum of a wheel-controlled spacecraft may deviate; see `with_total_momentum`.
    constants : bool
        Whether the states include constants of the motion that act on the attitude; see `with_start_momenta`.

    Attributes
    ----------
    model : LinearModel
        The linear model of the plant.
    uses_attitude : bool
        Whether the law measures the attitude error.
    inputs, outputs, states : tuple of str
        Names of the torque components, of the law's measurements, and of the plant states.
    scale : float
        Torque in N m per internal unit.
    T : numpy.ndarray
        Internal unit of each plant state, in the unit of the state.
    C : numpy.ndarray
        Output matrix from the states of the plant to the law's measurement, without blocks in between.
    repeats : int
        Common period of the law and all blocks, in samples of the law: 1 unless a block is slower than the law, or has
        a period that does not divide the law's.
    taken_up : tuple of float
        Times within a sample, s, at which blocks read the law's command; empty if only the plant uses the command.
    words : tuple of str
        Effects neglected in the linear forms of plant and blocks.

    Raises
    ------
    InputError
        When signal names do not match.
    DesignError
        When a block has no linear form about this operating point.
    """

    @property
    def periodic(self) -> str:
        """Description of how the margins of a periodic loop are defined; empty for a single-rate loop."""
        if self.repeats == 1:
            return ""
        return (
            f"law and blocks have a common sample only after {self.repeats} samples of the law "
            f"({self.repeats * self.sample:g} "
            "s), so the loop answers one frequency with many, and its margins are of its poles over that time: gain "
            "and phase margin by one factor, real or exp(j phi), on every sample of a command, disk margins by any "
            "linear time-invariant factor on each signal; it has no crossover, bandwidth or response to one frequency"
        )

    @one_thread
    def poles(self) -> Complex:
        """Return the z-plane poles of the nominal loop, over `repeats` samples of the law (usually one).

        Returns
        -------
        numpy.ndarray
            Poles for all states (plant, pending commands, blocks, law), largest modulus first. If the memory of the law
            consists of the pending commands, these states are counted once.
        """
        return self._poles.copy()

    @cached_property
    def _poles(self) -> Complex:
        if self.repeats > 1:
            closed = self._monodromy((0.0, 0.0, 0.0), np.ones(3))
        elif self._remembered:
            F, G, shown, _ = self._plant((0.0, 0.0, 0.0))
            n = len(self._A)
            K = -self._law[3] @ shown
            K[:, n : n + 3 * self._remembered] -= self.scale * self._law[2]
            closed = F - G @ K
        else:
            plant, enter, row = self.matrices()
            closed = plant - enter @ row
        values = np.asarray(np.linalg.eigvals(closed), dtype=np.complex128)
        # conjugates have equal modulus up to rounding: sorting by twelve digits keeps them together
        return values[np.argsort(-np.round(np.abs(values), 12), kind="stable")]

    @cached_property
    def stable(self) -> bool:
        """True if all poles are inside the unit circle by more than rounding error.

        A pole at z = 1 is only accepted if it belongs to a constant that no torque of the law changes, such as the
        null-space momentum of frictionless wheels.
        """
        poles = self.poles()
        if abs(poles[0]) < 1.0 - ROUNDING:
            return True
        at_one = np.abs(poles - 1.0) <= ROUNDING
        if self.repeats > 1 or np.any(np.abs(poles[~at_one]) >= 1.0 - ROUNDING):
            return False
        F, G, _ = self.matrices()
        reached = np.linalg.svd(np.hstack((F - np.eye(len(F)), G)), compute_uv=False)
        return int(at_one.sum()) == int((reached <= UNREACHED).sum())

    @one_thread
    def radius(self, late: Sequence[float] = (0.0, 0.0, 0.0), factor: Sequence[complex] = (1.0, 1.0, 1.0)) -> float:
        """Return the largest modulus of the poles with additional delays or factors on the law's commands.

        Parameters
        ----------
        late : sequence of float, length 3
            Additional delay of each input, s.
        factor : sequence of float or complex, length 3
            Factor on each input; a complex one shifts the phase.

        Returns
        -------
        float
            Below 1 for a stable loop.
        """
        size = np.asarray(factor)
        size = size.astype(np.complex128 if np.iscomplexobj(size) else np.float64)
        if self.repeats > 1:
            return float(np.abs(np.linalg.eigvals(self._monodromy(late, size))).max())
        F, G, K = self.matrices(late)
        return float(np.abs(np.linalg.eigvals(F - G * size @ K)).max())

    def under_noise(self, torque: Array) -> NoiseLoop:
        """Return the closed loop driven by the noise of its blocks and by a white torque.

        Parameters
        ----------
        torque : numpy.ndarray, shape (3,)
            Two-sided density, N m/sqrt(Hz).

        Returns
        -------
        NoiseLoop
            The loop from noise to pointing and knowledge errors.

        Raises
        ------
        DesignError
            When the loop is not stable, or does not control the attitude.
        """
        return noise_loop(self._under_noise(), self._law, torque)

    def noise_system(self, torque: Array) -> NoiseSystem:
        """Return the loop of `under_noise` with all its states, in coordinates that are smooth in the parameters.

        Parameters
        ----------
        torque : numpy.ndarray, shape (3,)
            Two-sided density, N m/sqrt(Hz).

        Returns
        -------
        NoiseSystem
            The loop from noise to pointing and knowledge errors, stable or not.

        Raises
        ------
        DesignError
            When the loop does not control the attitude.
        """
        return noise_system(self._under_noise(), self._law, torque)

    def _under_noise(self) -> Lifted:
        if not self.attitude:
            raise DesignError("the law does not control attitude, so there is no pointing error for a budget")
        if self._lifted is None:
            return self._lift(linear_blocks(self.model, (), sample=self.sample))
        return self._lifted

    def fastest_gain(self, above: float) -> float:
        """Return the largest gain of the opened loop for commands above a frequency.

        Parameters
        ----------
        above : float
            Frequency, rad per sample of the law.

        Returns
        -------
        float
            The largest singular value from commands at these frequencies to outputs at all frequencies. Blocks slower
            than the law couple frequencies.
        """
        F, G, N, K, D, C, H = self.opened().cut(self._law)
        p = self.repeats
        angles = np.linspace(1e-3, 2.0 * np.pi - 1e-3, 64) / p
        response = on_circle(F + N @ C, G + N @ H, K + D @ C, p * angles) + D @ H
        alias = np.arange(p) * 2.0 * np.pi / p
        most = 0.0
        for angle, L in zip(angles, response, strict=True):
            swift = [each for each in (angle + alias) if above < each < 2.0 * np.pi - above]
            waves = np.exp(1j * np.outer(np.arange(p), swift)) / np.sqrt(p)
            found = np.asarray(L @ np.kron(waves, np.eye(COMMAND_SIZE)), dtype=np.complex128)
            most = max(most, float(np.linalg.norm(found, 2))) if swift else most
        return most

    def broken(self, inputs: Sequence[int], *, late: float = 0.0) -> BrokenLoop:
        """Return the loop opened at some plant inputs, with the remaining inputs closed.

        Only the plant inputs are opened: the commands in the memory of the law stay connected.

        Parameters
        ----------
        inputs : sequence of int
            The inputs to open, counted from 0.
        late : float
            Additional delay of the opened inputs, s; the law does not model it.

        Returns
        -------
        BrokenLoop
            The opened loop.
        """
        opened = list(inputs)
        F, G, K = self.matrices([late if n in opened else 0.0 for n in range(3)])
        through = G.copy()
        through[:, opened] = 0.0
        return BrokenLoop(F - through @ K, G[:, opened], K[opened])

    def slowest(self) -> float:
        """Return the smallest natural frequency among the poles as an angle per sample, rad.

        Returns
        -------
        float
            min |log z| over all poles except dead-beat poles.
        """
        values = self.poles()
        return float(np.abs(np.log(values[np.abs(values) > 1e-6])).min()) / self.repeats

    def margins(self) -> "Margins":
        """Return the margins of the loop.

        Returns
        -------
        Margins
            Margins of each input, with the remaining inputs closed, and of all inputs together; nan for a margin that
            does not exist in a periodic loop (`periodic`).

        Raises
        ------
        DesignError
            When the loop is not stable.
        """
        from .margin_search import find_margins

        return find_margins(self)
