"""A case flown many times with its numbers scattered."""
