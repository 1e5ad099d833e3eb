"""A case with a `[satellite]`, flown."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant.frozen import frozen_results
from ..explain import located
from ..problem import build
from ..satellite import rigid_body_of, satellite_of
from ..schema import Case, InitialTable, SatelliteCase
from ..start import pose

if TYPE_CHECKING:
    from ...controllers import Reference
    from ...plant.flexible import FlexibleSatellite
    from ...sim.flexible import FlexibleRun, HubLaw

__all__ = ["Flight", "fly", "rigid_case"]

Array = NDArray[np.float64]


@frozen_results
@dataclass(frozen=True, eq=False, kw_only=True)
class Flight:
    """What was flown and what came of it.

    Attributes
    ----------
    case : SatelliteCase
        What was asked for.
    run : FlexibleRun
        The motion.
    reference : Reference or None
        What the law holds.
    sample_times : numpy.ndarray, shape (m,)
        When the law was asked, s; empty without one.
    commands : numpy.ndarray, shape (m, 3)
        What it answered, limited, N m.
    sample : float or None
        Its period, s.
    """

    case: SatelliteCase
    run: "FlexibleRun"
    reference: "Reference | None"
    sample_times: Array
    commands: Array
    sample: float | None


def rigid_case(case: SatelliteCase, satellite: "FlexibleSatellite") -> Case:
    """Return the case of the same satellite with rigid arms: what its law is designed on.

    Parameters
    ----------
    case : SatelliteCase
        The case.
    satellite : FlexibleSatellite
        Its craft.

    Returns
    -------
    Case
        With a `[plant]` of the whole inertia and mass, the same start, reference and controller.
    """
    body = rigid_body_of(satellite)
    told: dict[str, Any] = {
        "title": case.title,
        "plant": {"inertia_kg_m2": body.inertia.tolist(), "mass_kg": body.mass},
        "run": {"duration_s": case.run.duration_s},
    }
    rigid = Case.model_validate(told)
    start = {key: getattr(case.initial, key) for key in ("attitude", "attitude_deg", "rate_rad_s", "rate_deg_s")}
    return rigid.model_copy(
        update={
            "initial": InitialTable.model_construct(**start),
            "reference": case.reference,
            "controller": case.controller,
        }
    )


def fly(case: SatelliteCase, times: Sequence[float] = ()) -> Flight:
    """Fly a case.

    Parameters
    ----------
    case : SatelliteCase
        The case.
    times : sequence of float
        Further times of rows, s.

    Returns
    -------
    Flight
        The run and what its law did.

    Raises
    ------
    InputError
        When a value is refused; its message begins with the key path.
    """
    from ...sim.flexible import HubPulse, pulses_torque, simulate_flexible

    satellite = satellite_of(case.satellite)
    attitude, rate = pose(case.initial, "initial")
    pulses: list[HubPulse] = []
    for index, each in enumerate(case.torques):
        with located(f"torques.{index}"):
            pulses.append(HubPulse(components=each.components_N_m, start=each.from_s, stop=each.to_s, shape=each.shape))
    law, reference, sample, asked = _law(case, satellite)
    start = satellite.state(
        attitude=attitude,
        rate=(0.0, 0.0, 0.0) if rate is None else rate,
        position=case.initial.position_m,
        velocity=case.initial.velocity_m_s,
    )
    with located("run"):
        run = simulate_flexible(
            satellite,
            start,
            duration=case.run.duration_s,
            torque=pulses_torque(pulses),
            law=law,
            sample=sample,
            method=case.run.integrator,
            step=case.run.step_s,
            output=case.run.output_s or case.run.duration_s / 500.0,
            at=times,
        )
    return Flight(
        case=case,
        run=run,
        reference=reference,
        sample_times=np.array([t for t, _ in asked]),
        commands=np.array([u for _, u in asked]).reshape(-1, 3),
        sample=sample,
    )


def _law(
    case: SatelliteCase, satellite: "FlexibleSatellite"
) -> "tuple[HubLaw | None, Reference | None, float | None, list[tuple[float, Array]]]":
    """The law on the hub, its reference, its period, and where its commands will be noted."""
    asked: list[tuple[float, Array]] = []
    if case.reference is None and case.controller is None:
        return None, None, None, asked
    from ...controllers import FixedReference
    from ...sim.flexible import law_on_hub

    problem = build(rigid_case(case, satellite))
    if problem.law is None:
        return None, problem.reference, None, asked
    reference = problem.reference or FixedReference()
    assert case.controller is not None  # noqa: S101 # a law comes from a controller
    check: Any = getattr(problem.law, "check_reference", None)
    with located("controller"):
        if check is not None:
            check(reference)
        inner = law_on_hub(problem.law, reference, body=problem.craft.body, limit=case.controller.torque_limit_N_m)

    def noted(t: float, e: Array, rate: Array) -> ArrayLike:
        u = np.asarray(inner(t, e, rate), dtype=np.float64)
        asked.append((t, u))
        return u

    return noted, problem.reference, problem.law.sample, asked
