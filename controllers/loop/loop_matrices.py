"""Matrices of a sampled loop: plant, pending commands, blocks and law, closed or broken."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Self

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
from .free_attitude import TURN, parts_beside, turns_with, without_attitude
from .lifted import Lifted, LiftedCut, LiftedParts, Opened
from .linear_blocks import LinearBlocks, error_of, linear_blocks, shows
from .loop_parts import LoopParts
from .routes import ATTITUDE, LAW, RATE
from .sampled_plant import commands_under_way, hold, sampled_plant

Array = NDArray[np.float64]


MEASURED = tuple(f"{signal}_{axis}" for signal in ("attitude_error", "rate") for axis in "xyz")
"""Measurements of every law."""


class LoopMatrices:
    """Matrices of a `SampledLoop`, which has the same arguments and attributes."""

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
        self.model = model
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
        if around is not None and of_momentum is not None and (around.rewrites(RATE) or around.rewrites("momentum")):
            into, straight = _apart(into, of_momentum[0], model), _apart(straight, of_momentum[1], model)
            measured = (*ATTITUDE_STATES[3:], *measured)
        self.uses_attitude = looks = bool(straight[:, :3].any() or into[:, :3].any())
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
        self.outputs = (*MEASURED, *measured)
        self.states = inner.states
        a, b, T, scale = scaled(inner, scale)
        self.scale = scale
        seen = measurement(inner, measured) * T
        held = bool(attitude or looks or a[3:, :3].any())
        read = around is not None and ATTITUDE in around.read
        self._free = False  # a block measures an attitude that is not part of the loop
        if read and not held:
            given = {**self._given, "measured": measured, "attitude": True, "scale": scale}
            self._free = type(self)(**given).turns_freely  # pyright: ignore[reportArgumentType] # as they were given
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
        self._made_of = inner, a, b, seen, T, tuple(measured)
        behind = False
        if around is not None:
            self.repeats, self.words = around.repeats, (*model.left_out, *around.words)
            self.taken_up = around.taken_up(sample)
            behind = around.routes.command.by != LAW
            self._lifted = self._lift(around)
        remembered = commands_remembered(compensator)
        self._remembered = remembered if remembered <= commands_under_way(sample, delay) and not behind else 0

    def in_units_of(self, scale: float) -> Self:
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
        return type(self)(**self._given, scale=scale)  # pyright: ignore[reportArgumentType] # as they were given

    def with_model(self, model: LinearModel) -> Self:
        """Return the same loop about a different linear model of the plant, in the same units."""
        given = {**self._given, "model": model, "scale": self.scale}
        return type(self)(**given)  # pyright: ignore[reportArgumentType] # as they were given

    def with_total_momentum(self) -> Self:
        """Return the loop whose total momentum may deviate, as under an external torque.

        Wheel torque does not change the total momentum. If the total momentum acts on the attitude through wheel
        friction, its deviation adds a pole at z = 1 that no law can move.

        Returns
        -------
        SampledLoop
            The loop whose states include all wheel momenta that act on the attitude; this loop if they already do.
        """
        return self._with_momenta(constants=False)

    def with_start_momenta(self) -> Self:
        """Return the loop in which every momentum that acts on the attitude may deviate at the start.

        In addition to the states of `with_total_momentum`, it includes the momentum of each wheel without friction or
        torque. The deviation of such a momentum is constant, but still rotates the spacecraft.

        Returns
        -------
        SampledLoop
            The loop whose states include these momenta; this loop if there are none.
        """
        return self._with_momenta(constants=True)

    def _with_momenta(self, *, constants: bool) -> Self:
        given = {**self._given, "total_momentum": True, "constants": constants, "scale": self.scale}
        whole = type(self)(**given)  # pyright: ignore[reportArgumentType] # as they were given
        return self if whole.states == self.states else whole

    def _lift(self, around: LinearBlocks) -> Lifted:
        inner, a, b, seen, T, measured = self._made_of
        low = 0 if self.attitude or self._free else 3
        signals = dict.fromkeys((*around.routes.law_reads, *around.read))
        names = [name for name in signals if name not in (ATTITUDE, RATE, "momentum")]
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
        """Return the matrices of the loop broken at the plant inputs.

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
        """Return the loop broken at plant inputs and outputs.

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
        """Return the loop broken at each sample of the law over the common period, from a cache.

        Parameters
        ----------
        late : sequence of float, length 3
            Additional delay of each input, s.

        Returns
        -------
        Opened
            The open loop, without the law.
        """
        assert self._lifted is not None  # noqa: S101 # without blocks the common period is one sample
        key = tuple(float(each) for each in late)
        if self._opened is None or self._opened[0] != key:
            self._opened = key, self._lifted.opened(late)
        return self._opened[1]

    @one_thread
    def lifted_cut(self) -> LiftedCut:
        """Return the loop over `repeats` samples, broken at torque commands and at measurements.

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


def _apart(both: Array, part: Array, model: LinearModel) -> Array:
    """Return the law's gain with the momentum of a rigid spacecraft as a separate input, after the rate."""
    return np.hstack((both[:, :3], both[:, 3:6] - part @ model.inertia, part, both[:, 6:]))


def _signal(state: str) -> tuple[str, Array]:
    """Return the signal that contains a measured state, and the row that selects it."""
    if state in ATTITUDE_STATES[3:]:
        return "momentum", np.eye(3)[[ATTITUDE_STATES[3:].index(state)]]
    return state, np.eye(1)
