"""True motions, their records by a gyro and sensors, and a filter in dense matrices."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import expm

from polhode.plant.attitude import (
    attitude_error,
    from_rotation_vector,
    quaternion_product,
    rotation_matrix,
    to_rotation_vector,
)


@dataclass
class Truth:
    """Attitude and bias at t, and mean rates over the intervals."""

    t: np.ndarray
    e: np.ndarray
    b: np.ndarray
    rate: np.ndarray


def motion(rng, *, n, T, noise, walk, bias=1e-3, turning=(0.02, -0.01, 0.03)):
    """A constant rotation from a random attitude; increments and bias steps are jointly normal (Farrenkopf 1978)."""
    e, b, rate = np.empty((n + 1, 4)), np.empty((n + 1, 3)), np.empty((n, 3))
    e[0] = rng.normal(size=4)
    e[0] /= np.linalg.norm(e[0])
    b[0] = bias * rng.normal(size=3)
    joint = 0.5 * walk**2 * T**2
    root = np.linalg.cholesky([[noise**2 * T + walk**2 * T**3 / 3.0, joint], [joint, walk**2 * T]])
    step = from_rotation_vector(np.array(turning) * T)
    for k in range(n):
        angle, more = root @ rng.normal(size=(2, 3))
        e[k + 1] = quaternion_product(e[k], step)
        rate[k] = np.array(turning) + b[k] + angle / T
        b[k + 1] = b[k] + more
    return Truth(np.arange(n + 1) * T, e, b, rate)


def tracked(rng, e, sigma):
    """Attitudes measured by a star tracker."""
    return np.array([quaternion_product(each, from_rotation_vector(sigma * rng.normal(size=3))) for each in e])


def seen(rng, e, v, sigma):
    """Directions measured by a sun sensor."""
    w = np.array([rotation_matrix(each).T @ v for each in e])
    return w + np.cross(w, sigma * rng.normal(size=w.shape))


def skew(a):
    """[a]x."""
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


class Dense:
    """The filter in 6 x 6 matrices, matrix exponentials and (I - K H) P, from its definition."""

    def __init__(self, e, b, P, noise, walk):
        self.e, self.b, self.spread = np.array(e), np.array(b), np.array(P)
        self.Qc = np.diag([noise**2] * 3 + [walk**2] * 3)

    def turn(self, rate, T):
        w = rate - self.b
        A = np.zeros((6, 6))
        A[:3, :3], A[:3, 3:] = -skew(w), -np.eye(3)
        loan = expm(np.block([[-A, self.Qc], [np.zeros((6, 6)), A.T]]) * T)
        Phi = loan[6:, 6:].T
        self.spread = Phi @ self.spread @ Phi.T + Phi @ loan[:6, 6:]
        self.e = quaternion_product(self.e, from_rotation_vector(w * T))

    def correct(self, y, H, R):
        S = H @ self.spread @ H.T + R
        K = self.spread @ H.T @ np.linalg.inv(S)
        a = K @ y
        G = np.eye(6)
        theta = np.linalg.norm(a[:3])
        n = skew(a[:3] / theta)
        G[:3, :3] = np.eye(3) - (1 - np.cos(theta)) / theta * n + (theta - np.sin(theta)) / theta * n @ n
        self.spread = G @ (np.eye(6) - K @ H) @ self.spread @ G.T
        self.e, self.b = quaternion_product(self.e, from_rotation_vector(a[:3])), self.b + a[3:]
        return float(y @ np.linalg.solve(S, y))

    def attitude(self, e, sigma):
        H = np.hstack((np.eye(3), np.zeros((3, 3))))
        y = to_rotation_vector(attitude_error(e, self.e))
        ends = [
            [quaternion_product(from_rotation_vector(y), from_rotation_vector(s * n)) for n in np.eye(3)]
            for s in (1e-5, -1e-5)
        ]
        J = (to_rotation_vector(np.array(ends[0])) - to_rotation_vector(np.array(ends[1]))).T / 2e-5
        return self.correct(y, H, J @ np.diag(np.square(sigma)) @ J.T)

    def vector(self, w, v, sigma):
        here = rotation_matrix(self.e).T @ v
        H = np.hstack((skew(here), np.zeros((3, 3))))
        return self.correct(w - here, H, sigma**2 * np.eye(3))
