"""The first and last stage of a step look at loads a hair inside the step.

Integration is split where a load of the user's own jumps. But a stage at the very end of the step before the jump asks
for the load at that instant and is told the one after it, or before it at the beginning of the next step, depending on
whether the user wrote < or <=. This integrates 1 N m until 1.3 s with one RK4 step to either side of the jump: looked
at the ends, the impulse of 1.3 N m s is off by a sixth of a step, 0.217 N m s; looked at inside, by round-off. (dop853
noticed and came through, with 28 rejected steps around the jump.)
"""

from polhode.sim.engine.steppers.stage_times import stage_times


def torque(t: float) -> float:
    return 1.0 if t < 1.3 else 0.0


def impulse(t: float, h: float, *, inside: bool) -> float:
    first, last = stage_times(t, h) if inside else (t, t + h)
    return h / 6.0 * (torque(first) + 4.0 * torque(t + 0.5 * h) + torque(last))


def main() -> None:
    """Print the impulse either way."""
    for inside in (False, True):
        total = impulse(0.0, 1.3, inside=inside) + impulse(1.3, 0.7, inside=inside)
        print(f"stages {'inside' if inside else 'at the ends'}: {total:.15f} N m s of 1.3")


if __name__ == "__main__":
    main()
