"""The typer application `polhode`, and the options that several of its subcommands share."""

from collections.abc import Callable
from typing import Annotated

import typer

from .completing import complete_case

app = typer.Typer(
    name="polhode",
    help="Spacecraft attitude control: exact linear models, controllers, compiled nonlinear simulation.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Work = Callable[[], int]
"""Deferred work of a parsed command; `invoke` runs it outside typer, because typer handles errors differently."""

CaseName = Annotated[
    str,
    typer.Argument(
        metavar="CASE", help="A shipped case (see polhode list) or a TOML file.", autocompletion=complete_case
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Overrides = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY.PATH=VALUE", help="Change a value of the case; repeatable."),
]
OneMode = Annotated[
    str | None, typer.Option("--mode", metavar="NAME", help="Mode whose loop is analysed, for a case with [[modes]].")
]
Steady = Annotated[
    bool, typer.Option("--allow-nonequilibrium", help="Linearise about a state that is not an equilibrium.")
]
Picture = typer.Option("--out", metavar="FILE", help="File of the figure: .png, .svg or .pdf.")
