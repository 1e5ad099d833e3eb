/* FMI 3.0 */

#define DURING3(states) do { if (!allowed((a_unit *)c, states, __func__)) return fmi3Error; } while (0)
#define ANSWER3(did) return (did) ? fmi3Error : fmi3OK

const char *fmi3GetVersion(void) { return fmi3Version; }

fmi3Status fmi3SetDebugLogging(fmi3Instance c, fmi3Boolean on, size_t count, const fmi3String categories[])
{
    DURING3(ANY_STATE);
    ANSWER3(logging((a_unit *)c, on, count, categories));
}

static fmi3Instance instantiated3(fmi3String name, fmi3String token, fmi3InstanceEnvironment environment,
                                  fmi3LogMessageCallback log, int exchange, int telling)
{
    a_unit *i = instantiated(name, token, exchange);
    if (i == NULL) {
        if (log != NULL) {
            log(environment, fmi3Error, "logStatusError",
                blank(name) ? "an instance needs a name"
                : INPUT_STATES && exchange ? "an FMU of a law supports co-simulation only"
                : "the instantiation token is not that of this library");
        }
        return NULL;
    }
    i->environment = environment;
    i->log3 = log;
    i->telling = telling;
    return i;
}

fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
                                          fmi3Boolean logs, fmi3InstanceEnvironment environment,
                                          fmi3LogMessageCallback log)
{
    (void)resources, (void)visible;
    return instantiated3(name, token, environment, log, 1, logs);
}

fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
                                         fmi3Boolean logs, fmi3Boolean events, fmi3Boolean early,
                                         const fmi3ValueReference between[], size_t count,
                                         fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
                                         fmi3IntermediateUpdateCallback update_)
{
    (void)resources, (void)visible, (void)early, (void)between, (void)count, (void)update_;
    if (events) {
        if (log != NULL) {
            log(environment, fmi3Error, "logStatusError", "this FMU has no event mode in co-simulation");
        }
        return NULL;
    }
    return instantiated3(name, token, environment, log, 0, logs);
}

void fmi3FreeInstance(fmi3Instance c) { free(c); }

fmi3Status fmi3EnterInitializationMode(fmi3Instance c, fmi3Boolean toleranceDefined, fmi3Float64 tolerance,
                                       fmi3Float64 start, fmi3Boolean stopDefined, fmi3Float64 stop)
{
    DURING3(INSTANTIATED);
    if (experiment((a_unit *)c, toleranceDefined, tolerance, start, stopDefined, stop)) {
        return fmi3Error;
    }
    ((a_unit *)c)->s.mode = INITIALIZING;
    return fmi3OK;
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance c)
{
    DURING3(INITIALIZING);
    ANSWER3(leave((a_unit *)c));
}

fmi3Status fmi3EnterEventMode(fmi3Instance c)
{
    DURING3(CONTINUOUS);
    ((a_unit *)c)->s.mode = EVENT;
    return fmi3OK;
}

fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance c)
{
    DURING3(EVENT);
    ((a_unit *)c)->s.mode = CONTINUOUS;
    return fmi3OK;
}

fmi3Status fmi3Terminate(fmi3Instance c)
{
    DURING3(RUNNING);
    ((a_unit *)c)->s.mode = TERMINATED;
    return fmi3OK;
}

fmi3Status fmi3Reset(fmi3Instance c)
{
    DURING3(ANY_STATE);
    reset((a_unit *)c);
    return fmi3OK;
}

fmi3Status fmi3GetFloat64(fmi3Instance c, const fmi3ValueReference references[], size_t count, fmi3Float64 values[],
                          size_t size)
{
    DURING3(ANY_STATE);
    if (size != count) {
        ANSWER3(complain((a_unit *)c, "logStatusError", "every variable is one number: %lu references and %lu values",
                         (unsigned long)count, (unsigned long)size));
    }
    ANSWER3(get((a_unit *)c, references, count, values));
}

fmi3Status fmi3SetFloat64(fmi3Instance c, const fmi3ValueReference references[], size_t count,
                          const fmi3Float64 values[], size_t size)
{
    DURING3(BEFORE | RUNNING);
    if (size != count) {
        ANSWER3(complain((a_unit *)c, "logStatusError", "every variable is one number: %lu references and %lu values",
                         (unsigned long)count, (unsigned long)size));
    }
    ANSWER3(set((a_unit *)c, references, count, values));
}

STATE_FUNCTIONS(3, fmi3Instance, fmi3GetFMUState, fmi3SetFMUState, fmi3FreeFMUState, fmi3SerializedFMUStateSize,
                fmi3SerializeFMUState, fmi3DeserializeFMUState, fmi3FMUState)

