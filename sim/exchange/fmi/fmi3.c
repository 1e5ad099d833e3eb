/* FMI 3.0 */

#define ANSWER3(did) return (did) ? fmi3Error : fmi3OK

const char *fmi3GetVersion(void) { return fmi3Version; }

fmi3Status fmi3SetDebugLogging(fmi3Instance c, fmi3Boolean on, size_t count, const fmi3String categories[])
{
    int events = count == 0;
    size_t k;
    for (k = 0; k < count; k++) {
        if (strcmp(categories[k], "logEvents") == 0) {
            events = 1;
        } else if (strcmp(categories[k], "logStatusError") != 0) {
            ANSWER3(complain((a_unit *)c, "logStatusError", "there is no logging category %s", categories[k]));
        }
    }
    if (events) {
        ((a_unit *)c)->telling = on;
    }
    return fmi3OK;
}

static fmi3Instance instantiated3(fmi3String name, fmi3String token, fmi3InstanceEnvironment environment,
                                  fmi3LogMessageCallback log, int exchange, int telling)
{
    a_unit *i = instantiated(name, token, exchange);
    if (i == NULL) {
        if (log != NULL) {
            log(environment, fmi3Error, "logStatusError", "the instantiation token is not that of this library");
        }
        return NULL;
    }
    i->environment = environment;
    i->log3 = log;
    i->telling = telling;
    return i;
}

fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
                                          fmi3Boolean logging, fmi3InstanceEnvironment environment,
                                          fmi3LogMessageCallback log)
{
    (void)resources, (void)visible;
    return instantiated3(name, token, environment, log, 1, logging);
}

fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
                                         fmi3Boolean logging, fmi3Boolean events, fmi3Boolean early,
                                         const fmi3ValueReference between[], size_t count,
                                         fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
                                         fmi3IntermediateUpdateCallback update_)
{
    (void)resources, (void)visible, (void)early, (void)between, (void)count, (void)update_;
    if (events) {
        if (log != NULL) {
            log(environment, fmi3Error, "logStatusError", "this unit has no event mode in co-simulation");
        }
        return NULL;
    }
    return instantiated3(name, token, environment, log, 0, logging);
}

void fmi3FreeInstance(fmi3Instance c) { free(c); }

fmi3Status fmi3EnterInitializationMode(fmi3Instance c, fmi3Boolean toleranceDefined, fmi3Float64 tolerance,
                                       fmi3Float64 start, fmi3Boolean stopDefined, fmi3Float64 stop)
{
    (void)toleranceDefined, (void)tolerance, (void)stopDefined, (void)stop;
    ANSWER3(enter((a_unit *)c, start));
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance c) { ANSWER3(leave((a_unit *)c)); }

fmi3Status fmi3EnterEventMode(fmi3Instance c)
{
    ((a_unit *)c)->s.mode = EVENT;
    return fmi3OK;
}

fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance c)
{
    ((a_unit *)c)->s.mode = CONTINUOUS;
    return fmi3OK;
}

fmi3Status fmi3Terminate(fmi3Instance c)
{
    ((a_unit *)c)->s.mode = TERMINATED;
    return fmi3OK;
}

fmi3Status fmi3Reset(fmi3Instance c)
{
    a_unit *i = (a_unit *)c;
    const int exchange = i->s.exchange;
    begin(i);
    i->s.exchange = exchange;
    return fmi3OK;
}

fmi3Status fmi3GetFloat64(fmi3Instance c, const fmi3ValueReference references[], size_t count, fmi3Float64 values[],
                          size_t size)
{
    (void)size;
    ANSWER3(get((a_unit *)c, references, count, values));
}

fmi3Status fmi3SetFloat64(fmi3Instance c, const fmi3ValueReference references[], size_t count,
                          const fmi3Float64 values[], size_t size)
{
    (void)size;
    ANSWER3(set((a_unit *)c, references, count, values));
}

fmi3Status fmi3GetFMUState(fmi3Instance c, fmi3FMUState *state)
{
    *state = kept((a_unit *)c, *state);
    return *state == NULL ? fmi3Error : fmi3OK;
}

fmi3Status fmi3SetFMUState(fmi3Instance c, fmi3FMUState state)
{
    memcpy(&((a_unit *)c)->s, state, sizeof(saved));
    return fmi3OK;
}

