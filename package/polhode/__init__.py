"""Spacecraft attitude dynamics and control.

polhode.plant        the physics: spacecraft, torque bases, exact linear models
polhode.controllers  designs on the linear model, sampled laws, margins
polhode.sim          the compiled engine that simulates a law on the nonlinear plant
polhode.scenarios    case files, the command line, plots

Each package is imported by name: ``from polhode import plant, controllers, sim``.
"""

from importlib import import_module
from typing import Any

__all__ = ["__version__", "provided"]

__version__ = "0.1.0"
"""The version of this code, independent of the metadata of an installed distribution."""

_PROVIDED = {
    "replay": ("polhode.sim.engine.replay", "replayed"),
    "allan plot": ("polhode.sim.results.allan_plot", "draw_allan"),
    "budget plot": ("polhode.sim.results.budget_plot", "draw_budget"),
}


def provided(service: str) -> Any:
    """Return a function that a higher package provides to a lower one, which must not import it.

    The packages import one another in one direction only: plant <- controllers <- sim <- scenarios. A method of a lower
    package that draws a figure or runs a block in the compiled engine calls it through this table.
    """
    module, name = _PROVIDED[service]
    return getattr(import_module(module), name)
