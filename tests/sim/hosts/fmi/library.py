"""The library of an FMU, loaded like by a host: every function of the headers by its name and C types."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from polhode.sim.codegen.toolchain import build
from polhode.sim.hosts.fmi.export import flown_unit
from polhode.sim.hosts.fmi.model_c import Model, headers, model_of

PROTOTYPE = re.compile(r"typedef\s+([\w\s]*?[\s*]+?)(fmi[23]\w+)TYPE\s*\((.*?)\)\s*;", re.DOTALL)
BY_VALUE: dict[str, Any] = {
    "fmi2Real": ctypes.c_double, "fmi3Float64": ctypes.c_double, "fmi2Boolean": ctypes.c_int,
    "fmi3Boolean": ctypes.c_bool, "size_t": ctypes.c_size_t, "fmi2ValueReference": ctypes.c_uint,
    "fmi3ValueReference": ctypes.c_uint, "fmi2Integer": ctypes.c_int, "fmi2Type": ctypes.c_int,
    "fmi2StatusKind": ctypes.c_int, "fmi3DependencyKind": ctypes.c_int,
}  # fmt: skip


def prototypes() -> dict[str, tuple[str, list[str]]]:
    """What each function returns, and the types of its arguments."""
    text = re.sub(r"/\*.*?\*/", "", "".join(headers().values()), flags=re.DOTALL)
    found: dict[str, tuple[str, list[str]]] = {}
    for result, name, arguments in PROTOTYPE.findall(text):
        given = [each.strip() for each in " ".join(arguments.split()).split(",")]
        found[name] = " ".join(result.split()), [each for each in given if each != "void"]
    return found


def pointer(argument: str) -> bool:
    """Whether an argument is passed as a pointer."""
    return BY_VALUE.get(argument.split(maxsplit=1)[0]) is None or "*" in argument or "[" in argument


def load(folder: Path, craft: Any, law: Any, flight: dict[str, Any], **more: Any) -> tuple[ctypes.CDLL, Model, Any]:
    """Build the library of an FMU without optimisation and load it."""
    unit = flown_unit(craft, law, flight, **more)
    model = model_of(unit)
    for name, text in {**headers(), "fmu.c": model.text}.items():
        (folder / name).write_text(text)
    build([folder / "fmu.c"], folder / "fmu.so", options=("-O0", "-shared", "-fPIC"))
    library = ctypes.CDLL(str(folder / "fmu.so"))
    for name, (result, arguments) in prototypes().items():
        function = getattr(library, name)
        function.restype = ctypes.c_int if "Status" in result else None if result == "void" else ctypes.c_void_p
        function.argtypes = [ctypes.c_void_p if pointer(each) else BY_VALUE[each.split()[0]] for each in arguments]
    return library, model, unit


LOG2 = ctypes.CFUNCTYPE(
    None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p
)
LOG3 = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p)


class Callbacks2(ctypes.Structure):
    """Callbacks of a host of FMI 2."""

    _fields_ = [(name, kind) for name, kind in (
        ("logger", LOG2), ("allocate", ctypes.c_void_p), ("free", ctypes.c_void_p), ("finished", ctypes.c_void_p),
        ("environment", ctypes.c_void_p),
    )]  # fmt: skip


class Instance:
    """An instance, called by the names of the standard without `fmi2` and `fmi3`; each call returns its status."""

    def __init__(self, library: ctypes.CDLL, token: str, *, fmi: int, exchange: bool) -> None:
        self.library, self.fmi, self.exchange = library, fmi, exchange
        self.said: list[str] = []
        if fmi == 3:
            self._log: Any = LOG3(lambda _, status, category, text: self.said.append(text.decode()))
            kind = "ModelExchange" if exchange else "CoSimulation"
            more = [] if exchange else [False, False, None, 0]
            last = [None, ctypes.cast(self._log, ctypes.c_void_p)] + ([] if exchange else [None])
            made = getattr(library, f"fmi3Instantiate{kind}")(b"one", token.encode(), None, False, False, *more, *last)
        else:
            self._log = LOG2(lambda _, name, status, category, form, text: self.said.append((text or form).decode()))
            self._callbacks = Callbacks2(logger=self._log)
            given = ctypes.cast(ctypes.pointer(self._callbacks), ctypes.c_void_p)
            made = library.fmi2Instantiate(b"one", 0 if exchange else 1, token.encode(), None, given, 0, 0)
        assert made
        self.address = made

    def __getattr__(self, name: str) -> Callable[..., Any]:
        function = getattr(self.library, f"fmi{self.fmi}{name}")
        return lambda *arguments: function(self.address, *arguments)

    def reach(self, state: str) -> Instance:
        """Bring it into a state of the standard, from the start."""
        flag, number = ctypes.c_bool(), ctypes.c_double()
        way = {"instantiated": 0, "initialization": 1}.get(state, 2)
        if way > 0:
            if self.fmi == 2:
                assert self.SetupExperiment(0, 0.0, 0.0, 0, 0.0) == 0
                assert self.EnterInitializationMode() == 0
            else:
                assert self.EnterInitializationMode(False, 0.0, 0.0, False, 0.0) == 0
        if way > 1:
            assert self.ExitInitializationMode() == 0
        if state == "continuous":
            if self.fmi == 3:
                flags = [ctypes.byref(flag) for _ in range(5)]
                assert self.UpdateDiscreteStates(*flags, ctypes.byref(number)) == 0
            assert self.EnterContinuousTimeMode() == 0
        if state == "terminated":
            assert self.Terminate() == 0
        return self

    def get(self, *references: int) -> list[float]:
        """Return values of variables."""
        many = len(references)
        given, values = (ctypes.c_uint * many)(*references), (ctypes.c_double * many)()
        status = self.GetReal(given, many, values) if self.fmi == 2 else self.GetFloat64(given, many, values, many)
        assert status == 0, self.said
        return list(values)

    def set(self, values: dict[int, float]) -> int:
        """Set values by their references and return the status."""
        many = len(values)
        given, numbers = (ctypes.c_uint * many)(*values), (ctypes.c_double * many)(*values.values())
        return self.SetReal(given, many, numbers) if self.fmi == 2 else self.SetFloat64(given, many, numbers, many)

    def step(self, t: float, h: float) -> int:
        """Take a step and return the status."""
        if self.fmi == 2:
            return self.DoStep(t, h, 1)
        places = [ctypes.byref(ctypes.c_bool()) for _ in range(3)]
        return self.DoStep(t, h, False, *places, ctypes.byref(ctypes.c_double()))
