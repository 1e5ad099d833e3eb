"""Pictures of the control loop."""
