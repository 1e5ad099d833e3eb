/* The functions of FMI 2.0 and 3.0 over one craft: everything an instance is stands in one flat struct. */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmi2Functions.h"
#include "fmi3Functions.h"

typedef enum { INSTANTIATED, INITIALIZING, STEPPING, EVENT, CONTINUOUS, TERMINATED, FAILED } mode_of_instance;

/* What is saved and restored. */
typedef struct {
    model_data d;
    double start; /* when the host says it begins; the craft's own time begins there at 0 */
    double time;  /* of the craft */
    double dx[NX];
    double shown[SHOWN];
    int fresh;    /* whether dx and shown are of the state, time and input there are now */
    int touched;  /* whether the host has set a state */
    int pushed;   /* whether it has set a momentum */
    int placed;   /* whether it has set another attitude */
    int owned;    /* whether it has set states that elements have of their own */
    int displaced; /* whether it has set coordinates of elements */
    int changed;  /* whether it has set a parameter that is not written yet */
    int turned;   /* whether it has set the rate at the start */
    double parameter[PARAMETERS + 1];
    double rate[4];
    int exchange; /* whether the host integrates */
    mode_of_instance mode;
} saved;

typedef struct {
    saved s;
    void *environment;
    fmi3LogMessageCallback log3;
    fmi2CallbackLogger log2;
    int telling; /* whether events are told, beside what could not be done, which always is */
    char name[128];
} a_unit;

typedef struct {
    char token[16];
    saved s;
} serialized;

static void say(a_unit *i, int bad, const char *category, const char *format, va_list arguments)
{
    char text[512];
    vsnprintf(text, sizeof text, format, arguments);
    if (i->log3 != NULL) {
        i->log3(i->environment, bad ? fmi3Error : fmi3OK, category, text);
    } else if (i->log2 != NULL) {
        i->log2(i->environment, i->name, bad ? fmi2Error : fmi2OK, category, "%s", text);
    }
}

static int complain(a_unit *i, const char *category, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(i, 1, category, format, arguments);
    va_end(arguments);
    return 1;
}

static void tell(a_unit *i, const char *format, ...)
{
    va_list arguments;
    if (i->telling) {
        va_start(arguments, format);
        say(i, 0, "logEvents", format, arguments);
        va_end(arguments);
    }
}

static void begin(a_unit *i)
{
    memset(&i->s, 0, sizeof i->s);
    model_start(&i->s.d);
    memcpy(i->s.parameter, parameter_start, PARAMETERS * sizeof(double));
    memcpy(i->s.rate, rate_start, RATES * sizeof(double));
    i->s.mode = INSTANTIATED;
}

static a_unit *instantiated(const char *name, const char *token, int exchange)
{
    a_unit *i;
    if (token == NULL || strcmp(token, TOKEN) != 0) {
        return NULL; /* the library and the description are not of one export */
    }
    if (TOLD && exchange) {
        return NULL; /* a law alone has nothing that is integrated */
    }
    i = (a_unit *)calloc(1, sizeof *i);
    if (i != NULL) {
        begin(i);
        i->s.exchange = exchange;
        strncpy(i->name, name == NULL ? "" : name, sizeof i->name - 1);
    }
    return i;
}

static const char *words_of(integer status)
{
    switch (status) {
    case STATUS_SINGULAR: return "a torque basis or a formulation came to its singular pose";
    case STATUS_NOT_FINITE: return "the state is not finite any more";
    case STATUS_STEP_COLLAPSE: return "the steps became too small to go on";
    case STATUS_STEP_LIMIT: return "more steps would be needed than the limit";
    case STATUS_BAD_COMMAND: return "the law or the reference gave a number that is not finite";
    case STATUS_BAD_ANSWER: return "a block gave a number that is not finite";
    case STATUS_NOT_CONVERGED: return "the equations of an implicit step found no solution";
    default: return "the integration stopped";
    }
}

static int failed(a_unit *i, integer status)
{
    i->s.mode = FAILED;
    return complain(i, "logStatusError", "at t = %.9g s: %s", i->s.start + i->s.time, words_of(status));
}

/* The craft's own time nearest to a host's, which adds up its steps: on the grid where it is within a millionth. */
static double snapped(const a_unit *i, double t)
{
    const double grid = GRID;
    (void)i;
    if (grid > 0.0 && isfinite(grid)) {
        const double count = floor(t / grid + 0.5);
        if (fabs(t - count * grid) <= 1e-6 * grid) {
            return count * grid;
        }
    }
    return t;
}

static int instant(a_unit *i)
{
    model_bundle b = model_view(&i->s.d);
    const integer status = model_instant(i->s.time, &b);
    i->s.fresh = 0;
    return status == 0 ? 0 : failed(i, status);
}

