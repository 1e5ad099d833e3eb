"""The compiled simulation loop: its data, and its advance from breakpoint to breakpoint."""
