/* The multiplicative extended Kalman filter of attitude and gyro bias, written for one gyro and one star tracker that
 * tells at once: mean rates every T, an attitude behind every `every` of them. Euler parameters scalar first, a right
 * (body) error: e = e^ o Exp(a), b = b^ + beta. */
#include <math.h>
#include <string.h>

static void compose(const double *p, const double *q, double *r) {
    r[0] = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3];
    r[1] = p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2];
    r[2] = p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1];
    r[3] = p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0];
}

static void turn(double *e, double a0, double a1, double a2) {
    double size = sqrt(a0 * a0 + a1 * a1 + a2 * a2);
    double share = size < 1e-3 ? 0.5 - size * size / 48.0 : sin(0.5 * size) / size;
    double d[4] = {cos(0.5 * size), share * a0, share * a1, share * a2}, r[4];
    compose(e, d, r);
    double norm = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);
    for (int i = 0; i < 4; i++) e[i] = r[i] / norm;
}

/* one + s [a] + c [a]^2 */
static void series(const double *a, double one, double s, double c, double M[3][3]) {
    double n = a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
    double W[3][3] = {{0, -a[2], a[1]}, {a[2], 0, -a[0]}, {-a[1], a[0], 0}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) M[i][j] = (i == j ? one - c * n : 0.0) + s * W[i][j] + c * a[i] * a[j];
}

static void propagate(double *e, const double *b, double P[6][6], const double *rate, double T, double sv, double su) {
    double w[3] = {rate[0] - b[0], rate[1] - b[1], rate[2] - b[2]};
    double x = T * sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]), A[3][3], B[3][3], F[6][6], M[6][6];
    double c1 = x < 1e-3 ? 1.0 - x * x / 6.0 : sin(x) / x;
    double c2 = x < 1e-3 ? 0.5 - x * x / 24.0 : (1.0 - cos(x)) / (x * x);
    double c3 = x < 1e-3 ? 1.0 / 6.0 - x * x / 120.0 : (x - sin(x)) / (x * x * x);
    turn(e, w[0] * T, w[1] * T, w[2] * T);
    series(w, 1.0, -c1 * T, c2 * T * T, A);
    series(w, T, -c2 * T * T, c3 * T * T * T, B);
    memset(F, 0, sizeof F);
    for (int i = 0; i < 3; i++) {
        F[3 + i][3 + i] = 1.0;
        for (int j = 0; j < 3; j++) F[i][j] = A[i][j], F[i][3 + j] = -B[i][j];
    }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            double sum = 0.0;
            for (int k = 0; k < 6; k++) sum += F[i][k] * P[k][j];
            M[i][j] = sum;
        }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            double sum = 0.0;
            for (int k = 0; k < 6; k++) sum += M[i][k] * F[j][k];
            P[i][j] = sum;
        }
    for (int i = 0; i < 3; i++) {
        P[i][i] += sv * sv * T + su * su * T * T * T / 3.0;
        P[i][3 + i] -= 0.5 * su * su * T * T;
        P[3 + i][i] -= 0.5 * su * su * T * T;
        P[3 + i][3 + i] += su * su * T;
    }
}

static void update(double *e, double *b, double P[6][6], const double *m, const double R[3][3]) {
    double back[4] = {e[0], -e[1], -e[2], -e[3]}, d[4], y[3], N[3][3], M[3][3], S[3][3], I[3][3], K[6][3], Q[6][6];
    compose(back, m, d);
    if (d[0] < 0.0) for (int i = 0; i < 4; i++) d[i] = -d[i];
    double size = sqrt(d[1] * d[1] + d[2] * d[2] + d[3] * d[3]);
    double share = size < 1e-12 ? 2.0 / d[0] : 2.0 * atan2(size, d[0]) / size, angle = share * size;
    for (int i = 0; i < 3; i++) y[i] = share * d[1 + i];
    /* the residual answers to noise by the inverse of Jr(y) */
    double c = angle > 1e-3 ? 1.0 / (angle * angle) - 0.5 * d[0] / (size * angle) : 1.0 / 12.0 + angle * angle / 720.0;
    series(y, 1.0, 0.5, c, N);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) M[i][j] = N[i][0] * R[0][j] + N[i][1] * R[1][j] + N[i][2] * R[2][j];
    double V[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            V[i][j] = M[i][0] * N[j][0] + M[i][1] * N[j][1] + M[i][2] * N[j][2];
            S[i][j] = P[i][j] + V[i][j];
        }
    double det = S[0][0] * (S[1][1] * S[2][2] - S[1][2] * S[2][1]) - S[0][1] * (S[1][0] * S[2][2] - S[1][2] * S[2][0]) +
                 S[0][2] * (S[1][0] * S[2][1] - S[1][1] * S[2][0]);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int r0 = (j + 1) % 3, r1 = (j + 2) % 3, c0 = (i + 1) % 3, c1 = (i + 2) % 3;
            I[i][j] = (S[r0][c0] * S[r1][c1] - S[r0][c1] * S[r1][c0]) / det;
        }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 3; j++) K[i][j] = P[i][0] * I[0][j] + P[i][1] * I[1][j] + P[i][2] * I[2][j];
    /* Joseph's form */
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) Q[i][j] = P[i][j] - K[i][0] * P[0][j] - K[i][1] * P[1][j] - K[i][2] * P[2][j];
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            double sum = Q[i][j] - Q[i][0] * K[j][0] - Q[i][1] * K[j][1] - Q[i][2] * K[j][2];
            for (int k = 0; k < 3; k++) sum += K[i][k] * (V[k][0] * K[j][0] + V[k][1] * K[j][1] + V[k][2] * K[j][2]);
            P[i][j] = sum;
        }
    double a[3];
    for (int i = 0; i < 3; i++) {
        a[i] = K[i][0] * y[0] + K[i][1] * y[1] + K[i][2] * y[2];
        b[i] += K[3 + i][0] * y[0] + K[3 + i][1] * y[1] + K[3 + i][2] * y[2];
    }
    turn(e, a[0], a[1], a[2]);
    /* the error is counted from the corrected attitude: P <- G P G', G = Jr(a) */
    double n = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    double s = n < 1e-3 ? 0.5 - n * n / 24.0 : (1.0 - cos(n)) / (n * n);
    double t = n < 1e-3 ? 1.0 / 6.0 - n * n / 120.0 : (n - sin(n)) / (n * n * n);
    series(a, 1.0, -s, t, N);
    for (int j = 0; j < 6; j++) {
        double v[3] = {P[0][j], P[1][j], P[2][j]};
        for (int i = 0; i < 3; i++) P[i][j] = N[i][0] * v[0] + N[i][1] * v[1] + N[i][2] * v[2];
    }
    for (int i = 0; i < 6; i++) {
        double v[3] = {P[i][0], P[i][1], P[i][2]};
        for (int j = 0; j < 3; j++) P[i][j] = N[j][0] * v[0] + N[j][1] * v[1] + N[j][2] * v[2];
    }
}

/* rates (n, 3), attitudes (n / every, 4), R (3, 3), x = e (4), b (3), P (6, 6): in and out. */
void mekf(long n, long every, double T, double sv, double su, const double *rates, const double *attitudes,
          const double *R, double *x, double *P) {
    for (long k = 0; k < n; k++) {
        propagate(x, x + 4, (double(*)[6])P, rates + 3 * k, T, sv, su);
        if ((k + 1) % every == 0)
            update(x, x + 4, (double(*)[6])P, attitudes + 4 * ((k + 1) / every - 1), (const double(*)[3])R);
    }
}
