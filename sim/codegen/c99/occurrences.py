"""Occurrences of a kernel's names, which determine the block in which each name is declared."""

import ast
from dataclasses import dataclass, field
from functools import cache

Path = tuple[int, ...]


@dataclass
class Occurrences:
    """The blocks in which a name occurs, its first assignment, and the loops that use it as a counter.

    declared_by: the id of the statement that can declare it with its assignment; None if the name needs a separate
    declaration.
    """

    paths: list[Path] = field(default_factory=list[Path])
    first: tuple[Path, int] | None = None
    stores: int = 0
    counted: list[tuple[Path, ast.For]] = field(default_factory=list[tuple[Path, ast.For]])

    @property
    def declared_by(self) -> int | None:
        """Return the id of the statement that can declare the name with its assignment, or None."""
        if self.first is None or self.first[1] == 0:
            return None
        path, statement = self.first
        return statement if all(each[: len(path)] == path for each in self.paths) else None

    @property
    def counts_only(self) -> bool:
        """True if the name is only a loop counter: never used outside the loop, never set inside."""
        if self.stores or not self.counted:
            return False
        return all(any(each[: len(path)] == path for path, _ in self.counted) for each in self.paths)


@cache
def occurrences_of(tree: ast.FunctionDef) -> dict[str, Occurrences]:
    """Return the occurrences of each name in a function's body, in the order of the source."""
    finder = _Finder()
    finder.block(tree.body, ())
    return finder.found


@dataclass(frozen=True)
class _Finder:
    """Traversal of a function's statements that records the occurrences of its names."""

    found: dict[str, Occurrences] = field(default_factory=dict[str, Occurrences])

    def of(self, name: str) -> Occurrences:
        return self.found.setdefault(name, Occurrences())

    def read(self, node: ast.AST | None, path: Path) -> None:
        for each in ast.walk(node) if node is not None else ():
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load):
                mine = self.of(each.id)
                mine.paths.append(path)
                if mine.first is None:  # used before assignment within a loop
                    mine.first = ((), 0)

    def store(self, target: ast.expr, path: Path, statement: ast.stmt) -> None:
        for each in ast.walk(target):
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
                mine = self.of(each.id)
                mine.paths.append(path)
                mine.stores += 1
                if mine.first is None:
                    mine.first = (path, id(statement))

    def block(self, statements: list[ast.stmt], path: Path) -> None:
        for statement in statements:
            if isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign):
                self.assignment(statement, path)
            elif isinstance(statement, ast.If | ast.While):
                self.read(statement.test, path)
                self.block(statement.body, (*path, id(statement)))
                self.block(statement.orelse, (*path, -id(statement)))
            elif isinstance(statement, ast.For):
                self.loop(statement, path)
            else:
                self.read(statement, path)

    def assignment(self, statement: ast.Assign | ast.AnnAssign | ast.AugAssign, path: Path) -> None:
        if isinstance(statement, ast.Assign):
            self.read(statement.value, path)
            for target in statement.targets:
                self.read(target, path)
                self.store(target, path, statement)
        elif isinstance(statement, ast.AnnAssign):
            self.read(statement.value, path)
            self.store(statement.target, path, statement)
        else:
            self.read(statement, path)
            if isinstance(statement.target, ast.Name):
                self.of(statement.target.id).paths.append(path)
                self.of(statement.target.id).stores += 1

    def loop(self, statement: ast.For, path: Path) -> None:
        self.read(statement.iter, path)
        inside = (*path, id(statement))
        if not isinstance(statement.target, ast.Name) or not _is_range(statement.iter):
            self.store(statement.target, inside, statement)
        else:
            mine = self.of(statement.target.id)
            mine.counted.append((inside, statement))
            if mine.first is None:
                mine.first = ((), 0)
        self.block(statement.body, inside)
        self.block(statement.orelse, (*path, -id(statement)))


def _is_range(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range"


@cache
def doubtful_names(tree: ast.FunctionDef) -> frozenset[str]:
    """Return the local names of a function that some branch may read before assignment."""
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
        """Return the names that have a value after a block; None if control never reaches its end."""
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
