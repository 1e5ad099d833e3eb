"""A ring damper by the published equations: run by itself, with the consistent model beside it in the picture."""

import sys
from collections.abc import Sequence
from math import degrees
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..plant.attitude import rotation_matrix
from ..plant.errors import InputError
from .elements.ring_damper import RingDamperTable, ring_of
from .loader import LoadedCase
from .located import located
from .metrics import METRICS, Metric
from .output import Results
from .requirements import judge
from .schema import Case
from .schema.plant import UniformGravityTable
from .start import pose

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..sim.compare_rings import RingComparison, RingHistory

__all__ = ["flies_published_ring", "run_published_ring"]

Array = NDArray[np.float64]

WARNING = (
    "model = published: (63)-(68) of Shivarama & Fahrenthold (2004) leave out the torques that keep the ring on its "
    "axis, so momentum drifts, energy can grow and nutation is not damped; model = consistent is right"
)


def flies_published_ring(case: Case) -> bool:
    """Return whether the case asks for the published equations of a ring.

    Parameters
    ----------
    case : Case
        The case.

    Returns
    -------
    bool
        Whether any of its elements does.
    """
    return any(isinstance(each, RingDamperTable) and each.model == "published" for each in case.plant.elements)


def run_published_ring(loaded: LoadedCase, times: Sequence[float], *, json: bool, out: Path | None) -> int:
    """Run the published equations and print what came of it.

    Parameters
    ----------
    loaded : LoadedCase
        A case with one ring and nothing else that acts but uniform gravity.
    times : sequence of float
        Times of the samples, s.
    json : bool
        Whether as one JSON object.
    out : path or None
        Where to write summary.json and the comparison with the consistent model.

    Returns
    -------
    int
        0 when every requirement is met, otherwise 1.
    """
    from .json_text import dump

    with located(loaded.source):
        found, inertia = _compare(loaded.case, times)
    metrics = _metrics(found)
    verdicts = judge(loaded.case.require, metrics)
    summary = _summary(loaded, found, inertia, times)
    summary["metrics"] = {name: metric.value for name, metric in metrics.items() if "drift" not in name}
    summary["requirements"] = [
        {"metric": each.metric, "value": each.value, "max": each.max, "min": each.min, "met": each.met,
         "reason": each.reason or None}
        for each in verdicts
    ]  # fmt: skip

    def draw() -> "dict[str, Figure]":
        from .pictures.ring_comparison import draw_ring_comparison

        return {"ring_comparison": draw_ring_comparison(found, title=f"{loaded.name}: {loaded.case.title}")}

    with Results(out) as results:
        results.pictures(draw)
        summary = results.finish("summary.json", summary)
    if json:
        sys.stdout.write(dump(summary) + "\n")
    else:
        from .console import show_run

        show_run(loaded, summary, files=results.files, out=results.where)
    unmet = [each.reason for each in verdicts if not each.met]
    if unmet:
        sys.stderr.write(f"polhode: {loaded.name}: requirement not met: {'; '.join(unmet)}\n")
    return results.code(1 if unmet else 0)


def _compare(case: Case, times: Sequence[float]) -> "tuple[RingComparison, Array]":
    from ..plant import RigidBody
    from ..sim import compare_published_ring

    table = case.plant.elements[0]
    alone = len(case.plant.elements) == 1 and isinstance(table, RingDamperTable)
    others = [potential for potential in case.plant.potentials if not isinstance(potential, UniformGravityTable)]
    if not alone or others or case.torques or case.controller is not None or case.plant.translation:
        raise InputError(
            'plant.elements: a ring with model = "published" is run by itself: no other elements or potentials than '
            "uniform gravity, no torques, no controller, no translation"
        )
    assert isinstance(table, RingDamperTable)  # noqa: S101 # for the type checker: `alone` says so
    gravity = np.zeros(3)
    for each in case.plant.potentials:
        if isinstance(each, UniformGravityTable):
            gravity = gravity + np.array(each.g_m_s2)
    attitude, given = pose(case.initial, "initial")
    rate = (0.0, 0.0, 0.0) if given is None else given
    if case.initial.momentum_N_m_s is not None:
        raise InputError('initial: a ring with model = "published" starts from a rate; give rate_rad_s or rate_deg_s')
    body = RigidBody(case.plant.inertia_kg_m2)
    found = compare_published_ring(
        body,
        ring_of(table),
        rate=rate,
        duration=case.run.duration_s,
        attitude=attitude,
        gravity=gravity,
        output=case.run.output_s or case.run.duration_s / 500.0,
        at=sorted({0.0, *times}),
        rtol=case.run.rtol or 1e-12,
    )
    return found, body.inertia


def _sample(t: Array, history: "RingHistory", row: int, inertia: Array) -> dict[str, Any]:
    e = history.attitude[row]
    rate: Array = np.array(np.linalg.inv(inertia) @ history.rotor_momentum[row])
    body = rotation_matrix(e / np.linalg.norm(e)).T @ history.momentum[row]
    return {
        "t_s": float(t[row]),
        "attitude": e.tolist(),
        "rate_rad_s": rate.tolist(),
        "momentum_N_m_s": body.tolist(),
        "energy_J": float(history.energy[row]),
        "internal": {
            "ring_angle_rad": float(history.angle[row]),
            "ring_angle_rate_rad_s": float(history.ring_rate[row] - rate[2]),
        },
    }


def _metrics(found: "RingComparison") -> dict[str, Metric]:
    history = found.published
    size = float(np.linalg.norm(history.momentum, axis=1).max()) or 1.0  # at rest nothing drifts
    moved = float(np.linalg.norm(history.momentum - history.momentum[0], axis=1).max())
    most = float(np.abs(history.energy).max()) or 1.0
    values = {
        "initial_nutation_deg": degrees(history.nutation[0]),
        "final_nutation_deg": degrees(history.nutation[-1]),
        "peak_nutation_deg": degrees(history.nutation.max()),
        "momentum_drift_relative": moved / size,
        "energy_drift_relative": float((history.energy - history.energy[0]).max() / most),
        "quaternion_norm_error": float(np.abs(np.linalg.norm(history.attitude, axis=1) - 1.0).max()),
    }
    why = "not measured of the published ring model"
    return {name: Metric(values[name]) if name in values else Metric(None, why, applies=False) for name in METRICS}


def _summary(loaded: LoadedCase, found: "RingComparison", inertia: Array, times: Sequence[float]) -> dict[str, Any]:
    metrics = _metrics(found)
    rows = [int(np.abs(found.t - time).argmin()) for time in times]
    names = ("energy_drift_relative", "momentum_drift_relative", "quaternion_norm_error")
    return {
        "case": loaded.name,
        "status": "completed",
        "reason": None,
        "t_end_s": float(found.t[-1]),
        "samples": [_sample(found.t, found.published, row, inertia) for row in rows],
        "final": _sample(found.t, found.published, -1, inertia),
        "metrics": {},
        "invariants": {name: metrics[name].value for name in names},
        "unavailable": {name: "the case has no such thing" for name, each in metrics.items() if each.value is None},
        "requirements": [],
        "counters": {},
        "warnings": [WARNING],
    }
