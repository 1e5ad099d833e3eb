"""Export of a law, or of one of its blocks, as flight code."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ....controllers import Block, Law
from ....controllers.laws.files.plant_fingerprint import flown_fingerprint
from ....controllers.laws.files.whole_file import WholeFiles
from ....controllers.laws.modes.modes_kernel import SIGNALS as MODE_SIGNALS
from ....plant import InputError, Spacecraft
from ....plant.checks import choice, of_kind
from ..c99.names import free_name
from .replay_text import make_text, replay_text
from .sampled import Sampled, sampled_block, sampled_law
from .source import written
from .vectors import Vectors, flown_vectors, unit_attitudes

LONGEST = 100_000


def export_code(
    craft: Spacecraft,
    law: Law,
    *,
    path: str | Path,
    flight: Mapping[str, Any],
    block: str = "",
    float32: bool = False,
    samples: int = 200,
    progress: Callable[[str], None] | None = None,
) -> tuple[Path, ...]:
    """Write a law as C99 with a header, test vectors from a closed-loop run, and make rules to replay them.

    The code allocates no memory, has no global variable and needs only math.h. Its outputs match the engine's, and are
    bitwise identical if there is no FMA contraction and the mathematical library is the same. The command saturates at
    the limits of the spacecraft, unless blocks follow the law.

    Parameters
    ----------
    craft : Spacecraft
        The spacecraft that the law controls.
    law : Law
        The law, which must be a kernel, not plain Python.
    path : str or path
        The C file, such as "law.c"; its name without the extension is the prefix of the functions. The same folder
        receives law.h, law_test.c and law.mk (`make -f law.mk test`), all of them or none.
    flight : mapping
        Keyword arguments of `simulate` for the run that provides the test vectors: duration, state, reference, blocks.
    block : str
        Name of a block in `flight` to export instead of the law, such as an estimator, a filter or an allocation
        (`polhode.controllers.wheel_shares`).
    float32 : bool
        Whether the code computes in float instead of double.
    samples : int
        Maximum number of test vectors, taken from the first sample on.
    progress : callable, optional
        Function progress(words), called with the name of the next stage; the export takes some seconds.

    Returns
    -------
    tuple of Path
        The files written.

    Raises
    ------
    InputError
        When the law or block is plain Python, draws random numbers or uses a function that C lacks, or when the path
        does not name a C file.
    SaveError
        When a file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from polhode import controllers, plant
    >>> craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    >>> law = controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=0.8, sample=0.1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     files = export_code(craft, law, path=Path(folder, "law.c"), flight={"duration": 1.0, "compiled": False})
    >>> [file.name for file in files]
    ['law.h', 'law.c', 'law_test.c', 'law.mk']
    """
    target = Path(path)
    of_kind("float32", float32, bool, such_as="True or False")
    if target.suffix != ".c" or not target.stem.isidentifier() or free_name(target.stem) != target.stem:
        raise InputError(f"{target}: the functions are named after the file; use a name such as law.c")
    prepared = prepare(craft, law, flight=flight, block=block, float32=float32, samples=samples, progress=progress)
    if progress is not None:
        progress("translate to C")
    code = written(prepared.sampled, name=target.stem, single=float32, fingerprint=prepared.fingerprint)
    texts = {
        target.with_suffix(".h"): code.header,
        target: code.source,
        target.with_name(f"{target.stem}_test.c"): replay_text(code, prepared.vectors, single=float32),
        target.with_suffix(".mk"): make_text(target.stem),
    }
    with WholeFiles() as files:
        for file, text in texts.items():
            files.part(file).write_text(text, encoding="utf-8")
    return tuple(texts)


class Prepared(NamedTuple):
    """A law or block to be exported, its test vectors, and the fingerprint of its design plant."""

    sampled: Sampled
    vectors: Vectors
    fingerprint: str


def prepare(
    craft: Spacecraft,
    law: Law,
    *,
    flight: Mapping[str, Any],
    block: str = "",
    float32: bool = False,
    samples: int = 200,
    progress: Callable[[str], None] | None = None,
) -> Prepared:
    """Return the law or block that `export_code` writes, with test vectors; arguments and errors are the same."""
    if not 1 <= samples <= LONGEST:
        raise InputError(f"samples must be from 1 to {LONGEST}; got {samples}")
    if "duration" not in flight:
        raise InputError(
            "flight needs a duration: it contains the arguments of simulate for the run that gives the test vectors"
        )
    blocks: Sequence[Block] = flight.get("blocks", ())
    chosen = None
    if block and not blocks:
        raise InputError(
            f"this law runs without blocks (estimator, filters, modes), so there is no block {block!r}: "
            "export the law, or add the block to the loop"
        )
    if block:
        choice("block", block, tuple(each.name for each in blocks))
        chosen = next(each for each in blocks if each.name == block)
        if float32 and MODE_SIGNALS[0] in chosen.writes:
            raise InputError(
                f"the block {block!r} compares times, which float32 resolves to a relative 1e-7 only, so that it would "
                "change modes at different samples; export it in double"
            )
    sampled = sampled_law(craft, law, blocks) if chosen is None else sampled_block(craft, law, chosen, blocks)
    state = np.asarray(flight.get("state", craft.at_rest()), dtype=np.float64)
    fingerprint = flown_fingerprint(craft, law, state)
    if progress is not None:
        progress(
            f"simulate {min(samples, int(float(flight['duration']) / sampled.sample) + 1)} samples as test vectors"
        )
    vectors = flown_vectors(craft, law, sampled, block=chosen, flight=flight, most=samples)
    sampled = replace(sampled, attitudes=unit_attitudes(sampled.attitudes, vectors.y))
    return Prepared(sampled, vectors, fingerprint)
