/* What can be set before a unit starts: the numbers of the craft and its law that go with it. */

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

/* The inverse of a symmetric positive definite matrix, by its Cholesky factor; 0 where it is none. */
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

/* Rates of the hub and of the coordinates, as the craft stands. */
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

/* The mass matrix where it changes with the coordinates: what moves by each momentum alone is its inverse. */
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

/* The mass matrix with what was set. */
static int massive(const double *value, const model_data *d, double *mass)
{
    int k;
    if (STANDING) {
        return standing(d, mass);
    }
    for (k = 0; k < MASS * MASS; k++) {
        mass[k] = AT_CONSTANT == 0 ? d->p[AT_INERTIA + k] : mass_start[k];
    }
    for (k = 0; k < MASS_EFFECTS; k++) {
        mass[mass_effects[k].target] += mass_effects[k].slope
            * (value[mass_effects[k].parameter] - parameter_start[mass_effects[k].parameter]);
    }
    return 1;
}

/* Writes everything that goes with the values; says what is wrong with them, or nothing. */
static const char *model_parameters(const double *value, const double *rate, model_data *d)
{
    double mass[(MASS > 0 ? MASS * MASS : 1)];
    int k, moved = 0, weight = 0;
    unsigned int n;
    for (n = 0; n < PARAMETERS; n++) {
        if (value[n] != parameter_start[n]) {
            moved = 1;
            weight = weight || (HAS_INERTIA && n < 6);
        }
    }
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

