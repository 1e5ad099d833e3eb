"""From the text of a case to its checked table."""
