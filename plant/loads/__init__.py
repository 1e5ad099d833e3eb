"""Loads on a spacecraft: torques, potentials, user forces and user-defined functions."""
