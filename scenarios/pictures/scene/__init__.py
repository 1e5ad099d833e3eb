"""A small painter: camera, solids, light, what hides what, labels."""
