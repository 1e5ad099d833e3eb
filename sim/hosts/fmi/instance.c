/* Functions of FMI 2.0 and 3.0 for one spacecraft. One flat struct holds the whole state of an instance. */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmi2Functions.h"
#include "fmi3Functions.h"

/* The part of an instance that is saved and restored. */
typedef struct {
    model_data d;
    double start; /* start time of the host; the spacecraft's own time is 0 there */
    double stop;  /* stop time of the host; infinite if it gives none */
    double time;  /* of the spacecraft */
    double since; /* time of the last event, of the spacecraft */
    double dx[NX];
    double shown[SHOWN];
    double elements[ELEMENTS + 1];
    double error[ERRORS + 1];
    int fresh;    /* 1 if dx and shown are valid for the current state, time and input; 2: elements and error too */
    double given[NX]; /* the state at the start, as the host set it */
    double parameter[PARAMETERS + 1];
    double rate[4]; /* the body rate at the start */
    int changed;  /* whether given, parameter or rate contain a value that is not yet written to d */
    int by_rate;  /* whether the momenta at the start follow from the rate */
    int exchange; /* whether the host integrates */
    state_of_instance mode;
} saved;

typedef struct {
    saved s;
    void *environment;
    fmi3LogMessageCallback log3;
    fmi2CallbackLogger log2;
    int telling; /* whether events are logged; errors always are */
    char name[128];
} a_unit;

/* A saved instance: the FMU to which it belongs, and a checksum that detects damage. */
typedef struct {
    char token[16];
    unsigned long long sum;
    saved s;
} snapshot;

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
    if (i != NULL) {
        va_start(arguments, format);
        say(i, 1, category, format, arguments);
        va_end(arguments);
    }
    return 1;
}

/* Return whether a function may be called now. */
static int allowed(a_unit *i, int states, const char *function)
{
    if (i == NULL) {
        return 0;
    }
    if (!(i->s.mode & states)) {
        (void)complain(i, "logStatusError", "%s is not allowed %s", function, state_name(i->s.mode));
        return 0;
    }
    return 1;
}

/* Return whether the pointer to an array or a result is null, and report it. */
static int missing(a_unit *i, const void *pointer, const char *name)
{
    return pointer == NULL && complain(i, "logStatusError", "%s must not be a null pointer", name);
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
    memcpy(i->s.given, i->s.d.x, NS * sizeof(double));
    memcpy(i->s.parameter, parameter_start, PARAMETERS * sizeof(double));
    memcpy(i->s.rate, rate_start, RATES * sizeof(double));
    i->s.stop = INFINITY;
    i->s.by_rate = RATES > 0;
    i->s.mode = INSTANTIATED;
}

static int blank(const char *text)
{
    return text == NULL || text[strspn(text, " \t\r\n\v\f")] == 0;
}

static a_unit *instantiated(const char *name, const char *token, int exchange)
{
    a_unit *i;
    if (blank(name)) {
        return NULL; /* the standard requires a name */
    }
    if (token == NULL || strcmp(token, TOKEN) != 0) {
        return NULL; /* library and description belong to different exports */
    }
    if (INPUT_STATES && exchange) {
        return NULL; /* a law without a spacecraft has nothing to integrate */
    }
    i = (a_unit *)calloc(1, sizeof *i);
    if (i != NULL) {
        begin(i);
        i->s.exchange = exchange;
        strncpy(i->name, name, sizeof i->name - 1);
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
    case STATUS_BAD_COMMAND: return "the law or the reference gave a number that is not finite or is too large";
    case STATUS_BAD_ANSWER: return "a block gave a number that is not finite or is too large";
    case STATUS_NOT_CONVERGED: return "the equations of an implicit step found no solution";
    default: return "the integration stopped";
    }
}

static int failed(a_unit *i, integer status)
{
    i->s.mode = FAILED;
    return complain(i, "logStatusError", "at t = %.9g s: %s", i->s.start + i->s.time, words_of(status));
}

