"""A closed loop as a system of two FMUs: the plant, and the law with its blocks."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ....controllers import Law
from ....plant import InputError, Spacecraft
from ..fmi.communication_step import communication_step
from ..fmi.export import export_fmu
from ..fmi.variables import AXES, torque_names
from ..process.scratch_folder import scratch_folder
from .ssp_writing import write_ssp
from .system import System


def export_ssp(
    craft: Spacecraft,
    law: Law,
    *,
    path: str | Path,
    flight: Mapping[str, Any],
    fmi: int = 3,
    name: str = "",
    platforms: Sequence[str] = (),
    progress: Callable[[str], None] | None = None,
) -> System:
    """Write a closed loop as a system structure (.ssp) of two functional mock-up units: plant and law.

    The FMU "law" also contains the sensors, estimators and all other sampled blocks. Samples and actuations are at
    communication points. A host that steps the FMUs one after the other, plant first, with the communication step of
    the structure reproduces the closed loop of `simulate`. A host that steps FMUs in parallel delays each command by
    one step.

    Parameters
    ----------
    craft : Spacecraft
        The plant.
    law : Law
        The law, which must be a kernel, not plain Python.
    path : str or path
        The archive, such as "craft.ssp".
    flight : mapping
        Keyword arguments of `simulate`, as in `export_fmu`.
    fmi : int
        FMI version of the FMUs: 3 (3.0) or 2 (2.0).
    name : str
        Name of the system; by default the name of the file.
    platforms : sequence of str
        Target machines of the libraries; see `export_fmu`.
    progress : callable, optional
        Function progress(words), called with the name of the next stage; the export takes some seconds.

    Returns
    -------
    System
        The system, for `cosimulate`.

    Raises
    ------
    InputError
        When there is no law, the path does not end in .ssp, a part is plain Python, or a delay and the sampling period
        have no common divisor.
    SaveError
        When the file cannot be written.

    Examples
    --------
    >>> from polhode import controllers, plant
    >>> craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    >>> law = controllers.RateDamping(gain=0.1, sample=0.1)
    >>> export_ssp(craft, law, path="craft.zip", flight={"duration": 10.0})
    Traceback (most recent call last):
    ...
    polhode.plant.errors.InputError: craft.zip: the name of a system structure must end in .ssp
    """
    target = Path(path)
    if target.suffix != ".ssp":
        raise InputError(f"{target}: the name of a system structure must end in .ssp")
    step = communication_step(law, flight.get("blocks", ()))
    outputs = [*craft.layout.names, *(f"rate_{axis}" for axis in AXES)]
    connections = [(f"plant.{each}", f"law.{each}") for each in outputs]
    connections += [(f"law.{each}", f"plant.{each}") for each in torque_names(craft)]
    with scratch_folder() as folder:
        units = {part: folder / f"{part}.fmu" for part in ("plant", "law")}
        options: dict[str, Any] = {"flight": flight, "fmi": fmi, "platforms": platforms}
        for part, place in units.items():
            say = None if progress is None else partial(_say, progress, part)
            called = f"{name or target.stem}-{part}"
            given = None if part == "plant" else law
            export_fmu(craft, given, path=place, name=called, law_alone=given is not None, progress=say, **options)
        system = System(
            units=units,
            connections=connections,
            duration=float(flight["duration"]),
            step=step,
            name=name or target.stem,
        )
        write_ssp(system, target)
    from .ssp import read_ssp

    return read_ssp(target)


def _say(progress: Callable[[str], None], part: str, words: str) -> None:
    progress(f"{part}: {words}")
