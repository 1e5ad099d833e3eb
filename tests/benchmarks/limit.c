/* A free body and a hub with four viscous wheels by hand, in steps of order 8: what the machine could do.

   STAGES is written beside it from the coefficients of dop853: every stage in full, zeros left out. */
#include "elements.c"
#include "stages.h"

/* state: momentum (3), Euler parameters (4), the wheels' axial momenta (4); M does not change.
   q: inverse of M (7 x 7), wheel friction (4) */
static inline void wheels(const double *restrict x, const double *restrict q, double *restrict dx)
{
    double v[7];
    for (int i = 0; i < 7; i++) {
        const double *row = q + 7 * i;
        v[i] = row[0] * x[0] + row[1] * x[1] + row[2] * x[2];
        for (int k = 3; k < 7; k++)
            v[i] += row[k] * x[4 + k];
    }
    rotate(x, v[0], v[1], v[2], dx);
    for (int k = 0; k < 4; k++)
        dx[7 + k] = -q[49 + k] * v[3 + k];
}

#define RUN8(name, n)                                                                                                  \
    void name##_run8(long steps, double h, double *x_in_out, const double *q)                                          \
    {                                                                                                                  \
        double x[n], y[n], k[12][n];                                                                                   \
        for (int i = 0; i < n; i++)                                                                                    \
            x[i] = x_in_out[i];                                                                                        \
        for (long step = 0; step < steps; step++) {                                                                    \
            STAGES(name, n)                                                                                            \
            const double scale = 1.0 / sqrt(x[3] * x[3] + x[4] * x[4] + x[5] * x[5] + x[6] * x[6]);                    \
            for (int i = 3; i < 7; i++)                                                                                \
                x[i] *= scale;                                                                                         \
        }                                                                                                              \
        for (int i = 0; i < n; i++)                                                                                    \
            x_in_out[i] = x[i];                                                                                        \
    }

RUN8(body, 7)
RUN8(wheels, 11)
