"""Files: saved laws and systems, reading of text, and atomic writing."""
