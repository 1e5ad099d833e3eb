"""Sampled loops of a case as a function of its free parameters, for nominal and dispersed spacecraft."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....controllers import Block, Law
from ....controllers.contracts.law_defaults import with_defaults
from ....controllers.loop.sampled_loop import SampledLoop
from ....plant import LinearModel
from ....plant.errors import DesignError, InputError
from ....sim.runs.campaigns import Draw
from ..campaigns.dispersions import dispersions_of
from ..campaigns.flyer import CaseFlyer
from ..changed import changed_case
from ..kinds.blocks.blocks_of import blocks_of
from ..kinds.design import design_model
from ..kinds.formulations import require_linear
from ..kinds.problem import Problem, build, law_of
from ..loader import LoadedCase
from .free_parameters import FreeParameters

Array = NDArray[np.float64]

KEPT = 256  # number of cached laws, shared by all spacecraft models


class CaseLoops:
    """Sampled loops of a case as a function of its free parameters.

    Plant model and blocks are built once for each spacecraft. Only the law is redesigned when parameters change, and
    the blocks are built again when those of the estimator change.
    """

    def __init__(self, loaded: LoadedCase, parameters: FreeParameters) -> None:
        case = loaded.case
        require_linear(case)
        if case.modes:
            raise InputError("the case has [[modes]], each with its own loop; tune a case with one law")
        if case.controller is None:
            raise InputError('the case has no [controller] to tune; add one, such as kind = "lqr"')
        self.loaded, self.parameters = loaded, parameters
        self.problem = build(case)
        law: Any = self.problem.law
        if with_defaults(law).no_margins:
            raise DesignError(with_defaults(law).no_margins)
        self.craft = self.problem.craft
        self._laws: dict[bytes, Law] = {}
        self.nominal = self.model(design_model(case, self.craft), self._blocks_at(loaded, self.problem))
        loop = self.nominal(parameters.start)
        if loop.repeats > 1:
            raise DesignError(
                f"law and blocks have a common sample only after {loop.repeats} samples, but the loop is tuned at a "
                "single rate; give the blocks the period of the law"
            )
        self.sample = loop.sample

    def case_at(self, x: Array) -> LoadedCase:
        """Return the case with scaled parameters x."""
        return changed_case(self.loaded, self.parameters.document(self.loaded.document, x), self.parameters.tables)

    def law(self, x: Array) -> Law:
        """Return the law with scaled parameters x, designed for the nominal spacecraft."""
        key = np.asarray(x).tobytes()
        law = self._laws.get(key)
        if law is None:
            if len(self._laws) >= KEPT:
                self._laws.clear()
            law = self._laws[key] = law_of(self.case_at(x).case, self.craft)
        return law

    def model(self, model: LinearModel, blocks: Callable[[Array], Sequence[Block]]) -> Callable[[Array], SampledLoop]:
        """Return a function that maps scaled parameters to the loop with a plant model, and blocks at parameters."""

        def loop(x: Array) -> SampledLoop:
            return with_defaults(self.law(x)).loop(model, blocks=blocks(x))

        return loop

    def _blocks_at(self, loaded: LoadedCase, problem: Problem) -> Callable[[Array], Sequence[Block]]:
        """Return a function that maps scaled parameters to the blocks around the law of a spacecraft.

        loaded: the case with its dispersed values; problem: its objects.
        """
        mine = self.parameters.of_table("estimator")
        if not mine.any():
            return lambda x: problem.blocks
        known: dict[bytes, Sequence[Block]] = {}

        def blocks(x: Array) -> Sequence[Block]:
            key = np.asarray(x)[mine].tobytes()
            if key not in known:
                if len(known) >= KEPT:
                    known.clear()
                document = self.parameters.document(loaded.document, x)
                case = changed_case(loaded, document, self.parameters.tables).case
                known[key] = blocks_of(case, problem.craft, law=self.law(x))
            return known[key]

        return blocks

    def other(self, values: Mapping[str, Any]) -> Callable[[Array], SampledLoop]:
        """Return a function that maps scaled parameters to the loop of a spacecraft with dispersed values."""
        flyer = CaseFlyer(self.loaded, dispersions_of(self.loaded.case))
        loaded, problem = flyer.problem(Draw(run=0, seed=0, values=values), "the craft")
        return self.model(design_model(loaded.case, problem.craft), self._blocks_at(loaded, problem))
