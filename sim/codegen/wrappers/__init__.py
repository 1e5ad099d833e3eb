"""A law as a flight software application: core Flight System (cFS) application or F Prime component."""
