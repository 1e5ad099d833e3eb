"""Result of a run: named quantities, labelled arrays, files, figures."""

from collections.abc import Generator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...controllers import Block, Law, Reference
from ...controllers.loop.routes import commands_of
from ...plant import Spacecraft
from ...plant.attitude import rotation_matrix
from ...plant.checks import choice
from ...plant.elements.signal import Signal, element_signal_table
from ...plant.errors import InputError
from ...plant.formulations.view import View
from ...plant.frozen import frozen_results
from ...plant.hub.parameters import LEDGER_SIZE
from ..engine.constant_mass_rows import velocities_of_rows
from ..engine.observe import WIDTH
from ..engine.observed import Observed
from ..engine.steppers.scheme import Scheme
from .block_quantities import BlockQuantity, block_quantities
from .ending import Ending
from .invariants import energy_before, energy_scale, invariants, momentum_scale
from .quantities import QUANTITIES, XYZ, Quantity, RunQuantity
from .recorded import Recorded, Table
from .run_kind import kind_of
from .signal_quantities import SignalQuantity, signal_quantities

Array = NDArray[np.float64]


@lru_cache(maxsize=64)  # most runs of a campaign start in the same attitude
def _rotation_of(attitude: bytes) -> Array:
    """Return the rotation matrix for Euler parameters given as bytes."""
    return rotation_matrix(np.frombuffer(attitude))


