/* Parameters that can be set before an FMU starts, and the numbers of spacecraft and law that depend on them. */

static int physical(const double *of)
{
    const double half = 0.5 * (of[0] + of[1] + of[2]), none = -1e-12 * half;
    const double xx = of[0], yy = of[1], zz = of[2], xy = of[3], xz = of[4], yz = of[5];
    const double a = half - xx, b = half - yy, c = half - zz;
    const double whole = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
    const double spread = a * (b * c - yz * yz) - xy * (xy * c + yz * xz) - xz * (xy * yz + b * xz);
    return xx > 0.0 && xx * yy - xy * xy > 0.0 && whole > 0.0 && a >= none && b >= none && c >= none
        && a * b - xy * xy >= none * half && a * c - xz * xz >= none * half && b * c - yz * yz >= none * half
        && spread >= none * half * half;
}

/* Inverse of a symmetric positive definite matrix by its Cholesky factor; returns 0 if it is not positive definite. */
static int inverted(const double *of, double *to, int n)
{
    double l[(MASS > 3 ? MASS : 3) * (MASS > 3 ? MASS : 3)];
    int i, j, k;
    for (j = 0; j < n; j++) {
        for (i = j; i < n; i++) {
            double sum = of[i * n + j];
            for (k = 0; k < j; k++) {
                sum -= l[i * n + k] * l[j * n + k];
            }
            if (i == j && !(sum > 0.0)) {
                return 0;
            }
            l[i * n + j] = i == j ? sqrt(sum) : sum / l[j * n + j];
        }
    }
    for (k = 0; k < n; k++) {
        double column[MASS > 3 ? MASS : 3];
        for (i = 0; i < n; i++) {
            double sum = i == k ? 1.0 : 0.0;
            for (j = 0; j < i; j++) {
                sum -= l[i * n + j] * column[j];
            }
            column[i] = sum / l[i * n + i];
        }
        for (i = n - 1; i >= 0; i--) {
            double sum = column[i];
            for (j = i + 1; j < n; j++) {
                sum -= l[j * n + i] * column[j];
            }
            column[i] = sum / l[i * n + i];
        }
        for (i = 0; i < n; i++) {
            to[i * n + k] = column[i];
        }
    }
    return 1;
}

/* Rates of the hub and of the coordinates in the current state. */
static void going(model_data *d, double *rates)
{
    double dx[NX], out[SHOWN];
    model_bundle b = model_view(d);
    int k;
    model_rates(0.0, &b, dx);
    model_shown(0.0, &b, out);
    for (k = 0; k < MASS; k++) {
        rates[k] = k < 3 ? out[k] : dx[AT_INTERNAL + k - 3];
    }
}

/* Mass matrix that depends on the coordinates: the columns of its inverse are the rates for unit momenta. */
static int standing(const model_data *d, double *mass)
{
    double inverse[MASS > 0 ? MASS * MASS : 1], still[MASS > 0 ? MASS : 1], rates[MASS > 0 ? MASS : 1];
    model_data there = *d;
    int j, k;
    for (k = 0; k < MASS; k++) {
        there.x[k < 3 ? k : AT_INTERNAL_MOMENTUM + k - 3] = 0.0;
    }
    going(&there, still);
    for (j = 0; j < MASS; j++) {
        const int at = j < 3 ? j : AT_INTERNAL_MOMENTUM + j - 3;
        there.x[at] = 1.0;
        going(&there, rates);
        there.x[at] = 0.0;
        for (k = 0; k < MASS; k++) {
            inverse[k * MASS + j] = rates[k] - still[k];
        }
    }
    return inverted(inverse, mass, MASS);
}

/* Mass matrix with the parameters that were set. */
static int massive(const double *value, const model_data *d, double *mass)
{
    int k;
    if (STANDING) {
        return standing(d, mass);
    }
    for (k = 0; k < MASS * MASS; k++) {
        mass[k] = TABLED ? mass_start[k] : d->p[AT_INERTIA + k];
    }
    for (k = 0; k < MASS_EFFECTS; k++) {
        mass[mass_effects[k].target] += mass_effects[k].slope
            * (value[mass_effects[k].parameter] - parameter_start[mass_effects[k].parameter]);
    }
    return 1;
}

