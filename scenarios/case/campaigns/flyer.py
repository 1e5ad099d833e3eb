"""Campaign runs: build, simulate and measure a case with drawn values."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from ....controllers import Law
from ....controllers.loop.routes import RATE
from ....plant.checks import choice
from ....plant.errors import InputError, PolhodeError
from ....sim import Run
from ....sim.runs.campaigns import Distribution, Draw, Outcome
from ...case_run import flies_together, measure_as, run_problems
from ...report.margin_metrics import required_margins
from ..changed import changed_case
from ..kinds.actuators import torque_bases
from ..kinds.modes import with_references
from ..kinds.problem import Problem, build
from ..kinds.sensing import looks_at_momentum
from ..loader import LoadedCase
from ..located import located
from ..overrides import put_value
from ..schema import Case
from .dispersions import keys_to_set, value_at

T = TypeVar("T")


LANES = 32  # number of runs whose objects are in memory at the same time
NOMINAL = ("plant", "initial", "orbit", "environment", "sensors")
"""Tables of the plant, its environment and its sensors, which also define what law and estimator assume."""
LIMIT = "controller.torque_limit_N_m"
DESIGNS = ("controller", "modes", "reference", "nominal")
"""Tables that change the law. If none of them is dispersed, a run uses the law of the nominal case."""


def dispersed_case(loaded: LoadedCase, draw: Draw, *, where: str) -> LoadedCase:
    """Return a case with the drawn values of a run; its law keeps the nominal design model.

    Raises InputError if the case is invalid with these values.
    """
    values = draw.values
    changed = {key.partition(".")[0] for key in values}
    loaded = _knowing(loaded, [name for name in NOMINAL if name in changed])
    document = dict(loaded.document)
    for key, value in keys_to_set(values).items():
        path = tuple(key.split("."))
        document = _copied(document, path)
        put_value(document, path, value, where=where)
    if draw.run >= 0:  # the nominal run keeps the seed of the case
        document["run"] = {**document["run"], "seed": draw.seed, "number": draw.number}
    return changed_case(loaded, document, {*changed, "run"}, by_key=True)


def _copied(value: Any, path: Sequence[str]) -> Any:
    """Return a copy of part of a document in which the tables and lists along a path are new."""
    if isinstance(value, dict):
        table: dict[str, Any] = dict(value)  # pyright: ignore[reportUnknownArgumentType]
        if path and path[0] in table:
            table[path[0]] = _copied(table[path[0]], path[1:])
        return table
    if isinstance(value, list):
        entries: list[Any] = list(value)  # pyright: ignore[reportUnknownArgumentType]
        if path and path[0].isdigit() and int(path[0]) < len(entries):
            entries[int(path[0])] = _copied(entries[int(path[0])], path[1:])
        return entries
    return value


def _knowing(loaded: LoadedCase, moved: Sequence[str]) -> LoadedCase:
    """Return the case with an explicit nominal design model, before its plant tables are dispersed."""
    document, nominal = loaded.document, loaded.document.get("nominal", {})
    before = {name: document[name] for name in moved if name in document}
    if not moved or "controller" not in document:
        return loaded
    case = loaded.case
    if "plant" in before and case.assumed is case.plant and "plant" in nominal:
        before["actuators"] = before["plant"]  # the stated design model does not have these actuators
    if "nominal" in document and before.keys() <= nominal.keys():
        return loaded
    return changed_case(loaded, {**document, "nominal": {**before, **nominal}}, ("nominal",))


@dataclass(frozen=True, eq=False)
class CaseFlyer:
    """Simulator of campaign runs. Each worker receives the validated case and builds the objects itself.

    As in flight, the law is designed for the nominal spacecraft, without knowledge of the drawn values. So are the
    allocation to wheels and thrusters, the steering of gyros, the speed loop of wheels, and the estimator. Dispersed
    controller keys change the law, but not its design model.
    """

    loaded: LoadedCase
    dispersions: Mapping[str, Distribution]

    @cached_property
    def nominal(self) -> Problem:
        """Objects built from the nominal case."""
        return build(self.loaded.case)

    @cached_property
    def flies_together(self) -> bool:
        """True if runs of the case can be simulated as a compiled batch."""
        return flies_together(self.nominal)

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for pickling, without built objects."""
        return {"loaded": self.loaded, "dispersions": self.dispersions}

    def _knowing(self, draw: Draw) -> LoadedCase:
        """Return the case with an explicit design model, cached for all draws that disperse the same tables."""
        changed = {key.partition(".")[0] for key in draw.values}
        moved = tuple(name for name in NOMINAL if name in changed)
        if moved not in self._known:
            self._known[moved] = _knowing(self.loaded, moved)
        return self._known[moved]

    @cached_property
    def _known(self) -> dict[tuple[str, ...], LoadedCase]:
        return {}

    def problem(self, draw: Draw, where: str) -> tuple[LoadedCase, Problem]:
        """Return the validated case with drawn values, and the objects built from it, including the law."""
        loaded = dispersed_case(self._knowing(draw), draw, where=where)
        law = self._law(loaded.case, draw.values)
        if law is None:
            return loaded, build(loaded.case)
        only_plant = {key.partition(".")[0] for key in draw.values} == {"plant"}
        sensing = self.nominal if only_plant and self._senses_only else None
        return loaded, build(loaded.case, under=lambda craft: with_references(loaded.case, craft, law), sensing=sensing)

    @cached_property
    def _senses_only(self) -> bool:
        """True if all blocks of the case are sensors or an estimator, which do not depend on the plant."""
        case, nominal = self.loaded.case, self.nominal
        if not nominal.blocks or case.blocks or case.modes or case.torques or case.faults:
            return False
        plant = case.plant
        if plant.thrusters is not None or plant.has_steered_gyros or plant.has_speed_loop:
            return False  # blocks of these actuators depend on the plant
        if not all(block.compiled for block in nominal.blocks):
            return False
        reads_momentum = nominal.law is not None and looks_at_momentum(nominal.law)
        return not (reads_momentum and any(RATE in block.writes for block in nominal.blocks))

    def _law(self, case: Case, values: Mapping[str, Any]) -> Law | None:
        """Return the nominal law if it applies to this case, with changed limits if necessary; otherwise None."""
        law: Any = self.nominal.law
        again = {key for key in values if key.partition(".")[0] in DESIGNS}
        if not again:
            return law
        if again == {LIMIT} and hasattr(law, "limited_to"):
            return law.limited_to(next(iter(torque_bases(case.designed).values())))
        return None

    def __call__(self, draw: Draw) -> Outcome:
        """Simulate one run; raise its error if the run is rejected."""
        flight = self.several([draw])[0]
        if isinstance(flight, PolhodeError):
            raise flight
        return flight

    def several(self, draws: Sequence[Draw]) -> list[Outcome | PolhodeError]:
        """Simulate several runs, as a batch if possible; return the error of each rejected run."""
        found: list[Outcome | PolhodeError] = []
        for first in range(0, len(draws), LANES):
            found += self._side_by_side(draws[first : first + LANES])
        return found

    def _side_by_side(self, draws: Sequence[Draw]) -> Iterator[Outcome | PolhodeError]:
        made = [_or_error(self.problem, draw, f"run {draw.run}") for draw in draws]
        ready = [each for each in made if not isinstance(each, PolhodeError)]
        runs = iter(run_problems([problem for _, problem in ready]))
        for each in made:
            if isinstance(each, PolhodeError):
                yield each
                continue
            run = next(runs)
            yield run if isinstance(run, PolhodeError) else _or_error(self._flight, *each, run)

    def _flight(self, loaded: LoadedCase, problem: Problem, run: Run) -> Outcome:
        """Measure a run and return the outcome."""
        if run.status == "stopped":  # Ctrl-C ends the campaign and discards this incomplete run
            raise KeyboardInterrupt
        found = measure_as(loaded.case, run) | required_margins(loaded.case, problem.craft, problem.law, problem.blocks)
        metrics = {name: np.nan if metric.value is None else metric.value for name, metric in found.items()}
        metrics["warnings"] = float(run.warned)
        had = {key: value_at(loaded.case, key) for key in self.dispersions}
        signals = _signals(run, loaded.case.campaign.bands)
        return Outcome(metrics=metrics, actual=had, status=run.status, reason=run.reason, **signals)

    def require_reach(self) -> None:
        """Raise InputError if a dispersed key does not affect the simulation."""
        still = _digest(self.problem(Draw(run=-1, seed=0, values={}), "nominal")[1])
        for key, distribution in self.dispersions.items():
            moved = [distribution.value(np.full(distribution.uniforms, u)) for u in (0.4, 0.7)]
            changed, refused = False, list[InputError]()
            for value in moved:
                try:
                    _, problem = self.problem(Draw(run=-1, seed=0, values={key: value}), f"dispersions.{key}")
                except InputError as error:
                    refused.append(error)
                else:
                    changed = changed or _digest(problem) != still
            if len(refused) == len(moved):
                raise InputError(f"dispersions.{key}: {refused[0]}")
            changed = changed or bool(refused)  # a key with an invalid value does affect the case
            if not changed:
                raise InputError(
                    f"dispersions.{key}: changes nothing in the simulation, so every run would be the same; disperse "
                    "a key that affects the plant, the law or the initial state"
                )


