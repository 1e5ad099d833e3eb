"""Modes of the control system, one active at a time, and the conditions for transitions between them."""
