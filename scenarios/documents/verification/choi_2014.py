"""Choi (2014), chapter 2: torque bases, torque-induced singularity, the spring-mounted body."""

import numpy as np

from ....plant.loads.torque import explore_bases
from . import outside
from .flexible_rows import FLEXIBLE_ROWS
from .fly import fly
from .row import Row

TITLE = "Choi, torque-induced singularity, spring-mounted and rigid-flexible bodies"


def bases() -> Row:
    """Compare the Euler basis vectors and their duals, (5)-(11), with products of elementary rotations."""
    reached: list[np.ndarray] = []
    expected: list[np.ndarray] = []
    for sequence, degrees in (("1-2-3", (30.0, -60.0, 20.0)), ("3-1-3", (30.0, 50.0, 20.0))):
        found = explore_bases(sequence, angles=np.radians(degrees))
        i, j, k = (int(axis) - 1 for axis in sequence.split("-"))
        one, two, three = (outside.elementary(n, np.radians(a)) for n, a in zip((i, j, k), degrees, strict=True))
        vectors = (one @ two @ three).T @ np.column_stack((np.eye(3)[i], one[:, j], (one @ two)[:, k]))  # body axes
        dual = np.linalg.inv(vectors)
        reached += [found.euler_body.ravel(), found.dual_body.ravel(), found.dual_lengths]
        second = np.radians(degrees[1])
        length = 1.0 / abs(float(np.cos(second) if i != k else np.sin(second)))
        expected += [vectors.T.ravel(), dual.ravel(), np.array((length, 1.0, length))]
    return Row(
        equations="(5)-(11)",
        system="bases of 1-2-3 and 3-1-3: g_n, g^n and |g^n|",
        where="plant.loads.torque.explore_bases",
        reached=np.concatenate(reached),
        expected=np.concatenate(expected),
        kind="closed form",
        tolerance=1e-14,
    )


def case_1() -> Row:
    """Compare the rate at 1 s in Case 1 (section 2.2.3, Figures 5 to 8) with an independent code."""
    run = fly("spring-mounted-case-1", (1.0,))
    return Row(
        equations="Case 1, Figures 5-8",
        system="spring-mounted body: rate at 1 s",
        where="case spring-mounted-case-1",
        reached=run.rate[-1],
        expected=(-7.334177412, -0.589515934, 1.981949839),
        kind="independent",
        tolerance=6e-10,  # half a unit of the last digit
        unit="rad/s",
    )


def case_2() -> Row:
    """Compare the times at which Case 2 comes within two distances of the singular pose."""
    times: list[float] = []
    for limit in (1e3, 1e4):
        run = fly("spring-mounted-case-2", (), amplification_limit=limit)
        times.append(run.end if run.status == "singular" else np.nan)
    return Row(
        equations="Case 2, Figures 9-12",
        system="time at which cos phi is 1e-3 and 1e-4",
        where="case spring-mounted-case-2",
        reached=times,
        expected=(0.161482399, 0.161588613),
        kind="independent",
        tolerance=1e-9,
        unit="s",
        note="'body initially at rest' is wrong: from rest there is no such time; with the rates of Case 1 "
        "it is 0.1616 s, the document's 'around 0.161 s'",
    )


def case_2_from_rest() -> Row:
    """Compare the rate at 1 s in Case 2 when the body starts from rest, as the text of the document says."""
    run = fly("spring-mounted-case-2-from-rest", (1.0,))
    return Row(
        equations="Case 2 as printed",
        system="the same torque from rest: rate at 1 s, no singular pose",
        where="case spring-mounted-case-2-from-rest",
        reached=(*run.rate[-1], run.status == "completed"),
        expected=(0.184120166, 0.236413483, 9.989117226, 1.0),
        kind="independent",
        tolerance=6e-10,
        unit="rad/s",
        note="a singular pose need not be reached: the theorems concern the torque at the pose, not the path to it",
    )


def case_3() -> Row:
    """Compare the rate at 1 s in Case 3 (Figures 13 to 16) with an independent code."""
    run = fly("spring-mounted-case-3", (1.0,))
    return Row(
        equations="Case 3, Figures 13-16",
        system="body axis e3, from rest: rate at 1 s",
        where="case spring-mounted-case-3",
        reached=run.rate[-1],
        expected=(0.183704090, 0.236488243, 9.992781039),
        kind="independent",
        tolerance=6e-10,
        unit="rad/s",
    )


ROWS = (bases, case_1, case_2, case_2_from_rest, case_3, *FLEXIBLE_ROWS)
