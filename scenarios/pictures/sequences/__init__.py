"""Euler sequences as cans in series, and their torque bases."""
