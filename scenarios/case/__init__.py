"""Case files: reading, overrides, validation, and construction of the objects."""
