"""A sampled law without a model of the flexible arms needs a filter at the alias frequencies of the arms.

In the case `flexible-slew` one linear-quadratic regulator, designed on the satellite with rigid arms, runs without
and with filters. At 50 Hz its margins on rigid arms are 47 dB and 65 degrees. The script prints the growth rates
(1/s) of the slowest three arm modes that a torque on the hub excites (40.2, 131.6 and 286 Hz with two elements),
under the sampled feedback of the hub's angle and rate, from the linear modes and the exact discrete loop. Without
damping no sampling rate stabilises all modes: the feedback of an aliased mode has the phase of the alias. A
strain-rate damping of 1e-5 s (0.13 % in the first mode) adds a decay of 0.3, 3.4 and 16 1/s, enough for all modes but
the first at 50 Hz.

So the law needs attenuation at the alias 50 - 40.2 = 9.8 Hz instead of 40.2 Hz, which is above its Nyquist frequency
of 25 Hz. The notch at 9.8 Hz was preferred to the roll-off at 20 rad/s, the third law of the case, because it costs
the loop less phase (0.2 instead of 2 degrees at its crossover). On the nonlinear satellite both leave less than a
nanometre of vibration; the plain regulator leaves 0.8 mm.
"""

import numpy as np
from scipy import linalg

from polhode.plant.flexible import modes_of
from polhode.scenarios import build, load_case

ANGLE, RATE = 3.857, 18.32  # gains of the regulator about y, N m and N m s


def growth_rates(sample: float, *, damping_time: float = 0.0) -> list[float]:
    """Return the growth of each mode of the arms, 1/s."""
    modes = modes_of(build(load_case("flexible-slew").case).craft)
    excited = (modes.frequencies > 1.0) & (np.abs(modes.shapes[4]) > 1e-3)
    found: list[float] = []
    pairs = sorted({round(float(w), 2) for w in modes.frequencies[excited]})[:3]
    for w in pairs:
        same = excited & (np.abs(modes.frequencies - w) < 0.05)  # two modes of one frequency, one in each plane
        turn = float(np.sqrt((modes.shapes[4, same] ** 2).sum()))
        whole = np.array([[0.0, 1.0, 0.0], [-w * w, -damping_time * w * w, turn], [0.0, 0.0, 0.0]])
        held = linalg.expm(whole * sample)
        gains = turn * np.array([ANGLE, RATE])
        poles = linalg.eigvals(held[:2, :2] - np.outer(held[:2, 2], gains))
        found.append(float(np.log(np.abs(poles).max()) / sample))
    return found


def main() -> None:
    """Print the table."""
    for damping_time in (0.0, 1e-5):
        print(f"strain-rate damping {damping_time:g} s")
        for sample in (0.0025, 0.005, 0.01, 0.02, 0.05, 0.1):
            rates = "  ".join(f"{value:9.3f}" for value in growth_rates(sample, damping_time=damping_time))
            print(f"  {1 / sample:5.0f} Hz: {rates} 1/s")


if __name__ == "__main__":
    main()
