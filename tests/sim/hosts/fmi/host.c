/* A host that knows nothing of Python: loads a library, takes steps, adds up its time, and prints the states. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "fmi3Functions.h"

static void say(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category, fmi3String message)
{
    (void)environment;
    fprintf(stderr, "%d %s: %s\n", (int)status, category, message);
}

int main(int count, char **words)
{
    const int states = atoi(words[3]), steps = atoi(words[4]);
    const double h = atof(words[5]);
    void *library = dlopen(words[1], RTLD_NOW | RTLD_LOCAL);
    fmi3InstantiateCoSimulationTYPE *instantiate;
    fmi3EnterInitializationModeTYPE *enter;
    fmi3ExitInitializationModeTYPE *leave;
    fmi3DoStepTYPE *step;
    fmi3GetFloat64TYPE *get;
    fmi3FreeInstanceTYPE *release;
    fmi3Instance instance;
    double t = 0.0;
    int k;
    if (count != 6 || library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    *(void **)&instantiate = dlsym(library, "fmi3InstantiateCoSimulation");
    *(void **)&enter = dlsym(library, "fmi3EnterInitializationMode");
    *(void **)&leave = dlsym(library, "fmi3ExitInitializationMode");
    *(void **)&step = dlsym(library, "fmi3DoStep");
    *(void **)&get = dlsym(library, "fmi3GetFloat64");
    *(void **)&release = dlsym(library, "fmi3FreeInstance");
    instance = instantiate("host", words[2], NULL, 0, 0, 0, 0, NULL, 0, NULL, say, NULL);
    if (instance == NULL || enter(instance, 0, 0.0, 0.0, 0, 0.0) != fmi3OK || leave(instance) != fmi3OK) {
        return 1;
    }
    for (k = 0; k < steps; k++) {
        fmi3Boolean event, terminate, early;
        double last;
        if (step(instance, t, h, 1, &event, &terminate, &early, &last) != fmi3OK) {
            return 1;
        }
        t += h;
    }
    for (k = 0; k < states; k++) {
        const fmi3ValueReference reference = 1000000u + (fmi3ValueReference)k;
        double value;
        if (get(instance, &reference, 1, &value, 1) != fmi3OK) {
            return 1;
        }
        printf("%.17g\n", value);
    }
    release(instance);
    return 0;
}
