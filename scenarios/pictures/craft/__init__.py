"""Pictures of a spacecraft: free motion, vibration modes, frequency response."""
