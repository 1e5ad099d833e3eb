"""Identification of plant and sensor parameters from telemetry: output error, information, tests of residuals."""
