
/* FMI 2.0 */

#define DURING2(states) do { if (!allowed((a_unit *)c, states, __func__)) return fmi2Error; } while (0)
#define IN_EXCHANGE2 do { if (c != NULL && !((a_unit *)c)->s.exchange) { \
    ANSWER2(complain((a_unit *)c, "logStatusError", "%s is a function of model exchange", __func__)); } } while (0)
#define ANSWER2(did) return (did) ? fmi2Error : fmi2OK

const char *fmi2GetTypesPlatform(void) { return fmi2TypesPlatform; }
const char *fmi2GetVersion(void) { return fmi2Version; }

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t count, const fmi2String categories[])
{
    DURING2(ANY_STATE);
    ANSWER2(logging((a_unit *)c, on != 0, count, categories));
}

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String token, fmi2String resources,
                              const fmi2CallbackFunctions *functions, fmi2Boolean visible, fmi2Boolean logs)
{
    a_unit *i;
    (void)resources, (void)visible;
    if (functions == NULL || (type != fmi2ModelExchange && type != fmi2CoSimulation)) {
        return NULL;
    }
    i = instantiated(name, token, type == fmi2ModelExchange);
    if (i == NULL) {
        if (functions->logger != NULL) {
            functions->logger(functions->componentEnvironment, name == NULL ? "" : name, fmi2Error, "logStatusError", "%s",
                              blank(name) ? "an instance needs a name"
                              : INPUT_STATES && type == fmi2ModelExchange ? "an FMU of a law supports co-simulation only"
                              : "the GUID is not that of this library");
        }
        return NULL;
    }
    i->telling = logs != 0;
    i->environment = functions->componentEnvironment;
    i->log2 = functions->logger;
    return i;
}

void fmi2FreeInstance(fmi2Component c) { free(c); }

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean toleranceDefined, fmi2Real tolerance, fmi2Real start,
                               fmi2Boolean stopDefined, fmi2Real stop)
{
    DURING2(INSTANTIATED);
    ANSWER2(experiment((a_unit *)c, toleranceDefined, tolerance, start, stopDefined, stop));
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c)
{
    DURING2(INSTANTIATED);
    ((a_unit *)c)->s.mode = INITIALIZING;
    return fmi2OK;
}

fmi2Status fmi2ExitInitializationMode(fmi2Component c)
{
    DURING2(INITIALIZING);
    ANSWER2(leave((a_unit *)c));
}

fmi2Status fmi2Terminate(fmi2Component c)
{
    DURING2(RUNNING);
    ((a_unit *)c)->s.mode = TERMINATED;
    return fmi2OK;
}

fmi2Status fmi2Reset(fmi2Component c)
{
    DURING2(ANY_STATE);
    reset((a_unit *)c);
    return fmi2OK;
}

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference references[], size_t count, fmi2Real values[])
{
    DURING2(INITIALIZED);
    ANSWER2(get((a_unit *)c, references, count, values));
}

fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference references[], size_t count, const fmi2Real values[])
{
    DURING2(BEFORE | RUNNING);
    ANSWER2(set((a_unit *)c, references, count, values));
}

STATE_FUNCTIONS(2, fmi2Component, fmi2GetFMUstate, fmi2SetFMUstate, fmi2FreeFMUstate, fmi2SerializedFMUstateSize,
                fmi2SerializeFMUstate, fmi2DeSerializeFMUstate, fmi2FMUstate)

fmi2Status fmi2EnterEventMode(fmi2Component c)
{
    DURING2(EXCHANGING);
    ((a_unit *)c)->s.mode = EVENT;
    return fmi2OK;
}

fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c)
{
    DURING2(EVENT);
    ((a_unit *)c)->s.mode = CONTINUOUS;
    return fmi2OK;
}

fmi2Status fmi2SetTime(fmi2Component c, fmi2Real time)
{
    DURING2(EXCHANGING);
    ANSWER2(set_time((a_unit *)c, time));
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknowns[], size_t count,
                                        const fmi2ValueReference knowns[], size_t many, const fmi2Real seed[],
                                        fmi2Real sensitivity[])
{
    DURING2(INITIALIZED);
    ANSWER2(direction((a_unit *)c, unknowns, count, knowns, many, seed, sensitivity));
}

fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo *info)
{
    int moved = 0, coming = 0, ended = 0, bad;
    DURING2(EVENT);
    if (missing((a_unit *)c, info, "eventInfo")) {
        return fmi2Error;
    }
    bad = update((a_unit *)c, &moved, &coming, &info->nextEventTime, &ended);
    info->newDiscreteStatesNeeded = info->nominalsOfContinuousStatesChanged = fmi2False;
    info->terminateSimulation = bad || ended;
    info->valuesOfContinuousStatesChanged = moved;
    info->nextEventTimeDefined = coming;
    ANSWER2(bad);
}

fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean final, fmi2Boolean *event, fmi2Boolean *terminate)
{
    (void)final;
    DURING2(CONTINUOUS);
    if (missing((a_unit *)c, event, "enterEventMode") || missing((a_unit *)c, terminate, "terminateSimulation")) {
        return fmi2Error;
    }
    if (overrun((a_unit *)c)) {
        return fmi2Error;
    }
    *event = drifted((a_unit *)c);
    *terminate = fmi2False;
    return fmi2OK;
}

fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real values[], size_t count)
{
    DURING2(CONTINUOUS);
    ANSWER2(set_states((a_unit *)c, values, count));
}

fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real values[], size_t count)
{
    DURING2(INITIALIZED);
    IN_EXCHANGE2;
    ANSWER2(states((a_unit *)c, values, count));
}

fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real values[], size_t count)
{
    DURING2(EXCHANGING | ENDED);
    IN_EXCHANGE2;
    ANSWER2(derivatives((a_unit *)c, values, count));
}

fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real values[], size_t count)
{
    DURING2(INSTANTIATED | EXCHANGING | ENDED);
    IN_EXCHANGE2;
    ANSWER2(nominals((a_unit *)c, values, count));
}

fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real values[], size_t count)
{
    DURING2(INITIALIZED);
    IN_EXCHANGE2;
    ANSWER2(indicators((a_unit *)c, values, count));
}

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean final)
{
    (void)final;
    DURING2(STEPPING);
    ANSWER2(step((a_unit *)c, t, h));
}
