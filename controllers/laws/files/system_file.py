"""Reading of linear systems (A, B, C, D, period, signal names) from JSON, .mat or .npz files."""

import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from ....plant.errors import InputError
from .checksum import CHECKSUM, check_checksum, system_checksum
from .mat_file import read_mat
from .text_file import LARGEST, read_bytes

if TYPE_CHECKING:
    import control

Array = NDArray[np.float64]

SUFFIXES = (".json", ".mat", ".npz")
WHAT = "a linear system"
KEYS = ("A", "B", "C", "D", "K", "dt", "feedback", "inputs", "outputs", CHECKSUM)
SIGNS = ("negative", "positive")


def load_system(path: str | Path) -> "control.StateSpace | Array":
    """Read a linear system, or a gain matrix, from a file.

    The file contains the matrices ``A``, ``B``, ``C``, ``D`` (only ``D`` for a system without states) and, if there are
    states, ``dt``: the sampling period in s, or 0 for a continuous system. The signal names ``inputs`` and ``outputs``
    are optional. A file with a gain on model states contains ``K`` in place of these matrices. ``feedback`` is the sign
    of a law: "negative" (the default) for u = -K y, or "positive" if the output is the torque, as in files of `polhode
    design`. Other keys are ignored.

    In JSON, matrices are lists of rows, and the keys are under ``system`` or at the top level, as written by `polhode
    linearize` and `polhode design`. In .mat (up to version 7) and .npz, matrices are arrays, and names are cells or
    arrays of text. A ``checksum``, as written by `polhode design`, is verified; remove the key after an edit by hand.

    Parameters
    ----------
    path : str or path
        The file; its suffix selects the format.

    Returns
    -------
    control.StateSpace or numpy.ndarray, shape (p, n)
        A system, or the matrix K, for `law_from_system` with negative feedback u = -K y. If the file states "positive",
        the sign of C and D, or of K, is reversed.

    Raises
    ------
    InputError
        When the file cannot be read, has neither D nor K, has states but no dt, or does not match its checksum. When
        shapes do not match, or ``feedback`` is invalid.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     np.savez(f"{folder}/lead.npz", A=[[0.5]], B=[[1.0]], C=[[2.0]], D=[[3.0]], dt=0.1)
    ...     load_system(f"{folder}/lead.npz").dt
    0.1
    """
    return signed_system(path)[0]


def signed_system(path: str | Path) -> tuple[Any, str]:
    """Return the result of `load_system` and the stored `feedback`: "negative", "positive" or ""."""
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise InputError(f"{path}: {WHAT} is read from {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}")
    try:
        data = read_bytes(path, what=WHAT)
        read = {".json": _of_json, ".mat": _of_mat, ".npz": _of_npz}[suffix]
        content = read(data)
        feedback = _feedback(content)
        made = _made(content, sign=-1.0 if feedback == "positive" else 1.0)
        check_checksum(content, system_checksum(content))
        return made, feedback
    except InputError as error:
        message = str(error)
        raise InputError(message if message.startswith(str(path)) else f"{path}: {message}") from None
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None
    except Exception as error:  # noqa: BLE001 # three parsers read untrusted content
        raise InputError(f"{path}: {WHAT} cannot be read ({' '.join(str(error).split()):.200})") from None


def _feedback(content: Mapping[str, Any]) -> str:
    if "feedback" not in content:
        return ""
    given = content["feedback"]
    words = cast(
        "list[Any]", given if isinstance(given, list) else [given]
    )  # .mat and .npz store text as an array of one row
    if len(words) != 1 or not isinstance(words[0], str) or words[0] not in SIGNS:
        raise InputError(f"feedback must be {' or '.join(SIGNS)}; got {given!r:.60}")
    return words[0]


