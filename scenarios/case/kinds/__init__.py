"""Construction of objects from the tables of a case."""
