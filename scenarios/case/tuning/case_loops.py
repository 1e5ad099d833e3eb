"""Sampled loops of a case as a function of its free parameters, for nominal and dispersed spacecraft."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....controllers import Block, Law
from ....controllers.contracts.law_defaults import with_defaults
from ....controllers.loop.sampled_loop import SampledLoop
from ....plant import Spacecraft
from ....plant.errors import DesignError, InputError
from ....sim.runs.campaigns import Draw
from ..campaigns.dispersions import dispersions_of
from ..campaigns.flyer import DESIGNS, CaseFlyer
from ..changed import changed_case
from ..kinds.blocks.blocks_of import blocks_of
from ..kinds.design import design_model
from ..kinds.formulations import require_linear
from ..kinds.modes import mode_alone
from ..kinds.problem import Problem, build, craft_of, law_of
from ..loader import LoadedCase
from ..schema import Case
from .case_goals import case_in, required_of_loop
from .free_parameters import FreeParameters

Array = NDArray[np.float64]

KEPT = 256  # number of cached laws, shared by all spacecraft models


class CaseLoops:
    """Sampled loops of a case as a function of its free parameters, one loop for each mode.

    Plant model and blocks are built once for each spacecraft. Only the laws are redesigned when parameters change, and
    the blocks are built again when those of the estimator change.

    Attributes
    ----------
    loaded : LoadedCase
        The case.
    parameters : FreeParameters
        Free parameters.
    problem : Problem
        Objects of the case with its own values.
    nominal : dict
        Loop of the nominal spacecraft as a function of scaled parameters, by name of the mode; the only key is None for
        a case without modes. The modes are those with a requirement or the soft goal, and those whose law has free
        keys, or may read an estimator that has, and whose loop is stable with the values of the case, so that tuning
        cannot destabilise it.
    left_out : dict
        Modes whose loop may change, but is not part of the search, with the reason.
    sample : float
        Sampling period of the loops, s.
    """

    def __init__(self, loaded: LoadedCase, parameters: FreeParameters) -> None:
        case = loaded.case
        require_linear(case)
        if case.controller is None:
            raise InputError('the case has no [controller] to tune; add one, such as kind = "lqr"')
        self.loaded, self.parameters = loaded, parameters
        self.problem = build(case)
        self._laws: dict[tuple[str | None, bytes], Law] = {}
        self._cases: dict[bytes, LoadedCase] = {}
        self._crafts: dict[str | None, Spacecraft] = {}
        self.nominal: dict[str | None, Callable[[Array], SampledLoop]] = {}
        self.left_out: dict[str, str] = {}
        self.sample = 0.0
        required = required_of_loop(case)
        for index, mode in enumerate([each.name for each in case.modes] or [None]):
            needed = mode in required or mode is None
            if needed or self._moves(index):
                self._add(mode, needed=needed)

    def _moves(self, index: int) -> bool:
        """Return whether the law of a mode has free keys, or may read an estimator that has."""
        own = self.loaded.case.modes[index].controller is not None
        return self.parameters.frees("estimator") or self.parameters.frees(
            f"modes.{index}.controller" if own else "controller"
        )

    def _add(self, mode: str | None, *, needed: bool) -> None:
        """Add the loop of a mode; needed: whether goals need it, so that it must exist."""
        case, problem = self._alone(self.loaded.case, self.problem, mode)
        reason = with_defaults(problem.law).no_margins if problem.law is not None else "there is no law"
        if reason and (mode is None or needed):
            raise DesignError(reason if mode is None else f"mode {mode}: {reason}")
        if reason and mode is not None:
            self.left_out[mode] = reason
            return
        self._crafts[mode] = craft_of(case) if mode is not None else problem.craft
        at = self._model(mode, self.loaded, self.problem)
        loop = at(self.parameters.start)
        if loop.repeats > 1:
            raise DesignError(
                f"law and blocks have a common sample only after {loop.repeats} samples, but the loop is tuned at a "
                "single rate; give the blocks the period of the law"
            )
        radius = float(abs(loop.poles()[0]))
        if mode is not None and not needed and radius >= 1.0:
            self.left_out[mode] = f"its loop is not stable at the start (a pole of modulus {radius:.6g})"
            return
        self.nominal[mode] = at
        self.sample = loop.sample

    @staticmethod
    def _alone(case: Case, problem: Problem, mode: str | None) -> tuple[Case, Problem]:
        """Return a case and its objects with the law of one mode only."""
        return (case, problem) if mode is None else mode_alone(case, problem, mode)

    def case_at(self, x: Array) -> LoadedCase:
        """Return the case with scaled parameters x."""
        key = np.asarray(x).tobytes()
        found = self._cases.get(key)
        if found is None:
            if len(self._cases) >= KEPT:
                self._cases.clear()
            document = self.parameters.document(self.loaded.document, x)
            found = self._cases[key] = changed_case(self.loaded, document, self.parameters.tables)
        return found

    def law(self, x: Array, mode: str | None = None) -> Law:
        """Return the law of a mode with scaled parameters x, designed for the nominal spacecraft."""
        key = (mode, np.asarray(x).tobytes())
        law = self._laws.get(key)
        if law is None:
            if len(self._laws) >= KEPT:
                self._laws.clear()
            law = self._laws[key] = law_of(case_in(self.case_at(x).case, mode), self._crafts[mode])
        return law

    def _model(
        self, mode: str | None, loaded: LoadedCase, problem: Problem, *, own_law: bool = False
    ) -> Callable[[Array], SampledLoop]:
        """Return a function that maps scaled parameters to the loop of a mode.

        loaded, problem: the case with the values of the spacecraft, and its objects, with all modes; own_law: whether
        these values are also those of its law, such as its delay, and not only of the spacecraft.
        """
        case, own = self._alone(loaded.case, problem, mode)
        model = design_model(case, own.craft)
        blocks_at = self._blocks_at(mode, loaded, problem) if self.parameters.frees("estimator") else None

        laws: dict[bytes, Law] = {}

        def law_at(x: Array) -> Law:
            if not own_law:
                return self.law(x, mode)
            key = np.asarray(x).tobytes()
            if key not in laws:
                if len(laws) >= KEPT:
                    laws.clear()
                document = self.parameters.document(loaded.document, x)
                changed = changed_case(loaded, document, self.parameters.tables).case
                laws[key] = law_of(case_in(changed, mode), own.craft)
            return laws[key]

        def loop(x: Array) -> SampledLoop:
            blocks = own.blocks if blocks_at is None else blocks_at(x)
            return with_defaults(law_at(x)).loop(model, blocks=blocks)

        return loop

    def _blocks_at(self, mode: str | None, loaded: LoadedCase, problem: Problem) -> Callable[[Array], Sequence[Block]]:
        """Return a function that maps scaled parameters to the blocks around the law of a mode, with their estimator.

        loaded, problem: as in `_model`. The blocks do not depend on free keys of a law.
        """
        mine = self.parameters.of_table("estimator")
        blocks_by_key: dict[bytes, Sequence[Block]] = {}

        def blocks(x: Array) -> Sequence[Block]:
            key = np.asarray(x)[mine].tobytes()
            if key not in blocks_by_key:
                if len(blocks_by_key) >= KEPT:
                    blocks_by_key.clear()
                document = self.parameters.document(loaded.document, x)
                case = changed_case(loaded, document, self.parameters.tables).case
                found = blocks_of(case, problem.craft, law=problem.law)
                blocks_by_key[key] = self._alone(case, replace(problem, blocks=found), mode)[1].blocks
            return blocks_by_key[key]

        return blocks

    def other(self, values: Mapping[str, Any], mode: str | None = None) -> Callable[[Array], SampledLoop]:
        """Return a function that maps scaled parameters to the loop of a spacecraft with dispersed values."""
        flyer = CaseFlyer(self.loaded, dispersions_of(self.loaded.case))
        loaded, problem = flyer.problem(Draw(run=0, seed=0, values=values), "the craft")
        own_law = not {key.partition(".")[0] for key in values}.isdisjoint(DESIGNS)
        return self._model(mode, loaded, problem, own_law=own_law)