/* Writes the parameters that were set to where the kernels read them. */
static int written(a_unit *i)
{
    const char *wrong;
    if (!i->s.changed) {
        return 0;
    }
    if (i->s.turned && i->s.pushed) {
        return complain(i, "logStatusError", "give the rate at the start or the momentum, not both");
    }
    if (OWN && i->s.turned && (i->s.owned || i->s.displaced)) {
        return complain(i, "logStatusError", "the rate at the start goes with arms and coordinates as they are in the "
                        "description: set their states and all momenta, or the rate");
    }
    if (OWN && !i->s.owned && (i->s.placed || i->s.turned)) {
        model_own(i->s.turned ? i->s.rate : NULL, &i->s.d);
    }
    wrong = model_parameters(i->s.parameter, i->s.turned ? i->s.rate : NULL, &i->s.d);
    if (wrong != NULL) {
        return complain(i, "logStatusError", "%s", wrong);
    }
    i->s.changed = 0;
    i->s.d.count[AT_FRESH] = 1;
    i->s.fresh = 0;
    return 0;
}

/* The attitude that is to be held, as the host last set it: of unit norm, but for rounding. */
static int aimed(a_unit *i)
{
    if (TARGETS) {
        const double *e = i->s.d.rq;
        const double square = e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3];
        if (!(fabs(square - 1.0) <= 2e-6)) {
            return complain(i, "logStatusError",
                            "target_0 ... target_3 must be unit Euler parameters, scalar first: the sum of their squares is %.9g", square);
        }
    }
    return 0;
}

static int enter(a_unit *i, double start)
{
    if (i->s.mode != INSTANTIATED) {
        return complain(i, "logStatusError", "initialization begins once, after instantiation or reset");
    }
    i->s.start = start;
    i->s.mode = INITIALIZING;
    return 0;
}

static int leave(a_unit *i)
{
    const double *e = i->s.d.x + 3;
    const double square = e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3];
    if (i->s.mode != INITIALIZING) {
        return complain(i, "logStatusError", "initialization ends where it was begun");
    }
    if (i->s.touched && !(fabs(square - 1.0) <= 2e-6)) {
        return complain(i, "logStatusError",
                        "attitude_0 ... attitude_3 must be unit Euler parameters, scalar first: the sum of their squares is %.9g", square);
    }
    if (written(i) || aimed(i)) {
        return 1;
    }
    i->s.mode = i->s.exchange ? EVENT : STEPPING;
    tell(i, "at t = %.9g s: initialization ended", i->s.start);
    return i->s.exchange ? 0 : instant(i);
}

/* One step of a co-simulation; what happens at its end has happened. */
static int step(a_unit *i, double t, double h)
{
    model_bundle b = model_view(&i->s.d);
    const double target = snapped(i, t + h - i->s.start);
    integer status;
    if (i->s.mode != STEPPING) {
        return complain(i, "logStatusError", "a step is taken after initialization, and not after a failure");
    }
    if (!(h > 0.0) || !(target > i->s.time)) {
        return complain(i, "logStatusError", "a step of %.9g s from t = %.9g s does not lead on from t = %.9g s", h, t, i->s.start + i->s.time);
    }
    if (aimed(i)) {
        return 1;
    }
    status = model_advance(target, &b);
    i->s.time = i->s.d.clock[AT_T];
    i->s.fresh = 0;
    if (status != STATUS_DONE) {
        return failed(i, status);
    }
    return instant(i);
}

static void look(a_unit *i)
{
    (void)written(i);
    if (!i->s.fresh) {
        model_bundle b = model_view(&i->s.d);
        model_rates(i->s.time, &b, i->s.dx);
        model_shown(i->s.time, &b, i->s.shown);
        i->s.fresh = 1;
    }
}

/* Where a torque basis comes to its singular pose; a host finds that instant to within its own tolerance. */
static double clearance(a_unit *i)
{
    model_bundle b = model_view(&i->s.d);
    return model_clear(&b);
}

/* Events of model exchange: the nearest breakpoint if it is there, the attitude put back to unit norm; `ended` at a
   singular pose, beyond which there is no torque. */
