"""Modes of the control system, of which one is active at a time, and conditions of their transitions."""
