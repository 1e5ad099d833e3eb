"""Margins of a fixed law as functions of a plant parameter, such as inertia, delay or spin rate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...controllers import Block, Law, Margins
from ...controllers.contracts.law_defaults import with_defaults
from ...controllers.loop.sampled_loop import SampledLoop
from ...plant import LinearModel, RigidBody, Spacecraft
from ...plant.brief import brief
from ...plant.checks import numbers, vector
from ...plant.errors import DesignError, InputError
from ...plant.frozen import frozen_arrays

Array = NDArray[np.float64]


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class MarginSweep:
    """Margins of a fixed law as functions of a plant parameter.

    Parameters
    ----------
    words : str
        Name of the swept parameter.
    unit : str
        Unit of the parameter.
    values : numpy.ndarray, shape (n,)
        Values of the parameter.
    margins : tuple of Margins or None, length n
        Margins at each value; None where the loop is not stable.
    largest_pole : numpy.ndarray, shape (n,)
        Largest modulus of the closed-loop poles in the z-plane.
    """

    words: str
    unit: str
    values: Array
    margins: tuple[Margins | None, ...]
    largest_pole: Array

    __repr__ = brief

    def column(self, key: str) -> Array:
        """Return a single-input margin over the sweep.

        Parameters
        ----------
        key : str
            An attribute of `AxisMargins`, such as "gain_up_dB", "phase_deg", "delay_s" or "disk".

        Returns
        -------
        numpy.ndarray, shape (n, 3)
            One column for each plant input; NaN where the loop is not stable.
        """
        blank = (np.nan,) * 3
        rows = [blank if m is None else [getattr(axis, key) for axis in m.axes] for m in self.margins]
        return np.array(rows, dtype=np.float64)

    def together(self, key: str) -> Array:
        """Return a margin for a common change of all inputs over the sweep.

        Parameters
        ----------
        key : str
            An attribute of `Margins`: "gain_up_dB", "gain_down_dB", "phase_deg" or "delay_s".

        Returns
        -------
        numpy.ndarray, shape (n,)
            The margin; NaN where the loop is not stable.
        """
        return np.array([np.nan if m is None else getattr(m, key) for m in self.margins], dtype=np.float64)

    def to_dict(self) -> dict[str, Any]:
        """Return the results as plain values for JSON.

        Returns
        -------
        dict
            The values, and the margins at each value; None where the loop is not stable.
        """
        found = [None if m is None else {k: v for k, v in m.to_dict().items() if "pole" not in k} for m in self.margins]
        return {
            "swept": self.words,
            "unit": self.unit,
            "values": self.values.tolist(),
            "largest_pole": self.largest_pole.tolist(),
            "margins": found,
        }


def margin_sweep(build: Callable[[float], SampledLoop], values: ArrayLike, *, words: str, unit: str) -> MarginSweep:
    """Return the margins of a loop as functions of a parameter.

    Parameters
    ----------
    build : callable
        `build(value)` returns the loop for a value of the parameter, for instance `law.loop(model)`.
    values : array_like, shape (n,)
        The values of the parameter.
    words : str
        Name of the parameter.
    unit : str
        Unit of the parameter.

    Returns
    -------
    MarginSweep
        Margins where the loop is stable, and the largest pole at every value.

    Raises
    ------
    InputError
        When the values are not finite numbers, or there are none.

    Examples
    --------
    >>> from polhode import controllers, plant
    >>> craft = plant.Spacecraft(plant.RigidBody((100.0, 80.0, 60.0)))
    >>> model = craft.linearize(craft.at_rest())
    >>> law = controllers.lqr(model, attitude=25.0, rate=1.0, effort=1.0, sample=0.1)
    >>> sweep = inertia_sweep(craft, law, factors=(0.01, 1.0, 4.0))
    >>> [margins is not None for margins in sweep.margins]
    [False, True, True]
    """
    at = numbers(words, values, unit).ravel()
    if not at.size:
        raise InputError(f"give at least one value of the {words}")
    margins: list[Margins | None] = []
    largest: list[float] = []
    for value in at:
        loop = build(float(value))
        largest.append(float(abs(loop.poles()[0])))
        margins.append(loop.margins() if largest[-1] < 1.0 else None)
    return MarginSweep(words=words, unit=unit, values=at, margins=tuple(margins), largest_pole=np.array(largest))


def inertia_sweep(
    craft: Spacecraft, law: Law, *, factors: ArrayLike, state: ArrayLike | None = None, blocks: Sequence[Block] = ()
) -> MarginSweep:
    """Return the margins of a law as functions of a factor on the inertia of the spacecraft body.

    Parameters
    ----------
    craft : Spacecraft
        The spacecraft at factor 1.
    law : Law
        The fixed law.
    factors : array_like, shape (n,)
        Factors on the inertia of the body about the mass centre, and on the mass if it is given; elements are
        unchanged.
    state : array_like, optional
        The operating point at factor 1; its attitude and rate are used for all factors. By default rest in
        (1, 0, 0, 0).
    blocks : sequence of Block
        Blocks in addition to the law.

    Returns
    -------
    MarginSweep
        The margins over the factor.

    Raises
    ------
    InputError
        When a factor is not positive.
    DesignError
        When the law has no linear loop.
    """
    at = craft.at_rest() if state is None else vector("state", state, craft.layout.size)
    rate = craft.rate(at)

    def build(factor: float) -> SampledLoop:
        if factor <= 0.0:
            raise InputError(f"the factor on the inertia must be positive; got {factor:g}")
        body = craft.body
        mass = None if body.mass is None else factor * body.mass
        other = Spacecraft(
            RigidBody(factor * body.central_inertia, mass=mass, pivot=body.pivot),
            torques=craft.torques,
            elements=craft.elements,
            potentials=craft.potentials,
            user_forces=craft.user_forces,
            translation=craft.translation,
        )
        return with_defaults(law).loop(_model(other, rate, attitude=at[3:7]), blocks=blocks)

    return margin_sweep(build, factors, words="inertia relative to the design", unit="")


def delay_sweep(model: LinearModel, law: Law, *, delays: ArrayLike, blocks: Sequence[Block] = ()) -> MarginSweep:
    """Return the margins of a law as functions of the delay of its commands.

    Parameters
    ----------
    model : LinearModel
        The plant.
    law : Law
        The fixed law.
    delays : array_like, shape (n,)
        Time from a sample until its command reaches the plant, s; this replaces the delay of the law.
    blocks : sequence of Block
        Blocks in addition to the law.

    Returns
    -------
    MarginSweep
        The margins over the delay.

    Raises
    ------
    InputError
        When a delay is negative.
    DesignError
        When the law has no linear loop.
    """
    return margin_sweep(
        lambda delay: with_defaults(law).loop(model, delay=delay, blocks=blocks), delays, words="delay", unit="s"
    )


def spin_sweep(craft: Spacecraft, law: Law, *, axis: ArrayLike, rates: ArrayLike) -> MarginSweep:
    """Return the margins of a law as functions of the rate of a steady spin about an axis.

    Parameters
    ----------
    craft : Spacecraft
        The spacecraft; the axis must permit a torque-free steady spin.
    law : Law
        The fixed law.
    axis : array_like, shape (3,)
        Spin axis, body components.
    rates : array_like, shape (n,)
        Spin rates, rad/s.

    Returns
    -------
    MarginSweep
        The margins over the spin rate.

    Raises
    ------
    InputError
        When the axis is zero.
    DesignError
        When the law has no linear loop, or uses a torque basis that does not rotate with the body.
    """
    along = vector("axis", axis)
    length = float(np.linalg.norm(along))
    if length <= 0.0:
        raise InputError("the spin axis must not be zero")
    if craft.torques.name != "body":
        raise DesignError(
            "in a steady spin the torque basis must rotate with the body; use a spacecraft with the body basis"
        )

    def build(rate: float) -> SampledLoop:
        return with_defaults(law).loop(_model(craft, rate * along / length, attitude=(1.0, 0.0, 0.0, 0.0)))

    return margin_sweep(build, rates, words="spin rate", unit="rad/s")


def _model(craft: Spacecraft, rate: Array, *, attitude: ArrayLike) -> LinearModel:
    if not rate.any():
        return craft.linearize(craft.at_rest(attitude))
    return craft.linearize(craft.spinning(rate, attitude=attitude))
