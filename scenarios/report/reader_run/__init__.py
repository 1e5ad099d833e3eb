"""A run that the reader of a page changes: sliders, and what each of them changes in the arrays of the engine."""