/* Spacecraft time for a host's time, which is a sum of steps: the grid point if it is within 1e-6 of a grid step. */
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

static int differs(const double *one, const double *other, int count)
{
    int k;
    for (k = 0; k < count; k++) {
        if (one[k] != other[k]) {
            return 1;
        }
    }
    return 0;
}

/* Write the values that the host set before the end of initialization to the arrays that the kernels read. Setting a
   number to its current value changes nothing. The momenta follow from the rate at the start, unless they are set. */
static int written(a_unit *i)
{
    const char *wrong;
    const double *x = i->s.given;
    const int turned = differs(i->s.rate, rate_start, RATES);
    int pushed = 0, placed = 0, owned = 0, displaced = 0, moved, k;
    if (!i->s.changed) {
        return 0;
    }
    if (NS > 0) {
        pushed = differs(x, start_x, 3) || differs(x + AT_INTERNAL_MOMENTUM, start_x + AT_INTERNAL_MOMENTUM, RELATIVE);
        placed = differs(x + 3, start_x + 3, 4);
        owned = differs(x + AT_OWN, start_x + AT_OWN, OWN);
        displaced = differs(x + AT_INTERNAL, start_x + AT_INTERNAL, RELATIVE);
        memcpy(i->s.d.x, x, NS * sizeof(double));
    }
    if (turned && pushed) {
        return complain(i, "logStatusError", "give the rate at the start or the momentum, not both");
    }
    if (OWN && turned && (owned || displaced)) {
        return complain(i, "logStatusError", "the rate at the start goes with arms and coordinates as they are in the "
                        "description: set their states and all momenta, or the rate");
    }
    for (k = 0; displaced && k < BOUNDED; k++) {
        const double at = x[AT_INTERNAL + k];
        if (at < coordinate_low[k] || at > coordinate_high[k]) {
            return complain(i, "logStatusError", "%s at the start must be %s %.9g; got %.9g", coordinate_name[k],
                            at < coordinate_low[k] ? "at least" : "at most",
                            at < coordinate_low[k] ? coordinate_low[k] : coordinate_high[k], at);
        }
    }
    if (OWN && !owned && (placed || turned)) {
        model_own(turned ? i->s.rate : NULL, &i->s.d);
    }
    i->s.by_rate = RATES > 0 && !pushed && !(OWN && (owned || displaced));
    moved = turned || displaced || differs(i->s.parameter, parameter_start, PARAMETERS);
    wrong = model_parameters(i->s.parameter, i->s.by_rate && moved ? i->s.rate : NULL, &i->s.d);
    if (wrong != NULL) {
        return complain(i, "logStatusError", "%s", wrong);
    }
    i->s.changed = 0;
    i->s.d.count[AT_FRESH] = 1;
    i->s.fresh = 0;
    return 0;
}

/* Check that the attitude to hold, as last set by the host, is of unit norm within rounding. */
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

static void look(a_unit *i)
{
    if (!i->s.fresh) {
        model_bundle b = model_view(&i->s.d);
        model_rates(i->s.time, &b, i->s.dx);
        model_shown(i->s.time, &b, i->s.shown);
        i->s.fresh = 1;
    }
}

static void look_further(a_unit *i)
{
    look(i);
    if (i->s.fresh < 2) {
        double r[10] = {0.0};
        model_bundle b = model_view(&i->s.d);
        if (ELEMENTS) {
            model_elements(i->s.time, &b, i->s.elements);
        }
        if (ERRORS) {
            model_error(i->s.time, &b, r, i->s.error);
        }
        i->s.fresh = 2;
    }
}

/* Start and stop time of the host. */
static int experiment(a_unit *i, int with_tolerance, double tolerance, double start, int with_stop, double stop)
{
    if (!(fabs(start) <= LATEST)) {
        return complain(i, "logStatusError", "the start time must be from %g to %g s; got %g s", -LATEST, LATEST, start);
    }
    if (with_stop && !(stop >= start)) {
        return complain(i, "logStatusError", "the stop time must be at least the start time of %g s; got %g s", start, stop);
    }
    if (with_tolerance && !(tolerance > 0.0 && isfinite(tolerance))) {
        return complain(i, "logStatusError", "the tolerance must be more than 0 and finite; got %g", tolerance);
    }
    i->s.start = start;
    i->s.stop = with_stop ? stop : INFINITY;
    return 0;
}

