"""Simulation functions of the campaign tests, importable by worker processes."""

import os
import time
from pathlib import Path

from polhode.plant import InputError
from polhode.sim.runs.campaigns import Normal, Outcome, Uniform

DISPERSIONS = {"x": Uniform(low=0.0, high=2.0), "y": Normal(mean=1.0, sigma=0.5)}


def polynomial(draw):
    """Refuses a few runs, fails in a few, and otherwise is a plain function of the draw."""
    x, y = draw.values["x"], draw.values["y"]
    if x > 1.9:
        raise InputError(f"x = {x:g} is too much")
    status = "failed" if y < 0.0 else "completed"
    return Outcome(metrics={"z": x * y, "w": x - y}, status=status, reason="y fell" if y < 0.0 else "")


def polynomials(draws):
    """The same for several runs; a refused run fails all."""
    return [polynomial(draw) for draw in draws]


def slow(draw):
    time.sleep(0.004)
    return polynomial(draw)


def slow_ones(draws):
    return [slow(draw) for draw in draws]


def deadly(draw):
    """Kills its process at run 7, once, as recorded in the file named in its environment."""
    mark = Path(os.environ["POLHODE_TEST_MARK"])
    if draw.run == 7 and not mark.exists():
        mark.touch()
        os._exit(9)
    return polynomial(draw)


def murderous(draw):
    if draw.run == 7:
        os._exit(9)
    return polynomial(draw)
