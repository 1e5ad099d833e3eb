"""A small valid case, and a function that calls the command line in this process."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

SMALL = """\
title = "a body at rest"

[plant]
inertia_kg_m2 = [4.0, 3.0, 2.0]

[initial]
rate_rad_s = [0.0, 0.0, 0.1]

[run]
duration_s = 2.0
output_s = 0.5
"""


@dataclass(frozen=True)
class Outcome:
    """Result of a command."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """Standard output as one JSON object, and nothing else."""
        return json.loads(self.out)


Command = Callable[..., Outcome]


@contextmanager
def without_pictures() -> Generator[None]:
    """Run commands without the figures of --out, which take longer than most runs."""
    from polhode.scenarios.report.output import Results

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Results, "pictures", lambda *_: None)
        yield


@pytest.fixture(scope="session", autouse=True)
def engine() -> None:
    """The engine compiled (and its notices on stderr printed) before any test reads stderr."""
    from polhode import plant, sim

    body = plant.RigidBody((3, 2, 1), mass=1.0)
    sim.simulate(plant.Spacecraft(body), duration=1.0)
    sim.simulate(plant.Spacecraft(body), duration=0.1, integrator="gauss4", step=0.05)


@pytest.fixture
def unrendered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures that are drawn and not rendered, which takes most of their time."""
    from matplotlib.figure import Figure

    monkeypatch.setattr(Figure, "savefig", lambda _, path, **__: Path(path).write_bytes(b"not rendered"))


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A small valid case file."""
    path = tmp_path / "small.toml"
    path.write_text(SMALL, encoding="utf-8")
    return path


@pytest.fixture
def polhode(capfd: pytest.CaptureFixture[str]) -> Command:
    """The command line, in this process."""
    from polhode.scenarios.commands.invoke import invoke

    def call(*words: str | Path) -> Outcome:
        capfd.readouterr()
        code = invoke([str(word) for word in words])
        out, err = capfd.readouterr()
        return Outcome(code, out, err)

    return call
