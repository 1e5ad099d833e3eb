"""Loads on a spacecraft: torques, potentials, efforts and user-defined functions."""
