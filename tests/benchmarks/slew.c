/* The slew of slew_against_c.py by hand: sampled linear feedback on the attitude and momentum error, saturation,
   zero-order hold, classical Runge-Kutta steps, projection of the Euler parameters. One plant, one law, nothing else.

   state x: momentum (3, body), Euler parameters (4, scalar first); with a ledger also work (1) and inertial angular
   impulse (3). r: attitude (4), rate (3) and acceleration (3) of the reference. */
#include <math.h>

/* With BARE it is the least that can be called that slew: three moments of inertia, nothing put back to norm 1. */

static inline void rhs(const double *restrict x, const double *restrict u, const double *restrict w_of_h,
                       double *restrict dx, int ledger)
{
#ifdef BARE
    const double w0 = w_of_h[0] * x[0], w1 = w_of_h[4] * x[1], w2 = w_of_h[8] * x[2];
#else
    const double w0 = w_of_h[0] * x[0] + w_of_h[1] * x[1] + w_of_h[2] * x[2];
    const double w1 = w_of_h[3] * x[0] + w_of_h[4] * x[1] + w_of_h[5] * x[2];
    const double w2 = w_of_h[6] * x[0] + w_of_h[7] * x[1] + w_of_h[8] * x[2];
#endif
    const double a = x[3], b = x[4], c = x[5], d = x[6];
    dx[0] = x[1] * w2 - x[2] * w1 + u[0];
    dx[1] = x[2] * w0 - x[0] * w2 + u[1];
    dx[2] = x[0] * w1 - x[1] * w0 + u[2];
    dx[3] = 0.5 * (-b * w0 - c * w1 - d * w2);
    dx[4] = 0.5 * (a * w0 - d * w1 + c * w2);
    dx[5] = 0.5 * (d * w0 + a * w1 - b * w2);
    dx[6] = 0.5 * (-c * w0 + b * w1 + a * w2);
    if (ledger) {
        dx[7] = u[0] * w0 + u[1] * w1 + u[2] * w2;
        dx[8] = (a * a + b * b - c * c - d * d) * u[0] + 2 * (b * c - a * d) * u[1] + 2 * (b * d + a * c) * u[2];
        dx[9] = 2 * (b * c + a * d) * u[0] + (a * a - b * b + c * c - d * d) * u[1] + 2 * (c * d - a * b) * u[2];
        dx[10] = 2 * (b * d - a * c) * u[0] + 2 * (c * d + a * b) * u[1] + (a * a - b * b - c * c + d * d) * u[2];
    }
}

static inline void law(const double *restrict x, const double *restrict r, const double *restrict J,
                       const double *restrict K, const double *restrict limit, double *restrict u)
{
    const double *w = r + 4, *alpha = r + 7;
    double h[3], f[3], error[6];
    for (int i = 0; i < 3; i++) {
        h[i] = J[3 * i] * w[0] + J[3 * i + 1] * w[1] + J[3 * i + 2] * w[2];
        f[i] = J[3 * i] * alpha[0] + J[3 * i + 1] * alpha[1] + J[3 * i + 2] * alpha[2];
    }
    f[0] += w[1] * h[2] - w[2] * h[1];
    f[1] += w[2] * h[0] - w[0] * h[2];
    f[2] += w[0] * h[1] - w[1] * h[0];
    const double d0 = r[0] * x[3] + r[1] * x[4] + r[2] * x[5] + r[3] * x[6];
    const double s = d0 >= 0.0 ? 2.0 : -2.0;
    error[0] = s * (r[0] * x[4] - r[1] * x[3] - r[2] * x[6] + r[3] * x[5]);
    error[1] = s * (r[0] * x[5] + r[1] * x[6] - r[2] * x[3] - r[3] * x[4]);
    error[2] = s * (r[0] * x[6] - r[1] * x[5] + r[2] * x[4] - r[3] * x[3]);
    for (int i = 0; i < 3; i++)
        error[3 + i] = x[i] - h[i];
    for (int i = 0; i < 3; i++) {
        double total = f[i];
        for (int j = 0; j < 6; j++)
            total -= K[6 * i + j] * error[j];
        u[i] = total > limit[i] ? limit[i] : total < -limit[i] ? -limit[i] : total;
    }
}

static inline void run(int n, long samples, int steps, double h, double *x, const double *r, const double *J,
                       const double *w_of_h, const double *K, const double *limit)
{
    double k1[11], k2[11], k3[11], k4[11], y[11], u[3];
    for (long sample = 0; sample < samples; sample++) {
        law(x, r, J, K, limit, u);
        for (int step = 0; step < steps; step++) {
            rhs(x, u, w_of_h, k1, n > 7);
            for (int i = 0; i < n; i++)
                y[i] = x[i] + 0.5 * h * k1[i];
            rhs(y, u, w_of_h, k2, n > 7);
            for (int i = 0; i < n; i++)
                y[i] = x[i] + 0.5 * h * k2[i];
            rhs(y, u, w_of_h, k3, n > 7);
            for (int i = 0; i < n; i++)
                y[i] = x[i] + h * k3[i];
            rhs(y, u, w_of_h, k4, n > 7);
            for (int i = 0; i < n; i++)
                x[i] += h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
#ifndef BARE
            const double scale = 1.0 / sqrt(x[3] * x[3] + x[4] * x[4] + x[5] * x[5] + x[6] * x[6]);
            for (int i = 3; i < 7; i++)
                x[i] *= scale;
#endif
        }
    }
}

/* The number of states is a constant in each of the two, so that the compiler can unroll. */
void slew(int ledger, long samples, int steps, double h, double *x_in_out, const double *r, const double *J,
          const double *w_of_h, const double *K, const double *limit)
{
    double x[11] = {0};
    for (int i = 0; i < 7; i++)
        x[i] = x_in_out[i];
    if (ledger)
        run(11, samples, steps, h, x, r, J, w_of_h, K, limit);
    else
        run(7, samples, steps, h, x, r, J, w_of_h, K, limit);
    for (int i = 0; i < (ledger ? 11 : 7); i++)
        x_in_out[i] = x[i];
}
