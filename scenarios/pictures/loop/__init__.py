"""Pictures of a loop."""
