"""Gains in a small readable file: saved with the fingerprint of their plant, and flown later."""

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ..plant import LinearModel
from ..plant.checks import of_kind
from ..plant.errors import InputError
from ..plant.provenance import provenance
from ..plant.text_file import read_text
from ..plant.whole_file import write_whole
from .compensator import Compensator
from .dynamic_feedback import DynamicFeedback
from .linear_feedback import LinearFeedback
from .plant_fingerprint import check_same_plant, plant_numbers
from .quaternion_feedback import QuaternionFeedback
from .toml_text import toml_text
from .weights import Weights

__all__ = ["law_text", "load_law", "save_law"]

FORMAT = 1
_MATRICES = ("A", "B", "C", "D", "tracking")
_QUATERNION = ("inertia", "stiffness", "damping")

AnyLaw = LinearFeedback | DynamicFeedback | QuaternionFeedback


def save_law(law: AnyLaw, path: str | Path, *, model: LinearModel | None = None) -> None:
    """Write a law into a TOML file, whole or not at all.

    The file has the gains with all their digits, sample, delay and saturation, how the law was designed, and the
    linear model it was designed on, with its fingerprint, and where it comes from. Torque limits are the plant's, and
    are not in it.

    Parameters
    ----------
    law : LinearFeedback, DynamicFeedback or QuaternionFeedback
        The law.
    path : str or path
        The file, customarily ending in .toml; one that is there already is replaced.
    model : LinearModel, optional
        `craft.linearize(...)` of the plant it is for; a linear law knows its own.

    Raises
    ------
    InputError
        When it is another kind of law, or the model is missing.
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


def law_text(law: AnyLaw, *, model: LinearModel | None = None) -> str:
    """Return what `save_law` writes."""
    body: dict[str, Any] = {"format": FORMAT}
    if isinstance(law, LinearFeedback):
        weights = None if law.weights is None else law.weights.to_dict()
        body |= {"law": "linear-feedback", "saturation": law.saturation}
        tables = {"weights": weights, "gains": {"K": law.gain.tolist()}}
    elif isinstance(law, DynamicFeedback):
        body |= {"law": "dynamic-feedback", "saturation": law.saturation, "measured": list(law.measured)}
        gains = {name: getattr(law.compensator, name).tolist() for name in _MATRICES}
        tables = {"design": dict(law.design), "gains": {"order": law.compensator.order, **gains}}
    elif isinstance(law, QuaternionFeedback):  # pyright: ignore[reportUnnecessaryIsInstance] # user input
        body |= {"law": "quaternion-feedback", "gyroscopic": law.gyroscopic}
        tables = {"gains": {name: getattr(law, name).tolist() for name in _QUATERNION}}
    else:
        raise InputError(f"only laws with gains can be saved; got {type(law).__name__}")
    about = getattr(law, "model", None) if model is None else model
    if about is None:
        raise InputError("a quaternion-feedback law does not know its plant: save_law(law, path, model=...)")
    body |= {"sample_s": law.sample, "delay_s": law.delay}
    tables["plant"] = plant_numbers(about)
    made = {name: value if isinstance(value, str) else json.dumps(value) for name, value in provenance().items()}
    return "# An attitude law of polhode, and the plant it is for.\n" + toml_text(body, {**tables, "made": made})


def load_law(path: str | Path, model: LinearModel) -> AnyLaw:
    """Read a law from a file, for a plant that must be the one it was saved with.

    Parameters
    ----------
    path : str or path
        What `save_law` wrote.
    model : LinearModel
        `craft.linearize(...)` of the plant that the law will fly, about the same operating point.

    Returns
    -------
    LinearFeedback, DynamicFeedback or QuaternionFeedback
        The law; its torque limits are those of the model.

    Raises
    ------
    InputError
        When the file cannot be read or is no such file, or the plant differs: the message has both fingerprints and
        what differs first.
    """
    try:
        content = tomllib.loads(read_text(path, what="a law"))
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{path}: no law can be read ({error})") from None
    if content.get("format") != FORMAT:
        raise InputError(f"{path}: is not a law file of format {FORMAT}; got format = {content.get('format')!r}")
    try:
        check_same_plant(content["plant"], model, where=str(path))
        return _law(content, model)
    except (KeyError, TypeError) as error:
        raise InputError(f"{path}: the law file is incomplete or damaged ({error})") from None


def _law(content: Mapping[str, Any], model: LinearModel) -> AnyLaw:
    gains = content["gains"]
    timing = {"sample": content["sample_s"], "delay": content["delay_s"]}
    kind = content["law"]
    if kind == "linear-feedback":
        table = content.get("weights")
        weights = None if table is None else Weights(**{name.removesuffix("_weight"): table[name] for name in table})
        return LinearFeedback(gains["K"], model, **timing, weights=weights, saturation=content["saturation"])
    if kind == "dynamic-feedback":
        n, m = int(gains["order"]), 6 + len(content["measured"])
        shapes = {"A": (n, n), "B": (n, m), "C": (3, n), "D": (3, m), "tracking": (n, 3)}
        matrices = {name: _matrix(name, gains[name], shape) for name, shape in shapes.items()}
        return DynamicFeedback(
            Compensator(**matrices),
            model,
            **timing,
            measured=content["measured"],
            saturation=content["saturation"],
            design=content.get("design", {}),
        )
    if kind == "quaternion-feedback":
        matrices = {name: gains[name] for name in _QUATERNION}
        return QuaternionFeedback(**matrices, **timing, torques=model.torques, gyroscopic=content["gyroscopic"])
    raise InputError(f"law {kind!r} is unknown; (linear-feedback, dynamic-feedback, quaternion-feedback)")


def _matrix(name: str, rows: Any, shape: tuple[int, int]) -> np.ndarray:
    found = np.asarray(rows, dtype=np.float64)
    if found.size != shape[0] * shape[1] or (found.size and found.shape != shape):
        raise InputError(f"gain matrix {name} must be {shape[0]} x {shape[1]}; got shape {found.shape}")
    return found.reshape(shape)
