"""What comes out of a run of a flexible satellite."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...plant import attitude
from ...plant.brief import brief
from ...plant.checks import choice
from ...plant.flexible import FlexibleSatellite
from ...plant.flexible.quantities import angular_momentum, linear_momentum, mass_centre, tip_deflection
from ...plant.frozen import frozen_results
from ...plant.whole_file import write_whole
from ..labelled import TIME, axis_of, write_dataset
from .spread import ACROSS, SPREAD

__all__ = ["FLEXIBLE_QUANTITIES", "FlexibleRun"]

Array = NDArray[np.float64]

XYZ = ("x", "y", "z")
FLEXIBLE_QUANTITIES: Mapping[str, tuple[str, str, tuple[str, ...]]] = MappingProxyType(
    {
        "attitude": ("1", "Euler parameters of the hub, scalar first", ("e0", "e1", "e2", "e3")),
        "rate": ("rad/s", "rate of the hub, hub axes", XYZ),
        "position": ("m", "mass centre of the hub, inertial", XYZ),
        "mass_centre": ("m", "mass centre of the satellite, inertial", XYZ),
        "tip_deflection": (
            "m",
            "tip from where it would be on a rigid arm, along l, m, n of its root",
            ("l", "m", "n"),
        ),
        "tip_deflection_lowest": ("m", "least of each component since the row before, step by step", ("l", "m", "n")),
        "tip_deflection_highest": ("m", "most of each component since the row before, step by step", ("l", "m", "n")),
        "tip_across_highest": ("m", "largest deflection across the arm since the row before, step by step", ()),
        "tip_swing": ("m", "half of highest less lowest across the arm in a period of the slowest elastic mode", ()),
        "kinetic_energy": ("J", "kinetic energy", ()),
        "strain_energy": ("J", "strain energy", ()),
        "strain_energy_lowest": ("J", "least since the row before, step by step", ()),
        "strain_energy_highest": ("J", "most since the row before, step by step", ()),
        "energy": ("J", "kinetic and strain energy", ()),
        "linear_momentum": ("N s", "linear momentum, inertial", XYZ),
        "angular_momentum": ("N m s", "angular momentum about the origin, inertial", XYZ),
        "torque": ("N m", "torque on the hub, hub axes; before a jump, its value there", XYZ),
    }
)
"""Names of the quantities of a run: unit, description, components."""


@frozen_results
@dataclass(frozen=True, eq=False, kw_only=True)
class FlexibleRun:
    """A trajectory of a flexible satellite.

    Attributes
    ----------
    satellite : FlexibleSatellite
        What moved.
    t : numpy.ndarray, shape (n,)
        Times, s.
    x : numpy.ndarray, shape (n, positions + degrees)
        States.
    nu : numpy.ndarray, shape (n, degrees)
        Velocities.
    energies : numpy.ndarray, shape (n, 2)
        Kinetic and strain energy, J.
    torque : numpy.ndarray, shape (n, 3)
        On the hub, hub axes, N m.
    lowest, highest : numpy.ndarray, shape (n, 4 arms + 1)
        Since the row before, at every step: of each arm the tip along l, m, n of its root and across the arm, m; behind
        them the strain energy, J.
    swing : numpy.ndarray, shape (n, arms)
        See FLEXIBLE_QUANTITIES["tip_swing"], m.
    method : str
        The step.
    step : float
        The longest step, s.
    steps : int
        How many were taken.
    iterations : int
        How often the implicit equations were evaluated.
    status : str
        "completed", "failed" or "stopped".
    reason : str
        Why, in a sentence; empty when completed.
    """

    satellite: FlexibleSatellite
    t: Array
    x: Array
    nu: Array
    energies: Array
    torque: Array
    lowest: Array
    highest: Array
    swing: Array
    method: str
    step: float
    steps: int
    iterations: int
    status: str
    reason: str

    __repr__ = brief

    def __getitem__(self, name: str) -> Any:
        """Return one quantity with its labels.

        Parameters
        ----------
        name : str
            A key of FLEXIBLE_QUANTITIES.

        Returns
        -------
        xarray.DataArray
            Over time, arms where it is one for each, and components.
        """
        import xarray

        values = self.values(name)
        unit, words, components = FLEXIBLE_QUANTITIES[name]
        coordinates: dict[str, Any] = {"time": ("time", self.t, TIME)}
        dimensions = ["time"]
        if name.startswith("tip_"):
            dimensions.append("arm")
            coordinates["arm"] = np.arange(len(self.satellite.arms))
        if components:
            dimensions.append(axis_of(name, components))
            coordinates[dimensions[-1]] = list(components)
        return xarray.DataArray(
            values, dims=dimensions, coords=coordinates, name=name, attrs={"units": unit, "long_name": words}
        )

    def values(self, name: str) -> Array:
        """Return one quantity as an array.

        Parameters
        ----------
        name : str
            A key of FLEXIBLE_QUANTITIES.

        Returns
        -------
        numpy.ndarray, shape (n, ...)
            In the unit the table gives.
        """
        choice("quantity", name, FLEXIBLE_QUANTITIES)
        if name == "attitude":
            e = self.x[:, 3:7]
            return e / np.sqrt((e * e).sum(axis=1, keepdims=True))
        if name == "rate":
            return np.einsum("nij,ni->nj", attitude.rotation_matrix(self.values("attitude")), self.nu[:, 3:6])
        if name == "tip_swing":
            return self.swing
        if name == "kinetic_energy":
            return self.energies[:, 0]
        if name == "strain_energy":
            return self.energies[:, 1]
        quantity, _, end = name.rpartition("_")
        if end in ("lowest", "highest"):
            table = self.lowest if end == "lowest" else self.highest
            if quantity == "strain_energy":
                return table[:, -1]
            arms = table[:, :-1].reshape(len(table), -1, SPREAD)
            return arms[:, :, ACROSS] if quantity == "tip_across" else arms[:, :, :ACROSS]
        functions = {
            "mass_centre": mass_centre,
            "tip_deflection": tip_deflection,
            "linear_momentum": linear_momentum,
            "angular_momentum": angular_momentum,
        }
        if name in functions:
            return functions[name](self.satellite, self.x)
        if name == "position":
            return self.x[:, :3]
        return self.energies.sum(axis=1) if name == "energy" else self.torque

    def euler_angles(self, sequence: str) -> Array:
        """Return the hub's attitude as Euler angles.

        Parameters
        ----------
        sequence : str
            Such as "1-2-3", which 003 uses.

        Returns
        -------
        numpy.ndarray, shape (n, 3)
            rad.
        """
        return attitude.to_euler_angles(self.values("attitude"), sequence)

    def dataset(self) -> Any:
        """Return every quantity as one xarray.Dataset.

        Returns
        -------
        xarray.Dataset
            With method, step, status and reason in its attributes.
        """
        import xarray

        about = {"method": self.method, "step_s": self.step, "status": self.status, "reason": self.reason}
        return xarray.Dataset({name: self[name] for name in FLEXIBLE_QUANTITIES}, attrs=about)

    def save(self, path: str | Path) -> Path:
        """Write everything to a NetCDF file, whole or not at all.

        Parameters
        ----------
        path : str or pathlib.Path
            Where to; an existing file is replaced when the new one is complete.

        Returns
        -------
        pathlib.Path
            The file; `xarray.open_dataset` reads it.

        Raises
        ------
        SaveError
            When it cannot be written; an existing file is then as it was.
        """
        write_whole(Path(path), self.fill)
        return Path(path)

    def fill(self, path: Path) -> None:
        """Write everything into a file that is there, as `save` does with one of its own.

        Parameters
        ----------
        path : pathlib.Path
            The file.
        """
        data = self.dataset()
        write_dataset(data, path, data.attrs)