static int leave(a_unit *i)
{
    const double *e = NS > 0 ? i->s.given + 3 : start_x + 3;
    const double square = e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3];
    if (NS > 0 && !(fabs(square - 1.0) <= 2e-6)) {
        return complain(i, "logStatusError",
                        "attitude_0 ... attitude_3 must be unit Euler parameters, scalar first: the sum of their squares is %.9g", square);
    }
    if (written(i) || aimed(i)) {
        return 1;
    }
    if (RATES && !i->s.by_rate) { /* this is now the start rate of the spacecraft */
        look(i);
        memcpy(i->s.rate, i->s.shown, RATES * sizeof(double));
    }
    i->s.mode = i->s.exchange ? EVENT : STEPPING;
    tell(i, "at t = %.9g s: initialization ended", i->s.start);
    return i->s.exchange ? 0 : instant(i);
}

/* One step of a co-simulation, including the events at its end. */
static int step(a_unit *i, double t, double h)
{
    model_bundle b = model_view(&i->s.d);
    const double now = i->s.start + i->s.time, grid = GRID > 0.0 && isfinite(GRID) ? GRID : 0.0;
    const double longest = grid > 0.0 ? MOST_STEPS * grid : LATEST;
    const double apart = 1e-6 * (h + grid) + 1e-9 * fmax(1.0, fabs(now)); /* hosts add up their steps */
    double target;
    integer status;
    if (!(h > 0.0 && h <= longest)) {
        return complain(i, "logStatusError", "a step must be more than 0 and at most %g s; got %g s", longest, h);
    }
    if (!(fabs(t - now) <= apart)) {
        return complain(i, "logStatusError", "the step begins at t = %.9g s, and the FMU is at t = %.9g s", t, now);
    }
    if (t + h > i->s.stop + apart) {
        return complain(i, "logStatusError", "the step ends at t = %.9g s, after the stop time of %.9g s", t + h, i->s.stop);
    }
    target = snapped(i, t + h - i->s.start);
    if (!(target > i->s.time)) {
        return complain(i, "logStatusError", "a step of %.9g s from t = %.9g s does not lead on from t = %.9g s", h, t, now);
    }
    if (aimed(i)) {
        return 1;
    }
    i->s.d.count[AT_MAX_STEPS] = i->s.d.count[AT_BUDGET] = i->s.d.count[AT_STEPS] + MOST_STEPS;
    status = model_advance(target, &b);
    i->s.time = i->s.d.clock[AT_T];
    i->s.fresh = 0;
    if (status != STATUS_DONE) {
        return failed(i, status);
    }
    return instant(i);
}

/* Return whether a value reference belongs to a group of `count` references. */
static int among(unsigned int r, unsigned int first, unsigned int count)
{
    return r - first < count;
}

/* Event indicator: zero at the singular pose of the torque basis; a host locates it within its own tolerance. */
static double clearance(a_unit *i)
{
    model_bundle b = model_view(&i->s.d);
    return model_clear(&b);
}

/* Report a completed step or an event of model exchange after the stop time: an error in both versions of FMI. Trial
   steps of solvers that interpolate (such as CVode in FMPy) may go past the end; these are not completed steps. */
static int overrun(a_unit *i)
{
    const double now = i->s.start + i->s.time, apart = 1e-8 * fmax(1.0, fabs(now)); /* hosts add up their steps */
    if (now > i->s.stop + apart) {
        return complain(i, "logStatusError", "the time must be at most the stop time of %.9g s; got %.9g s", i->s.stop, now);
    }
    return 0;
}

/* Events of model exchange: the next breakpoint if it is reached, and normalisation of the attitude; `ended` at a
   singular pose, where the torque is undefined. */
