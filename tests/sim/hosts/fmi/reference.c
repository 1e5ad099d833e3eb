/* Units that behave as two of the Reference FMUs do: Feedthrough (what goes in comes out, one variable of each type) and
   Dahlquist (x' = -k x by Euler steps of 0.1 s from 1). Both are here; which one it is follows from what is asked of it. */

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct {
    double in[2], x, k, to;
} Unit;

enum { IN = 7, OUT = 9, X = 31, K = 33 };

static void *make(void)
{
    Unit *m = calloc(1, sizeof *m);
    if (m)
        m->x = m->k = 1.0;
    return m;
}

static int set(Unit *m, unsigned vr, double x)
{
    if (vr == K)
        m->k = x;
    else if (vr == IN || vr == IN + 1)
        m->in[vr - IN] = x;
    else
        return 3;
    return 0;
}

static int get(const Unit *m, unsigned vr, double *x)
{
    if (vr != X && vr != OUT && vr != OUT + 1)
        return 3;
    *x = vr == X ? m->x : m->in[vr - OUT];
    return 0;
}

static int step(Unit *m, double end)
{
    for (; m->to < end - 1e-9; m->to += 0.1)
        m->x -= 0.1 * m->k * m->x;
    return 0;
}

#ifndef FMI3
void *fmi2Instantiate(const char *a, int b, const char *c, const char *d, const void *e, int f, int g)
{
    (void)a; (void)b; (void)c; (void)d; (void)e; (void)f; (void)g;
    return make();
}
int fmi2SetReal(void *m, const unsigned *vr, size_t n, const double *x)
{
    for (size_t i = 0; i < n; i++)
        if (set(m, vr[i], x[i]))
            return 3;
    return 0;
}
int fmi2GetReal(void *m, const unsigned *vr, size_t n, double *x)
{
    for (size_t i = 0; i < n; i++)
        if (get(m, vr[i], x + i))
            return 3;
    return 0;
}
static int told;  /* what was set beside: 1 an integer, 2 a boolean, 4 a string; all of them or no step */
int fmi2SetInteger(void *m, const unsigned *vr, size_t n, const int *x) { (void)m; (void)n; told |= *vr == 19 && *x == -7; return 0; }
int fmi2SetBoolean(void *m, const unsigned *vr, size_t n, const int *x) { (void)m; (void)n; told |= *vr == 27 && *x ? 2 : 0; return 0; }
int fmi2SetString(void *m, const unsigned *vr, size_t n, const char **x) { (void)m; (void)n; told |= *vr == 29 && **x == 's' ? 4 : 0; return 0; }
int fmi2DoStep(void *m, double t, double h, int fixed)
{
    (void)fixed;
    if (told && told != 7)
        return 3;
    return step(m, t + h);
}
int fmi2Terminate(void *m) { (void)m; return 0; }
void fmi2FreeInstance(void *m) { free(m); }
#else
#include <stdbool.h>
void *fmi3InstantiateCoSimulation(const char *a, const char *b, const char *c, bool d, bool e, bool f, bool g,
    const unsigned *h, size_t i, void *j, void *k, void *l)
{
    (void)a; (void)b; (void)c; (void)d; (void)e; (void)f; (void)g; (void)h; (void)i; (void)j; (void)k; (void)l;
    return make();
}
int fmi3SetFloat64(void *m, const unsigned *vr, size_t n, const double *x, size_t many)
{
    if (n != many)
        return 3;
    for (size_t i = 0; i < n; i++)
        if (set(m, vr[i], x[i]))
            return 3;
    return 0;
}
int fmi3GetFloat64(void *m, const unsigned *vr, size_t n, double *x, size_t many)
{
    if (n != many)
        return 3;
    for (size_t i = 0; i < n; i++)
        if (get(m, vr[i], x + i))
            return 3;
    return 0;
}
static int told;  /* what was set beside, a bit for each type; all of them or no step */
#define SET(type, of, reference, is, bit) \
    int fmi3Set##type(void *m, const unsigned *vr, size_t n, const of *x, size_t many) \
    { \
        (void)m; \
        told |= n == 1 && many == 1 && *vr == reference && (is) ? bit : 0; \
        return 0; \
    }
SET(Float32, float, 1, *x == 0.5f, 1)
SET(Int8, int8_t, 11, *x == 3, 2)
SET(UInt64, uint64_t, 25, *x == 7, 4)
SET(Int64, int64_t, 41, *x == 2, 8)
SET(Boolean, bool, 27, *x, 16)
SET(String, char *, 29, **x == 's', 32)
int fmi3DoStep(void *m, double t, double h, bool fixed, bool *event, bool *ends, bool *early, double *last)
{
    (void)fixed;
    *event = *ends = *early = false;
    *last = t + h;
    if (told && told != 63)
        return 3;
    return step(m, t + h);
}
int fmi3Terminate(void *m) { (void)m; return 0; }
void fmi3FreeInstance(void *m) { free(m); }
#endif
