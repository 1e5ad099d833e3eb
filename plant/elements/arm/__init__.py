"""Flexible arm: a chain of beam elements that condenses its equations onto the hub."""
