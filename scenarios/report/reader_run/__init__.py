"""Interactive run on a page: sliders, and the change that each makes in the arrays of the engine."""
