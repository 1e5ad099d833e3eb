"""The loop that is compiled whole: what it works on, and how it goes from breakpoint to breakpoint."""
