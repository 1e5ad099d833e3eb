"""Every function of FMI 2 and 3 in every state, and with wrong arguments: as the standard allows, else an error."""

from __future__ import annotations

import ctypes
import math
from typing import Any

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.sim.codegen.toolchain import c_compiler
from polhode.sim.hosts.fmi.model_c import FIRST

from .library import Instance, load, pointer, prototypes

pytestmark = [
    pytest.mark.skipif(c_compiler() is None, reason="no C compiler on this machine"),
    pytest.mark.slow,  # compiling a library takes some seconds
]

CRAFT = plant.Spacecraft(plant.RigidBody((4.0, 3.0, 2.5)))
LAW = controllers.quaternion_feedback(CRAFT, frequency=0.5, damping_ratio=0.8, sample=0.1)
FLIGHT: dict[str, Any] = {"duration": 5.0, "rate": (0.03, 0.02, 0.3), "integrator": "rk4", "step": 0.05}

EXCHANGE, COSIMULATION = ("event", "continuous"), ("step",)
START = ("instantiated", "initialization")
STATES = {True: (*START, *EXCHANGE, "terminated"), False: (*START, *COSIMULATION, "terminated")}
ANY = (*START, *EXCHANGE, *COSIMULATION, "terminated")
LATER = ANY[1:]
SETTING = (*START, "event", "step")  # of a discrete input; of one that is continuous in continuous-time mode too

# from the tables of states and functions in the standards: FMI 2.0.4 sections 3.2.3 and 4.2.4, FMI 3.0.1 section 2.3
ALLOWED = {
    "SetDebugLogging": ANY, "SetupExperiment": START[:1], "EnterInitializationMode": START[:1],
    "ExitInitializationMode": START[1:], "Terminate": (*EXCHANGE, *COSIMULATION), "Reset": ANY,
    "GetReal": LATER, "GetFloat64": ANY, "SetReal": SETTING, "SetFloat64": SETTING,
    "GetFMUState": ANY, "SetFMUState": ANY, "FreeFMUState": ANY, "SerializedFMUStateSize": ANY,
    "SerializeFMUState": ANY, "DeserializeFMUState": ANY,
    "GetDirectionalDerivative": LATER, "DoStep": COSIMULATION,
}  # fmt: skip
ONLY_EXCHANGE = {
    "NewDiscreteStates": ("event",), "UpdateDiscreteStates": ("event",), "EnterContinuousTimeMode": ("event",),
    "CompletedIntegratorStep": ("continuous",), "SetContinuousStates": ("continuous",), "SetTime": EXCHANGE,
    "GetContinuousStates": ("initialization", *EXCHANGE, "terminated"),
    "GetEventIndicators": ("initialization", *EXCHANGE, "terminated"),
    "GetNumberOfEventIndicators": ANY, "GetNumberOfContinuousStates": ANY,
}  # fmt: skip
OF_VERSION = {
    (2, "EnterEventMode"): EXCHANGE, (3, "EnterEventMode"): ("continuous",),
    (2, "GetDerivatives"): (*EXCHANGE, "terminated"),
    (3, "GetContinuousStateDerivatives"): ("initialization", *EXCHANGE, "terminated"),
    (2, "GetNominalsOfContinuousStates"): ("instantiated", *EXCHANGE, "terminated"),
    (3, "GetNominalsOfContinuousStates"): ("initialization", *EXCHANGE, "terminated"),
}  # fmt: skip
SPELT = {"GetFMUstate": "GetFMUState", "SetFMUstate": "SetFMUState", "FreeFMUstate": "FreeFMUState",
         "SerializedFMUstateSize": "SerializedFMUStateSize", "SerializeFMUstate": "SerializeFMUState",
         "DeSerializeFMUstate": "DeserializeFMUState"}  # fmt: skip
OUTSIDE = ("GetVersion", "GetTypesPlatform", "Instantiate", "FreeInstance")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return load(tmp_path_factory.mktemp("states"), CRAFT, LAW, FLIGHT)


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return load(tmp_path_factory.mktemp("plant"), CRAFT, None, {**FLIGHT, "integrator": "dop853", "step": None})


