"""Every kernel marked for lanes compiles for them, and each lane is bitwise equal to a single run."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from polhode import controllers, plant
from polhode.plant.elements.wheel_motor import AT as WHEEL
from polhode.plant.elements.wheel_motor import at_power_limit  # its result is a mask; `pack_wheel` covers it
from polhode.plant.hub.parameters import AT_ELEMENTS, ELEMENT, OUTFLOW
from polhode.plant.kernels.kernel import LANES as MARKED
from polhode.plant.kernels.lanes import agreed, every, select, shared
from polhode.plant.loads.torque import TorqueBasis
from polhode.plant.loads.torque.torque_limits import saturate
from polhode.sim.codegen.c99.kinds import FLAG, INTEGER, REAL, Array
from polhode.sim.codegen.library import kernel_address, simd_address, simd_width
from polhode.sim.engine.element_packs import vector_kernel

from ..sim.codegen.c99.arguments import everything
from ..sim.codegen.vectors import LANES, ROOM, in_vectors, one_by_one
from .conftest import all_modules

INERTIA = ((4.0, 0.3, -0.2), (0.3, 3.0, 0.1), (-0.2, 0.1, 2.0))
CRAFT = plant.Spacecraft(plant.RigidBody(INERTIA), torques=TorqueBasis("body", limit=0.5))
KEPT = plant.Spacecraft(plant.RigidBody(INERTIA), torques=TorqueBasis("body", limit=0.5, keep_direction=True))
SHAPED = {"inertia": INERTIA, "damping": 3.0, "sample": 0.1}


def lqr(craft: Any = CRAFT, **more: Any) -> Any:
    return controllers.lqr(craft.linearize(craft.at_rest()), attitude=25.0, rate=1.0, effort=1.0, sample=0.1, **more)


LAWS: dict[str, Callable[[], Any]] = {
    "quaternion feedback": lambda: controllers.QuaternionFeedback(**SHAPED, stiffness=2.0),
    "the same in an Euler basis": lambda: controllers.QuaternionFeedback(
        **SHAPED, stiffness=2.0, torques=TorqueBasis("euler", sequence="3-1-3")
    ),
    "the same in inertial axes": lambda: controllers.QuaternionFeedback(
        **SHAPED, stiffness=2.0, torques=TorqueBasis("inertial"), gyroscopic=False
    ),
    "LQR": lqr,
    "LQR that keeps the direction": lambda: lqr(KEPT),
    "LQR with a delay": lambda: lqr(delay=0.15),
    "LQI": lambda: controllers.lqi(
        CRAFT.linearize(CRAFT.at_rest()), attitude=25.0, rate=1.0, integral=1.0, effort=1.0, sample=0.1
    ),
    "energy shaping": lambda: controllers.EnergyShaping(**SHAPED, stiffness=2.0),
    "sliding mode": lambda: controllers.SlidingMode(
        inertia=INERTIA, slope=0.5, reach=0.4, boundary_layer=0.05, sample=0.1
    ),
    "rate damping": lambda: controllers.RateDamping(gain=3.0, sample=0.1),
    "rate damping by a field": lambda: controllers.RateDamping(gain=3.0, sample=0.1, field=(1.0, 0.2, -0.4)),
}

CODES = {"basis": 2, "i": 2, "j": 0, "k": 2, "row": 1, "n": 1, "at": 4, "keep_direction": 1, "steps": 5, "ledger": 1}
"""Integers that kernels take, by name: those of a sequence, places in rows, counts."""

ALONE = {"h": 0.05, "t": 1.0}
"""What is the same in every lane, in flight."""


def marked() -> list[Any]:
    all_modules()
    return sorted((k for k in MARKED if k.__module__.startswith("polhode.")), key=lambda k: (k.__module__, k.__name__))


def units(rng: np.random.Generator) -> np.ndarray:
    found = rng.standard_normal((LANES, 4))
    return found / np.linalg.norm(found, axis=1)[:, None]


def seen(rng: np.random.Generator) -> np.ndarray:
    return np.hstack([rng.standard_normal((LANES, 3)), units(rng), 0.3 * rng.standard_normal((LANES, 3))])


def row_named(name: str, rng: np.random.Generator) -> np.ndarray:
    """One row per lane: it begins with values that kernels use as codes; one lane in eight is all zero."""
    if name in ("y", "x"):
        return np.hstack([seen(rng), rng.standard_normal((LANES, 4))])
    if name == "r":
        return np.hstack([units(rng), 0.1 * rng.standard_normal((LANES, 6))])
    found = rng.standard_normal((LANES, ROOM))
    if name == "q":
        found[:, :4] = (2, 2, 0, 2)
    if name == "p":
        found[:, OUTFLOW] = 0.0  # thrusters with a tank are not simulated in vectors
    if name == "limits":
        found[:, :4] = (0.3, 0.5, 0.7, 1.0)
        return np.abs(found[:, :10])
    if name == "u":
        found = found[:, :3]
        found[0] = 0.0
    return found


def compared(kernel: Any, kinds: Any, given: list[Any]) -> None:
    wanted, rows = one_by_one(kernel, given)
    found, left = in_vectors(kernel, kinds, given)
    assert wanted.size or rows
    assert found.tobytes() == wanted.tobytes(), kernel
    for one, other in zip(left, rows, strict=True):
        assert np.ascontiguousarray(one).tobytes() == np.ascontiguousarray(other).tobytes(), kernel


def arguments_of(kernel: Any, kinds: Any, *, seed: int) -> list[Any]:
    """Random numbers in every lane."""
    rng = np.random.default_rng(seed)
    names = kernel.__code__.co_varnames[: kernel.__code__.co_argcount]
    given: list[Any] = []
    for name, kind in zip(names, kinds, strict=True):
        if kind in (INTEGER, FLAG):
            given.append(CODES[name])
        elif kind == REAL:
            given.append(ALONE[name] if name in ALONE else rng.standard_normal(LANES))
        else:
            given.append(row_named(name, rng))
    return given


def test_marked_kernel_equals_itself_lane_by_lane() -> None:
    """With all that kernels use in place of branches; the other tests are in the slow suite."""
    all_modules()
    compared(saturate, (REAL, REAL, REAL, Array(REAL, 1)), arguments_of(saturate, (REAL, REAL, REAL, None), seed=1))


ELEMENTS: dict[str, Callable[[], Any]] = {
    "ring": lambda: plant.RingDamper(axis=(0, 1, 2), mass=0.1, radius=0.5, friction=0.2, fill=2.0, center=(0, 0, 0.3)),
    "planar pendulum": lambda: plant.Pendulum(
        hinge=(0, 0.1, 0.2), length=0.3, mass=2.0, direction=(0, 0, -1), axis=(1, 0, 0), stiffness=1.5, damping=0.1
    ),
    "spherical pendulum": lambda: plant.Pendulum(
        hinge=(0.1, 0, 0.2), length=0.3, mass=1.0, direction=(0, 0.1, -1), stiffness=1.5, damping=0.02
    ),
    "wheel": lambda: plant.Wheel(
        axis=(0, 1, 1),
        inertia=0.01,
        friction=1e-3,
        coulomb=1e-3,
        torque_limit=0.1,
        minimum_torque=0.02,
        speed_limit=2.0,
        power_limit=0.05,
        static_friction=2e-3,
        stribeck_rate=0.5,
    ),
}


def is_element(kernel: Any) -> bool:
    return kernel.__code__.co_varnames[:7] == ("phase", "t", "x", "u", "p", "row", "w")


@pytest.mark.slow
@pytest.mark.parametrize(
    "kernel",
    [k for k in marked() if k not in (agreed, every, select, shared, at_power_limit) and not is_element(k)],
    ids=lambda k: k.__name__,
)
def test_every_marked_kernel_is_the_same_in_every_lane(kernel: Any) -> None:
    if not kernel.__name__.endswith("_kernel"):  # laws: below, with valid parameters
        versions = (kinds for each, kinds in everything().functions if each is kernel)
        kinds = next(kinds for kinds in versions if not any("simd" in str(kind) for kind in kinds))  # of one run
        compared(kernel, kinds, arguments_of(kernel, kinds, seed=2))


def numbers_of(law: Any, rng: np.random.Generator) -> np.ndarray:
    """Parameters of a law, different in each lane if they may be."""
    found = np.tile(law.parameters, (LANES, 1))
    found *= np.where(law.batchable, 1.0 + 0.1 * rng.standard_normal(found.shape), 1.0)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", LAWS)
def test_every_law_is_the_same_in_every_lane(name: str) -> None:
    law, rng = LAWS[name](), np.random.default_rng(3)
    assert law.kernel in MARKED
    kinds = next(kinds for each, kinds in everything().functions if each is law.kernel)
    memory = 0.1 * rng.standard_normal((LANES, max(law.memory.size, 1)))
    given = [0.7, seen(rng), row_named("r", rng), numbers_of(law, rng), memory, np.zeros((LANES, 3))]
    compared(law.kernel, kinds, given)


class Watched(np.ndarray):
    """A row that records which entries are read through `shared`."""

    taken: set[int]

    def __getitem__(self, n: Any) -> Any:
        if sys._getframe(1).f_code is shared.__code__:  # the calling function
            self.taken.add(n)
        return super().__getitem__(n)


@pytest.mark.parametrize("name", LAWS)
def test_shared_law_parameters_are_declared_equal_for_all_runs(name: str) -> None:
    law, rng = LAWS[name](), np.random.default_rng(4)
    q = law.parameters.copy().view(Watched)
    q.taken = set()
    law.kernel(0.7, seen(rng)[0], row_named("r", rng)[0], q, law.memory.copy(), np.zeros(3))
    assert q.taken
    assert not law.batchable[sorted(q.taken)].any()


def test_every_law_that_is_marked_is_looked_at() -> None:
    kernels = {law().kernel for law in LAWS.values()}
    wanted = {kernel for kernel in marked() if kernel.__code__.co_varnames[:6] == ("t", "y", "r", "q", "z", "u")}
    assert kernels == wanted


def loaded(name: str, rng: np.random.Generator) -> tuple[Any, int, Any]:
    """Vector kernel of an element, the start of its row, and x, u, p, w of each lane, with parameters of its own."""
    element = ELEMENTS[name]()
    craft = plant.Spacecraft(
        plant.RigidBody(INERTIA, mass=10.0), elements=[plant.Wheel(axis=(0, 0, 1), inertia=0.1), element]
    )
    p = np.tile(craft.pack(()), (LANES, 1))
    row = int(p[0, AT_ELEMENTS])
    row += int(p[0, row + ELEMENT.length])
    places = np.arange(row + ELEMENT.size, row + int(p[0, row + ELEMENT.length]))
    if name == "wheel":  # whether it has a motor is common
        places = np.setdiff1d(places, row + ELEMENT.size + np.array([WHEEL.number, WHEEL.follows]))
    p[:, places] *= 1.0 + 0.1 * rng.standard_normal((LANES, places.size))
    w = rng.standard_normal((LANES, craft.work_space().size))
    x = rng.standard_normal((LANES, craft.layout.size))
    return vector_kernel(element), row, [x, rng.standard_normal((LANES, craft.layout.size)), p, w]


def called(address: int, phase: int, row: int, rows: list[np.ndarray]) -> None:
    """Call the compiled kernel of an element, scalar or of vectors."""
    each = (ctypes.c_void_p, ctypes.c_int64)
    function = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_double, *each, *each, *each, ctypes.c_int64, *each)(
        address
    )
    x, u, p, w = [(array.ctypes.data, len(array)) for array in rows]
    function(phase, 0.7, *x, *u, *p, row, *w)


@pytest.mark.skipif(simd_width() < 2, reason="no engine with vector registers here")
@pytest.mark.parametrize("phase", [0, 1, 2])
@pytest.mark.parametrize("name", ELEMENTS)
def test_marked_element_equals_itself_lane_by_lane(name: str, phase: int) -> None:
    """The scalar version in C, since the last bit of sine, cosine and tanh differs from those of numpy."""
    kernel, row, rows = loaded(name, np.random.default_rng(6))
    single = [np.array(each) for each in rows]
    for lane in range(LANES):
        called(kernel_address(kernel), phase, row, [each[lane] for each in single])
    width = simd_width()
    for first in range(0, LANES, width):
        part = []
        for each in rows:
            room = np.zeros(width * each.shape[1] + LANES)
            part.append(room[-room.ctypes.data // 8 % LANES :][: width * each.shape[1]].reshape(each.shape[1], width))
            part[-1][:] = each[first : first + width].T
        called(simd_address(kernel), phase, row, part)
        for each, found in zip(single, part, strict=True):
            assert np.ascontiguousarray(found.T).tobytes() == each[first : first + width].tobytes()
    changed = any((one != other).any() for one, other in zip(rows, single, strict=True))
    assert changed == (phase < 2 or (phase == 2 and "pendulum" in name))


@pytest.mark.parametrize("name", [name for name in ELEMENTS if name != "wheel"])
def test_marked_element_reads_no_parameter_of_its_own_as_shared(name: str) -> None:
    """All parameters of a marked element may differ between the runs of a pack; those of a wheel are listed."""
    kernel, row, (x, u, p, w) = loaded(name, np.random.default_rng(6))
    for phase in (0, 1):
        watched = p[0].copy().view(Watched)
        watched.taken = set()
        kernel(phase, 0.7, x[0], u[0], watched, row, w[0])
        assert watched.taken
        assert max(watched.taken) < row + ELEMENT.size


def test_every_element_that_is_marked_is_tested() -> None:
    assert {vector_kernel(each()) for each in ELEMENTS.values()} == {
        kernel for kernel in marked() if is_element(kernel)
    }
