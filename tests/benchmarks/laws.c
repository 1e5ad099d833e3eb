/* Laws by hand, as flight software writes them for one craft: what LAW names, its numbers in numbers.h as constants, a
   sample a call. Built with the exported law, each a file of its own, it also times both over the same record.

   y: momentum (3, body), Euler parameters (4, scalar first), rate (3); of the filter rate (3), valid, of when, Euler
   parameters (4), valid, of when; of the shares of wheels the torque (3, body). r: attitude (4), rate (3), acceleration (3) of the reference. */
#include <math.h>
#include <string.h>
#include <time.h>

#include "law.h"
#include "numbers.h"

#define CALL __attribute__((noinline))
#define NUMBERS(name, rows, columns) static const double name[rows][columns] = name##_VALUES

#if !defined(FILTER)

static inline double cut(double value) /* fmin and fmax are calls of the library */
{
    return value > LIMIT ? LIMIT : value < -LIMIT ? -LIMIT : value;
}
#if !defined(SHARES)
NUMBERS(J, 3, 3);

static void times(const double M[3][3], const double *a, double *b)
{
    for (int i = 0; i < 3; i++)
        b[i] = M[i][0] * a[0] + M[i][1] * a[1] + M[i][2] * a[2];
}

static double error(const double *e, const double *r, double *d) /* vector part, the short way round */
{
    const double s = r[0] * e[0] + r[1] * e[1] + r[2] * e[2] + r[3] * e[3] < 0.0 ? -1.0 : 1.0;
    d[0] = s * (r[0] * e[1] - r[1] * e[0] - r[2] * e[3] + r[3] * e[2]);
    d[1] = s * (r[0] * e[2] + r[1] * e[3] - r[2] * e[0] - r[3] * e[1]);
    d[2] = s * (r[0] * e[3] - r[1] * e[2] + r[2] * e[1] - r[3] * e[0]);
    return s * (r[0] * e[0] + r[1] * e[1] + r[2] * e[2] + r[3] * e[3]);
}
#endif
#endif

#if defined(LINEAR) /* linear feedback about the reference, with or without the states of an estimator */
NUMBERS(D, 3, 6);
#if STATES
NUMBERS(A, STATES, STATES);
NUMBERS(B, STATES, 6);
NUMBERS(C, 3, STATES);
NUMBERS(T, STATES, 3);
#endif
static double x[STATES + 1];

CALL static void by_hand(const double *y, const double *r, double *u)
{
    const double *w = r + 4, *alpha = r + 7;
    double d[3], m[6], h[3], f[3];
    error(y + 3, r, d);
    for (int i = 0; i < 3; i++) {
        m[i] = 2.0 * d[i];
        m[3 + i] = y[7 + i] - w[i];
    }
    times(J, w, h);
    times(J, alpha, f);
    f[0] += w[1] * h[2] - w[2] * h[1];
    f[1] += w[2] * h[0] - w[0] * h[2];
    f[2] += w[0] * h[1] - w[1] * h[0];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 6; j++)
            f[i] += D[i][j] * m[j];
#if STATES
        for (int j = 0; j < STATES; j++)
            f[i] += C[i][j] * x[j];
#endif
        u[i] = cut(f[i]);
    }
#if STATES
    double next[STATES];
    for (int i = 0; i < STATES; i++) {
        double sum = 0.0;
        for (int j = 0; j < 3; j++)
            sum += T[i][j] * (u[j] - f[j]);
        for (int j = 0; j < STATES; j++)
            sum += A[i][j] * x[j];
        for (int j = 0; j < 6; j++)
            sum += B[i][j] * m[j];
        next[i] = sum;
    }
    memcpy(x, next, sizeof next);
#endif
}

static void begin(void) { memset(x, 0, sizeof x); }
#elif defined(QUATERNION) /* quaternion feedback, moving references; what wheels do not reach is shortened */
NUMBERS(KP, 3, 3);
NUMBERS(KD, 3, 3);
#if FORMS
NUMBERS(G, FORMS, 3); /* |G u| <= 1 */
#endif

static void turned(double s, const double *d, const double *a, double *b) /* R' a */
{
    const double t0 = 2.0 * (d[1] * a[2] - d[2] * a[1]), t1 = 2.0 * (d[2] * a[0] - d[0] * a[2]),
                 t2 = 2.0 * (d[0] * a[1] - d[1] * a[0]);
    b[0] = a[0] - s * t0 + d[1] * t2 - d[2] * t1;
    b[1] = a[1] - s * t1 + d[2] * t0 - d[0] * t2;
    b[2] = a[2] - s * t2 + d[0] * t1 - d[1] * t0;
}

