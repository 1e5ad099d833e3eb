"""``polhode identify CASE FILE --free KEY,KEY``: parameters of a case from telemetry, and excitations for it."""

import sys
from collections.abc import Iterable, Sequence
from math import radians
from pathlib import Path
from typing import TYPE_CHECKING

from ...plant.errors import InputError
from ..case.loader import load_case
from ..case.stored import state_case
from ..report.output import Results, prepare
from ..report.progress import progress

if TYPE_CHECKING:
    from matplotlib.figure import Figure

UNCERTAIN = 0.1
"""Largest relative error of the sensitivities, in standard deviations, that is no fault."""


def priors_of(texts: Iterable[str]) -> dict[str, float]:
    """Parse the arguments `--prior KEY=SIGMA`. Raises InputError if one has a different form.

    Returns the standard deviations by key.
    """
    found: dict[str, float] = {}
    for text in texts:
        key, equals, value = (part.strip() for part in text.partition("="))
        try:
            found[key] = float(value)
        except ValueError:
            equals = ""
        if not key or not equals:
            raise InputError(f"--prior {text!r}: write KEY=SIGMA, such as --prior inertia=5.0 (kg m^2)")
    return found


def identify_and_print(
    name: str,
    telemetry: Path,
    *,
    free: Sequence[str],
    priors: dict[str, float],
    known_start: bool,
    overrides: Iterable[str],
    json: bool,
    out: Path | None,
) -> int:
    """Identify parameters and print estimates, standard deviations and tests of the residuals.

    out: directory for identify.json, identified.toml (the case with the estimates) and the figures. Returns 1 if the
    telemetry does not determine every parameter, the search did not converge, or the residuals do not match the
    declared noise or are not white; otherwise 0. identified.toml states these faults; if a parameter is not determined,
    it is not written.
    """
    from ..case.identification import identify_case
    from ..case.tuning.tuned_text import tuned_text

    loaded = load_case(name, overrides)
    state_case(loaded)
    if out is not None:
        prepare(out)
    with progress(loaded.name) as show:
        found = identify_case(loaded, telemetry, free=free, priors=priors, known_start=known_start, progress=show)
    summary = found.to_dict()

    def draw() -> "dict[str, Figure]":
        from ..pictures.study.identified_case import draw_identified

        return draw_identified(found)

    faults = [
        f"the telemetry does not determine {combination}: {words}"
        for combination, words in zip(found.unobservable, found.advice, strict=True)
    ]
    if found.observable and not found.converged:
        faults.append("the search did not converge")
    if found.observable and found.difference_error > UNCERTAIN:
        faults.append(f"the standard deviations are uncertain by {100.0 * found.difference_error:.2g} %")
    for each in found.tests:
        if not each.fits:
            faults.append(f"the residuals of {each.name} do not match its declared noise")
        elif not each.is_white:
            faults.append(f"the residuals of {each.name} are not white, so the model is incomplete")
    with Results(out) as results:
        if found.observable:
            remarks = [f"do not rely on these values: {'; '.join(faults)}"] if faults else []
            remarks += [
                f"{each.name} = {each.value:.8g} +- {each.sigma:.2g} {each.unit}".rstrip() for each in found.estimates
            ]
            results.text(
                "identified.toml", tuned_text(found.loaded, source=loaded.source, command="identify", remarks=remarks)
            )
        results.pictures(draw)
        summary = results.finish("identify.json", summary)
    if json:
        from ..report.json_text import dump

        sys.stdout.write(dump(summary) + "\n")
    else:
        from ..report.console_identify import show_identified

        show_identified(found, files=results.files, out=results.where)
    if faults:
        sys.stderr.write(f"polhode: {loaded.name}: {'; '.join(faults)}\n")
    return results.code(1 if faults else 0)


def design_and_print(
    name: str,
    *,
    free: Sequence[str],
    max_rate: float | None,
    segments: int | None,
    priors: dict[str, float],
    known_start: bool,
    overrides: Iterable[str],
    json: bool,
    out: Path | None,
) -> int:
    """Design an excitation for the free parameters and print the expected standard deviations.

    max_rate: limit on the body rate, deg/s; out: directory for design.json, excitation.csv (the commands, in the form
    of telemetry) and the figure. Returns 1 if the excitation does not determine every parameter; otherwise 0.
    """
    from ..case.identification.design_excitation import SEGMENTS, design_excitation
    from ..case.identification.identify_case import LIMIT

    loaded = load_case(name, overrides)
    state_case(loaded)
    if out is not None:
        prepare(out)
    with progress(loaded.name) as show:
        found = design_excitation(
            loaded,
            free=free,
            max_rate=None if max_rate is None else radians(max_rate),
            segments=SEGMENTS if segments is None else segments,
            priors=priors,
            known_start=known_start,
            progress=show,
        )
    summary = found.to_dict()

    def draw() -> "dict[str, Figure]":
        from ..pictures.study.designed_excitation import draw_excitation

        return draw_excitation(found)

    with Results(out) as results:
        heads = "time_s," + ",".join(f"command_{n}_N_m" for n in (1, 2, 3))
        rows = (
            ",".join(map(repr, (round(float(t), 9), *u)))
            for t, u in zip(found.times, found.commands.tolist(), strict=True)
        )
        results.text("excitation.csv", "\n".join((heads, *rows)) + "\n")
        results.pictures(draw)
        summary = results.finish("design.json", summary)
    if json:
        from ..report.json_text import dump

        sys.stdout.write(dump(summary) + "\n")
    else:
        from ..report.console_identify import show_excitation

        show_excitation(found, files=results.files, out=results.where)
    open_ = found.information.unobservable(LIMIT)
    if open_:
        combinations = ", ".join(str(each) for each in open_)
        sys.stderr.write(
            f"polhode: {loaded.name}: the excitation does not determine {combinations}; raise the torque, the duration "
            "or --max-rate\n"
        )
    return results.code(1 if open_ else 0)
