"""Equations of motion on plain floats, for tools without a rigid-body model."""

from collections.abc import Callable

__all__ = ["body_rates", "mrp_torque", "rk4"]

Row = list[float]


def body_rates(inertia: list[Row]) -> Callable[..., Row]:
    """Return the right-hand side of attitude and body rate; inertia: 3 x 3, kg m^2."""
    (a, b, c), (_, d, e), (_, _, f) = inertia
    det = a * (d * f - e * e) - b * (b * f - c * e) + c * (b * e - c * d)
    ia, ib, ic = (d * f - e * e) / det, (c * e - b * f) / det, (b * e - c * d) / det
    id_, ie, if_ = (a * f - c * c) / det, (b * c - a * e) / det, (a * d - b * b) / det

    def rates(y: Row, u: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Row:
        q0, q1, q2, q3, x, y_, z = y
        h, k, n = a * x + b * y_ + c * z, b * x + d * y_ + e * z, c * x + e * y_ + f * z
        p, q, r = k * z - n * y_ + u[0], n * x - h * z + u[1], h * y_ - k * x + u[2]
        return [
            0.5 * (-q1 * x - q2 * y_ - q3 * z),
            0.5 * (q0 * x - q3 * y_ + q2 * z),
            0.5 * (q3 * x + q0 * y_ - q1 * z),
            0.5 * (-q2 * x + q1 * y_ + q0 * z),
            ia * p + ib * q + ic * r,
            ib * p + id_ * q + ie * r,
            ic * p + ie * q + if_ * r,
        ]

    return rates


def mrp_torque(stiffness: float, damping: float) -> Callable[[Row], tuple[float, float, float]]:
    """Return the torque on modified Rodrigues parameters and rates, N m."""

    def torque(y: Row) -> tuple[float, float, float]:
        a, b, c, d, wx, wy, wz = y
        k = stiffness / (1.0 + a) if a >= 0.0 else -stiffness / (1.0 - a)
        return -k * b - damping * wx, -k * c - damping * wy, -k * d - damping * wz

    return torque


def rk4(rates: Callable[..., Row], y: Row, h: float, u: tuple[float, float, float]) -> Row:
    """One classical Runge-Kutta step under a constant torque."""
    k1 = rates(y, u)
    k2 = rates([x + 0.5 * h * k for x, k in zip(y, k1, strict=True)], u)
    k3 = rates([x + 0.5 * h * k for x, k in zip(y, k2, strict=True)], u)
    k4 = rates([x + h * k for x, k in zip(y, k3, strict=True)], u)
    return [x + h / 6.0 * (a + 2.0 * (b + c) + d) for x, a, b, c, d in zip(y, k1, k2, k3, k4, strict=True)]
