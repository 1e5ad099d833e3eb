"""Guidance: references that move, as functions of time in closed form.

Attitude, rate and acceleration of each are exact derivatives of one another, and each is compiled like a law.
"""

from .eigenaxis_slew import EigenaxisSlew

__all__ = ["EigenaxisSlew"]
