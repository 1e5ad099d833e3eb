"""Sensors and attitude estimators."""
