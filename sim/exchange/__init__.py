"""Exchange with other tools: flight code, FMUs, recorded histories, and programs outside that run here."""
