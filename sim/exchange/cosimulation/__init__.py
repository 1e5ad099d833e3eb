"""Systems of functional mock-up units that are flown together."""