static int update(a_unit *i, int *moved, int *defined, double *next, int *ended)
{
    model_bundle b = model_view(&i->s.d);
    const double *e = i->s.d.x + 3;
    const double drift = e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3] - 1.0;
    double coming;
    i->s.d.clock[AT_T_END] = INFINITY;
    coming = model_next(&b);
    if (isfinite(coming) && fabs(coming - i->s.time) <= 1e-9 * fmax(1.0, fabs(coming))) {
        i->s.time = coming; /* hosts stop a hair before */
    }
    *moved = fabs(drift) > 1e-13;
    if (*moved) {
        model_project(&b);
    }
    *ended = INDICATORS && clearance(i) <= 1e-6;
    if (*ended) {
        (void)complain(i, "logStatusError", "at t = %.9g s: %s; the simulation ends", i->s.start + i->s.time, words_of(STATUS_SINGULAR));
        *defined = 0;
        *next = 0.0;
        return 0;
    }
    if (aimed(i) || instant(i)) {
        return 1;
    }
    coming = model_next(&b);
    *defined = isfinite(coming) != 0;
    *next = i->s.start + coming;
    tell(i, *defined ? "at t = %.9g s: event%s; the next in time at t = %.9g s" : "at t = %.9g s: event%s",
         i->s.start + i->s.time, *moved ? ", attitude put back to unit norm" : "", *next);
    return 0;
}

static int drifted(const a_unit *i)
{
    const double *e = i->s.d.x + 3;
    return fabs(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3] - 1.0) > 1e-9;
}

static int get(a_unit *i, const unsigned int references[], size_t count, double values[])
{
    size_t k;
    look(i);
    for (k = 0; k < count; k++) {
        const unsigned int r = references[k];
        if (r == 0) {
            values[k] = i->s.start + i->s.time;
        } else if (r - FIRST_X < NS + TOLD) {
            values[k] = i->s.d.x[r - FIRST_X];
        } else if (TOLD && r - FIRST_SHOWN < 3u) {
            values[k] = i->s.d.w[r - FIRST_SHOWN];
        } else if (r - FIRST_DX < NS) {
            values[k] = i->s.dx[r - FIRST_DX];
        } else if (r - FIRST_SHOWN < SHOWN) {
            values[k] = i->s.shown[r - FIRST_SHOWN];
        } else if (IS_TORQUE(r)) {
            values[k] = i->s.d.u[r - FIRST_U];
        } else if (r - FIRST_PARAMETER < PARAMETERS) {
            values[k] = i->s.parameter[r - FIRST_PARAMETER];
        } else if (r - FIRST_RATE < RATES) {
            values[k] = i->s.rate[r - FIRST_RATE];
        } else if (r - FIRST_TARGET < TARGETS) {
            values[k] = i->s.d.rq[r - FIRST_TARGET];
        } else if (r - FIRST_CLEARANCE < INDICATORS) {
            values[k] = clearance(i);
        } else {
            return complain(i, "logStatusError", "there is no variable with the value reference %u", r);
        }
    }
    return 0;
}

static int set(a_unit *i, const unsigned int references[], size_t count, const double values[])
{
    size_t k;
    const int before = i->s.mode == INSTANTIATED || i->s.mode == INITIALIZING;
    for (k = 0; k < count; k++) {
        const unsigned int r = references[k];
        if (!isfinite(values[k])) {
            return complain(i, "logStatusError", "the variable with the value reference %u is given a number that is not finite", r);
        }
        if (r - FIRST_X < TOLD) {
            i->s.d.x[r - FIRST_X] = values[k];
        } else if (TOLD && r - FIRST_SHOWN < 3u) {
            i->s.d.w[r - FIRST_SHOWN] = values[k];
        } else if (INPUTS && IS_TORQUE(r)) {
            if (i->s.d.u[r - FIRST_U] != values[k]) {
                i->s.d.u[r - FIRST_U] = values[k];
                i->s.d.count[AT_FRESH] = 1;
                i->s.fresh = 0;
            }
        } else if (r - FIRST_TARGET < TARGETS) {
            i->s.d.rq[r - FIRST_TARGET] = values[k];
        } else if (before && r - FIRST_X < NS) {
            i->s.placed = i->s.placed || (r - FIRST_X - 3u < 4u && i->s.d.x[r - FIRST_X] != values[k]);
            i->s.owned = i->s.owned || r - FIRST_X >= AT_OWN;
            i->s.displaced = i->s.displaced || r - FIRST_X - AT_INTERNAL < RELATIVE;
            i->s.changed = i->s.changed || i->s.turned || i->s.placed; /* what goes with where it is */
            i->s.d.x[r - FIRST_X] = values[k];
            i->s.touched = 1;
            i->s.pushed = i->s.pushed || r - FIRST_X < 3 || r - FIRST_X - AT_INTERNAL_MOMENTUM < RELATIVE;
            i->s.fresh = 0;
        } else if (before && r - FIRST_PARAMETER < PARAMETERS) {
            const unsigned int n = r - FIRST_PARAMETER;
            if (values[k] < parameter_low[n] || (parameter_open[n] && values[k] <= parameter_low[n])) {
                return complain(i, "logStatusError", "%s must be %s %.9g; got %.9g", parameter_name[n],
                                parameter_open[n] ? "more than" : "at least", parameter_low[n], values[k]);
            }
            i->s.parameter[n] = values[k];
            i->s.changed = 1;
            i->s.fresh = 0;
        } else if (before && r - FIRST_RATE < RATES) {
            i->s.rate[r - FIRST_RATE] = values[k];
            i->s.changed = i->s.turned = 1;
            i->s.fresh = 0;
        } else {
            const int early = r - FIRST_X < NS || r - FIRST_PARAMETER < PARAMETERS || r - FIRST_RATE < RATES;
            return complain(i, "logStatusError", early
                            ? "the variable with the value reference %u is set before initialization ends, not later"
                            : "the variable with the value reference %u is not one that is set", r);
        }
    }
    return 0;
}

