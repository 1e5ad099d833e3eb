"""Pictures of a craft: its free motion, its modes, how it answers."""
