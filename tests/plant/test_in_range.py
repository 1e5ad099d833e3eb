"""Inputs of any magnitude either work or raise one clear error."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from polhode import plant
from polhode.plant import attitude, free_motion
from polhode.plant.errors import InputError, PolhodeError
from polhode.plant.flexible import Arm, BeamSection
from polhode.plant.in_range import in_range

E = np.array((0.5, -0.5, 0.7, 0.1))
MATRIX = attitude.rotation_matrix(E)
MOMENTS = (12.0, 10.0, 8.0)
VECTOR = (0.3, -0.2, 0.5)
SIZES = (0.0, 5e-324, 1e-200, 1e-150, 1e-30, 1e16, 1e80, 1e150, 1e300, np.nan, np.inf)


def used(craft: plant.Spacecraft, **state: Any) -> None:
    """Evaluate everything that depends on a state of the spacecraft."""
    x = craft.state(attitude=E, **({"rate": VECTOR} | state))
    results = [craft.derivative(0.0, x), craft.energy(x), craft.locked_inertia(x), craft.inertial_momentum(x)]
    assert all(np.isfinite(result).all() for result in results)
    craft.linearize(x, allow_nonequilibrium=True)


def body(inertia: Any, mass: Any, pivot: Any, rate: Any) -> None:
    used(plant.Spacecraft(plant.RigidBody(inertia, mass=mass, pivot=pivot)), rate=rate)


def orbiting(position: Any, velocity: Any, mu: Any) -> None:
    potentials = [plant.GravityGradient(mu=mu)]
    hub = plant.RigidBody(MOMENTS, mass=2.0)
    used(plant.Spacecraft(hub, potentials=potentials, translation=True), position=position, velocity=velocity)


def with_element(kind: Any) -> Callable[..., None]:
    return lambda **numbers: used(plant.Spacecraft(plant.RigidBody(MOMENTS, mass=20.0), elements=[kind(**numbers)]))


def with_potential(kind: Any) -> Callable[..., None]:
    hub = plant.RigidBody(MOMENTS, mass=20.0, pivot=(0.0, 0.0, 0.1))
    return lambda **numbers: used(plant.Spacecraft(hub, potentials=[kind(**numbers)]))


def with_arm(length: Any, root: Any, tip_mass: Any, **section: Any) -> None:
    beam = BeamSection(second_moment_n=6e-7, youngs_modulus=7e10, shear_modulus=2.7e10, **section)
    arm = Arm(section=beam, length=length, elements=1, direction=(1, 0, 0), root=root, tip_mass=tip_mass)
    craft = plant.Spacecraft(plant.RigidBody(MOMENTS, mass=20.0), elements=[arm])
    craft.derivative(0.0, craft.state(rate=VECTOR))


def free(inertia: Any, rate: Any) -> None:
    motion = free_motion.FreeMotion(inertia, rate=rate)
    motion.attitude(3.0)
    free_motion.herpolhode(motion, (0.0, 1.0))


def spins(rate: Any) -> None:
    plant.spin_equilibria(plant.Spacecraft(plant.RigidBody(MOMENTS)), rate=rate)


CALLS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "body": (body, {"inertia": MOMENTS, "mass": 2.0, "pivot": VECTOR, "rate": VECTOR}),
    "tensor": (plant.RigidBody, {"inertia": np.diag(MOMENTS) + 0.1}),
    "orbit": (orbiting, {"position": (7e6, 0, 0), "velocity": (0, 7e3, 0), "mu": 4e14}),
    "spring": (
        with_potential(plant.Spring),
        {"body_point": VECTOR, "inertial_point": (1.0, 2.0, 3.0), "stiffness": 3.0, "natural_length": 0.5},
    ),
    "ring": (
        with_element(plant.RingDamper),
        {"axis": (0, 0, 1.0), "mass": 0.5, "radius": 0.3, "friction": 0.1, "fill": 2.0},
    ),
    "pendulum": (
        with_element(plant.Pendulum),
        {"hinge": VECTOR, "length": 0.5, "mass": 0.7, "direction": (0, 0, 1.0), "stiffness": 0.2, "angle": (0.1, 0.2)},
    ),
    "arm": (
        with_arm,
        {
            "length": 2.0,
            "root": (0.1, 0, 0),
            "tip_mass": 0.5,
            "area": 2.5e-3,
            "second_moment_m": 5e-7,
            "density": 2.8e3,
        },
    ),
    "free motion": (free, {"inertia": MOMENTS, "rate": VECTOR}),
    "heavy top": (
        free_motion.heavy_top,
        {"transverse": 5.0, "axial": 1.0, "weight_moment": 20.0, "axial_momentum": 50.0, "tilt": 0.3, "tilt_rate": 0.1},
    ),
    "polhode": (free_motion.polhode, {"inertia": MOMENTS, "momentum": VECTOR}),
    "spins": (spins, {"rate": 0.5}),
    "rotation matrix": (attitude.from_rotation_matrix, {"R": MATRIX}),
    "Euler parameters": (attitude.rotation_matrix, {"e": E}),
}


def sizes_of(given: Any) -> Iterator[Any]:
    """Yield the input with every size as a replacement, a factor, and a replacement of its first component."""
    start = np.asarray(given, dtype=float)
    for size in SIZES:
        if start.shape == ():
            yield size
            continue
        with np.errstate(all="ignore"):
            yield start * size
        changed = start.copy()
        changed.flat[0] = size
        yield changed


@pytest.mark.parametrize("name", CALLS)
def test_inputs_of_any_magnitude_work_or_raise_a_clear_error(name: str) -> None:
    """Warnings are errors here, so no overflow or division by zero passes unnoticed."""
    function, arguments = CALLS[name]
    function(**arguments)
    refused = 0
    for argument, given in arguments.items():
        for changed in sizes_of(given):
            try:
                function(**{**arguments, argument: changed})
            except PolhodeError:
                refused += 1
    assert refused


def test_in_range_converts_arithmetic_errors_only() -> None:
    with in_range("this"):
        assert np.exp(-1e3) == 0.0
    with pytest.raises(InputError, match="that leaves the range of double precision"), in_range("that"):
        _ = 1.0 / np.float64(0.0)
    with pytest.raises(InputError, match="Singular matrix"), in_range("that"):
        np.linalg.inv(np.zeros((2, 2)))
    with pytest.raises(KeyError), in_range("that"):
        raise KeyError


def test_inertia_out_of_range_error_names_the_violated_bound() -> None:
    for inertia, words in (((1e16, 10.0, 8.0), "triangle"), ((1e16, 1e16, 8.0), "above 1e-12 of the largest")):
        with pytest.raises(InputError, match=words):
            plant.RigidBody(inertia)
    with pytest.raises(InputError, match="at least 1e-150"):
        plant.RigidBody((2e-200, 2e-200, 1e-200))
