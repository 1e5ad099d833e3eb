/* Example of a law in a separate process, using the protocol of PROTOCOL.md; it needs only C99.

   u = -K vec(conj(e_ref) o e) - D omega, by the shorter rotation.
   cc -std=c99 -O2 -ffp-contract=off example_law.c -o example_law, and "./example_law" as the command of a law. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { READ = 17, WRITTEN = 3, LONGEST = 65536 };

static const char HELLO[] =
    "{\"polhode\":1,\"reads\":[{\"name\":\"attitude\",\"size\":4,\"unit\":\"1\"},"
    "{\"name\":\"rate\",\"size\":3,\"unit\":\"rad/s\"},"
    "{\"name\":\"reference\",\"size\":10,\"unit\":\"1, rad/s, rad/s^2\"}],"
    "\"writes\":[{\"name\":\"command\",\"size\":3,\"unit\":\"N m\"}],\"sample_s\":null}";

static void command(const double *y, double *u)
{
    const double stiffness = 4.0, damping = 40.0; /* N m, N m s */
    const double *e = y, *w = y + 4, *d = y + 7;
    const double a0 = d[0] * e[0] + d[1] * e[1] + d[2] * e[2] + d[3] * e[3];
    const double a1 = d[0] * e[1] - d[1] * e[0] - d[2] * e[3] + d[3] * e[2];
    const double a2 = d[0] * e[2] + d[1] * e[3] - d[2] * e[0] - d[3] * e[1];
    const double a3 = d[0] * e[3] - d[1] * e[2] + d[2] * e[1] - d[3] * e[0];
    const double k = a0 >= 0.0 ? -stiffness : stiffness;
    u[0] = k * a1 - damping * w[0];
    u[1] = k * a2 - damping * w[1];
    u[2] = k * a3 - damping * w[2];
}

int main(void)
{
    static char line[LONGEST];
    double y[READ], u[WRITTEN];
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "{\"end\"", 6))
            break;
        if (!strncmp(line, "{\"polhode\"", 10)) { /* a run begins: a law with memory resets it here */
            puts(HELLO);
        } else {
            long long n = 0;
            const char *at = strstr(line, "\"y\":[");
            int read = 0;
            if (at && sscanf(line, "{\"n\":%lld,", &n) == 1) {
                at += 5;
                while (read < READ) {
                    char *after;
                    y[read] = strtod(at, &after);
                    if (after == at)
                        break;
                    at = after + (*after == ',');
                    read++;
                }
            }
            if (read < READ) {
                puts("{\"error\":\"a sample is 17 numbers\"}");
            } else {
                command(y, u);
                printf("{\"n\":%lld,\"v\":[%.17g,%.17g,%.17g]}\n", n, u[0], u[1], u[2]);
            }
        }
        fflush(stdout);
    }
    return 0;
}
