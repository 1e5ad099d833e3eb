"""Rows that do not fit into memory are refused before memory is allocated."""

import pytest

from polhode import plant, sim
from polhode.sim.engine import memory


def test_free_memory_is_read(tmp_path, monkeypatch):
    table = tmp_path / "meminfo"
    table.write_text("MemTotal: 100 kB\nMemAvailable:   2048 kB\n", encoding="ascii")
    monkeypatch.setattr(memory, "MEMINFO", table)
    assert memory.available_memory() == 2048 * 1024
    monkeypatch.setattr(memory, "MEMINFO", tmp_path / "none")
    assert memory.available_memory() == float("inf")


def test_rows_beyond_the_memory_are_refused(monkeypatch):
    monkeypatch.setattr(memory, "available_memory", lambda: 2.0**29)
    craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    with pytest.raises(plant.InputError, match=r"10,000,001 rows of 32 numbers need 2\.38 GiB, more than the 0\.5 GiB"):
        sim.simulate(craft, duration=1e6, output_step=0.1, rate=(0, 0, 1))