def _made(content: Mapping[str, Any], *, sign: float) -> Any:
    if "D" not in content:
        if "K" in content:
            return sign * _matrix("K", content["K"])
        raise InputError(
            f"has neither D (a linear system) nor K (a gain matrix); it has {', '.join(map(str, content)) or 'nothing'}"
        )
    D = _matrix("D", content["D"])
    p, m = D.shape
    A = _matrix("A", content.get("A", ()))
    n = len(A) if A.size else 0
    wanted = {"A": (n, n), "B": (n, m), "C": (p, n)}
    found: dict[str, Array] = {}
    for name, shape in wanted.items():
        given = _matrix(name, content.get(name, ()))
        if given.shape != shape and (given.size or 0 not in shape):
            raise InputError(f"{name} must be {shape[0]} x {shape[1]} with D of {p} x {m}; got {given.shape}")
        found[name] = given.reshape(shape)
    if n and "dt" not in content:
        raise InputError('has states but no dt: write "dt": 0 for a continuous system, or its sampling period in s')
    import control

    names = {
        key: [str(each) for each in content[key]]
        for key, size in (("inputs", m), ("outputs", p))
        if key in content and _fits(key, content[key], size)
    }
    dt = _period(content["dt"]) if n else None
    return cast("Any", control).ss(found["A"], found["B"], sign * found["C"], sign * D, dt, **names)


def _matrix(name: str, given: Any) -> Array:
    try:
        raw: NDArray[Any] = np.asarray(given)
        found = np.atleast_2d((np.abs(raw) if raw.dtype.kind == "c" else raw).astype(np.float64))
    except (TypeError, ValueError):
        raise InputError(f"{name} must be a matrix of numbers, row by row") from None
    if raw.dtype.kind == "c":
        raise InputError(f"{name} must be real; its numbers are complex")
    if found.ndim != 2 or not np.isfinite(found).all():
        raise InputError(f"{name} must be a matrix of finite numbers; got shape {found.shape}")
    return found if found.size else np.zeros((0, 0))


def _period(given: Any) -> float | bool:
    value = np.asarray(given)
    if value.size == 1:
        only = value.ravel()[0].item()
        if only is True:
            return True
        if isinstance(only, int | float) and not isinstance(only, bool) and 0.0 <= only < float("inf"):
            return float(only)
    raise InputError(f"dt must be 0 for a continuous system, or its sampling period in s; got {given!r:.60}")


def _fits(key: str, given: Any, size: int) -> bool:
    names = cast("list[Any]", given) if isinstance(given, list) else []
    if len(names) != size or not all(isinstance(each, str) for each in names):
        raise InputError(f"{key} must be {size} names; got {given!r:.80}")
    return True


def _of_json(data: bytes) -> dict[str, Any]:
    found: Any = json.loads(data.decode("utf-8"))
    if not isinstance(found, dict):
        raise InputError("is not a JSON object")
    entries = cast("dict[str, Any]", found)
    inner = entries.get("system")
    if not isinstance(inner, dict):
        return entries
    beside = {"feedback": entries["feedback"]} if "feedback" in entries else {}  # a stored sign must not be ignored
    within = cast("dict[str, Any]", inner)
    if beside and within.get("feedback", entries["feedback"]) != entries["feedback"]:
        raise InputError(f"feedback is {within['feedback']!r:.60} in system but {entries['feedback']!r:.60} outside it")
    return {**beside, **within}


def _of_mat(data: bytes) -> dict[str, Any]:
    return {key: _plain(found) for key, found in read_mat(data, KEYS, most=LARGEST).items()}


def _of_npz(data: bytes) -> dict[str, Any]:
    with zipfile.ZipFile(io.BytesIO(data)) as held:
        _require_small(sum(each.file_size for each in held.infolist()))
    with np.load(io.BytesIO(data), allow_pickle=False) as held:
        return {key: _plain(held[key]) for key in KEYS if key in held.files}


def _require_small(size: int) -> None:
    if size > LARGEST:
        raise InputError(f"holds {size} bytes of numbers, too large for {WHAT} (at most {LARGEST})")


def _plain(value: Any) -> Any:
    """Convert text in cells or arrays to a list of strings; return other values unchanged."""
    if value.dtype.kind == "O":
        return ["".join(np.asarray(each).ravel().astype(str).tolist()) for each in value.ravel()]
    # rows of a character array are padded with blanks
    return [str(each).rstrip() for each in value.ravel()] if value.dtype.kind in "US" else value
