"""A law in another process is bitwise equal to the same internal law: Python, C, pipe and port."""

import json
import socket
import subprocess
import sys
import threading
from importlib.resources import files

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.plant import DesignError, InputError
from polhode.sim import ExternalLaw, Process
from polhode.sim.codegen.toolchain import build, c_compiler
from polhode.sim.hosts.process import example_law
from polhode.sim.hosts.process.channel import started

FLIGHT = {"attitude": (0.8, 0.4, -0.4, 0.2), "rate": (0.01, -0.02, 0.03), "duration": 20.0}
PYTHON = [sys.executable, str(example_law.__file__)]


@pytest.fixture(scope="module")
def c_example(tmp_path_factory):
    if c_compiler() is None:
        pytest.skip("no C compiler")
    out = tmp_path_factory.mktemp("c") / "example_law"
    source = files("polhode.sim.hosts.process") / "example_law.c"
    said = build([source], out, options=("-O2", "-Wall", "-Wextra", "-pedantic"))
    assert not said
    return [str(out)]


def inside(**keys):
    return controllers.CustomLaw(
        lambda t, y, r: example_law.command([*y[3:10].tolist(), *r.tolist()]), compiled=False, sample=0.1, **keys
    )


def same(one, other):
    assert one.status == other.status == "completed"
    return np.array_equal(one.states, other.states) and np.array_equal(one.inputs, other.inputs)


@pytest.mark.parametrize(
    ("language", "delay"),
    [
        ("C", 0.25),
        ("Python", 0.0),
        *(pytest.param(*each, marks=pytest.mark.slow) for each in (("C", 0.0), ("Python", 0.25))),
    ],
)
def test_run_is_that_of_law_inside_to_bit(language, delay, craft, children, request):
    command = PYTHON if language == "Python" else request.getfixturevalue("c_example")
    law = ExternalLaw(Process(command=command), craft=craft, sample=0.1, delay=delay)
    reference = controllers.SpinReference(attitude=(1, 0, 0, 0), rate=(0.0, 0.0, 0.01))
    own, its = (
        sim.simulate(craft, each, reference=reference, **FLIGHT) for each in (inside(delay=delay), law)
    )  # dop853: the times of samples are those of the engine
    assert same(own, its)
    assert np.abs(its.values("command")).max() > 0.5
    assert its.law is law
    assert same(its, sim.simulate(craft, law, reference=reference, **FLIGHT))  # it restarts
    assert children[-1].returncode == 0


def test_through_a_port_and_in_plain_python_it_is_the_same(craft):
    listening = socket.create_server(("127.0.0.1", 0))

    def serve():
        for _ in range(2):
            link, _ = listening.accept()
            with link, link.makefile("rw") as lines:
                for line in lines:
                    told = json.loads(line)
                    if "end" in told:
                        break
                    hello = {"polhode": 1, "reads": example_law.READS, "writes": example_law.WRITES, "sample_s": 0.1}
                    answer = hello if "n" not in told else {"n": told["n"], "v": example_law.command(told["y"])}
                    lines.write(json.dumps(answer) + "\n")
                    lines.flush()

    server = threading.Thread(target=serve, daemon=True)
    server.start()
    law = ExternalLaw(Process(port=listening.getsockname()[1]), craft=craft, sample=0.1)
    flight = {**FLIGHT, "duration": 3.0, "integrator": "rk4", "step": 0.1}
    runs = [sim.simulate(craft, one, compiled=fast, **flight) for fast in (True, False) for one in (inside(), law)]
    server.join(10.0)
    listening.close()
    assert same(runs[0], runs[1])
    assert same(runs[2], runs[3])


def test_process_law_receives_requested_signals(craft):
    wheel = plant.Wheel(axis=(0, 0, 1), inertia=0.1, relative_rate=20.0)
    with_wheel = plant.Spacecraft(plant.RigidBody((400.0, 307.8, 200.0)), elements=[wheel])
    momentum = next(name for name in with_wheel.layout.names if "wheel" in name)
    reads = (momentum, "reference", "momentum", "rate", "attitude")
    law = ExternalLaw(Process(port=1), craft=with_wheel, sample=0.1, reads=reads)
    seen, reference = np.arange(20.0, 20.0 + len(with_wheel.layout.names) + 3), np.arange(10.0)
    others = with_wheel.layout.names[7:]
    at = 10 + others.index(momentum)  # momentum, attitude and rate come first
    told = [seen[at], *reference, *seen[:3], *seen[7:10], *seen[3:7]]
    assert law._shown(seen, reference) == told
    assert len(told) == sum(port.size for port in law.inputs)


