# pyright: basic
# (numba has no type stubs, and this file changes its inner works)
"""The half of compiling that is numba's own Python, without what kernels have no need of, and nothing found out twice.

To type one addition numba asks some ten templates, those of strings, lists and ufuncs among them, and does so up to
five times; it lists the variables of a statement some thirty times, four times follows where each is alive, and notes
where each dies, which matters to what is counted by reference only. What comes out is the same to the
bit (`tests/design/deferred_code.py` has the times).
"""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

__all__ = ["NEEDED", "leaner"]

NEEDED = {
    "numba.core.typing.context": ("BaseContext.resolve_function_type",),
    "numba.core.types": ("BaseFunction.get_call_type", "Function"),
    "numba.core.targetconfig": ("ConfigStack.top_or_none", "TargetConfig.values", "TargetConfig._values"),
    "numba.core.event": ("install_timer",),
    "numba.core.ssa": ("_logger.debug",),
    "numba.core.byteflow": ("_logger.debug",),
    "numba.core.ir": ("Stmt.list_vars", "Inst._rec_list_vars", "Var"),
    "numba.core.postproc": ("PostProcessor.run",),
    "numba.core.transforms": ("canonicalize_cfg",),
    "numba.core.typed_passes": ("IRLegalization.run_pass",),
    "numba.core.codegen": ("CPUCodeLibrary._optimize_functions", "JITCPUCodegen._function_pass_manager"),
}
"""What is changed or called, by module."""


def leaner() -> dict[tuple[Any, str], Callable[..., Any]]:
    """What stands in for what while kernels are compiled: from (owner, name) to the function."""
    from numba.core import byteflow, codegen, event, ir, postproc, ssa, typed_passes, types
    from numba.core.targetconfig import TargetConfig
    from numba.core.typing import context

    of_context, of_function = _remembered(context.BaseContext.resolve_function_type, types.BaseFunction.get_call_type)
    listed, one = _listed()
    return {
        (context.BaseContext, "resolve_function_type"): of_context,
        (types.BaseFunction, "get_call_type"): of_function,
        (TargetConfig, "__hash__"): _hashed(TargetConfig.__hash__),
        (TargetConfig, "__eq__"): _equal(TargetConfig.__eq__),
        (event, "install_timer"): _untimed,
        (ssa, "_logger"): _Silent,
        (byteflow, "_logger"): _Silent,
        (ir.Stmt, "list_vars"): listed,
        (ir.Inst, "_rec_list_vars"): one,
        (postproc.PostProcessor, "run"): _in_order(postproc.PostProcessor.run),
        (typed_passes.IRLegalization, "run_pass"): _nothing_dies,
        (codegen.CPUCodeLibrary, "_optimize_functions"): _tidied,
    }


def _remembered(
    of_context: Callable[..., Any], of_function: Callable[..., Any]
) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """What a function gives for arguments of some types, under the flags of who asks, found once.

    It is asked for by a context while types are found, and of the function itself when code is written. That an
    operator takes no such arguments is remembered too: numba first tries each with its constants.
    """
    from numba.core import types
    from numba.core.errors import TypingError
    from numba.core.targetconfig import ConfigStack

    known: dict[Any, tuple[Any, Any]] = {}  # the function is kept too, lest another takes its place in memory
    refused: dict[Any, tuple[Any, Exception]] = {}
    seen: dict[int, tuple[Any, int]] = {}
    kinds: list[Any] = []

    def flags() -> int:
        here = ConfigStack.top_or_none()
        if id(here) not in seen:
            if here not in kinds:
                kinds.append(here)
            seen[id(here)] = (here, kinds.index(here))
        return seen[id(here)][1]

    def resolve_function_type(self: Any, func: Any, args: Any, kws: Any) -> Any:
        if type(func) is types.Function:
            found = known.get((id(self), id(func), tuple(args), tuple(kws.items()), flags()))
            if found is not None:
                return found[1]
        return of_context(self, func, args, kws)

    def get_call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
        key = (id(context), id(self), tuple(args), tuple(kws.items()), flags())
        if key in refused:
            raise refused[key][1].with_traceback(None)
        if key not in known:
            try:
                known[key] = (self, of_function(self, context, args, kws))
            except TypingError as error:
                if type(error) is TypingError and getattr(self.typing_key, "__module__", "") == "_operator":
                    refused[key] = (self, error)
                raise
        return known[key][1]

    return resolve_function_type, get_call_type