def functions(fmi: int) -> list[tuple[str, list[str]]]:
    found = [(name[4:], given) for name, (_, given) in prototypes().items() if name.startswith(f"fmi{fmi}")]
    return [each for each in found if not each[0].startswith(OUTSIDE)]


def allowed(fmi: int, name: str, *, exchange: bool) -> tuple[str, ...]:
    known = SPELT.get(name, name)
    if (fmi, known) in OF_VERSION or known in ONLY_EXCHANGE:
        return OF_VERSION.get((fmi, known), ONLY_EXCHANGE.get(known, ())) if exchange else ()
    return ALLOWED.get(known, ())


def right_arguments(one: Instance, name: str, given: list[str]) -> list[Any]:
    """Arguments that are valid if the function may be called; buffers are large enough for any call."""
    room = ctypes.create_string_buffer(1 << 16)
    references = (ctypes.c_uint * 1)(FIRST["x"])
    known = SPELT.get(name, name)
    if known in ("GetReal", "GetFloat64", "SetReal", "SetFloat64"):
        target = (ctypes.c_uint * 1)(FIRST["target"])
        values = (ctypes.c_double * 1)(1.0)
        return [target, 1, values, *([1] if one.fmi == 3 else [])]
    if known == "GetDirectionalDerivative":
        of = (ctypes.c_uint * 1)(FIRST["dx"])
        seed = (ctypes.c_double * 1)(1.0)
        return [of, 1, references, 1, seed, 1, room, 1] if one.fmi == 3 else [of, 1, references, 1, seed, room]
    if known in ("GetFMUState", "FreeFMUState"):
        return [ctypes.byref(ctypes.c_void_p())]
    if known in ("SetFMUState", "SerializedFMUStateSize", "SerializeFMUState", "DeserializeFMUState"):
        state, size = ctypes.c_void_p(), ctypes.c_size_t()
        spelt = {2: "FMUstate", 3: "FMUState"}[one.fmi]
        assert getattr(one, f"Get{spelt}")(ctypes.byref(state)) == 0
        assert getattr(one, f"Serialized{spelt}Size")(state, ctypes.byref(size)) == 0
        if known == "SetFMUState":
            return [state]
        if known == "SerializedFMUStateSize":
            return [state, ctypes.byref(size)]
        if known == "SerializeFMUState":
            return [state, room, size.value]
        assert getattr(one, f"Serialize{spelt}")(state, room, size.value) == 0
        return [room, size.value, ctypes.byref(ctypes.c_void_p())]
    if known in ("GetContinuousStates", "SetContinuousStates", "GetDerivatives", "GetContinuousStateDerivatives",
                 "GetNominalsOfContinuousStates"):  # fmt: skip
        return [(ctypes.c_double * 7)(0.1, 0.0, 0.0, 1.0), 7]
    if known == "GetEventIndicators":
        return [room, 0]
    values = {"stepSize": 0.1, "communicationStepSize": 0.1, "tolerance": 1e-6}
    found: list[Any] = []
    for each in given[1:]:
        word = each.split()[-1].strip("*[]")
        found.append(ctypes.create_string_buffer(64) if pointer(each) else values.get(word, 0))
    return found


@pytest.mark.parametrize("exchange", [True, False], ids=["exchange", "cosimulation"])
@pytest.mark.parametrize("fmi", [2, 3])
def test_functions_answer_in_every_state(made: Any, fmi: int, exchange: bool) -> None:
    library, model, _ = made
    for name, given in functions(fmi):
        for state in STATES[exchange]:
            one = Instance(library, model.token, fmi=fmi, exchange=exchange).reach(state)
            status = getattr(one, name)(*right_arguments(one, name, given))
            right = state in allowed(fmi, name, exchange=exchange)
            assert (status == 0) == right, (name, state, status, one.said)
            assert right or one.said, (name, state)  # an error is logged with its reason