@pytest.mark.parametrize("language", ["C", "Python"])
def test_first_message_begins_run_and_last_ends_it(language, tmp_path, request):
    command = PYTHON if language == "Python" else request.getfixturevalue("c_example")
    channel = started(command, tmp_path)
    for n in (0, 5):
        channel.send(b'{"polhode":1}\n', within=10.0)
        assert json.loads(channel.receive(within=10.0))["polhode"] == 1
        y = [0.6, 0.8, 0, 0, 0.01, 0, 0, 1, 0, 0, 0, *[0] * 6]
        channel.send(json.dumps({"n": n, "t": 0.0, "y": y}, separators=(",", ":")).encode() + b"\n", within=10.0)
        answer = json.loads(channel.receive(within=10.0))
        assert answer == {"n": n, "v": [-4.0 * 0.8 - 40.0 * 0.01, 0.0, 0.0]}
    channel.close(farewell=b'{"end":true}\n')


def test_no_margins_no_file_and_no_place_among_others(craft, tmp_path):
    law = ExternalLaw(Process(command=PYTHON), craft=craft, sample=0.1)
    model = craft.linearize(craft.at_rest())
    with pytest.raises(DesignError, match="unknown, so its loop has no margins"):
        law.margins(model)
    with pytest.raises(DesignError, match="no margins"):
        law.small_signal(model)
    with pytest.raises(InputError, match="only laws with gains can be saved"):
        controllers.save_law(law, tmp_path / "law.toml", model=model)
    changed = sim.ChangedLaw(law, factor=(0.5, 0.5, 0.5))
    with pytest.raises(InputError, match="cannot be part of another law"):
        sim.simulate(craft, changed, compiled=False, **FLIGHT)


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"reads": ["ratee"]}, "'ratee' is unknown; did you mean 'rate'"),
        ({"reads": "rate"}, "must be a list of different signals"),
        ({"reads": []}, "must be a list of different signals"),
        ({"reads": ["rate", "rate"]}, "must be a list of different signals"),
        ({"reads": ["applied"]}, "'applied' is unknown"),
        ({"sample": 0.0}, "sample"),
    ],
)
def test_bad_input_says_what_to_do(keys, words, craft):
    with pytest.raises(InputError, match=words):
        ExternalLaw(Process(command=["./law"]), **{"craft": craft, "sample": 0.1, **keys})


def test_examples_need_nothing_of_polhode(tmp_path):
    text = (files("polhode.sim.hosts.process") / "example_law.py").read_text()
    copied = tmp_path / "law.py"
    copied.write_text(text)
    done = subprocess.run(
        [sys.executable, "-I", "-S", copied], input='{"polhode":1}\n{"end":true}\n', capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert json.loads(done.stdout)["writes"] == example_law.WRITES


COUNTER = """
import json, sys
print(sys.stdin.readline().strip(), flush=True)
for line in sys.stdin:
    told = json.loads(line)
    if "end" in told:
        break
    print(json.dumps({"n": told["n"], "v": [0.001 * (told["n"] + 1), 0.0, 0.0]}), flush=True)
"""


def test_law_of_a_mode_starts_again_on_entry(craft, children):
    """The program counts its samples: it restarts whenever its mode is entered."""
    outside = ExternalLaw(Process(command=[sys.executable, "-S", "-c", COUNTER]), craft=craft, sample=0.1)
    damping = controllers.RateDamping(gain=1e-9, sample=0.1)
    turning = controllers.Condition("elapsed", above=0.25)
    first = controllers.Mode("outside", outside, transitions=controllers.Transition("idle", turning))
    second = controllers.Mode("idle", damping, transitions=controllers.Transition("outside", turning))
    modes = controllers.Modes([first, second])
    run = sim.simulate(
        craft, modes, blocks=[modes.block()], rate=(0.1, 0.0, 0.0), duration=1.0, integrator="rk4", step=0.1,
        output_step=0.1, compiled=False,
    )  # fmt: skip
    assert run.status == "completed"
    command = run.values("command")[:10, 0]
    np.testing.assert_allclose(command, [0.001, 0.002, 0.003, 0, 0, 0, 0.001, 0.002, 0.003, 0], atol=1e-9)
    assert [child.returncode for child in children] == [0, 0]
