"""The `polhode` command with all its subcommands from the files `cli_*.py`; `invoke` runs it."""

from typing import Annotated

import typer

from polhode import __version__

from . import cli_cases, cli_design, cli_exchange, cli_outputs, cli_reference
from .app import app

VERBS = (cli_cases, cli_design, cli_exchange, cli_outputs, cli_reference)
"""Modules that define the subcommands, in the order of the help."""


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False,
) -> None:
    if version:
        from ...sim.codegen.library import announce_missing

        typer.echo(f"polhode {__version__}")
        announce_missing()
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit
