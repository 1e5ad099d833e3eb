"""What leaves for other tools (kernels as C99, flight code, mock-up units), and what of other tools flies here."""
