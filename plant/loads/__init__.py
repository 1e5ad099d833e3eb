"""What acts on a craft: torques, potentials, efforts, and functions of the user's own."""
