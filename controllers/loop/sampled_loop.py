"""Sampled loop of a linear plant, a linear law and the blocks around the law, closed or opened."""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...plant import LinearModel
from ...plant.errors import DesignError
from ...plant.one_thread import one_thread
from ..contracts.block import Block
from ..contracts.past_commands import commands_remembered
from ..laws.compensator import Compensator
from .acting_model import acting_model, measurement
from .attitude_model import ATTITUDE_STATES, scaled
from .broken_loop import BrokenLoop
from .free_attitude import TURN, parts_beside, turns_with, without_attitude
from .lifted import Lifted, LiftedCut, LiftedParts, Opened
from .linear_blocks import LinearBlocks, error_of, linear_blocks, shows
from .loop_parts import LoopParts
from .noise_loop import NoiseLoop, NoiseSystem, noise_loop, noise_system
from .routes import ATTITUDE, COMMAND_SIZE, LAW, RATE
from .sampled_plant import commands_under_way, hold, sampled_plant
from .schur_system import on_circle
from .wheel_torque import driven_momenta, field_momenta, from_outside

if TYPE_CHECKING:
    from .margins import Margins

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]

NEUTRAL = 1e-10  # distance from |z| = 1 within which a pole may belong to a constant, given rounding
UNREACHED = 1e-11  # singular value below which a direction neither changes by itself nor by a command
ROUNDING = 1e-12  # distance from |z| = 1 within which a computed single pole counts as constant


