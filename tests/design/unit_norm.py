"""Euler parameters are scaled to unit norm by an added correction, not by a factor.

After a step |e|^2 differs from 1 by d = 1e-16 to 1e-10. 1 / sqrt(|e|^2) is a square root and a division, 40 cycles of
an Intel Xeon that the next sample waits for. The series e (1 + s), s = -d/2 + 3/8 d^2, takes a third of that time,
and its first omitted term is below 1e-18. But 1 + s is close to 1, and the product with it is rounded in the same
direction at every step; e + s e is not. Errors of 4,000 steps of order 4 at a constant rate for 300 bodies against
extended precision, medians of |e - exact|; the norm itself is within 5e-16 in all three:

    angle of a step   1 / sqrt    e (1 + s)   e + s e
    1e-9              3e-15       2e-14       3e-15
    1e-4              3e-15       2e-14       3e-15
    1e-3              9e-15       1e-14       1e-14
"""

from typing import Any

import numpy as np

STEPS = 4_000
BODIES = 300


def step(e: Any, turn: Any, number: Any) -> Any:
    """A step of order 4 at a constant rate, its series summed in one kind of number."""
    total, term = e, e
    x, y, z = turn.astype(number)
    for order in (1, 2, 3, 4):
        a, b, c, d = term
        rates = [-b * x - c * y - d * z, a * x - d * y + c * z, d * x + a * y - b * z, -c * x + b * y + a * z]
        term = np.array(rates) * (number(0.5) / number(order))
        total = total + term
    return total


def by_root(e: Any, off: Any) -> Any:
    return e * (1.0 / np.sqrt(1.0 + off))


def by_factor(e: Any, off: Any) -> Any:
    return e * (1.0 + off * (0.375 * off - 0.5))


def by_sum(e: Any, off: Any) -> Any:
    return e + off * e * (0.375 * off - 0.5)


def main() -> None:
    """Print how far each is off."""
    rng = np.random.default_rng(0)
    for angle in (1e-9, 1e-4, 1e-3):
        start, turn = rng.standard_normal((4, BODIES)), rng.standard_normal((3, BODIES))
        start /= np.sqrt((start * start).sum(0))
        turn *= angle / np.sqrt((turn * turn).sum(0))
        ways = {"1 / sqrt": by_root, "e (1 + s)": by_factor, "e + s e": by_sum}
        found: dict[str, Any] = dict.fromkeys(ways, start)
        exact = start.astype(np.longdouble)
        for _ in range(STEPS):
            exact = step(exact, turn, np.longdouble)
            exact = exact / np.sqrt((exact * exact).sum(0))
            for name, back in ways.items():
                e = step(found[name], turn, np.float64)
                found[name] = back(e, (e[0] * e[0] + e[1] * e[1]) + (e[2] * e[2] + e[3] * e[3]) - 1.0)
        for name, e in found.items():
            apart = np.sqrt(((e - exact) ** 2).sum(0)).astype(float)
            norm = float(abs((e.astype(np.longdouble) ** 2).sum(0) - 1.0).max())
            print(
                f"{angle:g} rad a step, {name:10s} off by {np.median(apart):.0e}, at most {apart.max():.0e}; {norm:.0e}"
            )


if __name__ == "__main__":
    main()
