"""From the table of a case to objects."""
