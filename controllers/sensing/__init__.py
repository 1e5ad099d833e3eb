"""Sensing: sensors and estimators."""