def _hashed(by_names: Callable[..., int]) -> Callable[..., int]:
    """Of flags: numba takes the names of all there are, and they are the same for each of a class."""
    known: dict[type, int] = {}

    def of_class(self: Any) -> int:
        if type(self) not in known:
            known[type(self)] = by_names(self)
        return known[type(self)]

    return of_class


def _equal(by_values: Callable[..., bool]) -> Callable[..., bool]:
    """Of flags: those that were set alike are; only others need a look at what was left alone."""

    def equal(self: Any, other: Any) -> bool:
        if self is other or (type(self) is type(other) and self._values == other._values):  # noqa: SLF001
            return True
        return by_values(self, other)

    return equal


def _untimed(kind: str, callback: Callable[..., Any]) -> AbstractContextManager[None]:
    """How long a function holds a lock is not asked: each call of LLVM is told to all that are under way."""
    return nullcontext()


class _Silent:
    """A diary of every instruction, which nobody reads."""

    @staticmethod
    def debug(*_: Any) -> None:
        """Write nothing."""


def _listed() -> tuple[Callable[..., Any], Callable[..., Any]]:
    """The variables of a statement, and those of anything in one, in the order in which numba lists them."""
    from numba.core import ir

    kinds: dict[type, str] = {}

    def kind_of(each: type) -> str:
        if issubclass(each, ir.Var):
            return "variable"
        if issubclass(each, ir.Inst):
            return "plain" if each.list_vars is list_vars else "own"
        if issubclass(each, (list, tuple)):
            return "many"
        return "table" if issubclass(each, dict) else ""

    def walk(values: Iterable[Any], found: list[Any]) -> None:
        for value in values:
            kind = kinds.get(type(value))
            if kind is None:
                kind = kinds[type(value)] = kind_of(type(value))
            if not kind:
                continue
            if kind == "variable":
                found.append(value)
            elif kind == "plain":
                walk(vars(value).values(), found)
            elif kind == "many":
                walk(value, found)
            elif kind == "table":
                walk(value.values(), found)
            else:
                found.extend(value.list_vars())

    def list_vars(self: Any) -> list[Any]:
        found: list[Any] = []
        walk(vars(self).values(), found)
        return found

    def rec_list_vars(self: Any, value: Any) -> list[Any]:
        found: list[Any] = []
        walk((value,), found)
        return found

    return list_vars, rec_list_vars


def _in_order(run: Callable[..., Any]) -> Callable[..., Any]:
    """The blocks of a function in their order; where variables live is asked by generators and lifted loops only."""
    from numba.core.transforms import canonicalize_cfg

    def ordered(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
        if emit_dels or self.func_ir.is_generator:
            run(self, emit_dels, extend_lifetimes)
            return
        self.func_ir.blocks = canonicalize_cfg(self.func_ir.blocks)
        self.func_ir.generator_info = None

    return ordered


def _nothing_dies(*_: Any) -> bool:
    """Kernels hold numbers and views: nothing is to be released where a variable is used last."""
    return False


def _tidied(self: Any, module: Any) -> None:
    """What is only declared in a module has nothing to tidy up; one set of passes does for all that is not."""
    module.data_layout = self._codegen._data_layout  # noqa: SLF001
    manager, builder = self._codegen._function_pass_manager()  # noqa: SLF001
    for function in module.functions:
        if not function.is_declaration:
            manager.run(function, builder)
