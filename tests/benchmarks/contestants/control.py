"""python-control: input_output_response of a NonlinearIOSystem, its right-hand side on plain floats.

One of its systems cannot contain a continuous plant and a sampled law, so the slew is a discrete-time system whose
update is the law and the Runge-Kutta steps of one sample. This is its fastest form.
"""

from typing import Any

import control as ct
import numpy as np

from .equations import body_rates, mrp_torque, rk4

HOW = (
    "input_output_response of a nlsys, right-hand side on plain Python floats; solve_ivp's method and tolerances as "
    "named; the slew a discrete-time nlsys whose update takes the Runge-Kutta steps of a sample"
)
LADDERS = {
    "free": {
        method: [{"method": method, "rtol": 10.0**-n} for n in range(10, 14)] for method in ("DOP853", "LSODA", "RK45")
    },
    "slew": {"RK4": [{"steps": steps} for steps in (1, 2, 4)]},
}


def version() -> str:
    return ct.__version__


def free(given: dict[str, Any], *, method: str, rtol: float) -> Any:
    rates = body_rates(given["inertia"])
    system = ct.nlsys(lambda t, x, u, params: rates(x.tolist()), inputs=0, outputs=7, states=7)
    start = [*given["attitude"], *given["rate"]]
    times = np.array([0.0, *given["at"]])

    def fly() -> Any:
        found = ct.input_output_response(
            system, times, X0=start, solve_ivp_method=method, solve_ivp_kwargs={"rtol": rtol, "atol": rtol}
        )
        return found.states[:, 1:].T.tolist

    return fly


def slew(given: dict[str, Any], *, steps: int) -> Any:
    rates, torque = body_rates(given["inertia"]), mrp_torque(given["stiffness"], given["damping"])
    sample, start = given["sample"], [*given["attitude"], *given["rate"]]

    def update(t: float, x: Any, u: Any, params: Any) -> list[float]:
        now = x.tolist()
        held = torque(now)
        for _ in range(steps):
            now = rk4(rates, now, sample / steps, held)
        return now

    system = ct.nlsys(update, inputs=0, outputs=7, states=7, dt=sample)
    times = sample * np.arange(round(given["at"][-1] / sample) + 1)

    def fly() -> Any:
        found = ct.input_output_response(system, times, X0=start)
        return found.states[:, [round(t / sample) for t in given["at"]]].T.tolist

    return fly


PROBLEMS = {"free": free, "slew": slew}
