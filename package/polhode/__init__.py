"""Spacecraft attitude dynamics and control.

polhode.plant        the physics: spacecraft, torque bases, exact linear models
polhode.controllers  designs on the linear model, sampled laws, margins
polhode.sim          the compiled engine that flies a law on the nonlinear plant
polhode.scenarios    case files, the command line, pictures

Each is imported by name: ``from polhode import plant, controllers, sim``.
"""

__all__ = ["__version__"]

__version__ = "0.1.0"
"""The version of this very code, without asking what is installed."""
