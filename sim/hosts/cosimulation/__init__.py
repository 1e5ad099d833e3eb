"""Co-simulation of systems of functional mock-up units (FMUs)."""
