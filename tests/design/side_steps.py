"""Outputs between steps are side steps; they never shorten the steps themselves.

A result asked for between two steps of rk4 or rk8 is one more step of the same method from the last one, thrown away
afterwards. The other way, to cut the step at every output, makes the trajectory depend on what is looked at. This runs
the torque-free body for 100 s with a step of 0.1 s and outputs every 0.07 s both ways (breakpoints of an effort without
torque cut the steps). Measured: by side steps the end is the same to the bit as without outputs, and the error at
outputs stays that of the steps; cut, the end moves by 2e-4 N m s of 400 and it takes 1429 steps instead of 1000.
"""

import numpy as np

from polhode import plant, sim

BODY = plant.RigidBody((400, 307.808385, 200))
MORE = {"momentum": (346.4101616, 0.0, -200.0), "duration": 100.0, "integrator": "rk4", "step": 0.1}
AT = np.arange(0.0, 100.0, 0.07)


def nothing(t, e, omega, c, v):
    return (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def main() -> None:
    """Print ends and errors."""
    craft = plant.Spacecraft(BODY)
    alone = sim.simulate(craft, output_times=[100.0], **MORE)
    aside = sim.simulate(craft, output_times=[*AT, 100.0], **MORE)
    cut = sim.simulate(
        plant.Spacecraft(BODY, user_forces=[plant.UserForce(nothing, breakpoints=AT)]),
        output_times=[*AT, 100.0],
        **MORE,
    )
    exact = sim.simulate(craft, output_times=[*AT, 100.0], rtol=1e-13, **{**MORE, "integrator": "dop853", "step": None})
    wanted = exact.values("momentum")
    print("end with side steps the same to the bit:", bool((aside.x[-1] == alone.x[-1]).all()))
    moved = np.abs(cut.values("momentum")[-1] - alone.values("momentum")[-1]).max()
    print(f"end with cut steps moved by {moved:.1e} N m s")
    for name, run in (("side steps", aside), ("cut steps", cut)):
        off = np.abs(run.values("momentum") - wanted).max()
        print(f"{name}: {run.counters['steps']} steps, largest error at outputs {off:.1e} N m s")


if __name__ == "__main__":
    main()