fmi3Status fmi3GetDirectionalDerivative(fmi3Instance c, const fmi3ValueReference unknowns[], size_t count,
                                        const fmi3ValueReference knowns[], size_t many, const fmi3Float64 seed[],
                                        size_t seeds, fmi3Float64 sensitivity[], size_t size)
{
    DURING3(INITIALIZED);
    if (seeds != many || size != count) {
        ANSWER3(complain((a_unit *)c, "logStatusError", "a direction has one number for each variable"));
    }
    ANSWER3(direction((a_unit *)c, unknowns, count, knowns, many, seed, sensitivity));
}

fmi3Status fmi3UpdateDiscreteStates(fmi3Instance c, fmi3Boolean *again, fmi3Boolean *terminate, fmi3Boolean *nominals_,
                                    fmi3Boolean *values, fmi3Boolean *defined, fmi3Float64 *next)
{
    a_unit *i = (a_unit *)c;
    int moved = 0, coming = 0, ended = 0, bad;
    DURING3(EVENT);
    if (missing(i, again, "discreteStatesNeedUpdate") || missing(i, terminate, "terminateSimulation")
        || missing(i, nominals_, "nominalsOfContinuousStatesChanged") || missing(i, values, "valuesOfContinuousStatesChanged")
        || missing(i, defined, "nextEventTimeDefined") || missing(i, next, "nextEventTime")) {
        return fmi3Error;
    }
    bad = update(i, &moved, &coming, next, &ended);
    *again = *nominals_ = fmi3False;
    *terminate = bad || ended;
    *values = moved != 0;
    *defined = coming != 0;
    ANSWER3(bad);
}

fmi3Status fmi3CompletedIntegratorStep(fmi3Instance c, fmi3Boolean final, fmi3Boolean *event, fmi3Boolean *terminate)
{
    a_unit *i = (a_unit *)c;
    (void)final;
    DURING3(CONTINUOUS);
    if (missing(i, event, "enterEventMode") || missing(i, terminate, "terminateSimulation")) {
        return fmi3Error;
    }
    if (overrun(i)) {
        return fmi3Error;
    }
    *event = drifted(i) != 0;
    *terminate = fmi3False;
    return fmi3OK;
}

fmi3Status fmi3SetTime(fmi3Instance c, fmi3Float64 time)
{
    DURING3(EXCHANGING);
    ANSWER3(set_time((a_unit *)c, time));
}

fmi3Status fmi3SetContinuousStates(fmi3Instance c, const fmi3Float64 values[], size_t count)
{
    DURING3(CONTINUOUS);
    ANSWER3(set_states((a_unit *)c, values, count));
}

/* Functions of model exchange only, in the states in which the standard allows them. */
#define IN_EXCHANGE3 do { if (c != NULL && !((a_unit *)c)->s.exchange) { \
    ANSWER3(complain((a_unit *)c, "logStatusError", "%s is a function of model exchange", __func__)); } } while (0)

fmi3Status fmi3GetContinuousStates(fmi3Instance c, fmi3Float64 values[], size_t count)
{
    DURING3(INITIALIZED);
    IN_EXCHANGE3;
    ANSWER3(states((a_unit *)c, values, count));
}

fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance c, fmi3Float64 values[], size_t count)
{
    DURING3(INITIALIZED);
    IN_EXCHANGE3;
    ANSWER3(derivatives((a_unit *)c, values, count));
}

fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance c, fmi3Float64 values[], size_t count)
{
    DURING3(INITIALIZED);
    IN_EXCHANGE3;
    ANSWER3(nominals((a_unit *)c, values, count));
}

fmi3Status fmi3GetEventIndicators(fmi3Instance c, fmi3Float64 values[], size_t count)
{
    DURING3(INITIALIZED);
    IN_EXCHANGE3;
    ANSWER3(indicators((a_unit *)c, values, count));
}

fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance c, size_t *count)
{
    DURING3(ANY_STATE);
    IN_EXCHANGE3;
    if (missing((a_unit *)c, count, "the place of the number")) {
        return fmi3Error;
    }
    *count = INDICATORS;
    return fmi3OK;
}

fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance c, size_t *count)
{
    DURING3(ANY_STATE);
    IN_EXCHANGE3;
    if (missing((a_unit *)c, count, "the place of the number")) {
        return fmi3Error;
    }
    *count = NS;
    return fmi3OK;
}

fmi3Status fmi3DoStep(fmi3Instance c, fmi3Float64 t, fmi3Float64 h, fmi3Boolean final, fmi3Boolean *event,
                      fmi3Boolean *terminate, fmi3Boolean *early, fmi3Float64 *last)
{
    a_unit *i = (a_unit *)c;
    int bad;
    (void)final;
    DURING3(STEPPING);
    if (missing(i, event, "eventHandlingNeeded") || missing(i, terminate, "terminateSimulation")
        || missing(i, early, "earlyReturn") || missing(i, last, "lastSuccessfulTime")) {
        return fmi3Error;
    }
    bad = step(i, t, h);
    *event = *early = fmi3False;
    *terminate = bad != 0;
    *last = bad ? i->s.start + i->s.time : t + h;
    ANSWER3(bad);
}
