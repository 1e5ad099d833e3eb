"""Reading and writing of files: saved laws and systems, text of bounded size, atomic writing."""
