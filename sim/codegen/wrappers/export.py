"""Export of a law as a flight software application for cFS or F Prime."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ....controllers import Law
from ....controllers.laws.files.whole_file import WholeFiles
from ....plant import InputError, SaveError, Spacecraft
from ....plant.checks import choice, of_kind
from ..c99.names import free_name
from ..flight.export import prepare
from ..flight.gains import law_gains
from ..flight.replay_text import make_text, replay_text
from ..flight.source import written
from .cfs import cfs_texts, check_cfs_name
from .fprime import check_fprime_name, fprime_texts
from .interface import interface_of

WRAPPERS = {"cfs": "attctl", "fprime": "AttitudeControl"}
"""Default name of the application for each target."""

LAW_FOLDERS = {"cfs": "fsw/src/", "fprime": ""}


def export_wrapper(
    craft: Spacecraft,
    law: Law,
    *,
    wrapper: str,
    flight: Mapping[str, Any],
    path: str | Path | None = None,
    float32: bool = False,
    samples: int = 200,
    progress: Callable[[str], None] | None = None,
) -> tuple[Path, ...]:
    """Write a law as an application of the core Flight System (cFS), or as a component of F Prime.

    State and reference arrive as messages, a wake-up message triggers the step function of the law, and the torque is
    sent as a message with a validity flag. The law starts disabled. Its gains are a table (cFS) or parameters
    (F Prime); new gains are checked and then replace all old gains, or none if one is invalid. Apart from the gains,
    the code of the law is the code that `export_code` writes; its test vectors are in the folder `test`. A law that
    reads estimates receives them in the state message: estimators, filters and allocations are not part of the
    application.

    Parameters
    ----------
    craft : Spacecraft
        The spacecraft that the law controls.
    law : Law
        The law, which must be a kernel, not plain Python.
    wrapper : str
        "cfs" or "fprime".
    flight : mapping
        Keyword arguments of `simulate` for the run that provides the test vectors.
    path : str or path, optional
        The folder to write; its last part is the name of the application. Default: `attctl` or `AttitudeControl` in
        the current folder.
    float32 : bool
        Whether the law computes in float instead of double; messages, tables and parameters are always double.
    samples : int
        Maximum number of test vectors, taken from the first sample on.
    progress : callable, optional
        Function progress(words), called with the name of the next stage.

    Returns
    -------
    tuple of Path
        The files written, all of them or none.

    Raises
    ------
    InputError
        When the law is plain Python or uses a function that C lacks, or when the name is invalid for an application.
    SaveError
        When a file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from polhode import controllers, plant
    >>> craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    >>> law = controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=0.8, sample=0.1)
    >>> flight = {"duration": 1.0, "compiled": False}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     files = export_wrapper(craft, law, wrapper="cfs", path=Path(folder, "attctl"), flight=flight)
    ...     [str(file.relative_to(folder)) for file in files][:2]
    ['attctl/CMakeLists.txt', 'attctl/README.md']
    """
    choice("wrapper", wrapper, tuple(WRAPPERS))
    of_kind("float32", float32, bool, such_as="True or False")
    folder = Path(WRAPPERS[wrapper] if path is None else path)
    name = folder.name
    if not name.isascii() or not name.isidentifier() or free_name(name) != name:
        raise InputError(f"{folder}: the application is named after the folder; use a folder name such as attctl")
    (check_cfs_name if wrapper == "cfs" else check_fprime_name)(name)
    prepared = prepare(craft, law, flight=flight, float32=float32, samples=samples, progress=progress)
    if progress is not None:
        progress("vary the gains")
    gains = law_gains(craft, law, flight.get("blocks", ()))
    if progress is not None:
        progress("translate to C")
    fingerprint = prepared.fingerprint
    code = written(prepared.sampled, name=f"{name}_law", single=float32, fingerprint=fingerprint, gains=gains)
    interface = interface_of(name, prepared.sampled, gains, single=float32, fingerprint=fingerprint)
    texts = dict(cfs_texts(interface) if wrapper == "cfs" else fprime_texts(interface))
    sources = LAW_FOLDERS[wrapper]
    texts |= {
        f"{sources}{code.name}.h": code.header,
        f"{sources}{code.name}.c": code.source,
        f"test/{code.name}_test.c": replay_text(code, prepared.vectors, single=float32, tunable=bool(gains)),
        f"test/{code.name}.mk": make_text(code.name, sources=f"../{sources}"),
    }
    return _written(folder, texts)


def _written(folder: Path, texts: Mapping[str, str]) -> tuple[Path, ...]:
    """Write the files of an application into a folder, all of them or none."""
    targets = {folder / path: text for path, text in texts.items()}
    try:
        for target in targets:
            target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SaveError(f"{folder}: the folder cannot be created ({error.strerror}); use a different one") from None
    with WholeFiles() as files:
        for target, text in targets.items():
            files.part(target).write_text(text, encoding="utf-8")
    return tuple(targets)
