"""Modes: laws of which one is active at a time, and the conditions of transition between them."""
