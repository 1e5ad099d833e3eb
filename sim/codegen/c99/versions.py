"""Names that a function sets anew at its top level: another name each time, for another kind may be held."""

import ast
import copy
from functools import cache

__all__ = ["MARK", "with_versions"]

MARK = "\u00b7"
"""What stands between a name and the number of its version: a sign that Python takes in names, and nobody writes."""


@cache
def with_versions(tree: ast.FunctionDef) -> ast.FunctionDef:
    """Return a function in which a name that is assigned at the top level, once it had a value, is another name.

    A statement at the top level runs once, and before all that follow: what they mean by the name is what it assigned.
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
    """Names that a function within the function uses: it means the last of all."""
    inner = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef | ast.Lambda) and each is not tree]
    return {each.id for node in inner for each in ast.walk(node) if isinstance(each, ast.Name)}


def _stored(statement: ast.stmt) -> set[str]:
    return {each.id for each in ast.walk(statement) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}


def _rename(statement: ast.stmt, name: str, own: str) -> None:
    for each in ast.walk(statement):
        if isinstance(each, ast.Name) and each.id == name:
            each.id = own
