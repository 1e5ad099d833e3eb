"""Thousands of mutated cases: each ends soon with exit code 0, 1 or 2 and one message, in bounded memory."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from .fuzzing import Worker, fuzzed, shipped

COUNT = 1500


def faults(numbers: range) -> list[str]:
    """Violations in the outcomes of some cases."""
    cases, worker = shipped(), Worker()
    found: list[str] = []
    try:
        for number in numbers:
            case = fuzzed(number, cases)
            outcome = worker.outcome(case)
            if outcome.fault:
                found.append(f"{number}: polhode {' '.join(case.words)}: {outcome.fault}")
    finally:
        worker.close()
    return found


@pytest.mark.slow
def test_mutated_cases() -> None:
    hands = os.cpu_count() or 1
    with ThreadPoolExecutor(hands) as pool:
        found = [fault for part in pool.map(faults, [range(n, COUNT, hands) for n in range(hands)]) for fault in part]
    assert not found, f"{len(found)} of {COUNT}:\n" + "\n".join(found)
