"""Case files: reading, overrides and validation."""
