"""Batches take a fraction of a second each for runs of any length, and every run is assigned once."""

import pytest

from polhode.sim.runs.campaigns.batches import LONGEST, MOMENT, TOGETHER, Batches


@pytest.mark.parametrize("seconds", [1e-5, 0.01, 30.0])
def test_every_run_once_and_a_batch_takes_a_moment(seconds):
    batches, given, sizes = Batches(range(7, 2007), workers=2, most=256), [], []
    while (batch := batches.next()) is not None:
        given += batch
        sizes.append(len(batch))
        batches.took(len(batch), seconds * len(batch))
    assert given == list(range(7, 2007))
    assert sizes[0] == 1  # no timing is known yet
    assert all(size <= 256 and (size == 1 or size * seconds <= MOMENT) for size in sizes)
    fitting = int(MOMENT / seconds)
    assert max(sizes) == max(1, min(256, fitting - fitting % TOGETHER))
    assert batches.ahead == 0.0


@pytest.mark.parametrize(("seconds", "runs"), [(0.06, 8), (0.1, 8), (0.2, 8), (0.3, 6), (1.5, 1)])
def test_batch_fills_vector_registers_on_a_busy_machine(seconds, runs):
    """A run that takes 30 ms on an idle machine takes 0.2 s on a busy one, and still shares a batch."""
    batches = Batches(range(100), workers=1, most=256)
    batches.took(1, seconds)
    assert len(batches.next()) == runs
    assert runs <= TOGETHER
    assert runs == 1 or runs * seconds <= LONGEST


def test_last_ones_are_shared():
    batches = Batches(range(100), workers=4, most=256)
    batches.took(1, 0.01)
    assert len(batches.next()) == 25


def test_batch_of_short_runs_is_not_shared():
    """Preparing a batch would take longer than running it."""
    batches = Batches(range(100), workers=4, most=256)
    batches.took(1, 1e-3)
    assert len(batches.next()) == 60


def test_batch_lost_is_repeated_and_counted_once():
    batches = Batches(range(3), workers=1, most=10)
    lost = batches.next()
    batches.back(lost)
    assert batches.next() == lost
    batches.took(1, 2.0)
    assert batches.ahead == 4.0


def test_batch_of_one_says_little_about_run():
    """Prepared in 2.5 ms, with 60 us per run: two workers share 20,000 in a dozen batches, not in forty."""
    batches, count = Batches(range(20_000), workers=2, most=4096), 0
    while (batch := batches.next()) is not None:
        batches.took(len(batch), 2.5e-3 + 6e-5 * len(batch))
        count += 1
    assert count < 15
