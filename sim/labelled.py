"""Results as labelled arrays and NetCDF files."""

import importlib.metadata
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..plant.errors import SaveError

if TYPE_CHECKING:
    from .run import Run

__all__ = ["data_array", "dataset", "save"]


def data_array(run: "Run", name: str) -> Any:
    """Return one quantity as an xarray.DataArray.

    Parameters
    ----------
    run : Run
        The run.
    name : str
        The quantity.

    Returns
    -------
    xarray.DataArray
        Over time, and over its components where it has several.
    """
    import xarray

    values = run.values(name)
    quantity = run.quantity(name)
    coordinates: dict[str, Any] = {"time": ("time", run.t, {"units": "s"})}
    dimensions = ["time"]
    components, unit = run.components(name)
    if components:
        component = f"{name}_component"
        dimensions.append(component)
        coordinates[component] = list(components)
    attributes = {"units": unit, "long_name": quantity.words}
    if quantity.frame:
        attributes["frame"] = _frame(run, quantity.frame)
    if name == "attitude":
        attributes["quaternion_order"] = "scalar first"
    return xarray.DataArray(values, dims=dimensions, coords=coordinates, name=name, attrs=attributes)


def _frame(run: "Run", frame: str) -> str:
    if frame != "torque basis":
        return frame
    basis = run.craft.torques
    return basis.name if basis.sequence is None else f"{basis.name} {basis.sequence}"


def dataset(run: "Run") -> Any:
    """Return every quantity of a run as one xarray.Dataset.

    Parameters
    ----------
    run : Run
        The run.

    Returns
    -------
    xarray.Dataset
        With status, reason, warnings and integrator in its attributes.
    """
    import xarray

    return xarray.Dataset(
        {name: data_array(run, name) for name in run.names},
        attrs={
            "status": run.status,
            "reason": run.reason,
            "warnings": "\n".join(run.warnings),
            "integrator": run.scheme.integrator,
            "step_s": -1.0 if run.scheme.step is None else run.scheme.step,
            "rtol": run.scheme.rtol,
            "quaternion_order": "scalar first, a_inertial = R(e) a_body",
            "source": f"polhode {importlib.metadata.version('polhode')}",
        },
    )


def save(run: "Run", path: Path) -> Path:
    """Write a run to a NetCDF file, whole or not at all.

    Parameters
    ----------
    run : Run
        The run.
    path : pathlib.Path
        Where to.

    Returns
    -------
    pathlib.Path
        The file.

    Raises
    ------
    SaveError
        When it cannot be written.
    """
    part = None
    try:
        handle, part = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
        os.close(handle)
        dataset(run).to_netcdf(part, engine="h5netcdf")
        Path(part).chmod(0o666 & ~_umask())
        Path(part).replace(path)
    except OSError as error:
        raise SaveError(f"cannot write {path}: {error.strerror or error}") from error
    finally:
        if part is not None:
            Path(part).unlink(missing_ok=True)
    return path


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