static int states(a_unit *i, double values[], size_t count)
{
    if (count != NS) {
        return complain(i, "logStatusError", "there are %d states, not %d", (int)NS, (int)count);
    }
    memcpy(values, i->s.d.x, NS * sizeof(double));
    return 0;
}

static int set_states(a_unit *i, const double values[], size_t count)
{
    if (count != NS) {
        return complain(i, "logStatusError", "there are %d states, not %d", (int)NS, (int)count);
    }
    memcpy(i->s.d.x, values, NS * sizeof(double));
    i->s.d.count[AT_FRESH] = 1;
    i->s.fresh = 0;
    return 0;
}

static int derivatives(a_unit *i, double values[], size_t count)
{
    size_t k;
    if (count != NS) {
        return complain(i, "logStatusError", "there are %d states, not %d", (int)NS, (int)count);
    }
    look(i);
    for (k = 0; k < NS; k++) {
        if (!isfinite(i->s.dx[k])) {
            return complain(i, "logStatusError", "the derivatives at t = %.9g s are not finite", i->s.start + i->s.time);
        }
    }
    memcpy(values, i->s.dx, NS * sizeof(double));
    return 0;
}

static void *kept(const a_unit *i, void *state)
{
    saved *copy = (saved *)(state == NULL ? malloc(sizeof(saved)) : state);
    if (copy != NULL) {
        memcpy(copy, &i->s, sizeof *copy);
    }
    return copy;
}

static int deserialized(a_unit *i, const void *bytes, size_t size, void **state)
{
    serialized whole;
    if (size != sizeof whole || memcmp(bytes, TOKEN_BYTES, 16) != 0) {
        return complain(i, "logStatusError", "the serialized state is not of this unit");
    }
    memcpy(&whole, bytes, sizeof whole);
    if (*state == NULL) {
        *state = malloc(sizeof(saved));
    }
    if (*state == NULL) {
        return 1;
    }
    memcpy(*state, &whole.s, sizeof(saved));
    return 0;
}

static int serialize(const void *state, void *bytes, size_t size)
{
    serialized whole;
    if (size < sizeof whole) {
        return 1;
    }
    memset(&whole, 0, sizeof whole);
    memcpy(whole.token, TOKEN_BYTES, 16);
    memcpy(&whole.s, state, sizeof(saved));
    memcpy(bytes, &whole, sizeof whole);
    return 0;
}

/* What changes of `unknowns` along a change of `knowns`: a matrix times a vector, exact to round-off. */
static int direction(a_unit *i, const unsigned int unknowns[], size_t count, const unsigned int knowns[], size_t many,
                     const double seed[], double sensitivity[])
{
    double of_x[NX] = {0.0}, of_u[TORQUES] = {0.0}, dx[NX], out[SHOWN];
    model_bundle b = model_view(&i->s.d);
    size_t k;
    for (k = 0; k < many; k++) {
        const unsigned int r = knowns[k];
        if (r - FIRST_X < NS) {
            of_x[r - FIRST_X] += seed[k];
        } else if (INPUTS && IS_TORQUE(r)) {
            of_u[r - FIRST_U] += seed[k];
        } else {
            return complain(i, "logStatusError", "nothing is differentiated by the variable with the value reference %u", r);
        }
    }
    if (model_slopes(i->s.time, &b, of_x, of_u, dx, out)) {
        return complain(i, "logStatusError", "this library was compiled without complex numbers, and has no derivatives");
    }
    for (k = 0; k < count; k++) {
        const unsigned int r = unknowns[k];
        if (r - FIRST_DX < NS) {
            sensitivity[k] = dx[r - FIRST_DX];
        } else if (r - FIRST_SHOWN < SHOWN) {
            sensitivity[k] = out[r - FIRST_SHOWN];
        } else if (r - FIRST_X < NS) {
            sensitivity[k] = of_x[r - FIRST_X];
        } else {
            return complain(i, "logStatusError", "the variable with the value reference %u has no derivatives", r);
        }
    }
    return 0;
}

