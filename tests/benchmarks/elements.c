/* The right-hand sides of elements_against_c.py by hand, each for its one plant, under classical Runge-Kutta steps.

   state: momentum (3, body), Euler parameters (4, scalar first), internal coordinates, their momenta. */
#include <math.h>

#define LARGEST 27

static inline void rotate(const double *restrict x, double w0, double w1, double w2, double *restrict dx)
{
    const double a = x[3], b = x[4], c = x[5], d = x[6];
    dx[0] = x[1] * w2 - x[2] * w1;
    dx[1] = x[2] * w0 - x[0] * w2;
    dx[2] = x[0] * w1 - x[1] * w0;
    dx[3] = 0.5 * (-b * w0 - c * w1 - d * w2);
    dx[4] = 0.5 * (a * w0 - d * w1 + c * w2);
    dx[5] = 0.5 * (d * w0 + a * w1 - b * w2);
    dx[6] = 0.5 * (-c * w0 + b * w1 + a * w2);
}

/* q: inverse inertia (9) */
static inline void body(const double *restrict x, const double *restrict q, double *restrict dx)
{
    rotate(x, q[0] * x[0] + q[1] * x[1] + q[2] * x[2], q[3] * x[0] + q[4] * x[1] + q[5] * x[2],
           q[6] * x[0] + q[7] * x[1] + q[8] * x[2], dx);
}

/* A slug in a ring about z, its centre on z, the hub held at its mass centre.
   q: inertia (9), m, R, height, rho, sin(fill)/fill, Cd R^2 */
static inline void ring(const double *restrict x, const double *restrict q, double *restrict dx)
{
    const double m = q[9], R = q[10], L = q[11], rho = q[12], s = q[13];
    const double C = cos(x[7]), S = sin(x[7]);
    const double mean = 0.5 * m * R * R, swing = mean * s, rest = m * L * L;
    const double M00 = q[0] + mean - swing * (C * C - S * S) + rest, M11 = q[4] + mean + swing * (C * C - S * S) + rest;
    const double M01 = q[1] - 2.0 * swing * C * S, M02 = q[2] - m * L * rho * C, M12 = q[5] - m * L * rho * S;
    const double M22 = q[8] + m * R * R, M03 = -m * L * rho * C, M13 = -m * L * rho * S, M23 = m * R * R, M33 = m * R * R;
    /* Cholesky */
    const double a = 1.0 / sqrt(M00), b0 = M01 * a, c0 = M02 * a, d0 = M03 * a;
    const double b = 1.0 / sqrt(M11 - b0 * b0), c1 = (M12 - c0 * b0) * b, d1 = (M13 - d0 * b0) * b;
    const double c = 1.0 / sqrt(M22 - c0 * c0 - c1 * c1), d2 = (M23 - d0 * c0 - d1 * c1) * c;
    const double d = 1.0 / sqrt(M33 - d0 * d0 - d1 * d1 - d2 * d2);
    const double y0 = x[0] * a, y1 = (x[1] - b0 * y0) * b, y2 = (x[2] - c0 * y0 - c1 * y1) * c;
    const double v3 = (x[8] - d0 * y0 - d1 * y1 - d2 * y2) * d * d;
    const double w2 = (y2 - d2 * v3) * c, w1 = (y1 - c1 * w2 - d1 * v3) * b, w0 = (y0 - b0 * w1 - c0 * w2 - d0 * v3) * a;
    rotate(x, w0, w1, w2, dx);
    dx[7] = v3;
    /* 1/2 v' dM/dbeta v */
    const double along = C * w0 + S * w1, across = C * w1 - S * w0;
    dx[8] = -2.0 * swing * along * across - m * L * rho * across * (w2 + v3) - q[14] * v3;
}

/* Four wheels and six modes: M does not change. q: inverse of M (13 x 13), wheel friction (4), then for each mode
   omega^2 and 2 zeta omega */
static inline void wheels_and_modes(const double *restrict x, const double *restrict q, double *restrict dx)
{
    double v[13];
    for (int i = 0; i < 13; i++) {
        const double *row = q + 13 * i;
        double total = row[0] * x[0] + row[1] * x[1] + row[2] * x[2];
        for (int k = 3; k < 13; k++)
            total += row[k] * x[14 + k];
        v[i] = total;
    }
    rotate(x, v[0], v[1], v[2], dx);
    for (int k = 0; k < 10; k++)
        dx[7 + k] = v[3 + k];
    for (int k = 0; k < 4; k++)
        dx[17 + k] = -q[169 + k] * v[3 + k];
    for (int k = 0; k < 6; k++)
        dx[21 + k] = -q[173 + 2 * k] * x[11 + k] - q[174 + 2 * k] * v[7 + k];
}

#define RUN(name, n)                                                                                                   \
    void name##_run(long steps, double h, double *x, const double *q)                                                  \
    {                                                                                                                  \
        double k1[LARGEST], k2[LARGEST], k3[LARGEST], k4[LARGEST], y[LARGEST];                                         \
        for (long step = 0; step < steps; step++) {                                                                    \
            name(x, q, k1);                                                                                            \
            for (int i = 0; i < n; i++)                                                                                \
                y[i] = x[i] + 0.5 * h * k1[i];                                                                         \
            name(y, q, k2);                                                                                            \
            for (int i = 0; i < n; i++)                                                                                \
                y[i] = x[i] + 0.5 * h * k2[i];                                                                         \
            name(y, q, k3);                                                                                            \
            for (int i = 0; i < n; i++)                                                                                \
                y[i] = x[i] + h * k3[i];                                                                               \
            name(y, q, k4);                                                                                            \
            for (int i = 0; i < n; i++)                                                                                \
                x[i] += h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);                                             \
            const double scale = 1.0 / sqrt(x[3] * x[3] + x[4] * x[4] + x[5] * x[5] + x[6] * x[6]);                    \
            for (int i = 3; i < 7; i++)                                                                                \
                x[i] *= scale;                                                                                         \
        }                                                                                                              \
    }

RUN(body, 7)
RUN(ring, 9)
RUN(wheels_and_modes, 27)
