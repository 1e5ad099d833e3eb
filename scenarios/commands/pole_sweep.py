"""``polhode poles``: poles of a case over one parameter, as a root locus and a Campbell diagram."""

import sys
from collections.abc import Iterable
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...plant.errors import InputError, PolhodeError
from ...plant.plain_text import plain_text
from ..case.loader import load_case
from ..case.located import located

if TYPE_CHECKING:
    from ..case.loader import LoadedCase

COUNT, MOST = 41, 1001
DEAD_BEAT = 1e-9
"""Magnitude below which a pole in the z-plane is dead-beat and has no equivalent in the s-plane."""


def parse_range(text: str) -> tuple[str, list[float]]:
    """Parse ``key.path=low:high`` or ``key.path=low:high:count`` into the key and its values.

    Examples
    --------
    >>> parse_range("plant.inertia_kg_m2.2=1:3:3")
    ('plant.inertia_kg_m2.2', [1.0, 2.0, 3.0])
    """
    key, equals, written = text.partition("=")
    parts = written.split(":")
    try:
        low, high = float(parts[0]), float(parts[1])
        count = int(parts[2]) if len(parts) > 2 else COUNT
    except (ValueError, IndexError):
        count = 0
        low = high = 0.0
    if not equals or not key.strip() or len(parts) > 3 or not 2 <= count <= MOST or not low < high:
        raise InputError(
            f"--vary {text!r:.80}: write key.path=low:high or key.path=low:high:count, with low < high and 2 to {MOST} "
            "values, such as controller.delay_s=0:0.5:26"
        )
    if not (isfinite(low) and isfinite(high)):
        raise InputError(f"--vary {text!r:.80}: both ends must be finite")
    return key.strip(), [float(each) for each in np.linspace(low, high, count)]


def poles_at(loaded: "LoadedCase", *, mode: str | None = None) -> NDArray[np.complex128]:
    """Return the poles of a case in the s-plane, 1/s, omitting poles with a negative imaginary part.

    If the case has a law, these are the poles of the sampled loop, s = log(z) / h. Otherwise, they are the poles of
    the spacecraft about its initial state. Raises PolhodeError if there is no linear model.
    """
    from ...controllers.contracts.law_defaults import with_defaults
    from ..case.kinds.design import design_model, linear_model
    from ..case.kinds.formulations import require_linear
    from ..case.kinds.problem import build
    from .one_mode import one_mode

    require_linear(loaded.case)
    loaded, problem = one_mode(loaded, mode)
    problem = build(loaded.case) if problem is None else problem
    if problem.law is None:
        found = np.asarray(linear_model(loaded.case, problem.craft).eigenvalues(), dtype=np.complex128)
    else:
        loop = with_defaults(problem.law).loop(design_model(loaded.case, problem.craft), blocks=problem.blocks)
        z = np.asarray(loop.poles(), dtype=np.complex128)
        found = np.asarray(np.log(z[np.abs(z) > DEAD_BEAT]), dtype=np.complex128) / (loop.repeats * loop.sample)
    return found[found.imag >= -1e-12 * np.abs(found)]


