"""Loading of a run from its file."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn, cast

import numpy as np

from ...controllers import Block, Law, Reference
from ...plant import Spacecraft
from ...plant.errors import InputError
from ..engine.observe import COLUMNS
from ..engine.observed import Observed
from .run import Run
from .stored_run import read_run


def load(
    path: str | Path,
    *,
    craft: Spacecraft | None = None,
    law: Law | None = None,
    reference: Reference | None = None,
    blocks: Sequence[Block] | None = None,
) -> Run:
    """Return a run from a file written by `Run.save` or a stream.

    All recorded data are restored bit for bit: `run["rate"]`, `run.plot()`, `run.invariants()`, status, warnings and
    counters. `run.about` holds the provenance, with the whole case if there was one. Quantities are read on first use.
    The file does not contain spacecraft, law and blocks, since these are programs: pass them, or let
    `polhode.scenarios.load_run` build them from the case. Without them, any use of `run.craft`, `run.law` or
    `run.blocks` raises an error.

    Parameters
    ----------
    path : str or path
        The file.
    craft : Spacecraft, optional
        The spacecraft of the run.
    law : Law, optional
        The law of the run.
    reference : Reference, optional
        The reference of the run.
    blocks : sequence of Block, optional
        Further blocks of the run, excluding the law.

    Returns
    -------
    Run
        The recorded run; `simulate(craft, law, state=run.states[-1], ...)` continues from its end.

    Raises
    ------
    InputError
        When the file cannot be read or contains no run of a `Spacecraft`, or the spacecraft has different states.

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
    stored = read_run(path)
    about, states = stored.about, stored.states
    if craft is not None and craft.layout.size + 4 * stored.ledger != states.shape[1]:
        raise InputError(
            f"{path}: has {states.shape[1] - 4 * stored.ledger} states, but the given spacecraft has "
            f"{craft.layout.size}; pass the simulated one"
        )
    law_name, followed, beside = about["law"], about["reference"], about["blocks"]
    return Run(
        craft=craft or cast("Spacecraft", _Missing("craft", "the craft", path)),
        law=law if law is not None or not law_name else cast("Law", _Missing("law", f"the {law_name}", path)),
        reference=reference
        if reference is not None or not followed
        else cast("Reference", _Missing("reference", f"the {followed}", path)),
        scheme=stored.scheme,
        t=stored.t,
        states=cast("Any", states),
        inputs=cast("Any", stored.inputs),
        observed=Observed.known(np.empty((0, max(each.stop for each in COLUMNS.values())))),
        start=stored.start,
        ledger=stored.ledger,
        end_report=stored.ended,
        recorded=stored.recorded,
        seed=stored.seed,
        number=stored.number,
        blocks=tuple(blocks or ())
        if blocks is not None or not beside
        else cast("tuple[Block, ...]", _Missing("blocks", f"the blocks ({beside})", path)),
    )


class _Missing:
    """Placeholder for an object that is not in the file; any use raises an error."""

    def __init__(self, name: str, words: str, path: str | Path) -> None:
        self._words = f"{words} of the run in {path} is not in the file: pass it with sim.load(path, {name}=...)"

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        self._refuse()

    def __iter__(self) -> Iterator[NoReturn]:
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise InputError(f"{self._words}, or build it from its case with polhode.scenarios.load_run(path)")
