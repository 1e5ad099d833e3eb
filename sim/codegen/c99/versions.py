"""New names for repeated assignments to one name, whose values may have different kinds."""

import ast
import copy
from functools import cache

MARK = "\u00b7"
"""Separator between a name and its version: a character that Python allows in names, but that is not used in
practice."""


@cache
def with_versions(tree: ast.FunctionDef) -> ast.FunctionDef:
    """Return a function in which each repeated top-level assignment to a name creates a new name.

    A top-level statement runs once, before all later statements, so the later statements can use the new name.
    """
    made = copy.deepcopy(tree)
    kept = _kept(made)
    has = {each.arg for each in made.args.args}
    for n, statement in enumerate(made.body):
        stored = _stored(statement)
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
            if isinstance(target, ast.Name) and target.id in has and target.id not in kept:
                plain = target.id
                own = f"{plain.partition(MARK)[0]}{MARK}{n}"
                target.id = own
                for later in made.body[n + 1 :]:
                    _rename(later, plain, own)
                stored = {own}
        has |= stored
    return made


def _kept(tree: ast.FunctionDef) -> set[str]:
    """Return the names used by inner functions, which refer to the last version."""
    inner = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef | ast.Lambda) and each is not tree]
    return {each.id for node in inner for each in ast.walk(node) if isinstance(each, ast.Name)}


def _stored(statement: ast.stmt) -> set[str]:
    return {each.id for each in ast.walk(statement) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}


def _rename(statement: ast.stmt, name: str, own: str) -> None:
    for each in ast.walk(statement):
        if isinstance(each, ast.Name) and each.id == name:
            each.id = own
