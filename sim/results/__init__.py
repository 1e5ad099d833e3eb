"""What comes out of a run: numbers with names, files, pictures, words."""
