"""Results as labelled arrays and NetCDF files."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...controllers.laws.files.provenance import provenance
from ...controllers.laws.files.whole_file import WholeFiles
from .recording import Recording
from .rows import rows_of

if TYPE_CHECKING:
    from .run import Run

ROWS_AT_ONCE = 65_536
TIME = {"units": "s", "long_name": "time since the start", "axis": "T"}

_DIMENSIONS: dict[tuple[str, ...], str] = {
    ("x", "y", "z"): "axis",
    ("e0", "e1", "e2", "e3"): "euler_parameter",
    ("l", "m", "n"): "arm_axis",
}
"""Dimension by component names. All vectors share a dimension, so that xarray multiplies matching axes."""


def axis_of(name: str, components: tuple[str, ...]) -> str:
    """Return the name of a quantity's component dimension.

    name: the quantity; components: the names of its components. For components x, y, z it is "axis" in any frame; the
    attributes state the frame.
    """
    return _DIMENSIONS.get(components) or ("coordinate" if name.startswith("internal") else f"{name}_component")


def data_array(run: "Run", name: str) -> Any:
    """Return one quantity as an xarray.DataArray.

    name: the quantity. The dimensions are time and, if there are several, the components.
    """
    import xarray

    if run.recorded is not None:
        return run.recorded.data_array(name)
    values = run.values(name)
    quantity = run.quantity(name)
    coordinates: dict[str, Any] = {"time": ("time", run.t, TIME)}
    dimensions = ["time"]
    _, unit = run.components(name)
    for dimension, labels in run.axes(name):
        dimensions.append(dimension)
        coordinates[dimension] = list(labels)
    attributes = {"units": unit, "long_name": quantity.words}
    if quantity.frame:
        attributes["frame"] = _frame(run, quantity.frame)
    if run.labels(name):
        attributes["flag_labels"] = "\n".join(run.labels(name))
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

    Its attributes include status, reason, warnings and integrator.
    """
    import xarray

    return xarray.Dataset({name: data_array(run, name) for name in run.names}, attrs=_ended(run))


def _ended(run: "Run") -> dict[str, Any]:
    return {
        "status": run.status,
        "reason": run.reason,
        "warnings": "\n".join(run.warnings),
        "integrator": run.scheme.integrator,
        "step_s": -1.0 if run.scheme.step is None else run.scheme.step,
        "rtol": run.scheme.rtol,
        "quaternion_order": "scalar first, a_inertial = R(e) a_body",
    }


def recordable(run: "Run") -> Any:
    """Return the contents of a file for some rows: the quantities, and the underlying states and inputs.

    run: the run, or some rows of it. In addition to the quantities, the variables are `state` (as in
    `simulate(state=...)`, followed by the ledger) and `input`.
    """
    import xarray

    found = dataset(run)
    if run.recorded is not None:
        return found.assign({name: run.recorded.data_array(name) for name in ("state_vector", "input_vector")})
    ledger = ("work", "impulse_x", "impulse_y", "impulse_z") if run.ledger else ()
    units = ("J", "N m s", "N m s", "N m s") if run.ledger else ()
    layout = run.craft.layout
    several = run.craft.external is not None
    ports = (run.inputs.shape[1] - 3) // 4 - several
    names = [*(["external"] * several), *(f"torque_{port}" for port in range(ports))]
    scheduled = [f"{name}_{what}" for name in names for what in ("on", "1", "2", "3")]
    tables = {
        "state": (run.states, [*layout.names, *ledger], "state and ledger", ", ".join((*layout.units, *units))),
        "input": (run.inputs, ["command_1", "command_2", "command_3", *scheduled], "inputs from each time on", ""),
    }
    for name, (values, labels, words, all_units) in tables.items():
        attributes = {"long_name": words} | ({"component_units": all_units} if all_units else {})
        coordinates = {"time": ("time", run.t, TIME), name: labels}
        variable = f"{name}_vector"
        found[variable] = xarray.DataArray(values, dims=("time", name), coords=coordinates, attrs=attributes)
    return found


def about(run: "Run") -> dict[str, Any]:
    """Return the attributes of a file: end of the run, its setup and its provenance.

    The attributes are numbers and strings; a run from a case includes the whole case as JSON.
    """
    import json

    from ...controllers.laws.files.plant_fingerprint import flown_fingerprint

    if run.recorded is not None and run.recorded.attributes:
        return dict(run.recorded.attributes)
    made = provenance()
    found: dict[str, Any] = {"Conventions": "CF-1.11", **_ended(run)}
    found["source"] = f"polhode {made['polhode']}"
    found["history"] = f"{made['date']} {made['command']}"
    found |= {name: value if isinstance(value, str) else json.dumps(value) for name, value in made.items()}
    found["law"] = "" if run.law is None else type(run.law).__name__
    found["blocks"] = ", ".join(block.name for block in run.blocks)
    found["seed"] = "" if run.seed is None else str(run.seed)  # as text: may exceed the integer range of the file
    found["run_number"] = run.number
    found["reference"] = "" if run.reference is None else type(run.reference).__name__
    found["start"] = json.dumps(run.start.tolist())
    found["ledger"] = int(run.ledger)
    found["largest_momentum_N_m_s"] = run.largest_momentum
    found["largest_kinetic_energy_J"] = run.largest_kinetic_energy
    found["counters"] = json.dumps(run.counters)
    if "plant_fingerprint" not in found:
        found["plant_fingerprint"] = flown_fingerprint(run.craft, run.law, run.x[0])
    return found


def record(run: "Run", recording: Recording) -> None:
    """Append all rows of a run in chunks, until a write fails.

    recording: the open file; the caller finishes it.
    """
    for first in range(0, run.t.size, ROWS_AT_ONCE):
        if recording.failure is not None:
            break
        recording.append(recordable(rows_of(run, slice(first, first + ROWS_AT_ONCE))))


def save(run: "Run", path: Path) -> Path:
    """Write a run to a NetCDF file, atomically.

    Raises SaveError when the file cannot be written.
    """
    with WholeFiles() as files:
        fill(run, files.part(path), path)
    return path


def fill(run: "Run", part: Path, target: Path) -> None:
    """Write a run to an existing file, and raise `SaveError` naming the target if that fails."""
    recording = Recording(part)
    record(run, recording)
    recording.finish(about(run))
    recording.release()
    recording.check(target)


def write_dataset(data: Any, part: Path, attributes: Mapping[str, Any]) -> None:
    """Write a dataset over time to an existing file.

    data: variables over `time`, or over other dimensions only; attributes: attributes of the file. Raises SaveError
    when the file cannot be written.
    """
    import json

    made = provenance()
    more = {name: value if isinstance(value, str) else json.dumps(value) for name, value in made.items()}
    recording = Recording(part)
    recording.append(data)
    recording.finish({"Conventions": "CF-1.11", "source": f"polhode {made['polhode']}", **more, **attributes})
    recording.release()
    recording.check(part)