/* Write all numbers that depend on the values; return an error message, or a null pointer. */
static const char *model_parameters(const double *value, const double *rate, model_data *d)
{
    double mass[(MASS > 0 ? MASS * MASS : 1)];
    int k, n, moved = 0, weight = 0;
    for (n = 0; n < (int)PARAMETERS; n++) {
        if (value[n] != parameter_start[n]) {
            moved = 1;
            weight = weight || (HAS_INERTIA && n < 6);
        }
    }
#if HAS_INERTIA /* restore the inverses too, in case the numbers were changed and then set back */
    memcpy(&d->p[AT_INVERSE], &start_p[AT_INVERSE], 9 * sizeof(double));
#endif
#if AT_CONSTANT != 0 && MASS > 0
    memcpy(&d->p[AT_CONSTANT], &start_p[AT_CONSTANT], MASS * MASS * sizeof(double));
#endif
    for (k = 0; k < CHANGED; k++) {
        *model_place(d, parameter_targets[k].array, parameter_targets[k].place) = parameter_targets[k].nominal;
    }
    for (k = 0; k < EFFECTS; k++) {
        const int of = parameter_effects[k].parameter;
        if (value[of] != parameter_start[of]) {
            const a_target *target = &parameter_targets[parameter_effects[k].target];
            *model_place(d, target->array, target->place) += parameter_effects[k].slope * (value[of] - parameter_start[of]);
        }
    }
    if (HAS_INERTIA && weight) {
        if (!physical(value)) {
            return "no body has this inertia: it is not positive definite, or a principal moment is more than the other two together";
        }
        if (!inverted(&d->p[AT_INERTIA], &d->p[AT_INVERSE], 3)) {
            return "the inertia about the pivot has no inverse";
        }
    }
    if ((moved || rate != NULL) && MASS > 0 && !massive(value, d, mass)) {
        return "the mass matrix of the craft with its elements is not positive definite";
    }
    if (AT_CONSTANT != 0 && MASS > 0 && moved && !inverted(mass, &d->p[AT_CONSTANT], MASS)) {
        return "the mass matrix of the craft with its elements is not positive definite";
    }
    if (RATES && rate != NULL) {
        int i, j;
        for (i = 0; i < MASS; i++) {
            double sum = 0.0;
            for (j = 0; j < MASS; j++) {
                sum += mass[i * MASS + j] * (j < 3 ? rate[j] : relative_start[j - 3]);
            }
            d->x[i < 3 ? i : AT_INTERNAL_MOMENTUM + i - 3] = sum;
        }
    }
    return NULL;
}


#if OWN > 0
/* Product of Euler parameters: one rotation after the other. */
static void composed(const double *a, const double *b, double *to)
{
    const double s = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    const double x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    const double y = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    const double z = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
    to[0] = s, to[1] = x, to[2] = y, to[3] = z;
}
#endif

/* The elements' own states follow the hub: rotated from the start attitude to the attitude that was set, with the rate
   that was set. */
static void model_own(const double *rate, model_data *d)
{
#if OWN > 0
    const double back[4] = {start_x[3], -start_x[4], -start_x[5], -start_x[6]};
    double turn[4], whole = 0.0;
    int k, block, at = AT_OWN;
    for (k = 0; k < OWN; k++) {
        const double *slope = own_slopes + 3 * k;
        d->x[AT_OWN + k] = start_x[AT_OWN + k];
        if (RATES && rate != NULL) {
            d->x[AT_OWN + k] += slope[0] * (rate[0] - rate_start[0]) + slope[1] * (rate[1] - rate_start[1])
                + slope[2] * (rate[2] - rate_start[2]);
        }
    }
    composed(d->x + 3, back, turn);
    for (k = 0; k < 4; k++) {
        whole += turn[k] * turn[k];
    }
    for (block = 0; block < OWN_BLOCKS; at += own_blocks[block++]) {
        double *own = d->x + at;
        if (own_blocks[block] == 4) {
            composed(turn, own, own);
            for (k = 0; k < 4; k++) {
                own[k] /= sqrt(whole);
            }
        } else if (own_blocks[block] == 3) {
            const double vector[4] = {0.0, own[0], own[1], own[2]};
            const double inverse[4] = {turn[0] / whole, -turn[1] / whole, -turn[2] / whole, -turn[3] / whole};
            double held[4];
            composed(turn, vector, held);
            composed(held, inverse, held);
            own[0] = held[1], own[1] = held[2], own[2] = held[3];
        }
    }
#else
    (void)rate, (void)d;
#endif
}
