/* A unit of somebody else's for the tests: x'' = -(w2 + k) x + k u and y = x + g u, solved exactly for inputs that go
   along a line. FMI 2 or FMI 3 (-DFMI3); it shares nothing with the units that are exported here. */

#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    double u, x, v, w2, k, g, slope;
    int fault, steps;
} Unit;

enum { U = 1, X = 2, V = 3, Y = 4, W2 = 5, K = 6, G = 7, FAULT = 8 };

/* the particular solution k u / W^2 of an input along a line, and a free oscillation about it */
static int step(Unit *m, double h, int *ends)
{
    const double w = sqrt(m->w2 + m->k), share = m->k / (w * w);
    const double a = m->x - share * m->u, b = (m->v - share * m->slope) / w;
    m->u += h * m->slope;
    m->x = share * m->u + a * cos(w * h) + b * sin(w * h);
    m->v = share * m->slope - a * w * sin(w * h) + b * w * cos(w * h);
    m->slope = 0.0;
    if (++m->steps != 3)
        return 0;
    switch (m->fault) {
    case 1: m->v = NAN; break;
    case 2: raise(SIGSEGV); break;
    case 3: for (;;) sleep(1);
    case 4: return 3;
    case 5: exit(0);
    case 8: *ends = 1; break;
    }
    return 0;
}

static double get(const Unit *m, unsigned vr)
{
    switch (vr) {
    case U: return m->u;
    case X: return m->x;
    case V: return m->v;
    case Y: return m->x + m->g * m->u;
    case W2: return m->w2;
    case K: return m->k;
    default: return m->g;
    }
}

static int set(Unit *m, unsigned vr, double value)
{
    switch (vr) {
    case U: m->u = value; return 0;
    case X: m->x = value; return 0;
    case V: m->v = value; return 0;
    case W2: m->w2 = value; return 0;
    case K: m->k = value; return 0;
    case G: m->g = value; return 0;
    default: return 3;
    }
}

static void *make(const char *token)
{
    Unit *m = strcmp(token, "oscillator") ? NULL : calloc(1, sizeof *m);
    if (m)
        m->w2 = 1.0;
    return m;
}

static int keep(void *m, void **state)
{
    if (*state == NULL)
        *state = malloc(sizeof(Unit));
    memcpy(*state, m, sizeof(Unit));
    return 0;
}

static int back(void *m, void *state) { memcpy(m, state, sizeof(Unit)); return 0; }
static int drop(void *m, void **state) { (void)m; free(*state); *state = NULL; return 0; }

#ifndef FMI3
void *fmi2Instantiate(const char *name, int kind, const char *token, const char *where, const void *calls, int seen, int log)
{
    (void)name; (void)kind; (void)where; (void)calls; (void)seen; (void)log;
    return make(token);
}
int fmi2Terminate(void *m) { (void)m; return 0; }
void fmi2FreeInstance(void *m) { free(m); }
int fmi2SetReal(void *m, const unsigned *vr, size_t n, const double *x)
{
    int bad = 0;
    for (size_t i = 0; i < n; i++)
        bad |= set(m, vr[i], x[i]);
    return bad;
}
int fmi2GetReal(void *m, const unsigned *vr, size_t n, double *x)
{
    for (size_t i = 0; i < n; i++)
        x[i] = get(m, vr[i]);
    return 0;
}
int fmi2SetInteger(void *m, const unsigned *vr, size_t n, const int *x)
{
    (void)vr;
    for (size_t i = 0; i < n; i++)
        ((Unit *)m)->fault = x[i];
    return 0;
}
int fmi2SetRealInputDerivatives(void *m, const unsigned *vr, size_t n, const int *order, const double *x)
{
    (void)vr; (void)order;
    for (size_t i = 0; i < n; i++)
        ((Unit *)m)->slope = x[i];
    return 0;
}
int fmi2GetFMUstate(void *m, void **state) { return keep(m, state); }
int fmi2SetFMUstate(void *m, void *state) { return back(m, state); }
int fmi2FreeFMUstate(void *m, void **state) { return drop(m, state); }
int fmi2DoStep(void *m, double t, double h, int fixed)
{
    int ends = 0;
    (void)t; (void)fixed;
    return step(m, h, &ends);
}
#else
#include <stdbool.h>
void *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *where, bool seen, bool log, bool events,
    bool early, const unsigned *vr, size_t n, void *env, void *calls, void *update)
{
    (void)name; (void)where; (void)seen; (void)log; (void)events; (void)early; (void)vr; (void)n; (void)env; (void)calls; (void)update;
    return make(token);
}
int fmi3SetFloat64(void *m, const unsigned *vr, size_t n, const double *x, size_t many)
{
    int bad = 0;
    (void)many;
    for (size_t i = 0; i < n; i++)
        bad |= set(m, vr[i], x[i]);
    return bad;
}
int fmi3GetFloat64(void *m, const unsigned *vr, size_t n, double *x, size_t many)
{
    (void)many;
    for (size_t i = 0; i < n; i++)
        x[i] = get(m, vr[i]);
    return 0;
}
int fmi3SetInt32(void *m, const unsigned *vr, size_t n, const int32_t *x, size_t many)
{
    (void)vr; (void)many;
    for (size_t i = 0; i < n; i++)
        ((Unit *)m)->fault = x[i];
    return 0;
}
int fmi3GetFMUState(void *m, void **state) { return keep(m, state); }
int fmi3SetFMUState(void *m, void *state) { return back(m, state); }
int fmi3FreeFMUState(void *m, void **state) { return drop(m, state); }
int fmi3DoStep(void *m, double t, double h, bool fixed, bool *event, bool *ends, bool *early, double *last)
{
    int end = 0, status;
    (void)fixed;
    *event = *early = false;
    *last = t + h;
    status = step(m, h, &end);
    *ends = end;
    return status;
}
#endif
