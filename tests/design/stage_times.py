"""The first and last stage of a step evaluate loads slightly inside the step.

Integration is split at the jumps of a custom load. But a stage at the end of the step before the jump evaluates the
load exactly at the jump. Depending on whether the user wrote < or <=, this stage, or the first stage of the next
step, receives the value from the wrong side. This script integrates 1 N m until 1.3 s with one RK4 step on each side
of the jump: with evaluations at the ends, the impulse of 1.3 N m s has an error of a sixth of a step, 0.217 N m s;
with evaluations inside, the error is round-off. (dop853 detects the jump and handles it, with 28 rejected steps.)
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
