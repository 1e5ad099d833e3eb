"""Figures of the control loop."""