@pytest.mark.parametrize("fmi", [2, 3])
def test_functions_refuse_null_pointers(made: Any, fmi: int) -> None:
    """Without an instance, and with null in place of any non-empty array or any result."""
    library, model, _ = made
    for name, given in functions(fmi):
        function = getattr(library, f"fmi{fmi}{name}")
        exchange = name in ONLY_EXCHANGE or (fmi, name) in OF_VERSION
        states = allowed(fmi, name, exchange=exchange)
        state = next((each for each in STATES[exchange] if each in states), "instantiated")
        one = Instance(library, model.token, fmi=fmi, exchange=exchange).reach(state)
        right = right_arguments(one, name, given)
        assert function(None, *right) != 0, name
        freely = ("FreeFMUstate", "FreeFMUState", "SetDebugLogging", "GetEventIndicators")
        for n, each in enumerate(given[1:]):
            if pointer(each) and name not in freely:
                one = Instance(library, model.token, fmi=fmi, exchange=exchange).reach(state)
                assert getattr(one, name)(*right[:n], None, *right[n + 1 :]) != 0, (name, each)


@pytest.mark.parametrize("fmi", [2, 3])
def test_steps_refuse_wrong_times(made: Any, fmi: int) -> None:
    library, model, _ = made
    one = Instance(library, model.token, fmi=fmi, exchange=False).reach("step")
    before = one.get(0, FIRST["x"], FIRST["x"] + 3)
    for t, h in ((5.0, 0.1), (-0.1, 0.1), (0.0, 0.0), (0.0, -0.1), (0.0, 1e300), (1e300, 0.1)):
        assert one.step(t, h) != 0, (t, h)
    for wrong in (math.nan, math.inf, -math.inf):
        assert one.step(wrong, 0.1) != 0
        assert one.step(0.0, wrong) != 0
    assert one.get(0, FIRST["x"], FIRST["x"] + 3) == before
    assert one.step(0.0, 0.1) == 0
    assert one.step(0.0, 0.1) != 0  # taken already
    assert one.step(0.1 + 1e-9, 0.1) == 0  # a host that accumulates time


@pytest.mark.parametrize("fmi", [2, 3])
def test_continuous_inputs_are_set_in_every_mode(alone: Any, fmi: int) -> None:
    library, model, _ = alone
    for exchange in (True, False):
        for state in STATES[exchange]:
            one = Instance(library, model.token, fmi=fmi, exchange=exchange).reach(state)
            assert (one.set({FIRST["u"]: 0.1}) == 0) == (state != "terminated")


def test_endless_steps_without_samples_are_refused(alone: Any) -> None:
    library, model, _ = alone
    for fmi in (2, 3):
        one = Instance(library, model.token, fmi=fmi, exchange=False).reach("step")
        assert one.step(0.0, math.inf) != 0
        assert one.step(0.0, 1e300) != 0
        assert one.step(0.0, 0.5) == 0


@pytest.mark.parametrize("fmi", [2, 3])
def test_experiments_refuse_wrong_numbers(made: Any, fmi: int) -> None:
    library, model, _ = made
    for wrong in ((1, -1.0, 0.0, 0, 0.0), (0, 0.0, math.nan, 0, 0.0), (0, 0.0, math.inf, 0, 0.0), (0, 0.0, 5.0, 1, 4.0),
                  (0, 0.0, 1e300, 0, 0.0), (1, math.nan, 0.0, 0, 0.0), (0, 0.0, 0.0, 1, math.nan)):  # fmt: skip
        one = Instance(library, model.token, fmi=fmi, exchange=False)
        begin = one.SetupExperiment if fmi == 2 else one.EnterInitializationMode
        assert begin(*wrong) != 0, wrong
    one = Instance(library, model.token, fmi=fmi, exchange=False)
    begin = one.SetupExperiment if fmi == 2 else one.EnterInitializationMode
    assert begin(0, 0.0, 2.0, 1, 2.2) == 0
    if fmi == 2:
        assert one.EnterInitializationMode() == 0
    assert one.ExitInitializationMode() == 0
    assert one.step(2.0, 0.1) == 0
    assert one.step(2.1, 0.2) != 0  # beyond the stop time
    assert one.step(2.1, 0.1) == 0


