"""Create spacecraft, laws, sensors and other objects from the tables of a case."""
