"""The `polhode` command with all its subcommands from the files `cli_*.py`; `invoke` runs it."""

from collections.abc import Sequence
from copy import copy
from typing import Annotated, Any

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


def command_for(words: Sequence[str]) -> Any:
    """Return the command `polhode` with only the subcommand that a command line calls; with all if it calls none.

    Typer inspects the signature of every subcommand, which takes longer than many subcommands run.
    words: command-line arguments after ``polhode``.
    """
    called = copy(app)
    named = [each for each in app.registered_commands if words and each.name == words[0]]
    called.registered_commands = named or app.registered_commands
    return typer.main.get_command(called)
