/* Saving, restoring and serializing an instance. */

/* FNV-1a of the bytes of a saved instance. */
static unsigned long long checksum(const saved *of)
{
    const unsigned char *bytes = (const unsigned char *)of;
    unsigned long long sum = 14695981039346656037ULL;
    size_t k;
    for (k = 0; k < sizeof *of; k++) {
        sum = (sum ^ bytes[k]) * 1099511628211ULL;
    }
    return sum;
}

static int save(a_unit *i, void **state)
{
    snapshot *copy;
    if (missing(i, state, "the place of the state")) {
        return 1;
    }
    copy = (snapshot *)(*state == NULL ? calloc(1, sizeof *copy) : *state);
    if (copy == NULL) {
        return complain(i, "logStatusError", "there is no memory for a state of %lu bytes", (unsigned long)sizeof *copy);
    }
    memcpy(copy->token, TOKEN_BYTES, 16);
    memcpy(&copy->s, &i->s, sizeof copy->s);
    copy->sum = checksum(&copy->s);
    *state = copy;
    return 0;
}

/* Return whether a state cannot be restored here: it is damaged, or belongs to another FMU or the other interface. */
static int foreign(a_unit *i, const snapshot *state)
{
    if (memcmp(state->token, TOKEN_BYTES, 16) != 0 || state->sum != checksum(&state->s)) {
        return complain(i, "logStatusError", "the state is not of this FMU, or damaged");
    }
    if (state->s.exchange != i->s.exchange) {
        return complain(i, "logStatusError", "the state is of %s, and this instance is of %s",
                        state->s.exchange ? "model exchange" : "co-simulation", i->s.exchange ? "model exchange" : "co-simulation");
    }
    return 0;
}

static int restore(a_unit *i, const void *state)
{
    if (missing(i, state, "the state") || foreign(i, (const snapshot *)state)) {
        return 1;
    }
    memcpy(&i->s, &((const snapshot *)state)->s, sizeof i->s);
    return 0;
}

static void discard(void **state)
{
    if (state != NULL) {
        free(*state);
        *state = NULL;
    }
}

static int size_of_state(a_unit *i, const void *state, size_t *size)
{
    if (missing(i, state, "the state") || missing(i, size, "the place of the size")) {
        return 1;
    }
    *size = sizeof(snapshot);
    return 0;
}

static int serialize(a_unit *i, const void *state, void *bytes, size_t size)
{
    if (missing(i, state, "the state") || missing(i, bytes, "the array of bytes")) {
        return 1;
    }
    if (size < sizeof(snapshot)) {
        return complain(i, "logStatusError", "a state has %lu bytes, and there is room for %lu", (unsigned long)sizeof(snapshot),
                        (unsigned long)size);
    }
    memcpy(bytes, state, sizeof(snapshot));
    return 0;
}

static int deserialize(a_unit *i, const void *bytes, size_t size, void **state)
{
    snapshot whole;
    if (missing(i, bytes, "the array of bytes") || missing(i, state, "the place of the state")) {
        return 1;
    }
    if (size != sizeof whole) {
        return complain(i, "logStatusError", "a state has %lu bytes, not %lu", (unsigned long)sizeof whole, (unsigned long)size);
    }
    memcpy(&whole, bytes, sizeof whole);
    if (foreign(i, &whole)) {
        return 1;
    }
    if (*state == NULL) {
        *state = malloc(sizeof whole);
    }
    if (*state == NULL) {
        return complain(i, "logStatusError", "there is no memory for a state of %lu bytes", (unsigned long)sizeof whole);
    }
    memcpy(*state, &whole, sizeof whole);
    return 0;
}

/* Functions for saved states in FMI 2 and 3, which differ in the names of functions and types. */
#define STATE_FUNCTIONS(v, instance, get_state, set_state, free_state, serialized_size, serialize_state, deserialize_state, \
                        a_state) \
fmi##v##Status get_state(instance c, a_state *state) \
{ \
    DURING##v(ANY_STATE); \
    ANSWER##v(save((a_unit *)c, state)); \
} \
fmi##v##Status set_state(instance c, a_state state) \
{ \
    DURING##v(ANY_STATE); \
    ANSWER##v(restore((a_unit *)c, state)); \
} \
fmi##v##Status free_state(instance c, a_state *state) \
{ \
    DURING##v(ANY_STATE); \
    discard(state); \
    return fmi##v##OK; \
} \
fmi##v##Status serialized_size(instance c, a_state state, size_t *size) \
{ \
    DURING##v(ANY_STATE); \
    ANSWER##v(size_of_state((a_unit *)c, state, size)); \
} \
fmi##v##Status serialize_state(instance c, a_state state, fmi##v##Byte bytes[], size_t size) \
{ \
    DURING##v(ANY_STATE); \
    ANSWER##v(serialize((a_unit *)c, state, bytes, size)); \
} \
fmi##v##Status deserialize_state(instance c, const fmi##v##Byte bytes[], size_t size, a_state *state) \
{ \
    DURING##v(ANY_STATE); \
    ANSWER##v(deserialize((a_unit *)c, bytes, size, state)); \
}
