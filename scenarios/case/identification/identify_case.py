"""Identify parameters of a case from telemetry."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ....controllers.sensing.sensors import Tachometer
from ....plant.brief import brief
from ....plant.errors import InputError
from ....plant.frozen import frozen_results
from ....sim.analysis.identification.information import Combination, Information
from ....sim.analysis.identification.output_error import fit_output_error
from ....sim.analysis.identification.residual_tests import ResidualTest, residual_test
from ..changed import changed_case
from ..kinds.problem import build
from ..kinds.sensors.sensed import sensed
from ..loader import LoadedCase, load_case
from ..located import located
from .case_model import CaseModel, plant_only, require_direct_commands
from .excitation import excitation_for
from .telemetry import Telemetry, read_telemetry
from .unknowns import Inertia, Unknown, priors_of_keys, unknowns_of

if TYPE_CHECKING:
    from ....sim import Run

Array = NDArray[np.float64]

LIMIT = 0.1
"""Relative standard deviation above which a combination of parameters is unobservable. At a noisy estimate, a
combination without excitation has a relative standard deviation of 0.3 to 2 instead of infinity, since errors of the
other parameters seem to excite the combination."""


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """One identified value.

    Attributes
    ----------
    name : str
        Key of the value, or a name such as "inertia_xx".
    unit : str
        Unit of the value; empty: the unit in the key.
    before, value : float
        Value in the case, and estimate.
    sigma : float
        Standard deviation: Cramer-Rao bound when all other parameters are estimated too.
    """

    name: str
    unit: str
    before: float
    value: float
    sigma: float


@frozen_results
@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class IdentifiedCase:
    """Result of `identify_case`.

    Attributes
    ----------
    before, loaded : LoadedCase
        The original case, and the case with the estimates.
    estimates, nuisances : tuple of Estimate
        Free parameters, and the initial state and biases that are estimated with them.
    information : Information
        Information on the free parameters, including priors.
    unobservable : tuple of Combination
        Combinations that the telemetry does not determine. If there are any, the estimates are not meaningful.
    advice : tuple of str
        Excitation that would determine each of these combinations.
    tests : tuple of ResidualTest
        Tests of the residuals of each sensor.
    times : tuple of numpy.ndarray
        Times of the residuals of each sensor, s.
    residuals : tuple of numpy.ndarray, shape (n, c)
        Whitened residuals of each sensor.
    difference_error : float
        Largest relative change of a standard deviation when the difference step of the sensitivities is doubled.
    simulated : str
        Why the sensitivities are differences of simulated runs; empty if the runs were extrapolated along exact
        tangents.
    steps : int
        Number of Gauss-Newton steps.
    converged : bool
        Whether the search converged.
    notes : tuple of str
        Remarks on telemetry and estimates.
    by_key : mapping
        Estimate for each free key that the case contains.
    """

    before: LoadedCase
    loaded: LoadedCase
    estimates: tuple[Estimate, ...]
    nuisances: tuple[Estimate, ...]
    information: Information
    unobservable: tuple[Combination, ...]
    advice: tuple[str, ...]
    tests: tuple[ResidualTest, ...]
    times: tuple[Array, ...]
    residuals: tuple[Array, ...]
    difference_error: float
    simulated: str
    steps: int
    converged: bool
    notes: tuple[str, ...]
    by_key: Mapping[str, Any]

    __repr__ = brief

    @property
    def observable(self) -> bool:
        """True if the telemetry determines every free parameter."""
        return not self.unobservable

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        rows = [
            {"name": each.name, "unit": each.unit or None, "before": each.before, "value": each.value,
             "sigma": _number(each.sigma)}
            for each in (*self.estimates, *self.nuisances)
        ]  # fmt: skip
        count = len(self.estimates)
        correlation = [[_number(each) for each in row] for row in self.information.correlation]
        return {
            "case": self.loaded.name,
            "observable": self.observable,
            "converged": self.converged,
            "estimates": rows[:count],
            "nuisances": rows[count:],
            "correlation": correlation,
            "unobservable": [
                {"combination": str(each), "sigma": _number(each.sigma), "excite": words}
                for each, words in zip(self.unobservable, self.advice, strict=True)
            ],
            "residuals": [
                {"sensor": each.name, "count": each.count, "mean_square": each.mean_square, "low": each.band[0],
                 "high": each.band[1], "whiteness": _number(each.whiteness)}
                for each in self.tests
            ],
            "difference_error": self.difference_error,
            "sensitivities": f"differences: {self.simulated}" if self.simulated else "tangents",
            "steps": self.steps,
            "notes": list(self.notes),
        }  # fmt: skip


def identify_case(
    name_or_path: str | Path | LoadedCase,
    telemetry: "str | Path | Run | Telemetry",
    *,
    free: Sequence[str],
    priors: Mapping[str, float] | None = None,
    known_start: bool = False,
    overrides: Iterable[str] = (),
    progress: Callable[[float], None] | None = None,
) -> IdentifiedCase:
    """Identify parameters of a case by the output-error method, a maximum-likelihood fit to telemetry.

    The recorded commands drive the plant of the case. Simulated gyros, star trackers and tachometers are compared with
    the telemetry, each weighted by its declared noise. Initial attitude, initial rate and gyro biases are estimated
    too.

    Parameters
    ----------
    name_or_path : str, path or LoadedCase
        The case. The search starts from its values.
    telemetry : str, path, Run or Telemetry
        A run, a run.nc, or a CSV file with the columns time_s, command_1_N_m to command_3_N_m, and columns named after
        each sensor.
    free : sequence of str
        Keys to identify: "inertia", any numeric key of [plant], [[sensors]] or [environment], "sensors.N.bias" or
        "sensors.N.alignment".
    priors : mapping of str to float, optional
        Standard deviation of the value in the case, by key, in the unit of the key.
    known_start : bool
        Whether the initial attitude and rate of the case are exact.
    overrides : iterable of str
        ``key.path=value``, applied to the case before validation.
    progress : callable, optional
        Called with the completed fraction of the work.

    Returns
    -------
    IdentifiedCase
        Estimates, standard deviations, unobservable combinations, and tests of the residuals.

    Raises
    ------
    InputError
        If the telemetry has gaps or wrong units, a key is not numeric, or the case has no usable sensor.
    """
    loaded = name_or_path if isinstance(name_or_path, LoadedCase) else load_case(name_or_path, overrides)
    case = loaded.case
    with located(loaded.source):
        if case.modes:
            raise InputError(
                "identify drives the plant by recorded commands of one torque; a case with [[modes]] is not supported"
            )
        if case.plant.has_steered_gyros:
            raise InputError(
                "identify drives the plant by the recorded external torque, but control moment gyros produce the "
                "torque of this case; it is not supported"
            )
        if case.faults:
            raise InputError(
                "identify compares the telemetry with a spacecraft without faults, but the case has [[faults]]; remove "
                "them, and truncate the record before the first"
            )
        require_direct_commands(case)
        law = None if case.controller is None else build(plant_only(case)).law
        sample = None if law is None else law.sample
        sensors = sensed(case, sample=sample or 1.0)
        given = priors_of_keys(priors or {}, free)
        unknowns = unknowns_of(loaded, free, sensors, given)
        delay = 0.0 if law is None else law.delay
        data = (
            telemetry
            if isinstance(telemetry, Telemetry)
            else read_telemetry(
                Path(telemetry) if isinstance(telemetry, str) else telemetry, sensors, sample=sample, delay=delay
            )
        )
        model = CaseModel(loaded, data, unknowns, sample=sample or 1.0, priors=given, known_start=known_start)
    fit = fit_output_error(model, model.start, progress=progress)
    return _result(loaded, model, unknowns, fit, data.notes)


def _result(
    loaded: LoadedCase, model: CaseModel, unknowns: Sequence[Unknown], fit: Any, notes: Sequence[str]
) -> IdentifiedCase:
    values = model.values(fit.x)
    before = model.values(model.start)
    sizes = model.sizes(values)
    information = model.information(fit.x, fit.jacobian)
    coarse = model.information(fit.x, fit.coarse)
    whole = Information(names=tuple(model.names), matrix=model.natural(fit.x, fit.jacobian), scale=sizes)
    open_ = information.unobservable(LIMIT)
    sigmas = np.concatenate((information.sigma, whole.sigma[model.free :]))
    rows = _estimates(model, unknowns, before, values, sigmas)
    count = len(model.telemetry.channels)
    compared = [each for each in sensed(loaded.case, sample=1.0) if each.name in model.telemetry.channels]
    sensors = [each.name for each in compared]
    counted = {each.name for each in compared if isinstance(each.sensor, Tachometer)}
    total = sum(each.size for each in fit.residuals[:count])
    tests = tuple(
        residual_test(name, each, estimated=fit.x.size * each.size / total, white=name not in counted)
        for name, each in zip(sensors, fit.residuals[:count], strict=True)
    )
    times = tuple(
        model.telemetry.channels[name].times[: len(each)]
        for name, each in zip(sensors, fit.residuals[:count], strict=True)
    )
    document = model.document(fit.x, loaded.document)
    tables = sorted({each.key.split(".")[0] for each in unknowns if each.in_case})
    after = changed_case(loaded, document, tables) if tables else loaded
    seen = np.isfinite(information.sigma) & (information.sigma > 0.0)
    change = np.abs(coarse.sigma[seen] / information.sigma[seen] - 1.0)
    words = [*notes]
    if model.law is not None and not counted:
        words += _exact_commands(unknowns)
    if not fit.converged and not open_:
        words.append("the search did not converge; start closer to the true values, or shorten the record")
    words += _misfits(tests)
    return IdentifiedCase(
        before=loaded,
        loaded=after,
        estimates=tuple(rows[: model.free]),
        nuisances=tuple(rows[model.free :]),
        information=information,
        unobservable=open_,
        advice=tuple(excitation_for(each, values[: model.free]) for each in open_),
        tests=tests,
        times=times,
        residuals=tuple(fit.residuals[:count]),
        difference_error=float(change.max()) if change.size else 0.0,
        simulated=fit.simulated,
        steps=fit.steps,
        converged=fit.converged,
        notes=tuple(words),
        by_key={
            each.key: each.document_value(fit.x[part])
            for each, part in zip(unknowns, model.parts, strict=True)
            if each.in_case
        },
    )


def _estimates(
    model: CaseModel, unknowns: Sequence[Unknown], before: Array, values: Array, sigmas: Array
) -> list[Estimate]:
    """Return the estimates of all components of x: unknowns, initial attitude and rate, biases."""
    units = [each.unit for each in unknowns for _ in each.names]
    units += ["rad"] * (model.attitude.stop - model.attitude.start)
    units += ["rad/s"] * (len(model.names) - len(units))
    return [
        Estimate(name=name, unit=unit, before=float(old), value=float(new), sigma=float(sigma))
        for name, unit, old, new, sigma in zip(model.names, units, before, values, sigmas, strict=True)
    ]


def _exact_commands(unknowns: Sequence[Unknown]) -> list[str]:
    """Return a note if an inertia is identified from commands whose errors no sensor reveals."""
    if not any(isinstance(each, Inertia) for each in unknowns):
        return []
    return [
        "the commands are assumed exact: a torque error of 1 % causes an inertia error of 1 % that no residual shows"
    ]


def _misfits(tests: Sequence[ResidualTest]) -> list[str]:
    """Return a note on each sensor whose residuals are too large or not white."""
    words: list[str] = []
    for each in tests:
        if not each.fits:
            words.append(
                f"residuals of {each.name} are {np.sqrt(each.mean_square):.3g} times the noise that the case declares; "
                "the model or the noise is wrong, and so are the standard deviations"
            )
        if not each.is_white:
            words.append(
                f"residuals of {each.name} are not white (probability {each.whiteness:.2g}); the model is incomplete"
            )
    return words


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
