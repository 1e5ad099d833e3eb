"""Three-dimensional playback of a run, as an offline HTML file or as a section of the review page."""

from .data import playback_data
from .page import playback_page, playback_parts, write_playback

__all__ = ["playback_data", "playback_page", "playback_parts", "write_playback"]