static int update(a_unit *i, int *moved, int *defined, double *next, int *ended)
{
    model_bundle b = model_view(&i->s.d);
    const double *e = i->s.d.x + 3;
    const double drift = e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3] - 1.0;
    double coming;
    if (overrun(i)) {
        return 1;
    }
    i->s.d.clock[AT_T_END] = INFINITY;
    coming = model_next(&b);
    if (isfinite(coming) && fabs(coming - i->s.time) <= 1e-9 * fmax(1.0, fabs(coming))) {
        i->s.time = coming; /* hosts stop slightly before it */
    }
    i->s.since = i->s.time;
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

/* Set the time of model exchange, which must not be before the last event. */
static int set_time(a_unit *i, double t)
{
    const double now = t - i->s.start;
    if (!(fabs(t) <= LATEST) || now < i->s.since - 1e-8 * fmax(1.0, fabs(t))) {
        return complain(i, "logStatusError", "the time must be from %.9g s, the last event, to %g s; got %g s",
                        i->s.start + i->s.since, LATEST, t);
    }
    i->s.time = now;
    i->s.fresh = 0;
    return 0;
}

static int get(a_unit *i, const unsigned int references[], size_t count, double values[])
{
    const int before = (i->s.mode & BEFORE) != 0;
    size_t k;
    if (count > 0 && (missing(i, references, "the array of value references") || missing(i, values, "the array of values"))) {
        return 1;
    }
    for (k = 0; k < count; k++) {
        const unsigned int r = references[k];
        if (r == 0) {
            values[k] = i->s.start + i->s.time;
        } else if (among(r, FIRST_PARAMETER, PARAMETERS)) {
            values[k] = i->s.parameter[r - FIRST_PARAMETER];
        } else if (among(r, FIRST_TARGET, TARGETS)) {
            values[k] = i->s.d.rq[r - FIRST_TARGET];
        } else if (IS_TORQUE(r)) {
            values[k] = i->s.d.u[r - FIRST_U];
        } else if (INPUT_STATES && among(r, FIRST_X, INPUT_STATES)) {
            values[k] = i->s.d.x[r - FIRST_X];
        } else if (INPUT_STATES && among(r, FIRST_SHOWN, 3u)) {
            values[k] = i->s.d.w[r - FIRST_SHOWN];
        } else if (written(i)) { /* the others depend on the values set before the end of initialization */
            return 1;
        } else if (among(r, FIRST_RATE, RATES)) {
            if (before && !i->s.by_rate) {
                look(i);
            }
            values[k] = before && !i->s.by_rate ? i->s.shown[r - FIRST_RATE] : i->s.rate[r - FIRST_RATE];
        } else if (among(r, FIRST_X, NS)) {
            values[k] = i->s.d.x[r - FIRST_X];
        } else if (among(r, FIRST_CLEARANCE, INDICATORS)) {
            values[k] = clearance(i);
#if SIGNALS > 0
        } else if (among(r, FIRST_SIGNAL, SIGNALS)) {
            values[k] = i->s.d.signals[AT_SIGNALS + r - FIRST_SIGNAL];
#endif
        } else if (among(r, FIRST_COORDINATE_RATE, COORDINATES)) {
            look(i);
            values[k] = i->s.dx[AT_INTERNAL + r - FIRST_COORDINATE_RATE];
        } else if (among(r, FIRST_ELEMENT, ELEMENTS) || among(r, FIRST_ERROR, ERRORS)) {
            look_further(i);
            values[k] = among(r, FIRST_ERROR, ERRORS) ? i->s.error[r - FIRST_ERROR] : i->s.elements[r - FIRST_ELEMENT];
        } else if (among(r, FIRST_DX, NS) || (NS > 0 && among(r, FIRST_SHOWN, SHOWN))) {
            look(i);
            values[k] = among(r, FIRST_DX, NS) ? i->s.dx[r - FIRST_DX] : i->s.shown[r - FIRST_SHOWN];
        } else {
            return complain(i, "logStatusError", "there is no variable with the value reference %u", r);
        }
    }
    return 0;
}