def _or_error(function: Callable[..., T], *given: Any) -> T | PolhodeError:
    """Call a function and return its result, or the error that it raises."""
    try:
        return function(*given)
    except PolhodeError as error:
        return error


def _signals(run: Run, names: Sequence[str]) -> dict[str, Any]:
    """Return times and selected quantities of a run, with one signal per component."""
    if not names:
        return {}
    found: dict[str, Any] = {}
    for name in names:
        with located("campaign.bands"):
            values = run.values(choice("quantity", name, run.names))
        for place in np.ndindex(values.shape[1:]):
            found[f"{name}[{', '.join(map(str, place))}]" if place else name] = values[(slice(None), *place)]
    return {"t": run.t, "signals": found}


def _digest(problem: Problem) -> str:
    """Return a digest of all values in the simulated objects."""
    digest = hashlib.sha256()
    _add(digest, problem.craft.pack(), set())
    for part in (problem.craft.ports, problem.law, problem.reference, problem.pulses, problem.blocks, problem.state):
        _add(digest, part, set())
    _add(digest, dict(problem.settings), set())
    return digest.hexdigest()


def _add(digest: Any, value: Any, seen: set[int]) -> None:
    """Add the numbers and strings in an object recursively to the digest."""
    if isinstance(value, np.ndarray):
        digest.update(value.tobytes())  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
    elif isinstance(value, dict):
        for key, entry in value.items():  # pyright: ignore[reportUnknownVariableType]
            _add(digest, str(key), seen)  # pyright: ignore[reportUnknownArgumentType]
            _add(digest, entry, seen)
    elif isinstance(value, tuple | list):
        for entry in value:  # pyright: ignore[reportUnknownVariableType]
            _add(digest, entry, seen)
    elif is_dataclass(value) and not isinstance(value, type):
        if id(value) not in seen:
            seen.add(id(value))
            for each in fields(value):
                _add(digest, getattr(value, each.name), seen)
    elif isinstance(value, str | int | float | complex | bool | None):
        digest.update(repr(value).encode())
