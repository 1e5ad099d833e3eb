"""Files: laws kept, text read, and the one way in which a file is written."""
