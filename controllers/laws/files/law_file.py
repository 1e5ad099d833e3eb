"""Saving and loading of laws in small readable files that contain the fingerprint of their plant."""

import json
import tomllib
from pathlib import Path
from typing import Any

from ....plant import LinearModel
from ....plant.checks import of_kind
from ....plant.errors import InputError, PolhodeError
from ...contracts.attitude_law import SAVED
from ...contracts.law import Law
from ...contracts.law_defaults import with_defaults
from .checksum import CHECKSUM, ChecksumError, check_checksum, content_checksum
from .plant_fingerprint import check_same_plant, plant_numbers
from .provenance import provenance
from .text_file import read_text
from .toml_text import toml_text
from .whole_file import write_whole

FORMAT = 1


def save_law(law: Law, path: str | Path, *, model: LinearModel | None = None) -> None:
    """Write a law to a TOML file, atomically.

    The file contains the gains with all digits, sampling period, delay and saturation, the design record, the linear
    model of the design with its fingerprint, and the provenance. Torque limits belong to the plant and are omitted. The
    key ``checksum`` is verified when the file is read; remove the key after an edit by hand.

    Parameters
    ----------
    law : Law
        A law that can be saved: a law of polhode, or one that inherits `TorqueLaw` and has a `kind`.
    path : str or path
        The file, usually with suffix .toml; an existing file is replaced.
    model : LinearModel, optional
        `craft.linearize(...)` of the plant of the law; a linear law contains its own model.

    Raises
    ------
    InputError
        When the law cannot be saved, such as a `CustomLaw`, or the model is missing.
    SaveError
        When the file cannot be written.

    Examples
    --------
    >>> from polhode import plant
    >>> from polhode.controllers import pid
    >>> craft = plant.Spacecraft(plant.RigidBody((8, 7, 6)))
    >>> model = craft.linearize(craft.at_rest())
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_law(pid(model, frequency=0.5, damping_ratio=0.7, sample=0.1), f"{folder}/law.toml")
    ...     law = load_law(f"{folder}/law.toml", model)
    >>> law.design["frequency_rad_s"]
    [0.5, 0.5, 0.5]
    """
    of_kind("path", path, str | Path, such_as="text or a pathlib.Path")
    text = law_text(law, model=model)
    write_whole(Path(path), lambda part: part.write_text(text, encoding="utf-8"))


def law_text(law: Law, *, model: LinearModel | None = None) -> str:
    """Return the text that `save_law` writes."""
    keys, tables = with_defaults(law).to_file()
    body: dict[str, Any] = {"format": FORMAT, "law": with_defaults(law).kind, **keys}
    about = getattr(law, "model", None) if model is None else model
    if about is None:
        raise InputError(f"a {with_defaults(law).kind} law has no plant model: save_law(law, path, model=...)")
    body |= {"sample_s": law.sample, "delay_s": law.delay}
    tables["plant"] = plant_numbers(about)
    made = {name: value if isinstance(value, str) else json.dumps(value) for name, value in provenance().items()}
    tables["made"] = made
    body[CHECKSUM] = content_checksum(tomllib.loads(toml_text(body, tables)))
    return "# An attitude law of polhode, and the plant it is for.\n" + toml_text(body, tables)


def load_law(path: str | Path, model: LinearModel) -> Law:
    """Read a law from a file, for the plant for which it was saved.

    Parameters
    ----------
    path : str or path
        A file written by `save_law`.
    model : LinearModel
        `craft.linearize(...)` of the plant to control, about the same operating point.

    Returns
    -------
    Law
        The law; its torque limits are taken from the model.

    Raises
    ------
    InputError
        When the file is unreadable or not a law file, its content does not match its checksum, or the plant differs. If
        the plant differs, the message states both fingerprints and the first difference.
    """
    try:
        content = tomllib.loads(read_text(path, what="a law"))
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{path}: cannot be read as a law ({error})") from None
    if content.get("format") != FORMAT:
        raise InputError(f"{path}: is not a law file of format {FORMAT}; got format = {content.get('format')!r}")
    try:
        check_same_plant(content["plant"], model, where=str(path))
        kind = SAVED.get(content["law"])
        if kind is None:
            raise InputError(f"law {content['law']!r} is unknown; ({', '.join(sorted(SAVED))})")
        law = kind.from_file(content, model)
        check_checksum(content, content_checksum(content))
        return law
    except ChecksumError as error:
        raise InputError(f"{path}: {error}") from None
    except PolhodeError:
        raise
    except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError) as error:  # raised by any kind of law
        words = " ".join(str(error).split())
        raise InputError(f"{path}: the law file is incomplete or damaged ({words:.200})") from None
