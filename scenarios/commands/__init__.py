"""Subcommands of the `polhode` command line."""
