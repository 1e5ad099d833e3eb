"""Result of a co-simulation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....controllers.laws.files.whole_file import write_whole
from ....plant.checks import choice
from ....plant.errors import InputError
from ....plant.frozen import frozen_results

Array = NDArray[np.float64]


@frozen_results
@dataclass(frozen=True, eq=False, kw_only=True)
class CoSimulation:
    """The outputs of all FMUs at the communication points.

    Parameters
    ----------
    name : str
        Name of the system.
    t : array
        Times, s.
    names : tuple of str
        Names of the outputs, one per number, such as "plant.rate_x".
    units : tuple of str
        Unit of each output, empty if it has none.
    table : array, times by outputs
        Values of the outputs at the times.
    held : tuple of str
        Names of the discrete outputs, which are held between two times and plotted as steps.
    status : str
        "completed", "failed" or "stopped".
    reason : str
        Reason for an early end; empty if the co-simulation is complete.
    errors : mapping of str to float
        The largest error of each output over the run, estimated by a second run with every step halved; empty if there
        was no second run.
    notes : tuple of str
        Remarks on the co-simulation.
    settings : mapping
        Settings of the co-simulation.
    """

    name: str
    t: Array
    names: tuple[str, ...]
    units: tuple[str, ...]
    table: Array
    held: tuple[str, ...]
    status: str
    reason: str
    errors: Mapping[str, float]
    notes: tuple[str, ...]
    settings: Mapping[str, Any]

    def values(self, name: str) -> Array:
        """Return one output over time.

        Parameters
        ----------
        name : str
            Name of the output, such as "plant.rate_x".

        Returns
        -------
        array
            One value per time.

        Raises
        ------
        InputError
            When there is no such output.
        """
        return self.table[:, self.names.index(choice("output", name, self.names))]

    def __getitem__(self, name: str) -> Any:
        """Return one output as an xarray.DataArray over time.

        Parameters
        ----------
        name : str
            Name of the output, such as "plant.rate_x".

        Returns
        -------
        xarray.DataArray
            The output with its unit.

        Raises
        ------
        InputError
            When there is no such output.
        """
        import xarray

        from ...results.labelled import TIME

        unit = self.units[self.names.index(choice("output", name, self.names))]
        coordinates = {"time": ("time", self.t, TIME)}
        return xarray.DataArray(self.values(name), dims="time", coords=coordinates, name=name, attrs={"units": unit})

    def to_dataset(self) -> Any:
        """Return every output as one xarray.Dataset.

        Returns
        -------
        xarray.Dataset
            Data set whose attributes contain the metadata of the co-simulation.
        """
        import xarray

        return xarray.Dataset({name: self[name] for name in self.names}, attrs=self._about())

    def save(self, path: str | Path) -> Path:
        """Write the result to a file, atomically.

        Parameters
        ----------
        path : str or path
            The file: .nc for NetCDF, .csv for a table.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        InputError
            When the path has a different extension.
        SaveError
            When the file cannot be written.
        """
        target = Path(path)
        if target.suffix not in {".nc", ".csv"}:
            raise InputError(f"{target}: the suffix selects the format: .nc (NetCDF) or .csv")
        write_whole(target, self.fill_netcdf if target.suffix == ".nc" else self.fill_csv)
        return target

    def fill_netcdf(self, part: Path) -> None:
        """Write the result as NetCDF to an existing file.

        Parameters
        ----------
        part : path
            The file.
        """
        from ...results.labelled import write_dataset

        write_dataset(self.to_dataset(), part, self._about())

    def fill_csv(self, part: Path) -> None:
        """Write the result as comma-separated values to an existing file.

        Parameters
        ----------
        part : path
            The file.
        """
        import csv

        head = ["time (s)", *(f"{n} ({u})" if u else n for n, u in zip(self.names, self.units, strict=True))]
        with part.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(head)
            writer.writerows(np.column_stack((self.t, self.table)).tolist())

    def plot(self, names: Sequence[str] = ()) -> Any:
        """Draw outputs over time, grouped by unit.

        Parameters
        ----------
        names : sequence of str
            Names of outputs; if empty, the varying outputs that fit on a page.

        Returns
        -------
        matplotlib.figure.Figure
            The figure, without a window; a notebook displays it.

        Raises
        ------
        InputError
            When there is no such output.
        """
        from .picture import picture

        return picture(self, [choice("output", name, self.names) for name in names])

    def _about(self) -> dict[str, Any]:
        import json

        return {
            "title": self.name,
            "status": self.status,
            "reason": self.reason,
            "notes": "\n".join(self.notes),
            "settings": json.dumps(self.settings),
            "estimated_errors": json.dumps(self.errors),
        }
