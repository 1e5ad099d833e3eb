"""Identification of plant and sensor parameters from telemetry: output error, information, tests of residuals."""

from .information import Combination, Information, marginal
from .output_error import Fit, Model, fit_output_error
from .pseudo_inertia import entries_of, inertia_at, inertia_jacobian, log_cholesky
from .residual_tests import ResidualTest, residual_test
from .whitening import ColouredNoise, whitened

__all__ = [
    "ColouredNoise",
    "Combination",
    "Fit",
    "Information",
    "Model",
    "ResidualTest",
    "entries_of",
    "fit_output_error",
    "inertia_at",
    "inertia_jacobian",
    "log_cholesky",
    "marginal",
    "residual_test",
    "whitened",
]
