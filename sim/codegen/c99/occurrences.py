"""Where the names of a kernel occur, so that each is declared in the smallest block that holds them all."""

import ast
from dataclasses import dataclass, field
from functools import cache

__all__ = ["Occurrences", "doubtful_names", "occurrences_of"]

Path = tuple[int, ...]


@dataclass
class Occurrences:
    """Of one name: the blocks it occurs in, its first assignment, and the loops that count it.

    declared_by: the statement that can declare it as it assigns it, as an id; None where a line of its own must.
    """

    paths: list[Path] = field(default_factory=list[Path])
    first: tuple[Path, int] | None = None
    stores: int = 0
    counted: list[tuple[Path, ast.For]] = field(default_factory=list[tuple[Path, ast.For]])

    @property
    def declared_by(self) -> int | None:
        """See above."""
        if self.first is None or self.first[1] == 0:
            return None
        path, statement = self.first
        return statement if all(each[: len(path)] == path for each in self.paths) else None

    @property
    def counts_only(self) -> bool:
        """Whether it is nothing but the counter of loops: never used outside one, never set within one."""
        if self.stores or not self.counted:
            return False
        return all(any(each[: len(path)] == path for path, _ in self.counted) for each in self.paths)


@cache
def occurrences_of(tree: ast.FunctionDef) -> dict[str, Occurrences]:
    """Return where each name of a function's body occurs, in the order of the text."""
    found: dict[str, Occurrences] = {}

    def of(name: str) -> Occurrences:
        return found.setdefault(name, Occurrences())

    def read(node: ast.AST | None, path: Path) -> None:
        for each in ast.walk(node) if node is not None else ():
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load):
                mine = of(each.id)
                mine.paths.append(path)
                if mine.first is None:  # used before it is set, on the way through a loop
                    mine.first = ((), 0)

    def store(target: ast.expr, path: Path, statement: ast.stmt) -> None:
        for each in ast.walk(target):
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
                mine = of(each.id)
                mine.paths.append(path)
                mine.stores += 1
                if mine.first is None:
                    mine.first = (path, id(statement))

    def block(statements: list[ast.stmt], path: Path) -> None:
        for statement in statements:
            if isinstance(statement, ast.Assign):
                read(statement.value, path)
                for target in statement.targets:
                    read(target, path)
                    store(target, path, statement)
            elif isinstance(statement, ast.AnnAssign):
                read(statement.value, path)
                store(statement.target, path, statement)
            elif isinstance(statement, ast.AugAssign):
                read(statement, path)
                if isinstance(statement.target, ast.Name):
                    of(statement.target.id).paths.append(path)
                    of(statement.target.id).stores += 1
            elif isinstance(statement, ast.If | ast.While):
                read(statement.test, path)
                block(statement.body, (*path, id(statement)))
                block(statement.orelse, (*path, -id(statement)))
            elif isinstance(statement, ast.For):
                read(statement.iter, path)
                inside = (*path, id(statement))
                if not isinstance(statement.target, ast.Name) or not _is_range(statement.iter):
                    store(statement.target, inside, statement)
                else:
                    mine = of(statement.target.id)
                    mine.counted.append((inside, statement))
                    if mine.first is None:
                        mine.first = ((), 0)
                block(statement.body, inside)
                block(statement.orelse, (*path, -id(statement)))
            else:
                read(statement, path)

    block(tree.body, ())
    return found


def _is_range(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range"


@cache
def doubtful_names(tree: ast.FunctionDef) -> frozenset[str]:
    """Return the locals of a function that may be read before they have a value, as far as its branches tell."""
    passed = {each.arg for each in tree.args.args}
    stored = {each.id for each in ast.walk(tree) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    found: set[str] = set()

    def read(node: ast.AST | None, have: set[str]) -> None:
        if node is None:
            return
        parts = [each for each in ast.walk(node) if isinstance(each, ast.comprehension)]
        own = {name for part in parts for name in _names(part.target)}
        names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)}
        found.update(names & stored - passed - own - have)

    def block(statements: list[ast.stmt], have: set[str]) -> set[str] | None:
        """The names that have a value behind some statements; None where nothing comes behind them."""
        for statement in statements:
            after = one(statement, have)
            if after is None:
                return None
            have = after
        return have

    def one(statement: ast.stmt, have: set[str]) -> set[str] | None:
        if isinstance(statement, ast.If):
            read(statement.test, have)
            sides = [block(side, set(have)) for side in (statement.body, statement.orelse)]
            live = [side for side in sides if side is not None]
            if not live:
                return None
            return live[0] if len(live) == 1 else live[0] & live[1]
        if isinstance(statement, ast.While):
            read(statement.test, have)
            block(statement.body, set(have))
            block(statement.orelse, set(have))
            return have
        if isinstance(statement, ast.For):
            read(statement.iter, have)
            block(statement.body, have | _names(statement.target))
            block(statement.orelse, set(have))
            return have
        read(statement, have)
        if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
            read(ast.Name(statement.target.id, ast.Load()), have)
        if isinstance(statement, ast.Return | ast.Raise | ast.Break | ast.Continue):
            return None
        return have | _names(statement)

    block(tree.body, set(passed))
    return frozenset(found)


def _names(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