CALL static void by_hand(const double *y, const double *r, double *u)
{
    const double *h = y, *w = y + 7;
    double d[3], g[3], a[3], f[3], p[3], v[3];
    const double s = error(y + 3, r, d);
    turned(s, d, r + 4, g);
    turned(s, d, r + 7, a);
    a[0] -= w[1] * g[2] - w[2] * g[1];
    a[1] -= w[2] * g[0] - w[0] * g[2];
    a[2] -= w[0] * g[1] - w[1] * g[0];
    for (int i = 0; i < 3; i++)
        v[i] = w[i] - g[i];
    times(J, a, f);
    times(KP, d, p);
    times(KD, v, g);
    u[0] = f[0] - p[0] - g[0] + w[1] * h[2] - w[2] * h[1];
    u[1] = f[1] - p[1] - g[1] + w[2] * h[0] - w[0] * h[2];
    u[2] = f[2] - p[2] - g[2] + w[0] * h[1] - w[1] * h[0];
#if FORMS
    double most = 1.0;
    for (int i = 0; i < FORMS; i++) {
        const double share = fabs(G[i][0] * u[0] + G[i][1] * u[1] + G[i][2] * u[2]);
        most = share > most ? share : most;
    }
    for (int i = 0; i < 3; i++)
        u[i] /= most;
#else
    for (int i = 0; i < 3; i++)
        u[i] = cut(u[i]);
#endif
}

static void begin(void) { }
#elif defined(SHARES) /* a torque shared among wheels, the largest of theirs the smallest possible */
NUMBERS(G, FORMS, 3);
NUMBERS(C, FORMS * SHARES, 3); /* what each wheel gives under each facet */

CALL static void by_hand(const double *y, const double *r, double *u)
{
    double most = 0.0;
    int facet = 0;
    (void)r;
    for (int i = 0; i < FORMS; i++) {
        const double share = fabs(G[i][0] * y[0] + G[i][1] * y[1] + G[i][2] * y[2]);
        if (share > most) {
            most = share;
            facet = i;
        }
    }
    for (int i = 0; i < SHARES; i++) {
        const double *row = C[SHARES * facet + i];
        u[i] = cut(-(row[0] * y[0] + row[1] * y[1] + row[2] * y[2]));
    }
}

static void begin(void) { }
#else /* the filter of attitude and gyro bias */
#include "mekf.c"
NUMBERS(R, 3, 3);
NUMBERS(START, 1, 43); /* attitude, bias, covariance */
static double state[43], told;
static int asked;

CALL static void by_hand(const double *y, const double *r, double *u)
{
    (void)r;
    if (asked++ && y[3] != 0.0)
        propagate(state, state + 4, (double(*)[6])(state + 7), y, SAMPLE, NOISE, WALK);
    if (y[9] != 0.0 && y[10] > told) {
        update(state, state + 4, (double(*)[6])(state + 7), y + 5, R);
        told = y[10];
    }
    memcpy(u, state, 4 * sizeof *u);
    for (int i = 0; i < 3; i++) {
        u[4 + i] = y[i] - state[4 + i];
        u[7 + i] = state[4 + i];
        u[10 + i] = sqrt(state[7 + 7 * i]);
        u[13 + i] = sqrt(state[28 + 7 * i]);
    }
}

static void begin(void)
{
    memcpy(state, START, sizeof state);
    told = -1.0;
    asked = 0;
}
#endif

/* Nanoseconds a sample over a record of n, of the law by hand or of the exported one; u (n, LAW_WRITES). */
__attribute__((visibility("default")))
double timed(int exported, long n, const double *t, const double *y, const double *r, double *u)
{
    struct timespec from, to;
    law_state held;
    long failed = 0;
    begin();
    law_init(&held);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    if (exported)
        for (long k = 0; k < n; k++)
            failed += law_step(&held, t[k], y + LAW_READS * k, FOLLOWS(r + 10 * k) u + LAW_WRITES * k);
    else
        for (long k = 0; k < n; k++)
            by_hand(y + LAW_READS * k, r + 10 * k, u + LAW_WRITES * k);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
    return failed ? -1.0 : (1e9 * (to.tv_sec - from.tv_sec) + (to.tv_nsec - from.tv_nsec)) / n;
}
