# pyright: reportMissingImports=none, reportUntypedFunctionDecorator=none
"""scipy: solve_ivp on a right-hand side compiled by numba, one call per sample of the slew."""

from typing import Any

import numba
import numpy as np
import scipy
from scipy.integrate import solve_ivp

HOW = "solve_ivp with the method named on a right-hand side compiled by numba; for the slew one call a sample"
METHODS = ("DOP853", "LSODA")
LADDERS = {
    "free": {method: [{"method": method, "rtol": 10.0**-n} for n in range(10, 14)] for method in METHODS},
    "slew": {"DOP853": [{"method": "DOP853", "rtol": rtol} for rtol in (1e-6, 1e-8, 1e-10)]},
}


def version() -> str:
    return f"{scipy.__version__}, numba {numba.__version__}"


@numba.njit
def rates(t: float, y: Any, J: Any, inverse: Any, u: Any) -> Any:
    a, b, c, d, x, y_, z = y
    h = np.array((J[0, 0] * x + J[0, 1] * y_ + J[0, 2] * z, J[1, 0] * x + J[1, 1] * y_ + J[1, 2] * z,
                  J[2, 0] * x + J[2, 1] * y_ + J[2, 2] * z))  # fmt: skip
    m0, m1, m2 = h[1] * z - h[2] * y_ + u[0], h[2] * x - h[0] * z + u[1], h[0] * y_ - h[1] * x + u[2]
    dy = np.empty(7)
    dy[0] = 0.5 * (-b * x - c * y_ - d * z)
    dy[1] = 0.5 * (a * x - d * y_ + c * z)
    dy[2] = 0.5 * (d * x + a * y_ - b * z)
    dy[3] = 0.5 * (-c * x + b * y_ + a * z)
    for i in range(3):
        dy[4 + i] = inverse[i, 0] * m0 + inverse[i, 1] * m1 + inverse[i, 2] * m2
    return dy


@numba.njit
def torque(y: Any, stiffness: float, damping: float) -> Any:
    share = stiffness / (1.0 + y[0]) if y[0] >= 0.0 else -stiffness / (1.0 - y[0])
    return -share * y[1:4] - damping * y[4:]


def ready(given: dict[str, Any]) -> Any:
    J = np.array(given["inertia"])
    inverse, start = np.linalg.inv(J), np.array([*given["attitude"], *given["rate"]])
    rates(0.0, start, J, inverse, np.zeros(3))
    torque(start, 1.0, 1.0)
    return J, inverse, start


def free(given: dict[str, Any], *, method: str, rtol: float) -> Any:
    J, inverse, start = ready(given)
    end, at = given["at"][-1], given["at"]
    args = (J, inverse, np.zeros(3))

    def fly() -> Any:
        found = solve_ivp(rates, (0.0, end), start, method=method, t_eval=at, args=args, rtol=rtol, atol=rtol)
        return found.y.T.tolist

    return fly


def slew(given: dict[str, Any], *, method: str, rtol: float) -> Any:
    J, inverse, start = ready(given)
    sample = given["sample"]
    wanted = {round(t / sample) for t in given["at"]}

    def fly() -> Any:
        y, rows = start, []
        for n in range(max(wanted)):
            u = torque(y, given["stiffness"], given["damping"])
            how = {"method": method, "rtol": rtol, "atol": rtol, "first_step": sample, "args": (J, inverse, u)}
            y = solve_ivp(rates, (0.0, sample), y, **how).y[:, -1]
            if n + 1 in wanted:
                rows.append(y.tolist())
        return rows

    return fly


PROBLEMS = {"free": free, "slew": slew}
