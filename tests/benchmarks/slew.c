/* A slew by hand: sampled linear feedback on the attitude and rate error, saturation, zero-order hold, classical
   Runge-Kutta steps, projection of the Euler parameters. One plant, one law, nothing else. With LANES defined as 8 the
   same text flies eight of them at once in vector registers, each with its own inertia and start.

   state x: momentum (3, body), Euler parameters (4, scalar first); with a ledger also work (1) and inertial angular
   impulse (3). r: attitude (4), rate (3) and acceleration (3) of the reference. The attitude error is twice the vector
   part, or with `mrp` modified Rodrigues parameters. What differs from lane to lane stands lane after lane.
   With BARE it is the least that can be called that slew: three moments of inertia, nothing put back to norm 1. */
#include <math.h>

#ifndef LANES
#define LANES 1
#endif
#if LANES == 1
typedef double real;
#define SELECT(condition, yes, no) ((condition) ? (yes) : (no))
#define SQRT(x) sqrt(x)
#else
typedef double real __attribute__((vector_size(8 * LANES)));
typedef long long mask __attribute__((vector_size(8 * LANES)));
static inline real select_(mask m, real yes, real no)
{
    return (real)((m & (mask)yes) | (~m & (mask)no));
}
static inline real sqrt_(real x)
{
    for (int lane = 0; lane < LANES; lane++)
        x[lane] = sqrt(x[lane]);
    return x;
}
#define SELECT(condition, yes, no) select_((condition), (yes) + (real){0}, (no) + (real){0})
#define SQRT(x) sqrt_(x)
#endif

static inline void rhs(const real *restrict x, const real *restrict u, const real *restrict w_of_h,
                       real *restrict dx, int ledger)
{
#ifdef BARE
    const real w0 = w_of_h[0] * x[0], w1 = w_of_h[4] * x[1], w2 = w_of_h[8] * x[2];
#else
    const real w0 = w_of_h[0] * x[0] + w_of_h[1] * x[1] + w_of_h[2] * x[2];
    const real w1 = w_of_h[3] * x[0] + w_of_h[4] * x[1] + w_of_h[5] * x[2];
    const real w2 = w_of_h[6] * x[0] + w_of_h[7] * x[1] + w_of_h[8] * x[2];
#endif
    const real a = x[3], b = x[4], c = x[5], d = x[6];
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

static inline void law(const real *restrict x, const double *restrict r, const real *restrict J,
                       const real *restrict w_of_h,
                       const double *restrict K, const double *restrict limit, int mrp, real *restrict u)
{
    const double *w = r + 4, *alpha = r + 7;
    real h[3], f[3], error[6];
    for (int i = 0; i < 3; i++) {
        h[i] = J[3 * i] * w[0] + J[3 * i + 1] * w[1] + J[3 * i + 2] * w[2];
        f[i] = J[3 * i] * alpha[0] + J[3 * i + 1] * alpha[1] + J[3 * i + 2] * alpha[2];
    }
    f[0] += w[1] * h[2] - w[2] * h[1];
    f[1] += w[2] * h[0] - w[0] * h[2];
    f[2] += w[0] * h[1] - w[1] * h[0];
    const real d0 = r[0] * x[3] + r[1] * x[4] + r[2] * x[5] + r[3] * x[6];
    real s = SELECT(d0 >= 0.0, 2.0, -2.0);
    if (mrp)
        s = s / (2.0 + s * d0);
    error[0] = s * (r[0] * x[4] - r[1] * x[3] - r[2] * x[6] + r[3] * x[5]);
    error[1] = s * (r[0] * x[5] + r[1] * x[6] - r[2] * x[3] - r[3] * x[4]);
    error[2] = s * (r[0] * x[6] - r[1] * x[5] + r[2] * x[4] - r[3] * x[3]);
    for (int i = 0; i < 3; i++)
        error[3 + i] = w_of_h[3 * i] * x[0] + w_of_h[3 * i + 1] * x[1] + w_of_h[3 * i + 2] * x[2] - w[i];
    for (int i = 0; i < 3; i++) {
        real total = f[i];
        for (int j = 0; j < 6; j++)
            total -= K[6 * i + j] * error[j];
        total = SELECT(total > limit[i], limit[i], total);
        u[i] = SELECT(total < -limit[i], -limit[i], total);
    }
}

static inline void run(int n, long samples, int steps, double h, real *x, const double *r, const real *J,
                       const real *w_of_h, const double *K, const double *limit, int mrp)
{
    real k1[11], k2[11], k3[11], k4[11], y[11], u[3];
    for (long sample = 0; sample < samples; sample++) {
        law(x, r, J, w_of_h, K, limit, mrp, u);
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
            const real scale = 1.0 / SQRT(x[3] * x[3] + x[4] * x[4] + x[5] * x[5] + x[6] * x[6]);
            for (int i = 3; i < 7; i++)
                x[i] *= scale;
#endif
        }
    }
}

/* The number of states is a constant in each of the two, so that the compiler can unroll. */
void slew(int ledger, int mrp, long samples, int steps, double h, double *x_in_out, const double *r, const double *J_in,
          const double *w_of_h_in, const double *K, const double *limit)
{
    real x[11] = {0}, J[9], w_of_h[9];
    const int n = ledger ? 11 : 7;
    for (int lane = 0; lane < LANES; lane++) {
        for (int i = 0; i < n; i++)
            ((double *)x)[LANES * i + lane] = x_in_out[LANES * i + lane];
        for (int i = 0; i < 9; i++) {
            ((double *)J)[LANES * i + lane] = J_in[LANES * i + lane];
            ((double *)w_of_h)[LANES * i + lane] = w_of_h_in[LANES * i + lane];
        }
    }
    if (ledger)
        run(11, samples, steps, h, x, r, J, w_of_h, K, limit, mrp);
    else
        run(7, samples, steps, h, x, r, J, w_of_h, K, limit, mrp);
    for (int i = 0; i < LANES * n; i++)
        x_in_out[i] = ((double *)x)[i];
}
