"""``polhode linearize``: exact linear model of a case."""

import sys
from collections.abc import Iterable
from pathlib import Path

from ...controllers.laws.files.provenance import state
from ...plant.errors import EquilibriumError, InputError
from ...plant.hub.balanced import balanced, has_imbalance
from ..case.loader import load_case
from ..case.located import located
from ..case.stored import state_case
from ..report.output import Results, prepare

IMBALANCE = "the model has balanced wheels: about rotating wheels with imbalance it would not be constant"
ONE_OF_TWO = "the control torque of the wheels is the input; for the external torque, use --actuators external"


def linearize_case(
    case: str,
    *,
    overrides: Iterable[str],
    json: bool,
    allow_nonequilibrium: bool = False,
    modes: int | None = None,
    damping: float | None = None,
    actuators: str | None = None,
    coordinates: Iterable[str] = (),
    out: Path | None = None,
) -> int:
    """Print the exact linear model of a case.

    overrides: ``key.path=value``.
    json: print one JSON object.
    allow_nonequilibrium: accept a state that is not an equilibrium.
    modes: number of vibration modes that replace flexible arms; None: all modes.
    damping: damping ratio of every vibration mode, in addition to material damping.
    actuators: control torque that is the input, "wheels" or "external"; None: wheels if there are any, with a note.
    coordinates: element coordinates; the load on each of these is an additional input.
    out: directory for the model and, with flexible arms, plots of the modes.
    Returns 0.
    Raises InputError if an option does not apply to the case.
    """
    from ...controllers import plant_fingerprint
    from ..case.kinds.design import (
        apart_from_hub,
        left_out_warning,
        linear_craft,
        linear_model,
        steady_plant,
        without_linear_model,
    )
    from ..case.kinds.formulations import require_linear
    from ..case.kinds.problem import build
    from ..case.kinds.torques.torques_of import left_out
    from ..report.json_text import dump
    from ..report.model_mat import write_mat
    from ..report.summary import linear_model_summary

    loaded = load_case(case, overrides)
    with located(loaded.source):
        require_linear(loaded.case)
        craft = build(loaded.case, with_law=False).craft
        warnings = left_out(loaded.case)
        warnings += [] if craft.external is None or actuators is not None else [ONE_OF_TWO]
        omitted, craft = without_linear_model(craft), linear_craft(loaded.case, craft)
        if omitted and not without_linear_model(craft):
            warnings.append(f"the model is that of nominal.plant, without {omitted}")
        craft = craft if actuators is None else craft.through(actuators)
        apart = apart_from_hub(loaded.case)
        if apart:
            warnings.append(
                f"the outputs are those of the hub, but {apart} relative to it with vibration modes; margins, poles of "
                "the loop and runs include this"
            )
    stated = [name for name, given in (("--modes", modes), ("--damping", damping)) if given is not None]
    if stated and not loaded.case.plant.has_arms:
        raise InputError(
            f"{stated[0]} requires a spacecraft with flexible arms, but {loaded.name} has none; add them as "
            '[[plant.elements]] kind = "flexible-arm"'
        )
    by_modes = [*stated, *(["--out"] if out is not None and loaded.case.plant.has_arms else [])]
    driven = tuple(coordinates)
    if by_modes:
        _check_arm_options(by_modes[0], driven, allow_nonequilibrium=allow_nonequilibrium)
        import numpy as np

        from .arm_modes import linearize_arms

        with located(loaded.source):
            size = loaded.case.plant.hub_size_m
            return linearize_arms(
                loaded,
                craft,
                modes=modes,
                damping=damping or 0.0,
                warnings=warnings,
                json=json,
                out=out,
                hub_size=None if size is None else np.array(size),
            )
    if out is not None:
        prepare(out)
    with located(loaded.source):
        try:
            if allow_nonequilibrium:
                plant, model = craft, linear_model(loaded.case, craft, coordinates=driven, allow_nonequilibrium=True)
            else:
                if has_imbalance(craft):
                    craft, warnings = balanced(craft), [*warnings, IMBALANCE]
                plant, model = steady_plant(loaded.case, craft, coordinates=driven)
        except EquilibriumError as error:
            raise EquilibriumError(f"{error}, or add --allow-nonequilibrium") from None
    state_case(loaded)
    state({"plant_fingerprint": plant_fingerprint(model.select(inputs=model.inputs[:3]))})
    warnings += [] if plant is craft else [left_out_warning(craft)]
    with Results(out) as results:
        described = linear_model_summary(model)
        results.write("linear_model.mat", lambda path: write_mat(described, path))
        summary = results.finish("linear_model.json", {**described, "warnings": warnings})
    if json:
        _print(dump(summary))
    else:
        from ..report.console import show_linear_model, show_warnings

        show_linear_model(loaded, summary)
        show_warnings(warnings)
        results.say()
    return results.code(0)


def _check_arm_options(option: str, driven: tuple[str, ...], *, allow_nonequilibrium: bool) -> None:
    """Raise InputError if other options cannot be combined with one that replaces flexible arms by modes."""
    if driven:
        raise InputError(
            f"--coordinate {driven[0]}: cannot be combined with {option}, since torques on the hub are its only inputs"
        )
    if allow_nonequilibrium:
        raise InputError(f"--allow-nonequilibrium: with {option} arms are linearised at rest, which is an equilibrium")


def _print(text: str) -> None:
    sys.stdout.write(text + "\n")
