/* FMI 2.0 */

#define ANSWER2(did) return (did) ? fmi2Error : fmi2OK

const char *fmi2GetTypesPlatform(void) { return fmi2TypesPlatform; }
const char *fmi2GetVersion(void) { return fmi2Version; }

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t count, const fmi2String categories[])
{
    return (fmi2Status)fmi3SetDebugLogging(c, on != 0, count, categories);
}

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String token, fmi2String resources,
                              const fmi2CallbackFunctions *functions, fmi2Boolean visible, fmi2Boolean logging)
{
    a_unit *i = instantiated(name, token, type == fmi2ModelExchange);
    (void)resources, (void)visible;
    if (i != NULL && functions != NULL) {
        i->telling = logging != 0;
        i->environment = functions->componentEnvironment;
        i->log2 = functions->logger;
    }
    return i;
}

void fmi2FreeInstance(fmi2Component c) { free(c); }

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean toleranceDefined, fmi2Real tolerance, fmi2Real start,
                               fmi2Boolean stopDefined, fmi2Real stop)
{
    (void)toleranceDefined, (void)tolerance, (void)stopDefined, (void)stop;
    ((a_unit *)c)->s.start = start;
    return fmi2OK;
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c) { ANSWER2(enter((a_unit *)c, ((a_unit *)c)->s.start)); }
fmi2Status fmi2ExitInitializationMode(fmi2Component c) { ANSWER2(leave((a_unit *)c)); }
fmi2Status fmi2Terminate(fmi2Component c) { return (fmi2Status)fmi3Terminate(c); }
fmi2Status fmi2Reset(fmi2Component c) { return (fmi2Status)fmi3Reset(c); }

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference references[], size_t count, fmi2Real values[])
{
    ANSWER2(get((a_unit *)c, references, count, values));
}

fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference references[], size_t count, const fmi2Real values[])
{
    ANSWER2(set((a_unit *)c, references, count, values));
}

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *state) { return (fmi2Status)fmi3GetFMUState(c, state); }
fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) { return (fmi2Status)fmi3SetFMUState(c, state); }
fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *state) { return (fmi2Status)fmi3FreeFMUState(c, state); }

fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t *size)
{
    return (fmi2Status)fmi3SerializedFMUStateSize(c, state, size);
}

fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size)
{
    (void)c;
    ANSWER2(serialize(state, bytes, size));
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size, fmi2FMUstate *state)
{
    ANSWER2(deserialized((a_unit *)c, bytes, size, state));
}

fmi2Status fmi2EnterEventMode(fmi2Component c) { return (fmi2Status)fmi3EnterEventMode(c); }
fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c) { return (fmi2Status)fmi3EnterContinuousTimeMode(c); }
fmi2Status fmi2SetTime(fmi2Component c, fmi2Real time) { return (fmi2Status)fmi3SetTime(c, time); }

fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknowns[], size_t count,
                                        const fmi2ValueReference knowns[], size_t many, const fmi2Real seed[],
                                        fmi2Real sensitivity[])
{
    ANSWER2(direction((a_unit *)c, unknowns, count, knowns, many, seed, sensitivity));
}

fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo *info)
{
    int moved = 0, coming = 0, ended = 0;
    const int bad = update((a_unit *)c, &moved, &coming, &info->nextEventTime, &ended);
    info->newDiscreteStatesNeeded = info->nominalsOfContinuousStatesChanged = fmi2False;
    info->terminateSimulation = bad || ended;
    info->valuesOfContinuousStatesChanged = moved;
    info->nextEventTimeDefined = coming;
    ANSWER2(bad);
}

fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean final, fmi2Boolean *event, fmi2Boolean *terminate)
{
    (void)final;
    *event = drifted((a_unit *)c);
    *terminate = fmi2False;
    return fmi2OK;
}

fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real values[], size_t count)
{
    ANSWER2(set_states((a_unit *)c, values, count));
}

fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real values[], size_t count)
{
    ANSWER2(states((a_unit *)c, values, count));
}

fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real values[], size_t count)
{
    ANSWER2(derivatives((a_unit *)c, values, count));
}

fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real values[], size_t count)
{
    return (fmi2Status)fmi3GetNominalsOfContinuousStates(c, values, count);
}

fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real values[], size_t count)
{
    return (fmi2Status)fmi3GetEventIndicators(c, values, count);
}

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean final)
{
    (void)final;
    ANSWER2(step((a_unit *)c, t, h));
}