@frozen_results
@dataclass(frozen=True, eq=False, kw_only=True)
class Run:
    """Results of a simulation.

    Parameters
    ----------
    craft : Spacecraft
        The plant.
    law : Law or None
        The law.
    reference : Reference or None
        The reference of the law.
    scheme : Scheme
        Integrator, step and tolerance.
    t : numpy.ndarray, shape (n,)
        Times of the rows, s.
    states : numpy.ndarray, shape (n, nx)
        State vectors, followed by the ledger if there is one.
    inputs : numpy.ndarray, shape (n, nu)
        Control torque components (3), then gate and components of a second control torque, if any, then those of each
        scheduled torque. Each row of inputs acts from its time onwards.
    observed : Observed
        Quantities derived from states and inputs, computed on first use: see `observables`.
    start : numpy.ndarray, shape (nx,)
        State vector at t = 0, with a ledger of zeros if there is one. Every balance starts from this state, even if the
        first row is later.
    ledger : bool
        Whether work and impulse were integrated.
    end_report : Ending
        Status, reason, warnings and counters of the engine: see `ended`.
    recorded : Recorded or None
        The file that contains the rows, if any; quantities are read on first use.
    blocks : tuple of Block
        Blocks of the run in addition to the law.
    seed : int or None
        Seed of the random numbers of the blocks.
    number : int
        Number of the run among those with the same seed: `simulate(..., run_index=number)`.
    formulation : View or None
        Formulation of the integrated states, if these differ from `states`, which are then converted.
    own : numpy.ndarray, shape (n, k), or None
        States of the formulation.
    block_signals : numpy.ndarray, shape (n, 3 + k), or None
        Outputs of the law and of all blocks. Each row holds from its time onwards.
    """

    craft: Spacecraft
    law: Law | None
    reference: Reference | None
    scheme: Scheme
    t: Array
    states: Array
    inputs: Array
    observed: Observed
    start: Array
    ledger: bool
    end_report: Ending
    recorded: Recorded | None = None
    blocks: tuple[Block, ...] = ()
    seed: int | None = None
    number: int = 0
    formulation: View | None = None
    own: Array | None = None
    block_signals: Array | None = None

    def __repr__(self) -> str:
        """Return one line with status, time span, law and number of quantities."""
        law = "no law" if self.law is None else type(self.law).__name__
        if self.recorded is not None:
            law = self.recorded.attributes["law"] or law
        span = f"{self.t[0]:g} to {self.t[-1]:g} s in {len(self.t)} rows"
        return f"<Run {self.status}: {span}, {law}, {len(self.names)} quantities>"

    def _repr_html_(self) -> str:
        """Return HTML for a notebook."""
        from .notebook_views import run_html

        return run_html(self)

    @property
    def observables(self) -> Array:
        """Quantities computed from states and inputs, (n, 18 + 3 signals): see `polhode.sim.engine.observe`."""
        return self.observed.table

    @cached_property
    def ended(self) -> Ending:
        """Status, reason, warnings and counters; non-finite results turn "completed" into "failed"."""
        if self.end_report.looked or self.end_report.status != "completed" or not self.observed.fault:
            return self.end_report
        return replace(self.end_report, status="failed", reason=self.observed.fault)

    @property
    def status(self) -> str:
        """Status at the end: "completed", "singular", "failed" or "stopped"."""
        return self.ended.status

    @property
    def reason(self) -> str:
        """Reason for an early end, as a sentence; empty for a completed run."""
        return self.ended.reason

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """Warnings about the run, computed on first use."""
        if self.ended.looked:
            return self.ended.warnings
        if self.law is None:
            return self._warned
        from .law_warnings import law_warnings

        return (*self._warned, *law_warnings(self))

    @cached_property
    def warned(self) -> int:
        """Number of warnings, which is computed faster than the messages."""
        if self.ended.looked:
            return len(self.ended.warnings)
        if self.law is None:
            return len(self._warned)
        from .law_warnings import law_warned

        return len(self._warned) + law_warned(self)

    @cached_property
    def _warned(self) -> tuple[str, ...]:
        """Warnings except those on the law."""
        from .run_warnings import run_warnings

        notes = [] if self.formulation is None or not self.formulation.words() else [self.formulation.words()]
        return (*notes, *self.ended.warnings, *run_warnings(self))

    @property
    def counters(self) -> dict[str, float]:
        """Counters of the engine, such as steps, rejected steps, samples; see `Ending`."""
        return self.end_report.counters

    @property
    def x(self) -> Array:
        """States without the ledger, shape (n, nx), for example (n, 7) or (n, 13)."""
        size = self.states.shape[1] - (LEDGER_SIZE if self.ledger else 0)
        states: Any = self.states
        left: Any = states.left(size) if isinstance(states, Table) else states[:, :size]
        return left

    @property
    def about(self) -> Mapping[str, Any]:
        """Attributes of the file of the run: version of polhode, date, command, platform, case and more."""
        from .labelled import about

        return about(self)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the quantities of this run."""
        if self.recorded is not None:
            return self.recorded.names
        return (*kind_of(self).names, *self._element_signals, *self.written)

    @cached_property
    def signals(self) -> tuple[tuple[str, Signal], ...]:
        """Signals of the elements in the order of the columns: (name of the element, signal)."""
        return element_signal_table(self.craft.elements)

    @cached_property
    def written(self) -> dict[str, BlockQuantity]:
        """Block outputs by name of the quantity: see `simulate`."""
        return block_quantities(
            self.craft, self.blocks, commands=commands_of(self.law), taken=(*QUANTITIES, *self._element_signals)
        )

    @property
    def end_time(self) -> float:
        """Time at which the run ended, s; the rows may end earlier, with `output_times` only."""
        return self.counters.get("end_time", float(self.t[-1]))

    @cached_property
    def estimate(self) -> str | None:
        """Name of the attitude estimate that the last attitude estimator writes; None if there is none."""
        found = [
            name
            for name, made in self.written.items()
            if made.by >= 0 and self.blocks[made.by].attitude_estimate == made.signal
        ]
        return found[-1] if found else None

    @cached_property
    def _element_signals(self) -> dict[str, SignalQuantity]:
        return signal_quantities(self.craft.elements)

    @cached_property
    def _name_set(self) -> frozenset[str]:
        """Names of the quantities of this run as a set, for fast checks."""
        return frozenset(self.names)

    def quantity(self, name: str) -> Quantity:
        """Return the description of a quantity.

        Parameters
        ----------
        name : str
            One of `names`.

        Returns
        -------
        Quantity
            The description. A signal of elements has one or more components per element with this signal.
        """
        if name in QUANTITIES:
            return QUANTITIES[name]
        if name in self.written:
            made = self.written[name]
            return Quantity(components=made.components, unit=made.unit, frame=made.frame, words=made.words, held=True)
        signal = self._element_signals[name]
        return Quantity(components=signal.labels, unit=signal.unit, frame="", words=signal.words)

    def labels(self, name: str) -> tuple[str, ...]:
        """Return the meanings of the integer values of a quantity, such as names of modes.

        Parameters
        ----------
        name : str
            One of `names`.

        Returns
        -------
        tuple of str
            Meanings of 0, 1, ...; empty for plain numbers.
        """
        if self.recorded is not None:
            return self.recorded.labels(name)
        return self.written[name].labels if name in self.written else ()

    def axes(self, name: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Return the dimensions of a quantity other than time.

        Parameters
        ----------
        name : str
            One of `names`.

        Returns
        -------
        tuple of (str, tuple of str)
            Name of each dimension and the labels along the dimension.
        """
        from .labelled import axis_of

        if self.recorded is None and name in self._element_signals:
            return self._element_signals[name].axes
        components, _ = self.components(name)
        return ((axis_of(name, components), components),) if components else ()

    def components(self, name: str) -> tuple[tuple[str, ...], str]:
        """Return the components of a quantity and its unit.

        Parameters
        ----------
        name : str
            One of `names`.

        Returns
        -------
        components : tuple of str
            Names of the components; empty for a scalar.
        unit : str
            Unit of the quantity. Different units of components are separated by commas.
        """
        if self.recorded is not None:
            return self.recorded.components(name)
        quantity = self.quantity(name)
        if isinstance(quantity, RunQuantity) and quantity.labels is not None:
            return quantity.labels(self)
        if quantity.frame == "torque basis" and self.craft.torques.sequence is None:
            return XYZ, quantity.unit  # axes are x, y, z; the vectors of Euler bases are 1, 2, 3
        return quantity.components, quantity.unit

    def values(self, name: str) -> Array:
        """Return a quantity as a plain array.

        Parameters
        ----------
        name : str
            One of `names`.

        Returns
        -------
        numpy.ndarray, shape (n,), (n, components) or (n, elements, components)
            Values in SI units and radians.

        Raises
        ------
        InputError
            When the quantity is unknown, or not available in this run.
        """
        if name not in self._name_set:
            choice("quantity", name, dict.fromkeys((*QUANTITIES, *self.names)))
            raise InputError(f"{name!r} is not in this run: it {QUANTITIES[name].needs}")
        if self.recorded is not None:
            return self.recorded.values(name)
        if name in self.written:
            made: Any = self.block_signals
            return self.written[name].of(made)
        if name in self._element_signals:
            return self._element_signals[name].of(self.observables[:, WIDTH:])
        if name == "rate":
            return self._rate
        if name == "knowledge_error":
            return self._knowledge_error
        if name == "internal_rate":
            return self._internal_rate
        return QUANTITIES[name].read(self)

    def pieces(self, name: str) -> Generator[Array]:
        """Yield a quantity as `values` returns it, in chunks of rows if it is read from a file.

        Parameters
        ----------
        name : str
            One of `names`.

        Yields
        ------
        numpy.ndarray
            The rows, in order.
        """
        if self.recorded is not None and name in self._name_set:
            yield from self.recorded.pieces(name)
        else:
            yield self.values(name)

    @cached_property
    def _knowledge_error(self) -> Array:
        """Values of the quantity "knowledge_error", cached and read-only."""
        found = QUANTITIES["knowledge_error"].read(self)
        found.flags.writeable = False
        return found

    @cached_property
    def _rate(self) -> Array:
        """Values of the quantity "rate", cached, read-only and contiguous."""
        found = np.ascontiguousarray(QUANTITIES["rate"].read(self))
        found.flags.writeable = False
        return found

    @cached_property
    def _internal_rate(self) -> Array:
        """Values of the quantity "internal_rate", cached and read-only."""
        found = QUANTITIES["internal_rate"].read(self)
        found.flags.writeable = False
        return found

    @property
    def velocities(self) -> Array | None:
        """Body rate and internal rates, shape (n, 3 + k); None if the mass matrix is not constant."""
        return None if self._motion is None else self._motion[0]

    @property
    def kinetic_energies(self) -> Array | None:
        """Kinetic energy of rotation and elements, shape (n,), J; None if the mass matrix is not constant."""
        return None if self._motion is None else self._motion[1]

    @cached_property
    def _motion(self) -> tuple[Array, Array] | None:
        """Velocities and kinetic energies, cached and read-only."""
        found = velocities_of_rows(self.craft, np.asarray(self.states))
        for each in found or ():
            each.flags.writeable = False
        return found

    @cached_property
    def energy_before(self) -> float:
        """Energy at t = 0, J."""
        return energy_before(self)

    @cached_property
    def momentum_before(self) -> Array:
        """Inertial components of the angular momentum at t = 0, shape (3,), N m s."""
        return _rotation_of(self.start[3:7].tobytes()) @ self.start[:3]

    def __getitem__(self, name: str) -> Any:
        """Return a quantity as a labelled array.

        Parameters
        ----------
        name : str
            One of `names`.

        Returns
        -------
        xarray.DataArray
            The quantity over time and components, with unit and frame in the attributes.
        """
        from .labelled import data_array

        return data_array(self, name)

    def to_dataset(self) -> Any:
        """Return all quantities as one labelled dataset.

        Returns
        -------
        xarray.Dataset
            Every quantity of `names` over time; units, frames and quaternion order in the attributes.
        """
        from .labelled import dataset

        return dataset(self)

    def save(self, path: str | Path) -> Path:
        """Write the run to a NetCDF file, atomically.

        Parameters
        ----------
        path : str or pathlib.Path
            Destination; an existing file is replaced when the new one is complete.

        Returns
        -------
        pathlib.Path
            Path of the file.

        Raises
        ------
        SaveError
            When the file cannot be written; an existing file is then unchanged.
        """
        from .labelled import save

        return save(self, Path(path))

    def plot(self, *names: str) -> Any:
        """Return a matplotlib figure of some quantities over time.

        Parameters
        ----------
        *names : str
            Quantities, one panel each; by default attitude error, rate and command, as far as available.

        Returns
        -------
        matplotlib.figure.Figure
            A figure without a window; a notebook displays it when it is the last value of a cell.

        Raises
        ------
        InputError
            When a quantity is not available in this run.
        """
        from .plot import plot

        return plot(self, names)

    @property
    def largest_kinetic_energy(self) -> float:
        """Largest kinetic energy at t = 0 and in the rows, J: rotation, elements and translation.

        The value is at least that of a rotation at 1e-6 rad/s, since a spacecraft may be at rest in all rows.
        """
        return energy_scale(self)

    @property
    def largest_momentum(self) -> float:
        """Largest angular momentum at t = 0 and in the rows, N m s.

        The value is at least that of a rotation at 1e-6 rad/s. If there are elements, the magnitudes of the parts'
        momenta are summed, since the momenta of wheels may cancel.
        """
        return momentum_scale(self)

    def invariants(self) -> dict[str, float | None]:
        """Return the errors of the conserved quantities and balances from t = 0 to the last row.

        Returns
        -------
        dict
            quaternion_norm_error: largest ||e| - 1|. momentum_balance_relative and energy_balance_relative: largest
            imbalance after work and impulse, divided by the largest momentum or kinetic energy (including translation)
            at t = 0 and in the rows; None if the run has no such balance.
        """
        return invariants(self)
