/* A unit of somebody else's for the tests: three lags, v' = (gain u - v) / T, exact for inputs that are held.

   FMI 2 with scalars or FMI 3 with arrays (-DFMI3); it shares nothing with the units that are exported here. In its
   third step it does what the parameter `fault` says. */

#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    double u[3], v[3], gain, lasts;
    int fault, steps;
} Unit;

enum { U = 1, V = 11, GAIN = 21, LASTS = 22, FAULT = 23 };

static int step(Unit *m, double h, int *ends)
{
    const double a = exp(-h / m->lasts);
    for (int i = 0; i < 3; i++)
        m->v[i] = a * m->v[i] + (1.0 - a) * (m->gain * m->u[i]);
    if (++m->steps != 3)
        return 0;
    switch (m->fault) {
    case 1: m->v[1] = NAN; break;
    case 2: raise(SIGSEGV); break;
    case 3: for (;;) sleep(1);
    case 4: return 3;
    case 5: exit(0);
    case 6: for (int n = 0; n < 100000; n++) puts("{\"n\":3,\"v\":[0,0,0]}"); fflush(stdout); break;
    case 7: for (;;) { void *p = malloc(1 << 28); if (!p) return 4; memset(p, 0, 1); }
    case 8: *ends = 1; break;
    case 9: for (int fd = 0; fd < 64; fd++) close(fd); break;
    }
    return 0;
}

static double *real(Unit *m, unsigned vr)
{
    return vr == GAIN ? &m->gain : vr == LASTS ? &m->lasts : vr >= V ? &m->v[vr - V] : &m->u[vr - U];
}

static void *make(const char *token)
{
    Unit *m = strcmp(token, "somebody-else") ? NULL : calloc(1, sizeof *m);
    if (m) {
        m->gain = 1.0;
        m->lasts = 0.3;
    }
    return m;
}

#ifndef FMI3
void *fmi2Instantiate(const char *name, int kind, const char *token, const char *where, const void *back, int seen, int log)
{
    (void)name; (void)kind; (void)where; (void)back; (void)seen; (void)log;
    return make(token);
}
int fmi2SetReal(void *m, const unsigned *vr, size_t n, const double *x)
{
    for (size_t i = 0; i < n; i++)
        *real(m, vr[i]) = x[i];
    return 0;
}
int fmi2GetReal(void *m, const unsigned *vr, size_t n, double *x)
{
    for (size_t i = 0; i < n; i++)
        x[i] = *real(m, vr[i]);
    return 0;
}
int fmi2SetInteger(void *m, const unsigned *vr, size_t n, const int *x)
{
    for (size_t i = 0; i < n; i++)
        if (vr[i] == FAULT)
            ((Unit *)m)->fault = x[i];
    return 0;
}
int fmi2DoStep(void *m, double t, double h, int fixed)
{
    int ends = 0;
    (void)t; (void)fixed;
    return step(m, h, &ends);
}
#else
#include <stdbool.h>
void *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *where, bool seen, bool log, bool events,
    bool early, const unsigned *vr, size_t n, void *env, void *back, void *update)
{
    (void)name; (void)where; (void)seen; (void)log; (void)events; (void)early; (void)vr; (void)n; (void)env; (void)back; (void)update;
    return make(token);
}
int fmi3SetFloat64(void *m, const unsigned *vr, size_t n, const double *x, size_t many)
{
    (void)many;
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < (vr[i] < GAIN ? 3 : 1); k++)
            real(m, vr[i])[k] = *x++;
    return 0;
}
int fmi3GetFloat64(void *m, const unsigned *vr, size_t n, double *x, size_t many)
{
    (void)many;
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < (vr[i] < GAIN ? 3 : 1); k++)
            *x++ = real(m, vr[i])[k];
    return 0;
}
int fmi3SetInt32(void *m, const unsigned *vr, size_t n, const int32_t *x, size_t many)
{
    (void)many;
    for (size_t i = 0; i < n; i++)
        if (vr[i] == FAULT)
            ((Unit *)m)->fault = x[i];
    return 0;
}
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
