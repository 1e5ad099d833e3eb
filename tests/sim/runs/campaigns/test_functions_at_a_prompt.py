"""Functions that worker processes cannot import are refused with the remedy."""

from __future__ import annotations

import subprocess
import sys

import pytest

from polhode.plant.errors import InputError
from polhode.sim.runs.campaigns import Uniform, campaign

TYPED = """
from polhode.sim.runs.campaigns import Uniform, campaign

def fly(draw):
    return {"square": draw.values["x"] ** 2}

if __name__ == "__main__":
    campaign(fly, {"x": Uniform(low=0, high=2)}, runs=20, workers=2, engine="processes")
"""


def test_lambda_is_refused_for_processes() -> None:
    with pytest.raises(InputError, match="define it at the top of a module or a script, or use engine='threads'"):
        campaign(
            lambda draw: {"x": draw.values["x"]},
            {"x": Uniform(low=0, high=2)},
            runs=20,
            workers=2,
            engine="processes",
        )


@pytest.mark.slow
def test_function_given_by_the_command_line_is_refused_for_processes() -> None:
    done = subprocess.run([sys.executable, "-c", TYPED], capture_output=True, text=True, check=False)
    assert "cannot find a function that was typed at a prompt" in done.stderr
