"""Vibration of craft with flexible arms: mesh, modes, response, reduction to a hub with modes."""
