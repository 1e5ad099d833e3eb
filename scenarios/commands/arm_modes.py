"""``polhode linearize`` for a spacecraft with flexible arms: vibration modes and their participation."""

import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...controllers.laws.files.provenance import state
from ...plant import Spacecraft
from ...plant.flexible import MeshModes, ReducedCraft, flight_modes, mesh_of, reduce_craft
from ...plant.loads.potentials.prescribed_orbit import without_orbit
from ..case.kinds.design import left_out_warning
from ..case.stored import state_case
from ..report.model_mat import write_mat
from ..report.output import Results, prepare
from ..report.summary import linear_model_summary

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..case.loader import LoadedCase

Array = NDArray[np.float64]

HERTZ = 2.0 * math.pi
DRAWN = 12  # number of modes in a figure
NO_DAMPING = 0.005  # damping ratio for comparing responses; without damping the resonances would be unbounded


def linearize_arms(
    loaded: "LoadedCase",
    craft: Spacecraft,
    *,
    modes: int | None,
    damping: float,
    warnings: list[str],
    json: bool,
    out: Path | None,
    hub_size: Array | None = None,
) -> int:
    """Print the linear model at rest of a spacecraft whose arms are replaced by vibration modes.

    modes: number of modes in the model; None: all modes that couple to the hub attitude.
    damping: damping ratio of every fixed-hub mode, in addition to material damping.
    warnings: warnings about the spacecraft, printed with the model.
    json: print one JSON object.
    out: directory for linear_model.json and plots of the modes.
    hub_size (3,): edge lengths of the hub in the plots, m.
    Returns 0.
    """
    from ...controllers import plant_fingerprint
    from ..report.json_text import dump

    state_case(loaded)
    if out is not None:
        prepare(out)
    if craft.time_dependent:
        warnings = [*warnings, left_out_warning(craft)]
        craft = without_orbit(craft)
    reduced, flight = reduce_craft(craft, modes=modes), flight_modes(craft)
    designed_on = reduced.spacecraft(damping=damping)
    model = designed_on.linearize(designed_on.at_rest())
    state({"plant_fingerprint": plant_fingerprint(model)})
    described = modes_summary(reduced, flight=flight, damping=damping)
    model_entries = linear_model_summary(model)
    summary = {"case": loaded.name, **model_entries, **described, "warnings": warnings}
    with Results(out) as results:
        results.pictures(lambda: _pictures(loaded.name, reduced, flight=flight, damping=damping, hub_size=hub_size))
        results.write("linear_model.mat", lambda path: write_mat(model_entries, path))
        summary = results.finish("linear_model.json", summary)
    if json:
        sys.stdout.write(dump(summary) + "\n")
        return results.code(0)
    from ..report.console import show_warnings
    from ..report.console_modes import show_modes

    show_modes(loaded, summary)
    show_warnings(warnings)
    results.say()
    return results.code(0)


def modes_summary(reduced: ReducedCraft, *, flight: MeshModes, damping: float) -> dict[str, Any]:
    """Describe the vibration modes of the arms.

    reduced: spacecraft with the retained modes; flight: modes of the free spacecraft; damping: damping ratio in
    addition to material damping. Returns entries of ``polhode linearize --json``: modes with the hub fixed, modes of
    the free spacecraft, and the frequency up to which the model matches the full mesh.
    """
    every = reduced.every
    shares = np.einsum("kii->ki", every.effective_inertia) / every.inertia.diagonal()
    masses = np.einsum("kii->ki", every.effective_mass) / every.mass
    free_ratios = flight.damping_ratios + _damping_in_flight(reduced, flight=flight, damping=damping)
    bound = reduced.valid_up_to(damping=_damped(every.damping_ratios, damping))
    return {
        "inertia_kg_m2": every.inertia.tolist(),
        "mass_kg": every.mass,
        "valid_up_to_Hz": None if math.isinf(bound) else bound / HERTZ,
        "modes_in_model": list(reduced.numbers),
        "modes": [
            {
                "number": k + 1,
                "frequency_Hz": float(every.frequencies[k]) / HERTZ,
                "damping_ratio": float(every.damping_ratios[k]) + damping,
                "rotation_kg05_m": every.rotation[:, k].tolist(),
                "translation_kg05": every.translation[:, k].tolist(),
                "inertia_share": shares[k].tolist(),
                "mass_share": masses[k].tolist(),
            }
            for k in range(every.frequencies.size)
        ],
        "inertia_share_of_all_modes": shares.sum(axis=0).tolist(),
        "free_modes": [
            {
                "number": k - 5,
                "frequency_Hz": float(flight.frequencies[k]) / HERTZ,
                "damping_ratio": float(free_ratios[k]),
                "hub_place_per_kg05": flight.shapes[:3, k].tolist(),
                "hub_turn_rad_per_kg05_m": flight.shapes[3:6, k].tolist(),
            }
            for k in range(6, flight.frequencies.size)
        ],
    }


def _damping_in_flight(reduced: ReducedCraft, *, flight: MeshModes, damping: float) -> Array:
    """Return the damping ratio of each free mode if every fixed-hub mode has the same ratio zeta.

    The ratio is 1/2 sum 2 zeta w_k y_k^2 / w, with y_k the amplitude of fixed-hub mode k in the free mode.
    """
    every, shapes = reduced.every, flight.shapes
    hub, still, mesh = shapes[:6], np.zeros(3), mesh_of(reduced.craft, locked=True)
    about = mesh.mass_centre  # the hub coordinates rotate about the hub's own centre, not about this point
    rigid = np.column_stack(
        [mesh.rigid_rates(still, velocity=unit) for unit in np.eye(3)]
        + [mesh.rigid_rates(unit, velocity=np.cross(unit, about)) for unit in np.eye(3)]
    )
    relative = shapes - rigid @ hub
    y = every.shapes.T @ flight.matrices.M @ relative
    rates = damping * np.einsum("k,kj->j", every.frequencies, y**2)
    return np.divide(rates, flight.frequencies, out=np.zeros_like(rates), where=flight.frequencies > 0.0)


def _damped(own: Array, given: float) -> float:
    """Return the additional damping ratio for comparing responses: the given one, or a small default.

    own: damping ratios from the material. The default applies if a mode would be undamped otherwise.
    """
    return given if given > 0.0 or bool((own > 0.0).all()) else NO_DAMPING


def _pictures(
    name: str, reduced: ReducedCraft, *, flight: MeshModes, damping: float, hub_size: Array | None
) -> "dict[str, Figure]":
    from ..pictures import draw_hub_response, draw_mode_shapes

    every = reduced.every
    at = _damped(every.damping_ratios, damping)
    held = list(range(min(DRAWN, every.frequencies.size)))
    free = list(range(6, min(6 + DRAWN, flight.frequencies.size)))
    return {
        "modes_free": draw_mode_shapes(
            reduced.craft,
            flight.shapes,
            hub_size=hub_size,
            numbers=free,
            titles=[f"{k - 5}:  {flight.frequencies[k] / HERTZ:.4g} Hz" for k in free],
            title=f"{name}: modes of the free spacecraft",
        ),
        "modes_hub_fixed": draw_mode_shapes(
            reduced.craft,
            every.shapes,
            hub_size=hub_size,
            numbers=held,
            titles=[f"{k + 1}:  {every.frequencies[k] / HERTZ:.4g} Hz" for k in held],
            title=f"{name}: modes with the hub fixed",
        ),
        "response": draw_hub_response(reduced, damping=at, title=name),
    }
