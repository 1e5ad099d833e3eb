"""Playback of a run in three dimensions, as one HTML file that works offline or as a section of another page."""

from .data import playback_data
from .page import playback_page, playback_parts, write_playback

__all__ = ["playback_data", "playback_page", "playback_parts", "write_playback"]
