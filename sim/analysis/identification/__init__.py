"""Identification of plant and sensor parameters from telemetry by output-error estimation."""
