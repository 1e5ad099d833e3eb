/* The states of an instance, and the functions that the standard allows in each. */

typedef enum {
    INSTANTIATED = 1, INITIALIZING = 2, STEPPING = 4, EVENT = 8, CONTINUOUS = 16, TERMINATED = 32, FAILED = 64
} state_of_instance;

#define BEFORE (INSTANTIATED | INITIALIZING)
#define EXCHANGING (EVENT | CONTINUOUS)
#define RUNNING (STEPPING | EXCHANGING)
#define ENDED (TERMINATED | FAILED)
#define INITIALIZED (INITIALIZING | RUNNING | ENDED)
#define ANY_STATE (INSTANTIATED | INITIALIZED)

static const char *state_name(state_of_instance state)
{
    switch (state) {
    case INSTANTIATED: return "before initialization";
    case INITIALIZING: return "during initialization";
    case STEPPING: return "in step mode";
    case EVENT: return "in event mode";
    case CONTINUOUS: return "in continuous-time mode";
    case TERMINATED: return "after termination";
    default: return "after a failure";
    }
}
