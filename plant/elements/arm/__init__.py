"""The flexible arm: beam elements in a chain that condenses itself onto the hub."""
