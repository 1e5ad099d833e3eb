"""Vibration of spacecraft with flexible arms: mesh, modes, response, and reduction to a hub with modes."""
