"""Time-optimal slew as a nonlinear program by direct collocation, solved with CasADi and IPOPT."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ....plant.errors import DesignError
from ....plant.frozen import frozen_arrays

if TYPE_CHECKING:
    from .slew_problem import SlewProblem

Array = NDArray[np.float64]

STATES = 7
NORM = 0.01
"""Permitted deviation from 1 of the squared norm of the Euler parameters, which collocation keeps to fourth order."""

LONGEST_STEP, SHORTEST_STEP = 3.0, 0.02
"""Longest and shortest duration of a free interval, relative to the mean interval."""


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Solution:
    """Solution of the nonlinear program.

    steps (n,): duration of each interval, s; torque (n, 3): constant torque of each interval, N m; attitude (n + 1, 4),
    rate (n + 1, 3): Euler parameters and body rate (rad/s) at the nodes; residual: largest violation of the optimality
    (KKT) conditions of the scaled program; iterations: number of IPOPT iterations; status: return status of IPOPT.
    """

    steps: Array
    torque: Array
    attitude: Array
    rate: Array
    residual: float
    iterations: int
    status: str

    @property
    def duration(self) -> float:
        """Duration, s."""
        return float(self.steps.sum())


class Collocation:
    """Nonlinear program of a slew.

    The torque is constant over each interval. Attitude and rate are discretised by Hermite-Simpson collocation (Lobatto
    IIIA of order 4) with the midpoint eliminated. Limits hold at nodes and midpoints. Time is scaled by an estimate of
    the duration, and inertia and torque accordingly, so that all variables are of order one.

    problem: the slew; count: number of intervals; free: whether each interval has its own duration, so that torque
    switches are placed exactly; slack: reduction of the limits (torque, momentum, rate, cones), the first three
    relative, the last in rad.
    """

    def __init__(
        self,
        problem: SlewProblem,
        *,
        count: int,
        free: bool,
        scale: float,
        slack: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0),
    ) -> None:
        import_casadi()
        self.problem, self.count, self.free, self.scale = problem, count, free, scale
        self.unit = float(np.abs(np.linalg.eigvalsh(problem.limits.inertia)).max())
        self.slack = slack
        self._build()

    def _build(self) -> None:
        ca: Any = import_casadi()
        problem, limits, n = self.problem, self.problem.limits, self.count
        J = ca.DM(limits.inertia / self.unit)
        inverse = ca.DM(np.linalg.inv(limits.inertia / self.unit))
        momentum_unit = self.unit / self.scale  # unit of momentum, N m s
        total = ca.DM(limits.total / momentum_unit)

        def spin(e: Any, w: Any) -> Any:  # wheel momentum in body components
            return turned(e, total) - J @ w

        def turned(e: Any, v: Any) -> Any:  # R(e)' v
            return v - 2 * e[0] * ca.cross(e[1:4], v) + 2 * ca.cross(e[1:4], ca.cross(e[1:4], v))

        def slope(x: Any, u: Any) -> Any:
            e, w = x[0:4], x[4:7]
            h = turned(e, total) if limits.internal else J @ w
            de = 0.5 * ca.vertcat(-ca.dot(e[1:4], w), e[0] * w + ca.cross(e[1:4], w))
            return ca.vertcat(de, inverse @ (u - ca.cross(w, h)))

        x0, x1 = ca.SX.sym("x0", STATES), ca.SX.sym("x1", STATES)
        u, h = ca.SX.sym("u", 3), ca.SX.sym("h")
        f0, f1 = slope(x0, u), slope(x1, u)
        middle = 0.5 * (x0 + x1) + h / 8 * (f0 - f1)
        defect = x1 - x0 - h / 6 * (f0 + 4 * slope(middle, u) + f1)
        torque_slack, momentum_slack, rate_slack, cone_slack = self.slack
        forms = ca.DM(limits.torque * (self.unit / self.scale**2) / (1.0 - torque_slack))
        rows: list[tuple[Any, float, float]] = [(forms @ u, -1.0, 1.0)]

        def path(x: Any) -> list[tuple[Any, float, float]]:
            found: list[tuple[Any, float, float]] = []
            e, w = x[0:4], x[4:7]
            found.append((ca.dot(e, e), 1.0 - NORM, 1.0 + NORM))  # otherwise long steps change the norm to leave a cone
            if limits.rate < inf:
                bound = limits.rate * self.scale * (1.0 - rate_slack)
                found.append((ca.dot(w, w) / bound**2, -inf, 1.0))
            if len(limits.momentum):
                scaled = ca.DM(limits.momentum * momentum_unit / (1.0 - momentum_slack))
                found.append((scaled @ spin(e, w) + ca.DM(limits.null / (1.0 - momentum_slack)), -1.0, 1.0))
            for cone in problem.cones:
                bound = np.cos(cone.half_angle + cone.sign * cone_slack)
                found.append((cone.sign * ca.dot(e, ca.DM(cone.form) @ e), -inf, cone.sign * bound))
            return found

        rows += path(middle)
        interval = ca.Function("interval", [x0, x1, u, h], [ca.vertcat(defect, *(row[0] for row in rows))])
        nodes = path(x0)
        node = ca.Function("node", [x0], [ca.vertcat(*(row[0] for row in nodes))])

        X, U = ca.SX.sym("X", STATES, n + 1), ca.SX.sym("U", 3, n)
        H = ca.SX.sym("H", n if self.free else 1)
        g: list[Any] = []
        low: list[Array] = []
        high: list[Array] = []
        zero = np.zeros(STATES)
        for k in range(n):
            step = H[k] if self.free else H[0] / n
            g.append(interval(X[:, k], X[:, k + 1], U[:, k], step))
            low.append(np.concatenate([zero, *(np.full(row[0].numel(), row[1]) for row in rows)]))
            high.append(np.concatenate([zero, *(np.full(row[0].numel(), row[2]) for row in rows)]))
            if k:  # the first node is fixed
                g.append(node(X[:, k]))
                low.append(np.concatenate([np.full(row[0].numel(), row[1]) for row in nodes]))
                high.append(np.concatenate([np.full(row[0].numel(), row[2]) for row in nodes]))
        last = X[0:4, n]
        if problem.end is not None:
            conj = ca.DM(problem.end * np.array((1.0, -1.0, -1.0, -1.0)))
            g.append(conj[0] * last[1:4] + last[0] * conj[1:4] + ca.cross(conj[1:4], last[1:4]))
            low.append(np.zeros(3))
            high.append(np.zeros(3))
            g.append(ca.dot(last, last))
            low.append(np.array([1.0 - NORM]))
            high.append(np.array([1.0 + NORM]))
        else:
            assert problem.pointing is not None  # noqa: S101 # end or pointing is given
            axis, direction = problem.pointing
            across = np.linalg.svd(direction[None, :])[2][1:]
            for row, least, most in ((across[0], 0.0, 0.0), (across[1], 0.0, 0.0), (direction, 0.5, inf)):
                g.append(ca.dot(last, ca.DM(_form(axis, row)) @ last))
                low.append(np.array([least]))
                high.append(np.array([most]))
            g.append(node(X[:, n]))
            low.append(np.concatenate([np.full(row[0].numel(), row[1]) for row in nodes]))
            high.append(np.concatenate([np.full(row[0].numel(), row[2]) for row in nodes]))
        z = ca.vertcat(ca.vec(X), ca.vec(U), H)
        f = ca.sum1(H)
        if self.free:  # a small cost makes steps equal if their lengths do not matter
            self._spread = ca.SX.sym("mean")
            f += 1e-5 * ca.sumsqr(H / self._spread - 1) / n * self._spread
            parameters = self._spread
        else:
            parameters = ca.SX(0, 1)
        self._low, self._high = np.concatenate(low), np.concatenate(high)
        program = {"x": z, "f": f, "g": ca.vertcat(*g), "p": parameters}
        options = {
            "print_time": False,
            "ipopt": {
                "print_level": 0,
                "sb": "yes",
                "max_iter": 400,
                "tol": 1e-8,
                "mu_strategy": "adaptive",
                "honor_original_bounds": "yes",
            },
        }
        self._solver = ca.nlpsol("slew", "ipopt", program, options)
        multipliers = ca.SX.sym("l", program["g"].numel())
        lagrangian = ca.gradient(f + ca.dot(multipliers, program["g"]), z)
        self._optimality = ca.Function("optimality", [z, multipliers, parameters], [lagrangian, program["g"]])

    def solve(self, steps: Array, torque: Array, attitude: Array, rate: Array) -> Solution:
        """Solve the program from an initial guess.

        steps (n,): durations of the intervals, s; torque (n, 3): N m; attitude (n + 1, 4), rate (n + 1, 3): values at
        the nodes.
        """
        n, scale = self.count, self.scale
        x = np.hstack((attitude, rate * scale))
        x[0] = np.concatenate((self.problem.start, np.zeros(3)))
        u = torque * scale**2 / self.unit
        total = float(steps.sum()) / scale
        h = steps / scale if self.free else np.array([total])
        guess = np.concatenate((x.ravel(), u.ravel(), h))
        lower, upper = np.full(guess.size, -inf), np.full(guess.size, inf)
        lower[:STATES] = upper[:STATES] = x[0]
        ends = slice(STATES * n + 4, STATES * (n + 1))
        lower[ends] = upper[ends] = 0.0
        times = slice(guess.size - h.size, guess.size)
        mean = total / n
        if self.free:
            lower[times], upper[times] = SHORTEST_STEP * mean, LONGEST_STEP * mean
        else:
            lower[times], upper[times] = 1e-3 * total, 1e3 * total
        p = [mean] if self.free else []
        found = self._solver(x0=guess, lbx=lower, ubx=upper, lbg=self._low, ubg=self._high, p=p)
        stats = self._solver.stats()
        z = np.asarray(found["x"], dtype=np.float64).ravel()
        multipliers = np.asarray(found["lam_g"], dtype=np.float64).ravel()
        bounds = np.asarray(found["lam_x"], dtype=np.float64).ravel()
        gradient, g = (np.asarray(each, dtype=np.float64).ravel() for each in self._optimality(z, multipliers, p))
        split = STATES * (n + 1)
        rows = z[:split].reshape(n + 1, STATES)
        return Solution(
            steps=(z[times] if self.free else np.full(n, z[-1] / n)) * scale,
            torque=z[split : split + 3 * n].reshape(n, 3) * self.unit / scale**2,
            attitude=rows[:, :4] / np.linalg.norm(rows[:, :4], axis=1)[:, None],
            rate=rows[:, 4:] / scale,
            residual=max(
                float(np.abs(gradient + bounds).max()),
                _infeasibility(g, self._low, self._high),
                _complementarity(multipliers, g, self._low, self._high),
            ),
            iterations=int(stats["iter_count"]),
            status=str(stats["return_status"]),
        )


def _form(axis: Array, direction: Array) -> Array:
    """Return the symmetric matrix M with (R(e) a) . d = e' M e."""
    m = np.zeros((4, 4))
    m[0, 0] = axis @ direction
    m[0, 1:] = m[1:, 0] = np.cross(axis, direction)
    m[1:, 1:] = np.outer(axis, direction) + np.outer(direction, axis) - (axis @ direction) * np.eye(3)
    return m


def _infeasibility(g: Array, low: Array, high: Array) -> float:
    return float(np.maximum(np.maximum(low - g, g - high), 0.0).max())


def _complementarity(multipliers: Array, g: Array, low: Array, high: Array) -> float:
    """Return the largest product of a multiplier and the distance of its constraint from the bound."""
    upper = np.maximum(multipliers, 0.0) * np.where(np.isfinite(high), high - g, 0.0)
    lower = np.maximum(-multipliers, 0.0) * np.where(np.isfinite(low), g - low, 0.0)
    return float(max(np.abs(upper).max(), np.abs(lower).max()))


def import_casadi() -> Any:
    """Import and return casadi. Raises DesignError when it is not installed."""
    try:
        import casadi
    except ImportError as error:
        raise DesignError(
            "planning a slew needs CasADi, which is not installed: pip install 'polhode[guidance]' (or pip install "
            "casadi); a saved plan does not need CasADi"
        ) from error
    return casadi
