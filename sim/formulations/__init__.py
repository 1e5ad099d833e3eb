"""Rotation integrated in any formulation of `polhode.plant.formulations`, and how each drifts."""

from .as_run import as_run
from .drift import FormulationDrift, formulation_drift
from .run import FormulationRun
from .simulate import simulate_formulation

__all__ = ["FormulationDrift", "FormulationRun", "as_run", "formulation_drift", "simulate_formulation"]