static int set(a_unit *i, const unsigned int references[], size_t count, const double values[])
{
    size_t k;
    const int before = (i->s.mode & BEFORE) != 0, discrete = i->s.mode != CONTINUOUS;
    if (count > 0 && (missing(i, references, "the array of value references") || missing(i, values, "the array of values"))) {
        return 1;
    }
    for (k = 0; k < count; k++) {
        const unsigned int r = references[k];
        if (!isfinite(values[k])) {
            return complain(i, "logStatusError", "the variable with the value reference %u is given a number that is not finite", r);
        }
        if (among(r, FIRST_X, INPUT_STATES)) {
            i->s.d.x[r - FIRST_X] = values[k];
        } else if (INPUT_STATES && among(r, FIRST_SHOWN, 3u)) {
            i->s.d.w[r - FIRST_SHOWN] = values[k];
        } else if (INPUTS && IS_TORQUE(r)) {
            if (i->s.d.u[r - FIRST_U] != values[k]) {
                i->s.d.u[r - FIRST_U] = values[k];
                i->s.d.count[AT_FRESH] = 1;
                i->s.fresh = 0;
            }
        } else if (discrete && among(r, FIRST_TARGET, TARGETS)) {
            i->s.d.rq[r - FIRST_TARGET] = values[k];
        } else if (before && among(r, FIRST_X, NS)) {
            i->s.given[r - FIRST_X] = values[k];
            i->s.changed = 1;
        } else if (before && among(r, FIRST_PARAMETER, PARAMETERS)) {
            const unsigned int n = r - FIRST_PARAMETER;
            if (values[k] < parameter_low[n] || (parameter_open[n] && values[k] <= parameter_low[n])) {
                return complain(i, "logStatusError", "%s must be %s %.9g; got %.9g", parameter_name[n],
                                parameter_open[n] ? "more than" : "at least", parameter_low[n], values[k]);
            }
            if (values[k] > parameter_high[n]) {
                return complain(i, "logStatusError", "%s must be at most %.9g; got %.9g", parameter_name[n],
                                parameter_high[n], values[k]);
            }
            i->s.parameter[n] = values[k];
            i->s.changed = 1;
        } else if (before && among(r, FIRST_RATE, RATES)) {
            i->s.rate[r - FIRST_RATE] = values[k];
            i->s.changed = 1;
        } else {
            const int early = among(r, FIRST_X, NS) || among(r, FIRST_PARAMETER, PARAMETERS) || among(r, FIRST_RATE, RATES);
            return complain(i, "logStatusError", among(r, FIRST_TARGET, TARGETS)
                            ? "the variable with the value reference %u is discrete, and is not set in continuous-time mode"
                            : early ? "the variable with the value reference %u is set before initialization ends, not later"
                            : "the variable with the value reference %u is not one that is set", r);
        }
    }
    return 0;
}

/* Report an array that does not have one number for each state. */
static int ill_sized(a_unit *i, const double values[], size_t count)
{
    if (count != NS) {
        return complain(i, "logStatusError", "there are %d states, not %lu", (int)NS, (unsigned long)count);
    }
    return count > 0 && missing(i, values, "the array of states");
}

static int states(a_unit *i, double values[], size_t count)
{
    if (ill_sized(i, values, count) || written(i)) {
        return 1;
    }
    memcpy(values, i->s.d.x, NS * sizeof(double));
    return 0;
}

static int set_states(a_unit *i, const double values[], size_t count)
{
    size_t k;
    if (ill_sized(i, values, count)) {
        return 1;
    }
    for (k = 0; k < count; k++) {
        if (!isfinite(values[k])) {
            return complain(i, "logStatusError", "the state %lu is not finite", (unsigned long)k);
        }
    }
    memcpy(i->s.d.x, values, NS * sizeof(double));
    i->s.d.count[AT_FRESH] = 1;
    i->s.fresh = 0;
    return 0;
}

