"""Console output of the mesh study."""

import sys
from pathlib import Path

from rich.table import Table

from ...report.terminal import Terminal
from .mesh_study import mesh_study


def verify_mesh(*, json: bool, out: Path | None) -> int:
    """Refine the mesh of flexible arms and print the order of convergence of each quantity.

    Parameters
    ----------
    json : bool
        Print one JSON object.
    out : path or None
        File of the figure (PNG, PDF or SVG); None: no figure.

    Returns
    -------
    int
        0 if every quantity converges with an order of about four or better, otherwise 1.
    """
    from ...pictures.picture_file import check_picture, write_picture
    from ...pictures.study.mesh_convergence import draw_mesh_convergence
    from ...report.json_text import dump

    if out is not None:
        check_picture(out)
    curves = mesh_study()
    if out is not None:
        write_picture(out, lambda: draw_mesh_convergence(curves))
    if json:
        sys.stdout.write(dump({"curves": [curve.to_dict() for curve in curves]}) + "\n")
    else:
        console = Terminal()
        table = Table(
            title="flexible arms: error against number of elements", title_justify="left", box=None, pad_edge=False
        )
        for heading in ("figure", "reference"):
            table.add_column(heading)
        for heading in ("elements", "errors", "order"):
            table.add_column(heading, justify="right")
        table.add_column("")
        for curve in curves:
            mark = "[green]met[/green]" if curve.holds else "[red]MISSED[/red]"
            counts = "\n".join(str(count) for count in curve.elements)
            errors = "\n".join(f"{error:.2e}" for error in curve.errors)
            table.add_row(curve.words, curve.reference, counts, errors, f"{curve.order:.2f}", mark)
        console.print(table)
        if out is not None:
            console.print(f"\nwritten: {out}")
    return 0 if all(curve.holds for curve in curves) else 1