class SampledLoop:
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
    inputs, outputs, states : tuple of str
        Names of the torque components, of the law's measurements, and of the plant states.
    scale : float
        Torque in N m per internal unit.
    T : numpy.ndarray
        Plant state per internal unit.
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

    def __init__(
        self,
        model: LinearModel,
        compensator: Compensator,
        *,
        measured: Sequence[str] = (),
        sample: float,
        delay: float,
        attitude: bool = True,
        blocks: Sequence[Block] = (),
        of_momentum: tuple[Array, Array] | None = None,
        scale: float | None = None,
        total_momentum: bool = False,
        constants: bool = False,
    ) -> None:
        self._given = {
            "total_momentum": total_momentum,
            "constants": constants,
            "model": model,
            "compensator": compensator,
            "measured": measured,
            "sample": sample,
            "delay": delay,
            "attitude": attitude,
            "blocks": blocks,
            "of_momentum": of_momentum,
        }
        around = linear_blocks(model, blocks, sample=sample) if blocks else None
        into, straight = compensator.B, compensator.D
        if around is not None and of_momentum is not None and any(around.rewrites(name) for name in (RATE, "momentum")):
            into, straight = (
                _apart(both, part, model) for both, part in zip((into, straight), of_momentum, strict=True)
            )
            measured = (*ATTITUDE_STATES[3:], *measured)
        self._looks = looks = bool(straight[:, :3].any() or into[:, :3].any())
        inner = acting_model(
            model,
            seen=(*measured, *(() if around is None else around.read)),
            total_momentum=total_momentum,
            constants=constants,
            attitude=looks,
        )
        self.sample = sample
        self.delay = delay
        self.inputs = tuple(inner.inputs)
        self.outputs = (*(f"attitude_error_{axis}" for axis in "xyz"), *(f"rate_{axis}" for axis in "xyz"), *measured)
        self.states = inner.states
        a, b, T, scale = scaled(inner, scale)
        self.scale = scale
        seen = measurement(inner, measured) * T
        held = bool(attitude or looks or a[3:, :3].any())
        read = around is not None and ATTITUDE in around.read
        self._free = False  # a block measures an attitude that is not part of the loop
        if read and not held:
            whole = SampledLoop(
                model,
                compensator,
                measured=measured,
                sample=sample,
                delay=delay,
                blocks=blocks,
                of_momentum=of_momentum,
                scale=scale,
                total_momentum=total_momentum,
                constants=constants,
            )
            self._free = whole.turns_freely
        self.attitude = held or (read and not self._free)
        first = 0 if self.attitude else 3
        self._A, self._B, self.C, self.T = a[first:, first:], b[first:], seen[first:, first:], T[first:]
        on_body = [name in ATTITUDE_STATES for name in self.states[first:]]
        self._outside = np.where(np.array(on_body)[:, None], self._B, 0.0)
        self.states, self.outputs = self.states[first:], self.outputs[first:]
        self._law = compensator.A, into[:, first:], compensator.C / scale, straight[:, first:] / scale
        self.repeats, self.taken_up, self.words = 1, (), model.left_out
        self._lifted: Lifted | None = None
        self._opened: tuple[tuple[float, ...], Opened] | None = None
        self._made_of = model, inner, a, b, seen, T, tuple(measured)
        behind = False
        if around is not None:
            self.repeats, self.words = around.repeats, (*model.left_out, *around.words)
            self.taken_up = around.taken_up(sample)
            behind = around.routes.command.by != LAW
            self._lifted = self._lift(around)
        remembered = commands_remembered(compensator)
        self._remembered = remembered if remembered <= commands_under_way(sample, delay) and not behind else 0

    def left_in_wheels(self, poles: Complex) -> str:
        """Return the explanation for a loop that is unstable because its wheels absorb momentum from a field.

        Parameters
        ----------
        poles : numpy.ndarray
            Poles of the loop, largest modulus first.

        Returns
        -------
        str
            Clause for an error message; empty if the loop is stable or unstable for a different reason.
        """
        model: LinearModel = self._made_of[0]
        pole = complex(poles[0])
        if abs(pole) < 1.0 - NEUTRAL or not self._looks or not field_momenta(model, self.states):
            return ""
        names = ", ".join(model.states[n].removesuffix("_momentum") for n in driven_momenta(model))
        why = (
            f"the wheels ({names}) take up the momentum of a field that turns the craft, their friction acts on it, and"
        )
        if abs(pole) < 1.0 + NEUTRAL:
            return (
                f"a closed-loop pole lies at z = 1: {why} integral action holds the attitude at any momentum; take a "
                "law without integral action, or a torque from outside"
            )
        given = {**self._given, "model": from_outside(model), "scale": self.scale}
        if SampledLoop(**given).radius() >= 1.0 - ROUNDING:  # pyright: ignore[reportArgumentType] # as they were given
            return ""
        return f"a closed-loop pole lies at z = {pole:.6g}: {why} no gain holds it; take a torque from outside"

    def in_units_of(self, scale: float) -> "SampledLoop":
        """Return the loop with a different internal torque unit, to compare loops of several spacecraft.

        Parameters
        ----------
        scale : float
            New unit, N m.

        Returns
        -------
        SampledLoop
            The loop, with the same poles and margins.
        """
        return SampledLoop(**self._given, scale=scale)  # pyright: ignore[reportArgumentType] # as they were given

    def with_total_momentum(self) -> "SampledLoop":
        """Return the loop whose total momentum may deviate, as under an external torque.

        Wheel torque does not change the total momentum. If the total momentum acts on the attitude through wheel
        friction, its deviation adds a pole at z = 1 that no law can move.

        Returns
        -------
        SampledLoop
            The loop whose states include all wheel momenta that act on the attitude; this loop if they already do.
        """
        return self._with_momenta(constants=False)

    def with_start_momenta(self) -> "SampledLoop":
        """Return the loop in which every momentum that acts on the attitude may deviate at the start.

        In addition to the states of `with_total_momentum`, it includes the momentum of each wheel without friction or
        torque. The deviation of such a momentum is a constant of the motion that still rotates the spacecraft.

        Returns
        -------
        SampledLoop
            The loop whose states include these momenta; this loop if there are none.
        """
        return self._with_momenta(constants=True)

    def _with_momenta(self, *, constants: bool) -> "SampledLoop":
        given = {**self._given, "total_momentum": True, "constants": constants, "scale": self.scale}
        whole = SampledLoop(**given)  # pyright: ignore[reportArgumentType] # as they were given
        return self if whole.states == self.states else whole

    def _lift(self, around: LinearBlocks) -> Lifted:
        _, inner, a, b, seen, T, measured = self._made_of
        low = 0 if self.attitude or self._free else 3
        names = [name for name in around.routes.law_reads if name not in (ATTITUDE, RATE, "momentum")]
        rows = shows(inner, seen, names, T)
        sees = [(ATTITUDE, error_of(inner.operating_point[3:7]))] * self.attitude + [(RATE, np.eye(3))]
        return Lifted(
            A=a[low:, low:],
            B=b[low:],
            outside=np.where(np.array([name in ATTITUDE_STATES for name in inner.states[low:]])[:, None], b[low:], 0.0),
            shows={name: row[:, low:] for name, row in rows.items()},
            sees=[*sees, *(_signal(name) for name in measured)],
            scale=self.scale,
            sample=self.sample,
            delay=self.delay,
            blocks=around.blocks,
            forms=around.forms,
            routes=around.routes,
            repeats=around.repeats,
        )

    def matrices(self, late: Sequence[float] = (0.0, 0.0, 0.0)) -> tuple[Array, Array, Array]:
        """Return the matrices of the loop opened at the plant inputs.

        Parameters
        ----------
        late : sequence of float, length 3
            Additional delay of each input, s; the law does not model it.

        Returns
        -------
        tuple of numpy.ndarray
            F, G, K of s[k+1] = F s + G w and u = -K s.
        """
        F, G, N, Ks, Ky, C, _ = self.parts(late)
        return F + N @ C, G, -Ks - Ky @ C

    def parts(self, late: Sequence[float] = (0.0, 0.0, 0.0)) -> LoopParts:
        """Return the loop opened at plant inputs and outputs.

        Parameters
        ----------
        late : sequence of float, length 3
            Additional delay of each input, s.

        Returns
        -------
        LoopParts
            The matrices; the law measures attitude error, rate and the states in `measured`.
        """
        F, G, shown, P = self._plant(late)
        a, b, c, d = self._law
        plant = len(F)
        size = plant + len(a)
        whole = np.zeros((size, size))
        whole[:plant, :plant] = F
        whole[plant:, plant:] = a
        enter, push = np.zeros((size, 3)), np.zeros((size, 3))
        enter[:plant], push[:plant] = G, P
        C = np.zeros((len(shown), size))
        C[:, :plant] = shown
        Ks = np.zeros((3, size))
        Ks[:, plant:] = c
        N = np.zeros((size, len(shown)))
        N[plant:] = b
        return LoopParts(whole, enter, N, Ks, d, C, push)

    def _plant(self, late: Sequence[float]) -> LiftedParts:
        """Return plant, delays and blocks as a lifted system without the law."""
        return self._in_time if not any(late) else self._plant_late(late)

    @cached_property
    def _in_time(self) -> LiftedParts:
        return self._plant_late((0.0, 0.0, 0.0))

    def _plant_late(self, late: Sequence[float]) -> LiftedParts:
        if self.repeats > 1:
            raise DesignError(
                f"law and blocks have a common sample only after {self.repeats} samples of the law, so the loop has no "
                "matrices, "
                "no response to one frequency and no proven margins at the law's rate; its poles and margins are found "
                "over that time"
            )
        if self._lifted is not None:
            found = self._lifted.parts(late)
            return parts_beside(found, self._turns(found.F, found.C)) if self._free else found
        F, G = sampled_plant(self._A, self._B, sample=self.sample, delays=[self.delay + extra for extra in late])
        shown, push = np.zeros((len(self.C), len(F))), np.zeros((len(F), 3))
        n = len(self._A)
        shown[:, :n], push[:n] = self.C, hold(self._A, self._outside, duration=self.sample)[1]
        return LiftedParts(F, G, shown, push)

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
        """True if all poles are inside the unit circle by more than rounding.

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

    def _monodromy(self, late: Sequence[float], factor: NDArray[Any]) -> NDArray[Any]:
        opened = self.opened(late)
        found = opened.monodromy(self._law, factor)
        if not self._free:
            return found
        still = opened.monodromy(self._law, np.ones(3))  # a rotation that the law does not measure causes no command
        return without_attitude(found, self._turns(still, still[:0]))

    def _turns(self, F: Array, C: Array) -> Array:
        """Return the block states that belong to a common rotation, which is not part of the loop."""
        M = turns_with(F, C)
        assert M is not None  # noqa: S101 # it exists without extra delay, which does not affect rotations
        return M

    @property
    def turns_freely(self) -> bool:
        """True if a common rotation of spacecraft and blocks persists and changes no measurement of the law."""
        none = (0.0, 0.0, 0.0)
        if self._lifted is None:
            return False
        if self.repeats > 1:
            found = self._monodromy(none, np.ones(3))
            return turns_with(found, found[:0]) is not None
        parts = self._lifted.parts(none)
        _, b, _, d = self._law
        return turns_with(parts.F, np.vstack((b, d)) @ parts.C) is not None

    def opened(self, late: Sequence[float] = (0.0, 0.0, 0.0)) -> Opened:
        """Return the loop opened at each sample of the law over the common period, from a cache.

        Parameters
        ----------
        late : sequence of float, length 3
            Additional delay of each input, s.

        Returns
        -------
        Opened
            The opened loop, without the law.
        """
        assert self._lifted is not None  # noqa: S101 # without blocks the common period is one sample
        key = tuple(float(each) for each in late)
        if self._opened is None or self._opened[0] != key:
            self._opened = key, self._lifted.opened(late)
        return self._opened[1]

    @one_thread
    def lifted_cut(self) -> LiftedCut:
        """Return the loop over `repeats` samples, opened at torque commands and at measurements.

        Returns
        -------
        LiftedCut
            Signals sample by sample; torques in units of the mean inertia.
        """
        found = self.opened().cut(self._law)
        if not self._free:
            return found
        M = self._turns(found.F, found.C)
        return found._replace(
            F=without_attitude(found.F, M),
            G=found.G[TURN:] - M @ found.G[:TURN],
            N=found.N[TURN:] - M @ found.N[:TURN],
            K=found.K[:, TURN:],
            C=found.C[:, TURN:],
        )

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
            return self._lift(linear_blocks(self._made_of[0], (), sample=self.sample))
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


def _apart(both: Array, part: Array, model: LinearModel) -> Array:
    """Return the law's gain with the momentum of a rigid spacecraft as a separate input, after the rate."""
    return np.hstack((both[:, :3], both[:, 3:6] - part @ model.inertia, part, both[:, 6:]))


def _signal(state: str) -> tuple[str, Array]:
    """Return the signal that contains a measured state, and the row that selects it."""
    if state in ATTITUDE_STATES[3:]:
        return "momentum", np.eye(3)[[ATTITUDE_STATES[3:].index(state)]]
    return state, np.eye(1)
