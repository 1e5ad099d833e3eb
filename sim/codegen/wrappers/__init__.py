"""A law as an application of flight software: of the core Flight System (cFS), and as a component of F Prime."""
