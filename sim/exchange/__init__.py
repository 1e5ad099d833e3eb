"""What leaves for other tools: kernels as C99, laws as flight code, crafts as functional mock-up units."""