def sweep_poles(
    case: str, vary: str, *, overrides: Iterable[str], mode: str | None, out: Path | None, json: bool
) -> int:
    """Print and plot the poles of a case over one parameter.

    vary: ``key.path=low:high:count``.
    overrides: ``key.path=value``.
    mode: name of the mode, for a case with modes.
    out: file of the figure; the suffix selects the format.
    json: print one JSON object.
    Returns 0; 1 if the poles cannot be computed at some values.
    Raises InputError if the key or the range is invalid, or if the poles cannot be computed at any value.
    """
    from ..pictures.loop.pole_paths import draw_pole_paths
    from ..pictures.picture_file import check_picture, write_picture

    if out is not None:
        check_picture(out)
    key, values = parse_range(vary)
    settings = tuple(overrides)
    rate_varies = key.startswith("initial.rate")
    used: list[float] = []
    poles: list[NDArray[np.complex128]] = []
    spin: list[float] = []
    left: dict[float, str] = {}
    name = title = ""
    for value in values:
        loaded = load_case(case, (*settings, f"{key}={value!r}"))
        name, title = loaded.name, loaded.case.title
        try:
            with located(loaded.source):
                found = poles_at(loaded, mode=mode)
        except PolhodeError as error:
            left[value] = str(error)
            continue
        used.append(value)
        poles.append(found)
        if rate_varies:
            spin.append(_spin(loaded))
    if not used:
        raise InputError(f"--vary {vary}: no value gives poles; at {values[0]:g}: {left[values[0]]}")
    if out is not None:
        label = _label(key)
        turning = spin if rate_varies and max(spin) > 0.0 else None
        write_picture(out, lambda: draw_pole_paths(used, poles, label=label, spin=turning, title=f"{name}: {title}"))
    crossings = _crossings(used, poles)
    summary: dict[str, Any] = {
        "case": name,
        "key": key,
        "values": used,
        "poles": [[[float(s.real), float(s.imag)] for s in each] for each in poles],
        "stability_changes_between": crossings,
        "without_poles": [{"value": value, "reason": reason} for value, reason in left.items()],
        "file": None if out is None else str(out),
    }
    if json:
        from ..report.json_text import dump

        sys.stdout.write(dump(summary) + "\n")
    else:
        _say(summary, poles)
    return 1 if left else 0


def _spin(loaded: "LoadedCase") -> float:
    """Return the magnitude of the initial body rate, rad/s."""
    from ..case.kinds.problem import build

    state = build(loaded.case, with_law=False)
    return float(np.linalg.norm(state.craft.rate(state.state)))


def _label(key: str) -> str:
    """Return a key as an axis label, with its unit if it has one.

    Examples
    --------
    >>> _label("initial.rate_rad_s.2"), _label("controller.delay_s"), _label("controller.attitude_weight")
    ('initial.rate.2 (rad/s)', 'controller.delay (s)', 'controller.attitude weight')
    """
    stem, index = (
        (key.rsplit(".", 1)[0], "." + key.rsplit(".", 1)[1]) if key[-1:].isdigit() and "." in key else (key, "")
    )
    units = {
        "_rad_s": "rad/s",
        "_deg_s": "deg/s",
        "_kg_m2": "kg m^2",
        "_N_m": "N m",
        "_deg": "deg",
        "_m": "m",
        "_s": "s",
    }
    for suffix, unit in units.items():
        if stem.endswith(suffix):
            return f"{stem.removesuffix(suffix).replace('_', ' ')}{index} ({unit})"
    return key.replace("_", " ")


def _crossings(values: list[float], poles: list[NDArray[np.complex128]]) -> list[list[float]]:
    """Return each pair of neighbouring values between which stability changes."""
    stable = [bool((each.real <= 1e-9 * np.abs(each)).all()) for each in poles]
    return [
        [values[n], values[n + 1]]
        for n in range(len(values) - 1)
        if stable[n] != stable[n + 1]
    ]  # fmt: skip


def _say(summary: dict[str, Any], poles: list[NDArray[np.complex128]]) -> None:
    from ..pictures.loop.pole_paths import slow_poles

    lines = [
        f"{summary['case']}: poles over {summary['key']}",
        f"{'value':>12}  slowest decay, 1/s  least damping ratio of the poles that decay at most 20 times as fast",
    ]
    for value, each in zip(summary["values"], poles, strict=True):
        kept = each[slow_poles(each)]  # omit dead-beat poles of a delay, which rounding scatters
        moving = kept[np.abs(kept) > 0.0]
        slow = float(-each.real.max(initial=-np.inf))
        least = float((-moving.real / np.abs(moving)).min(initial=1.0))
        lines.append(f"{value:>12.6g}  {slow + 0.0:>18.6g}  {least + 0.0:>19.4g}")
    lines += [f"stability changes between {low:g} and {high:g}" for low, high in summary["stability_changes_between"]]
    lines += [f"no poles at {each['value']:g}: {each['reason']}" for each in summary["without_poles"]]
    lines += [f"written to {summary['file']}"] if summary["file"] else []
    sys.stdout.writelines(plain_text(line) + "\n" for line in lines)
