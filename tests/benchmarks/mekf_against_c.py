"""Sensors and the multiplicative Kalman filter: nanoseconds per sample, the filter against C on the same record.

python tests/benchmarks/mekf_against_c.py [--repetitions N] [--json]

The C filter is written independently, for one gyro and one star tracker without delay; equal estimates are the check.
Sensors and filter run through `Block.replay` by the kernels of a simulation. Without a C compiler the script says so
and exits with 0.
"""

import argparse
import ctypes
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from machine import machine

from polhode.controllers.sensing.estimators import MEKF
from polhode.controllers.sensing.sensors import FineSunSensor, HorizonSensor, Magnetometer, RateGyro, StarTracker
from polhode.plant.attitude import from_rotation_vector

N, T, EVERY = 20_000, 0.1, 5
AGREE = 1e-9  # relative: both invert and symmetrise differently, 20,000 steps of round-off
SENSORS: dict[str, Any] = {
    "rate gyro": RateGyro(
        angle_random_walk=1e-5,
        rate_random_walk=1e-7,
        bias=1e-5,
        bias_instability=1e-6,
        correlation_time=100.0,
        step=1e-7,
    ),
    "star tracker": StarTracker(noise=4e-5, roll_noise=3e-4, field_noise=1e-5, field_roll_noise=3e-5, field_time=20.0),
    "fine sun sensor": FineSunSensor(sun=(0.2, 0.1, 1.0), noise=1e-3, half_angle=1.5),
    "horizon sensor": HorizonSensor(nadir=(0.1, 0.2, 1.0), noise=1e-3, half_angle=1.5),
    "magnetometer": Magnetometer(field=(2e-5, 1e-5, -3e-5), noise=1e-8),
}


def motion() -> tuple[Any, Any]:
    """Times and a slow rotation."""
    t = np.arange(N + 1) * T
    return t, np.asarray(from_rotation_vector(0.2 * np.column_stack((np.sin(0.01 * t), np.cos(0.013 * t), 0.001 * t))))


def best(call: Any, repetitions: int) -> float:
    """Minimum time of some calls, s, after one that compiles."""
    call()
    found = []
    for _ in range(repetitions):
        before = time.process_time()
        call()
        found.append(time.process_time() - before)
    return min(found)


def sensors(repetitions: int) -> list[dict[str, Any]]:
    """Nanoseconds per sample of each sensor."""
    t, e = motion()
    rows = np.hstack((e, np.zeros((N + 1, 3))))
    found = []
    for name, sensor in SENSORS.items():
        block = sensor.block(sample=T)
        seconds = best(lambda block=block: block.replay(t, rows, seed=1), repetitions)
        found.append({"sensor": name, "ns_a_sample": 1e9 * seconds / (N + 1)})
    return found


def filters(folder: Path, repetitions: int) -> dict[str, Any]:
    """Both filters on one record: nanoseconds per gyro sample, and the distance of their final estimates."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    assert compiler is not None
    library = folder / "mekf.so"
    source = Path(__file__).with_name("mekf.c")
    subprocess.run([compiler, "-O3", "-shared", "-fPIC", source, "-o", library, "-lm"], check=True)
    function = ctypes.CDLL(str(library)).mekf
    pointer, number = ctypes.c_void_p, ctypes.c_double
    function.argtypes = [ctypes.c_long, ctypes.c_long, number, number, number, *[pointer] * 5]
    function.restype = None
    t, e = motion()
    gyro, tracker = SENSORS["rate gyro"], StarTracker(noise=4e-5, roll_noise=3e-4)
    told = gyro.record(t, e, seed=1).measured
    seen = tracker.record(t[EVERY::EVERY], e[EVERY::EVERY], seed=1)
    rates, attitudes = np.ascontiguousarray(told.rate), np.ascontiguousarray(seen.attitude)
    R = np.diag([4e-5**2, 4e-5**2, 3e-4**2])
    filter_ = MEKF(1e-5, 1e-7)
    start = {"attitude": e[0], "attitude_sigma": 1e-3, "bias_sigma": 1e-4}
    x, P = np.zeros(7), np.zeros((6, 6))

    def in_c() -> None:
        x[:4], x[4:] = e[0], 0.0
        P[:] = np.diag([1e-6] * 3 + [1e-8] * 3)
        given = (each.ctypes.data for each in (rates, attitudes, R, x, P))
        function(N, EVERY, T, 1e-5, 1e-7, *given)

    ours = filter_.replay(told, [seen], **start)
    in_c()
    apart = max(
        float(np.abs(ours.attitude[-1] * np.sign(ours.attitude[-1] @ x[:4]) - x[:4]).max()),
        float(np.abs(ours.bias[-1] - x[4:]).max()),
        float(np.abs(ours.covariance[-1] - P).max() / np.abs(P).max()),
    )
    if apart > AGREE:
        sys.exit(f"the two filters end {apart:g} apart, beyond {AGREE:g}: one of them is wrong")
    # as in a run: a block that reads the current messages at each of its samples
    quiet = StarTracker(noise=4e-5, roll_noise=3e-4)
    pair = gyro.block(sample=T), quiet.block(sample=EVERY * T)
    block = filter_.block(pair[0], [(quiet, pair[1])], **start)
    rows = np.zeros((N + 1, 11))
    rows[1:, :3], rows[:, 3], rows[:, 4] = rates, 1.0, t
    newest = np.arange(N + 1) // EVERY
    rows[:, 5:9] = np.vstack((e[:1], attitudes))[newest]
    rows[:, 9], rows[:, 10] = newest > 0, newest * EVERY * T
    flown = block.replay(t, rows)
    if float(np.abs(flown[-1, 7:10] - x[4:]).max()) > AGREE:
        sys.exit("the filter as it flies and the C program end with other biases: one of them is wrong")
    seconds = (
        best(lambda: filter_.replay(told, [seen], **start), repetitions),
        best(in_c, repetitions),
        best(lambda: block.replay(t, rows), repetitions),
    )
    return {
        "block_ns_a_reading": 1e9 * seconds[2] / N,
        "replay_ns_a_reading": 1e9 * seconds[0] / N,
        "c_ns_a_reading": 1e9 * seconds[1] / N,
        "ratio_of_best": seconds[2] / seconds[1],
        "apart": apart,
    }


def main() -> None:
    """Print the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=20)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    if shutil.which("gcc") is None and shutil.which("cc") is None:
        print("skipped: no C compiler (gcc or cc) was found")
        return
    with tempfile.TemporaryDirectory() as folder:
        found = {
            "machine": machine(),
            "sensors": sensors(given.repetitions),
            "filter": filters(Path(folder), given.repetitions),
        }
    if given.json:
        print(json.dumps(found))
        return
    for row in found["sensors"]:
        print(f"{row['sensor']:<16} {row['ns_a_sample']:8.0f} ns a sample")
    one = found["filter"]
    print(
        f"MEKF             {one['block_ns_a_reading']:8.0f} ns a reading as a block, gcc -O3 "
        f"{one['c_ns_a_reading']:.0f}, ratio {one['ratio_of_best']:.2f}; apart by {one['apart']:.1e}; on records of "
        f"any times, which are put in order first, {one['replay_ns_a_reading']:.0f}"
    )


if __name__ == "__main__":
    main()
