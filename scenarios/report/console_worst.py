"""Console output for a worst-case search."""

import shlex
from collections.abc import Sequence

from ..case.campaigns.worst_craft import BUDGETS, WorstCraft, set_words
from .console import label
from .plain_markup import escape
from .terminal import Terminal


def show_worst(found: WorstCraft, *, files: Sequence[str], out: str | None) -> None:
    """Print the worst case, the command that reproduces the run, and the guaranteed bound.

    files: names of the written files; out: their directory.
    """
    console = Terminal()
    name, search, guarantee = found.loaded.name, found.search, found.guarantee
    words, unit = label(found.name)

    def row(what: str, value: float, more: str = "") -> None:
        console.print(f"{what:<22} {value:10.5g} {escape(unit)}{'  ' if unit else ' '}[dim]{escape(more)}[/dim]")

    console.print(
        f"[bold]{escape(name)}[/bold]  {escape(found.loaded.case.title)}\n{escape(words)}, for the law of the case\n"
    )
    row("nominal craft", search.nominal)
    if search.lost and found.no_guarantee.startswith("the loop"):
        console.print("[red]worst found[/red]            the loop of this spacecraft is not stable")
    elif search.lost:
        console.print("[red]worst found[/red]            this run has no value, so the requirement is not met")
    else:
        many = f"of {len(search.measured)} spacecraft tried (seed {search.seed})"
        row("worst found", search.value, many + (f", {search.refused} of them rejected" if search.refused else ""))
    proven = found.proven
    if guarantee is not None and proven is not None:
        side = "above" if search.largest else "below"
        row("guaranteed for all", proven, f"{100.0 * abs(1.0 - proven / search.value):.1f} % {side} it")
        console.print(f"[dim]proven for {escape(guarantee.explanation)}[/dim]")
    elif guarantee is not None:
        boxes = f"{guarantee.boxes} boxes"
        console.print(
            f"[yellow]nothing is proven[/yellow] for all spacecraft with {boxes}; add runs or narrow the dispersions"
        )
    else:
        console.print(f"[dim]nothing is proven for all spacecraft: {escape(found.no_guarantee)}[/dim]")
    if found.required is not None:
        verdict = "[green]meets[/green]" if found.meets else "[red]does not meet[/red]"
        console.print(f"the worst found {verdict} the required {found.required:g}")
    if search.cut:
        console.print(
            f"[dim]without bounds, so truncated at {search.sigmas:g} sigma: {escape(', '.join(search.cut))}[/dim]"
        )
    if found.unfelt:
        console.print(f"[dim]without effect on the loop, not varied: {escape(', '.join(found.unfelt))}[/dim]")
    if found.taken_as:
        console.print(f"[dim]the loop of the spacecraft with {escape(found.taken_as)}[/dim]")
    if search.refused:
        console.print(f"[yellow]{search.refused} rejected[/yellow], the first: {escape(search.reason)}")
    console.print("\nthe worst case:")
    verb = "polhode analyse" if found.metric in BUDGETS else "polhode design" if found.is_linear else "polhode run"
    mode = "" if found.mode is None else f" --mode {shlex.quote(found.mode)}"
    sets = " ".join(f"--set {shlex.quote(each)}" for each in set_words(found.loaded, search.values))
    console.print(escape(f"{verb} {shlex.quote(found.loaded.source)}{mode} {sets}"), soft_wrap=True)
    if out is not None:
        console.print(f"\nwritten to {escape(out)}: {escape(', '.join(files))}")
