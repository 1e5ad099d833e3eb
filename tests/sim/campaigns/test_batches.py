"""Batches take a moment each, whatever a run takes, and every run is handed out once."""

import pytest

from polhode.sim.campaigns.batches import MOMENT, Batches


@pytest.mark.parametrize("seconds", [1e-5, 0.01, 0.2, 30.0])
def test_every_run_once_and_a_batch_takes_a_moment(seconds):
    batches, given, sizes = Batches(range(7, 2007), workers=2, most=256), [], []
    while (batch := batches.next()) is not None:
        given += batch
        sizes.append(len(batch))
        batches.took(len(batch), seconds * len(batch))
    assert given == list(range(7, 2007))
    assert sizes[0] == 1  # nothing is known yet
    assert all(size <= 256 and (size == 1 or size * seconds <= MOMENT) for size in sizes)
    assert max(sizes) == max(1, min(256, int(MOMENT / seconds)))
    assert batches.ahead == 0.0


def test_the_last_ones_are_shared():
    batches = Batches(range(100), workers=4, most=256)
    batches.took(1, 0.01)
    assert len(batches.next()) == 25


def test_what_takes_no_time_is_not_shared():
    """To make a batch ready would take longer than to fly it."""
    batches = Batches(range(100), workers=4, most=256)
    batches.took(1, 1e-3)
    assert len(batches.next()) == 60


def test_what_was_lost_comes_again_and_is_not_counted_twice():
    batches = Batches(range(3), workers=1, most=10)
    lost = batches.next()
    batches.back(lost)
    assert batches.next() == lost
    batches.took(1, 2.0)
    assert batches.ahead == 4.0


def test_a_batch_of_one_says_little_about_a_run():
    """Made ready in 2.5 ms and flown in 60 us a run: two workers share 20,000 in a dozen, not in forty."""
    batches, count = Batches(range(20_000), workers=2, most=4096), 0
    while (batch := batches.next()) is not None:
        batches.took(len(batch), 2.5e-3 + 6e-5 * len(batch))
        count += 1
    assert count < 15