fmi3Status fmi3FreeFMUState(fmi3Instance c, fmi3FMUState *state)
{
    (void)c;
    free(*state);
    *state = NULL;
    return fmi3OK;
}

fmi3Status fmi3SerializedFMUStateSize(fmi3Instance c, fmi3FMUState state, size_t *size)
{
    (void)c, (void)state;
    *size = sizeof(serialized);
    return fmi3OK;
}

fmi3Status fmi3SerializeFMUState(fmi3Instance c, fmi3FMUState state, fmi3Byte bytes[], size_t size)
{
    (void)c;
    ANSWER3(serialize(state, bytes, size));
}

fmi3Status fmi3DeserializeFMUState(fmi3Instance c, const fmi3Byte bytes[], size_t size, fmi3FMUState *state)
{
    ANSWER3(deserialized((a_unit *)c, bytes, size, state));
}

fmi3Status fmi3GetDirectionalDerivative(fmi3Instance c, const fmi3ValueReference unknowns[], size_t count,
                                        const fmi3ValueReference knowns[], size_t many, const fmi3Float64 seed[],
                                        size_t seeds, fmi3Float64 sensitivity[], size_t size)
{
    if (seeds != many || size != count) {
        ANSWER3(complain((a_unit *)c, "logStatusError", "a direction has one number for each variable"));
    }
    ANSWER3(direction((a_unit *)c, unknowns, count, knowns, many, seed, sensitivity));
}

fmi3Status fmi3UpdateDiscreteStates(fmi3Instance c, fmi3Boolean *again, fmi3Boolean *terminate, fmi3Boolean *nominals,
                                    fmi3Boolean *values, fmi3Boolean *defined, fmi3Float64 *next)
{
    int moved = 0, coming = 0, ended = 0;
    const int bad = update((a_unit *)c, &moved, &coming, next, &ended);
    *again = *nominals = fmi3False;
    *terminate = bad || ended;
    *values = moved != 0;
    *defined = coming != 0;
    ANSWER3(bad);
}

fmi3Status fmi3CompletedIntegratorStep(fmi3Instance c, fmi3Boolean final, fmi3Boolean *event, fmi3Boolean *terminate)
{
    (void)final;
    *event = drifted((a_unit *)c);
    *terminate = fmi3False;
    return fmi3OK;
}

fmi3Status fmi3SetTime(fmi3Instance c, fmi3Float64 time)
{
    a_unit *i = (a_unit *)c;
    i->s.time = time - i->s.start;
    i->s.fresh = 0;
    return fmi3OK;
}

fmi3Status fmi3SetContinuousStates(fmi3Instance c, const fmi3Float64 values[], size_t count)
{
    ANSWER3(set_states((a_unit *)c, values, count));
}

fmi3Status fmi3GetContinuousStates(fmi3Instance c, fmi3Float64 values[], size_t count)
{
    ANSWER3(states((a_unit *)c, values, count));
}

fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance c, fmi3Float64 values[], size_t count)
{
    ANSWER3(derivatives((a_unit *)c, values, count));
}

fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance c, fmi3Float64 values[], size_t count)
{
    size_t k;
    (void)c;
    for (k = 0; k < count; k++) {
        values[k] = 1.0;
    }
    return fmi3OK;
}

fmi3Status fmi3GetEventIndicators(fmi3Instance c, fmi3Float64 values[], size_t count)
{
    if (count != INDICATORS) {
        ANSWER3(complain((a_unit *)c, "logStatusError", "there are %d event indicators, not %d", (int)INDICATORS, (int)count));
    }
    if (INDICATORS) {
        values[0] = clearance((a_unit *)c);
    }
    return fmi3OK;
}

fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance c, size_t *count)
{
    (void)c;
    *count = INDICATORS;
    return fmi3OK;
}

fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance c, size_t *count)
{
    (void)c;
    *count = NS;
    return fmi3OK;
}

fmi3Status fmi3DoStep(fmi3Instance c, fmi3Float64 t, fmi3Float64 h, fmi3Boolean final, fmi3Boolean *event,
                      fmi3Boolean *terminate, fmi3Boolean *early, fmi3Float64 *last)
{
    a_unit *i = (a_unit *)c;
    const int bad = step(i, t, h);
    (void)final;
    *event = *early = fmi3False;
    *terminate = bad != 0;
    *last = bad ? i->s.start + i->s.time : t + h;
    ANSWER3(bad);
}

