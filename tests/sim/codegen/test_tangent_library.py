"""The library with tangents: same values as the engine, and derivatives of its kernels by the complex-step method."""

from __future__ import annotations

import ctypes
import re
from pathlib import Path

import numpy as np
import pytest

from polhode.plant.errors import InputError
from polhode.sim.codegen import library_build, tangent_library
from polhode.sim.codegen.library_text import DUAL_NUMBER
from polhode.sim.codegen.tangent_library import tangent_addresses, tangent_entry, tangents
from polhode.sim.codegen.toolchain import build

needs_tangents = pytest.mark.skipif(tangents() == 0, reason="no library with tangents on this machine")

OF_ONE = {
    "sqrt": (0.3, 2.5), "sin": (-1.2, 0.4), "cos": (-1.2, 0.4), "tan": (0.3, -1.1), "exp": (-2.0, 1.3),
    "expm1": (1e-9, 0.7), "log": (0.2, 3.0), "log1p": (1e-9, 2.0), "log2": (0.2, 3.0), "log10": (0.2, 3.0),
    "sinh": (-0.4, 2.0), "cosh": (-0.4, 2.0), "tanh": (-0.4, 2.0), "asin": (-0.6, 0.2), "acos": (-0.6, 0.2),
    "atan": (-3.0, 0.1), "asinh": (-2.0, 0.1), "acosh": (1.2, 4.0), "atanh": (-0.6, 0.2), "cbrt": (0.3, 8.0),
    "fabs": (-0.4, 0.7),
}  # fmt: skip
OF_TWO = {
    "atan2": [(0.3, -0.7), (-2.0, 0.5)], "hypot": [(0.3, -0.4)], "pow": [(1.7, -2.5), (0.4, 3.0)],
    "fmod": [(7.3, 2.1), (-7.3, 2.1)], "copysign": [(0.3, -2.0)],
}  # fmt: skip
ANALYTIC = {
    "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "asinh": np.arcsinh, "acosh": np.arccosh,
    "atanh": np.arctanh, "cbrt": lambda x: np.exp(np.log(x) / 3.0), "fabs": lambda x: x if x.real > 0.0 else -x,
    "atan2": lambda y, x: 2.0 * np.arctan(y / (np.sqrt(x * x + y * y) + x)),
    "hypot": lambda a, b: np.sqrt(a * a + b * b),
    "pow": lambda a, b: np.exp(b * np.log(a)), "fmod": lambda a, b: a - b * np.trunc((a / b).real),
    "copysign": lambda a, b: a if (a.real < 0.0) == (b.real < 0.0) else -a,
}  # fmt: skip
TINY = 1e-30

SEEN = 'extern "C" __attribute__((visibility("default")))'


@pytest.fixture(scope="module")
def functions(tmp_path_factory):
    """Every function of the header, as a library function that maps dual numbers to a dual number."""
    folder = tmp_path_factory.mktemp("dual")
    header = Path(library_build.__file__).with_name(DUAL_NUMBER)
    lines = [f'#include "{header}"']
    bodies = {name: f"{name}(x[0])" for name in OF_ONE} | {name: f"{name}(x[0], x[1])" for name in OF_TWO}
    bodies |= {"sum": "x[0] + x[1]", "difference": "x[0] - x[1]", "product": "x[0] * x[1]", "quotient": "x[0] / x[1]"}
    lines += [f"{SEEN} void p_{name}(const real *x, real *y) {{ y[0] = {body}; }}" for name, body in bodies.items()]
    lines.append(f"{SEEN} long long p_width() {{ return POLHODE_DUAL_WIDTH; }}")
    source, out = folder / "dual.c", folder / "dual.so"
    source.write_text("\n".join(lines) + "\n", encoding="ascii")
    try:
        build([source], out, options=(*library_build.OPTIONS, *library_build.TANGENT_OPTIONS))
    except InputError as error:
        pytest.skip(f"the compiler of this machine has no C++: {error}")
    library = ctypes.CDLL(str(out))
    width = library.p_width()

    def call(name, values, directions):
        x = np.zeros((len(values), width))
        x[:, 0] = values
        x[:, 1 : 1 + len(directions)] = np.transpose(directions)
        y = np.zeros((1, width))
        getattr(library, f"p_{name}")(ctypes.c_void_p(x.ctypes.data), ctypes.c_void_p(y.ctypes.data))
        return y[0, 0], y[0, 1 : 1 + len(directions)]

    return call


