"""Inner functions of the engine are translated only, and the whole is optimised and emitted once.

numba finishes every function that compiled code calls as if it stood alone. This compiles the engine both ways, each
in a process and a cache folder of its own, and flies the same runs on both. Printed are processor times of compiling,
the time of the runs (best of many), and whether the states are the same to the bit.
Measured on two cores of an Intel Xeon with other work, numba 0.68: 15.6 s at once, 47.1 s one by one. The code made
at once also takes indices as they stand and keeps its inner functions private: of its runs the slew takes 0.97 of the
time, that with dop853 0.32, the free body with rk8 0.31, the ring 0.26; the states are the same to the bit.

Since then numba's own half of the work is leaner too (`front_end`, `items`): the implicit step, compiled by two
processes side by side, took 14.2 s without and 9.2 s with that. Both codes in one process, a call of each in turn, best
of many: slew 331 and 331 us at one step a sample, 1094 and 1094 at five, 2392 and 2391 with dop853. Without the passes
of LLVM over single functions it compiles another twentieth faster, but the ring takes 1.1 times as long: they stay.
"""

import os
import subprocess
import sys
import tempfile

WAYS = ("at once", "one by one")

FLY = """
import sys, time, hashlib
from polhode import controllers, plant, sim
from polhode.sim.machine import compiler
if sys.argv[1] == "one by one":
    compiler.can_defer = lambda: False
began = time.process_time()
compiler.entry_function("advance_entry")
print("compile", time.process_time() - began, sep="\\t")
free = plant.Spacecraft(plant.RigidBody((400.0, 307.8, 200.0)), torques=plant.TorqueBasis("body", limit=1.0))
ring = plant.RingDamper(axis=(0, 0, 1), mass=2.0, radius=0.3, friction=0.1, center=(0, 0, 0.3), fill=3.0)
damped = plant.Spacecraft(plant.RigidBody((40.0, 30.0, 50.0), mass=100.0), elements=(ring,))
law = controllers.quaternion_feedback(free, frequency=0.1, damping_ratio=0.7, sample=0.1)
flights = {
    "slew rk4": lambda: sim.simulate(free, law, attitude=(0.8, 0.6, 0, 0), duration=300.0, integrator="rk4", step=0.1),
    "slew dop853": lambda: sim.simulate(free, law, attitude=(0.8, 0.6, 0, 0), duration=300.0),
    "free rk8": lambda: sim.simulate(free, rate=(1, 2, 3), duration=100.0, integrator="rk8", step=0.01),
    "ring rk4": lambda: sim.simulate(damped, rate=(0.1, 0.2, 3), duration=100.0, integrator="rk4", step=0.01),
}
for name, fly in flights.items():
    run = fly()
    times = []
    for _ in range(20):
        began = time.perf_counter()
        fly()
        times.append(time.perf_counter() - began)
    print(name, min(times), hashlib.sha256(run.states.tobytes()).hexdigest(), sep="\\t")
"""


def main() -> None:
    """Print both ways side by side."""
    found: dict[str, dict[str, list[str]]] = {}
    for way in WAYS:
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                [sys.executable, "-c", FLY, way],
                capture_output=True,
                text=True,
                check=True,
                env=os.environ | {"POLHODE_CACHE_DIR": folder},
            )
        found[way] = {name: rest for name, *rest in (line.split("\t") for line in done.stdout.splitlines())}
    for name, (time, *digest) in found["at once"].items():
        other, *same = found["one by one"][name]
        words = "" if not digest else f", states {'the same to the bit' if digest == same else 'DIFFERENT'}"
        print(f"{name}: at once {float(time):.4g} s, one by one {float(other):.4g} s{words}")


if __name__ == "__main__":
    main()
