"""Exchange with other tools: flight code, FMUs, recorded histories, and external programs."""