@pytest.mark.parametrize("name", [*OF_ONE, *OF_TWO])
def test_every_function_has_its_derivative(functions, name):
    """Against the complex-step derivative of the same function of numpy."""
    exact = ANALYTIC.get(name) or getattr(np, name)
    for point in [(x,) for x in OF_ONE[name]] if name in OF_ONE else OF_TWO[name]:
        directions = [[0.7, *[0.0] * (len(point) - 1)], [0.0] * (len(point) - 1) + [-1.3]][: len(point)]
        for direction in directions:
            value, tangent = functions(name, point, [direction])
            found = exact(*[complex(x, TINY * d) for x, d in zip(point, direction, strict=True)])
            assert value == pytest.approx(found.real, rel=1e-15)
            assert tangent[0] == pytest.approx(found.imag / TINY, rel=2e-14)


def test_arithmetic_follows_the_rules_of_differentiation(functions):
    a, b, da, db = 1.7, -0.3, 0.25, 4.0
    for name, value, tangent in (
        ("sum", a + b, da + db), ("difference", a - b, da - db), ("product", a * b, da * b + a * db),
        ("quotient", a / b, (da - a / b * db) / b),
    ):  # fmt: skip
        assert functions(name, (a, b), [[da, db]]) == (value, pytest.approx([tangent], rel=1e-15))


def test_ends_of_the_domains_have_no_tangent_instead_of_infinity(functions):
    for name, x in (("sqrt", 0.0), ("asin", 1.0), ("acos", -1.0), ("hypot", 0.0), ("atan2", 0.0)):
        point = (x, 0.0) if name in OF_TWO else (x,)
        _, tangent = functions(name, point, [[0.5] * len(point)])
        assert tangent[0] == 0.0


def test_header_has_every_function_that_the_translator_writes():
    from polhode.sim.codegen.library_text import library_text

    header = Path(library_build.__file__).with_name(DUAL_NUMBER).read_text(encoding="ascii")
    defined = set(re.findall(r"^static inline \w+ (\w+)\(const real", header, re.MULTILINE))
    called = set(re.findall(r"\b([a-z][a-z0-9]+)\(", library_text(simd=False))) & {
        *OF_ONE, *OF_TWO, "floor", "ceil", "trunc", "rint", "isnan", "isinf", "isfinite", "fmin", "fmax", "erf",
        "tgamma", "lgamma", "exp2", "round",
    }  # fmt: skip
    assert called <= defined


@needs_tangents
def test_both_libraries_export_the_same_functions():
    known = tangent_addresses()
    assert len(known) > 60
    assert not set(known) & set(known.values())
    assert tangent_entry("advance_entry")


@pytest.fixture
def with_library_at(monkeypatch):
    """Function that replaces the path of the library with tangents, until the end of the test."""

    def replace(path):
        monkeypatch.setattr(tangent_library, "tangents_path", lambda: path)
        tangent_library._library.cache_clear()

    yield replace
    monkeypatch.undo()
    tangent_library._library.cache_clear()
    assert tangents() > 0


@needs_tangents
def test_missing_library_gives_no_tangents(with_library_at):
    with_library_at(None)
    assert tangents() == 0


@needs_tangents
def test_damaged_library_gives_no_tangents(with_library_at, tmp_path):
    broken = tmp_path / "broken.so"
    broken.write_bytes(b"not a library")
    with_library_at(broken)
    assert tangents() == 0
