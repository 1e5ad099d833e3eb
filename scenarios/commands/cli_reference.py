"""Subcommands for reference: case schema, published results, Euler sequences."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from .app import Json, Picture, Work, app

EulerSequence = Annotated[str, typer.Argument(metavar="SEQUENCE", help="An Euler sequence such as 3-1-3.")]
Angles = typer.Option("--angles-deg", metavar="A1 A2 A3", help="Euler angles in the order of the sequence.")


@app.command("schema")
def _schema(
    kind: Annotated[
        str | None,
        typer.Argument(metavar="KIND", help="A table or kind such as plant, lqr or controller.lqr."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the JSON Schema of KIND instead of its keys.")] = False,
) -> Work:
    """Print the JSON Schema of case files, or the keys of one table or kind with units and bounds."""
    from .case_files import print_schema

    return partial(print_schema, kind, json=json)


@app.command("verify")
def _verify(
    documents: Annotated[
        bool, typer.Option("--documents", help="Verify every system and equation group of the five documents.")
    ] = False,
    mesh: Annotated[bool, typer.Option("--mesh", help="Verify the mesh convergence of flexible arms.")] = False,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="With --mesh: file of the figure.")] = None,
    json: Json = False,
) -> Work:
    """Compute the values in the source documents, or on refined meshes, and compare them with references."""
    if documents == mesh:
        raise typer.BadParameter("nothing to verify; give --documents or --mesh")
    if out is not None and not mesh:
        raise typer.BadParameter("--out is an option of --mesh; add --mesh or remove --out")
    from ..documents.verification import verify_documents, verify_mesh

    return partial(verify_mesh, json=json, out=out) if mesh else partial(verify_documents, json=json)


@app.command("cans")
def _cans(
    sequence: EulerSequence,
    angles_deg: Annotated[tuple[float, float, float], Angles],
    out: Annotated[Path, Picture],
    json: Json = False,
) -> Work:
    """Draw an Euler sequence as cans in series, with its axes, angles and gimbal lock."""
    from .drawing import cans

    return partial(cans, sequence, angles_deg, out=out, json=json)


@app.command("bases")
def _bases(
    sequence: EulerSequence,
    angles_deg: Annotated[tuple[float, float, float] | None, Angles] = None,
    attitude: Annotated[
        tuple[float, float, float, float] | None,
        typer.Option("--attitude", metavar="E0 E1 E2 E3", help="Euler parameters, scalar first, instead of angles."),
    ] = None,
    out: Annotated[Path | None, Picture] = None,
    json: Json = False,
) -> Work:
    """Print and draw the Euler and dual Euler torque bases of a sequence at an attitude."""
    from .drawing import bases

    return partial(bases, sequence, angles_deg=angles_deg, attitude=attitude, out=out, json=json)
