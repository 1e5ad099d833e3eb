"""A run back from its file."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn, cast

import numpy as np

from ...controllers import Block, Law, Reference
from ...plant import Spacecraft
from ...plant.errors import InputError
from ..engine.observe import COLUMNS
from ..engine.observed import Observed
from ..steppers.scheme import Scheme
from .ending import Ending
from .recorded import Recorded, Table
from .run import Run

__all__ = ["load"]


def load(
    path: str | Path,
    *,
    craft: Spacecraft | None = None,
    law: Law | None = None,
    reference: Reference | None = None,
    blocks: Sequence[Block] | None = None,
) -> Run:
    """Return a run from the file that `Run.save` or a stream wrote.

    All that was recorded is there again, to the last bit: `run["rate"]`, `run.plot()`, `run.invariants()`, status,
    warnings and counters; `run.about` says where it comes from, with the whole case if it was one. Quantities are read
    when they are asked for. A craft, a law and blocks are programs, not numbers, and are not in the file: give them, or
    let `polhode.scenarios.load_run` build them from the case. Without them `run.craft`, `run.law`, `run.blocks` refuse
    any question.

    Parameters
    ----------
    path : str or path
        The file.
    craft : Spacecraft, optional
        What flew.
    law : Law, optional
        Its law.
    reference : Reference, optional
        What it followed.
    blocks : sequence of Block, optional
        What ran on the clock beside the law.

    Returns
    -------
    Run
        `simulate(craft, law, state=run.states[-1], ...)` goes on from its end.

    Raises
    ------
    InputError
        When the file cannot be read, is no run of a `Spacecraft`, or the craft has other states than it.

    Examples
    --------
    >>> import tempfile
    >>> from polhode import plant, sim
    >>> craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     first = sim.simulate(craft, rate=(0.1, 2.0, 0.1), duration=10.0, compiled=False)
    ...     run = load(first.save(f"{folder}/run.nc"))
    ...     more = sim.simulate(craft, state=run.states[-1], duration=5.0, compiled=False)
    >>> more.status
    'completed'
    """
    source = Path(path).resolve()

    def open_file() -> Any:
        import h5py

        return h5py.File(source, "r")

    _check(source, path)
    try:
        recorded = Recorded(open_file)
        about = recorded.attributes
        ledger = bool(about["ledger"])
        scheme = Scheme(about["integrator"], step=_optional(about["step_s"]), rtol=about["rtol"])
        warnings = tuple(line for line in about["warnings"].split("\n") if line)
        ended = Ending(about["status"], about["reason"], warnings, json.loads(about["counters"]), looked=True)
        states, inputs = Table(open_file, "state_vector"), Table(open_file, "input_vector")
        t = recorded.times()
        seed, number = int(about["seed"]) if about["seed"] else None, int(about["run_number"])
    except OSError as error:
        raise InputError(f"{path}: no run can be read ({_first_line(error)})") from None
    except (KeyError, ValueError, TypeError):
        raise InputError(
            f"{path}: is not the run of a Spacecraft; xarray.open_dataset reads whatever else is in a NetCDF file"
        ) from None
    if craft is not None and craft.layout.size + 4 * ledger != states.shape[1]:
        raise InputError(
            f"{path}: has {states.shape[1] - 4 * ledger} states, the craft given {craft.layout.size}; give the one "
            "that flew"
        )
    flown, followed, beside = about["law"], about["reference"], about["blocks"]
    return Run(
        craft=craft or cast("Spacecraft", _Missing("craft", "the craft", path)),
        law=law if law is not None or not flown else cast("Law", _Missing("law", f"the {flown}", path)),
        reference=reference
        if reference is not None or not followed
        else cast("Reference", _Missing("reference", f"the {followed}", path)),
        scheme=scheme,
        t=t,
        states=cast("Any", states),
        inputs=cast("Any", inputs),
        observed=Observed.known(np.empty((0, max(each.stop for each in COLUMNS.values())))),
        start=np.array(json.loads(about["start"])),
        ledger=ledger,
        left=ended,
        recorded=recorded,
        seed=seed,
        number=number,
        blocks=tuple(blocks or ())
        if blocks is not None or not beside
        else cast("tuple[Block, ...]", _Missing("blocks", f"the blocks ({beside})", path)),
    )


def _check(source: Path, path: str | Path) -> None:
    """Say in words what the library would say in its own."""
    import h5py

    if not source.is_file():
        raise InputError(f"{path}: {'is a folder; give the file in it' if source.is_dir() else 'no such file'}")
    try:
        with source.open("rb"):
            pass
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error})") from None
    if not h5py.is_hdf5(source):
        raise InputError(f"{path}: is not a NetCDF-4 file, or was cut off; a run is saved by run.save(path)")


class _Missing:
    """What a file does not hold; every question to it is refused."""

    def __init__(self, name: str, words: str, path: str | Path) -> None:
        self._words = f"{words} of the run in {path} is not in the file: sim.load(path, {name}=...) takes it"

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        self._refuse()

    def __iter__(self) -> Iterator[NoReturn]:
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise InputError(f"{self._words}, and polhode.scenarios.load_run(path) builds it from a case")


def _optional(step: float) -> float | None:
    return None if step < 0.0 else float(step)


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__