@pytest.mark.parametrize("fmi", [2, 3])
def test_times_of_model_exchange_are_checked(made: Any, fmi: int) -> None:
    library, model, _ = made
    one = Instance(library, model.token, fmi=fmi, exchange=True).reach("continuous")
    for wrong in (math.nan, math.inf, -math.inf, -1.0, 1e300):
        assert one.SetTime(wrong) != 0, wrong
    assert one.SetTime(0.05) == 0
    assert one.set({FIRST["target"]: 1.0}) != 0
    state = (ctypes.c_double * 7)(0.1, math.nan, 0.0, 1.0)
    assert one.SetContinuousStates(state, 7) != 0
    assert one.SetContinuousStates(state, 6) != 0


@pytest.mark.parametrize("fmi", [2, 3])
def test_model_exchange_keeps_the_stop_time(made: Any, fmi: int) -> None:
    """A completed step, or an event, after the stop time is an error in FMI 2 and 3; without stop time there is no
    end.

    A trial step of the solver may go beyond: hosts that interpolate, such as FMPy's with CVode, do.
    """
    library, model, _ = made
    for stopped in (True, False):
        one = Instance(library, model.token, fmi=fmi, exchange=True)
        begin = one.SetupExperiment if fmi == 2 else one.EnterInitializationMode
        assert begin(False, 0.0, 2.0, stopped, 2.3) == 0
        if fmi == 2:
            assert one.EnterInitializationMode() == 0
        assert one.ExitInitializationMode() == 0
        if fmi == 3:
            flags = [ctypes.byref(ctypes.c_bool()) for _ in range(5)]
            assert one.UpdateDiscreteStates(*flags, ctypes.byref(ctypes.c_double())) == 0
        assert one.EnterContinuousTimeMode() == 0
        told = ctypes.byref(ctypes.c_int()), ctypes.byref(ctypes.c_int())
        for time in (2.0, 2.2, 2.3, 2.3 + 1e-9):  # a host that accumulates time
            assert one.SetTime(time) == 0, time
            assert one.CompletedIntegratorStep(True, *told) == 0, time
        for time in (2.3 + 1e-6, 2.4, 1e6):
            assert one.SetTime(time) == 0, time
            assert (one.CompletedIntegratorStep(True, *told) == 3) == stopped, time
        assert one.EnterEventMode() == 0
        flags = [ctypes.byref(ctypes.c_bool()) for _ in range(5)]
        if fmi == 3:
            found = one.UpdateDiscreteStates(*flags, ctypes.byref(ctypes.c_double()))
        else:
            found = one.NewDiscreteStates(ctypes.create_string_buffer(256))
        assert (found == 3) == stopped


@pytest.mark.parametrize("fmi", [2, 3])
def test_damaged_and_foreign_states_are_refused(made: Any, alone: Any, fmi: int) -> None:
    library, model, _ = made
    one = Instance(library, model.token, fmi=fmi, exchange=False).reach("step")
    spelt, read = {2: ("FMUstate", "DeSerializeFMUstate"), 3: ("FMUState", "DeserializeFMUState")}[fmi]
    state, size = ctypes.c_void_p(), ctypes.c_size_t()
    assert getattr(one, f"Get{spelt}")(ctypes.byref(state)) == 0
    assert getattr(one, f"Serialized{spelt}Size")(state, ctypes.byref(size)) == 0
    bytes_of = ctypes.create_string_buffer(size.value)
    assert getattr(one, f"Serialize{spelt}")(state, bytes_of, size.value) == 0
    assert getattr(one, f"Serialize{spelt}")(state, bytes_of, size.value - 1) != 0
    rng = np.random.default_rng(1)
    for place in rng.integers(0, size.value, 40):
        damaged = ctypes.create_string_buffer(bytes_of.raw, size.value)
        damaged[int(place)] = bytes([damaged.raw[int(place)] ^ 0x10])
        assert getattr(one, read)(damaged, size.value, ctypes.byref(ctypes.c_void_p())) != 0 or 16 <= place < 24
    other = Instance(library, model.token, fmi=fmi, exchange=True).reach("event")
    assert getattr(other, f"Set{spelt}")(state) != 0  # of the other interface
    library2, model2, _ = alone
    plant_alone = Instance(library2, model2.token, fmi=fmi, exchange=False).reach("step")
    assert getattr(plant_alone, read)(bytes_of, size.value, ctypes.byref(ctypes.c_void_p())) != 0
    assert getattr(one, f"Set{spelt}")(state) == 0