static int derivatives(a_unit *i, double values[], size_t count)
{
    size_t k;
    if (ill_sized(i, values, count) || written(i)) {
        return 1;
    }
    look(i);
    for (k = 0; k != NS; k++) {
        if (!isfinite(i->s.dx[k])) {
            return complain(i, "logStatusError", "the derivatives at t = %.9g s are not finite", i->s.start + i->s.time);
        }
    }
    memcpy(values, i->s.dx, NS * sizeof(double));
    return 0;
}

static int nominals(a_unit *i, double values[], size_t count)
{
    size_t k;
    if (ill_sized(i, values, count)) {
        return 1;
    }
    for (k = 0; k < count; k++) {
        values[k] = 1.0;
    }
    return 0;
}

static int indicators(a_unit *i, double values[], size_t count)
{
    if (count != INDICATORS) {
        return complain(i, "logStatusError", "there are %d event indicators, not %lu", (int)INDICATORS, (unsigned long)count);
    }
    if (INDICATORS) {
        if (missing(i, values, "the array of event indicators") || written(i)) {
            return 1;
        }
        values[0] = clearance(i);
    }
    return 0;
}

static void reset(a_unit *i)
{
    const int exchange = i->s.exchange;
    begin(i);
    i->s.exchange = exchange;
}

static int logging(a_unit *i, int on, size_t count, const char *const categories[])
{
    int events = count == 0;
    size_t k;
    if (count > 0 && missing(i, categories, "the array of categories")) {
        return 1;
    }
    for (k = 0; k < count; k++) {
        if (missing(i, categories[k], "the name of a category")) {
            return 1;
        }
        if (strcmp(categories[k], "logEvents") == 0) {
            events = 1;
        } else if (strcmp(categories[k], "logStatusError") != 0) {
            return complain(i, "logStatusError", "there is no logging category %s", categories[k]);
        }
    }
    if (events) {
        i->telling = on != 0;
    }
    return 0;
}

/* Change of `unknowns` for a change of `knowns`: a matrix times a vector, exact to round-off. */
static int direction(a_unit *i, const unsigned int unknowns[], size_t count, const unsigned int knowns[], size_t many,
                     const double seed[], double sensitivity[])
{
    double of_x[NX] = {0.0}, of_u[TORQUES] = {0.0}, dx[NX], out[SHOWN];
    model_bundle b = model_view(&i->s.d);
    size_t k;
    if (many > 0 && (missing(i, knowns, "the array of knowns") || missing(i, seed, "the seed"))) {
        return 1;
    }
    if (count > 0 && (missing(i, unknowns, "the array of unknowns") || missing(i, sensitivity, "the sensitivity"))) {
        return 1;
    }
    if (written(i)) {
        return 1;
    }
    for (k = 0; k < many; k++) {
        const unsigned int r = knowns[k];
        if (!isfinite(seed[k])) {
            return complain(i, "logStatusError", "the seed of the value reference %u is not finite", r);
        }
        if (among(r, FIRST_X, NS)) {
            of_x[r - FIRST_X] += seed[k];
        } else if (INPUTS && IS_TORQUE(r)) {
            of_u[r - FIRST_U] += seed[k];
        } else {
            return complain(i, "logStatusError", "nothing is differentiated by the variable with the value reference %u", r);
        }
    }
    if (model_slopes(i->s.time, &b, of_x, of_u, dx, out)) {
        return complain(i, "logStatusError", "this FMU has no states to differentiate by");
    }
    for (k = 0; k < count; k++) {
        const unsigned int r = unknowns[k];
        if (among(r, FIRST_DX, NS)) {
            sensitivity[k] = dx[r - FIRST_DX];
        } else if (among(r, FIRST_SHOWN, SHOWN)) {
            sensitivity[k] = out[r - FIRST_SHOWN];
        } else if (among(r, FIRST_X, NS)) {
            sensitivity[k] = of_x[r - FIRST_X];
        } else {
            return complain(i, "logStatusError", "the variable with the value reference %u has no derivatives", r);
        }
    }
    return 0;
}

