"""Figures of a spacecraft: free motion, vibration modes, frequency response."""