def test_instances_need_name_token_and_callbacks(made: Any) -> None:
    library, model, _ = made
    token = model.token.encode()
    for name, given in ((None, token), (b"", token), (b"  ", token), (b"one", None), (b"one", b"{0}")):
        assert not library.fmi3InstantiateCoSimulation(name, given, None, 0, 0, 0, 0, None, 0, None, None, None)
        assert not library.fmi3InstantiateModelExchange(name, given, None, 0, 0, None, None)
    assert not library.fmi3InstantiateCoSimulation(b"one", token, None, 0, 0, 1, 0, None, 0, None, None, None)
    assert not library.fmi2Instantiate(b"one", 1, token, None, None, 0, 0)
    library.fmi2FreeInstance(None)
    library.fmi3FreeInstance(None)


def inertia(unit: Any, axis: str) -> int:
    names = [each.name for each in unit.parameters.all]
    return FIRST["parameter"] + names.index(f"inertia_{axis}")


@pytest.mark.parametrize("fmi", [2, 3])
def test_start_rate_is_the_rate_that_is_simulated(made: Any, fmi: int) -> None:
    """Any values are set in any order; setting a start value has no side effect."""
    library, model, unit = made
    zz, rates, seen = inertia(unit, "zz"), [FIRST["rate"] + n for n in range(3)], [FIRST["shown"] + n for n in range(3)]
    own = {FIRST["x"] + n: float(each) for n, each in enumerate(unit.arrays.x)}
    own |= dict(zip(rates, unit.parameters.rates, strict=True))
    own |= {FIRST["parameter"] + n: each.start for n, each in enumerate(unit.parameters.all)}

    def run(*writes: dict[int, float]) -> tuple[list[float], list[float]]:
        one = Instance(library, model.token, fmi=fmi, exchange=False).reach("initialization")
        for each in writes:
            assert one.set(each) == 0, one.said
            assert one.get(*rates) == pytest.approx(one.get(*seen), rel=1e-14)
        assert one.ExitInitializationMode() == 0
        assert one.get(*rates) == pytest.approx(one.get(*seen), rel=1e-14)
        start = one.get(*seen)
        for k in range(10):
            assert one.step(0.1 * k, 0.1) == 0
        assert one.get(*rates) == pytest.approx(start, rel=1e-14)  # a fixed parameter
        return start, one.get(*(FIRST["x"] + n for n in range(7)))

    plain = run()
    assert plain[0] == pytest.approx(FLIGHT["rate"], rel=1e-14)
    assert run(own) == plain
    heavier = run({zz: 3.0})
    assert heavier[0] == pytest.approx(FLIGHT["rate"], rel=1e-14)
    assert heavier[1] != plain[1]
    for writes in (({zz: 3.0}, {rates[2]: 0.3}), ({rates[2]: 0.3}, {zz: 3.0}), ({FIRST["x"] + 2: 0.75}, {zz: 3.0})):
        assert run(*writes) == heavier
    pushed = run({zz: 3.0}, {FIRST["x"] + 2: 1.5})
    assert pushed[0][2] == pytest.approx(0.5, rel=1e-14)
    assert run({FIRST["x"] + 2: 1.5}, {zz: 3.0}) == pushed
    one = Instance(library, model.token, fmi=fmi, exchange=False).reach("initialization")
    assert one.set({rates[0]: 0.1, FIRST["x"]: 0.3}) == 0
    assert one.ExitInitializationMode() != 0
    assert "not both" in one.said[-1]


def test_rate_kept_with_another_inertia_is_the_native_run(made: Any) -> None:
    library, model, unit = made
    one = Instance(library, model.token, fmi=3, exchange=False).reach("initialization")
    assert one.set({inertia(unit, "zz"): 3.0}) == 0
    assert one.ExitInitializationMode() == 0
    for k in range(50):
        assert one.step(0.1 * k, 0.1) == 0
    craft = plant.Spacecraft(plant.RigidBody((4.0, 3.0, 3.0)))
    native = sim.simulate(craft, LAW, **FLIGHT, output_step=5.0, ledger=False)
    np.testing.assert_allclose(one.get(*(FIRST["x"] + n for n in range(7))), native.states[-1], rtol=0, atol=1e-14)
