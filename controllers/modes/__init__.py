"""Modes: laws that take turns, and on what a craft goes from one to the next."""
