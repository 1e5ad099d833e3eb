"""Interactive run on the review page: sliders, and how each changes the arrays of the engine."""
