"""Style sheets of the figures: screen, print (one column), slide, and dark."""

from .sheets import LOOKS, in_look, style_sheet

__all__ = ["LOOKS", "in_look", "style_sheet"]
