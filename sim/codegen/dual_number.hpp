/* Number with tangents, in place of `real` in the engine's C text: forward-mode differentiation.
 *
 * Entry 0 of the vector is the value, and the other entries are its derivatives in several directions. Every value is
 * computed as in C, so that it is equal to the engine's in every bit. Comparisons and conversions to integers use the
 * value only: a derivative is that of the branch taken. Where a derivative is infinite (a square root at 0, an arc sine
 * at 1), it is set to zero, since the kernels there continue with the limit of an even function.
 *
 * Source: A. Griewank and A. Walther, Evaluating Derivatives, 2nd ed., SIAM 2008, chapter 3.
 */
#ifndef POLHODE_DUAL_NUMBER
#define POLHODE_DUAL_NUMBER

#include <math.h>

/* Macros in some C libraries. */
#undef isnan
#undef isinf
#undef isfinite
#undef signbit

/* One vector register: gcc splits wider vectors into many scalars. */
#if defined(__AVX512F__)
#define POLHODE_DUAL_WIDTH 8
#elif defined(__AVX__)
#define POLHODE_DUAL_WIDTH 4
#else
#define POLHODE_DUAL_WIDTH 2
#endif

typedef double dual_vector __attribute__((vector_size(8 * POLHODE_DUAL_WIDTH), aligned(8)));

struct real {
    dual_vector all;
    real() = default;
    real(double value) : all{value} {}
    real(int value) : all{(double)value} {}
    real(long long value) : all{(double)value} {}
    explicit operator long long() const { return (long long)all[0]; }
};

static inline real dual_of(double value, dual_vector tangents)
{
    real c;
    c.all = tangents;
    c.all[0] = value;
    return c;
}

#define POLHODE_PASSIVE(value) dual_passive(value)

static inline real dual_passive(const real &a) { return real(a.all[0]); }

static inline real operator+(const real &a, const real &b)
{
    real c;
    c.all = a.all + b.all;
    return c;
}

static inline real operator-(const real &a, const real &b)
{
    real c;
    c.all = a.all - b.all;
    return c;
}

static inline real operator*(const real &a, const real &b)
{
    return dual_of(a.all[0] * b.all[0], a.all * b.all[0] + b.all * a.all[0]);
}

static inline real operator/(const real &a, const real &b)
{
    const double quotient = a.all[0] / b.all[0];
    return dual_of(quotient, (a.all - b.all * quotient) / b.all[0]);
}

static inline real operator+(const real &a) { return a; }

static inline real operator-(const real &a)
{
    real c;
    c.all = -a.all;
    return c;
}

static inline real &operator+=(real &a, const real &b) { return a = a + b; }
static inline real &operator-=(real &a, const real &b) { return a = a - b; }
static inline real &operator*=(real &a, const real &b) { return a = a * b; }
static inline real &operator/=(real &a, const real &b) { return a = a / b; }

static inline bool operator<(const real &a, const real &b) { return a.all[0] < b.all[0]; }
static inline bool operator>(const real &a, const real &b) { return a.all[0] > b.all[0]; }
static inline bool operator<=(const real &a, const real &b) { return a.all[0] <= b.all[0]; }
static inline bool operator>=(const real &a, const real &b) { return a.all[0] >= b.all[0]; }
static inline bool operator==(const real &a, const real &b) { return a.all[0] == b.all[0]; }
static inline bool operator!=(const real &a, const real &b) { return a.all[0] != b.all[0]; }

/* Return a function of a: its value and its slope at a. */
static inline real dual_chain(double value, double slope, const real &a)
{
    return dual_of(value, __builtin_isinf(slope) ? dual_vector{} : a.all * slope);
}

static inline real sqrt(const real &a)
{
    const double root = __builtin_sqrt(a.all[0]);
    return dual_chain(root, 0.5 / root, a);
}

static inline real sin(const real &a) { return dual_chain(__builtin_sin(a.all[0]), __builtin_cos(a.all[0]), a); }
static inline real cos(const real &a) { return dual_chain(__builtin_cos(a.all[0]), -__builtin_sin(a.all[0]), a); }
static inline real sinh(const real &a) { return dual_chain(__builtin_sinh(a.all[0]), __builtin_cosh(a.all[0]), a); }
static inline real cosh(const real &a) { return dual_chain(__builtin_cosh(a.all[0]), __builtin_sinh(a.all[0]), a); }

static inline real tan(const real &a)
{
    const double value = __builtin_tan(a.all[0]);
    return dual_chain(value, 1.0 + value * value, a);
}

static inline real tanh(const real &a)
{
    const double value = __builtin_tanh(a.all[0]);
    return dual_chain(value, 1.0 - value * value, a);
}

static inline real asin(const real &a)
{
    return dual_chain(__builtin_asin(a.all[0]), 1.0 / __builtin_sqrt(1.0 - a.all[0] * a.all[0]), a);
}

static inline real acos(const real &a)
{
    return dual_chain(__builtin_acos(a.all[0]), -1.0 / __builtin_sqrt(1.0 - a.all[0] * a.all[0]), a);
}

static inline real atan(const real &a) { return dual_chain(__builtin_atan(a.all[0]), 1.0 / (1.0 + a.all[0] * a.all[0]), a); }

static inline real asinh(const real &a)
{
    return dual_chain(__builtin_asinh(a.all[0]), 1.0 / __builtin_sqrt(1.0 + a.all[0] * a.all[0]), a);
}

static inline real acosh(const real &a)
{
    return dual_chain(__builtin_acosh(a.all[0]), 1.0 / __builtin_sqrt(a.all[0] * a.all[0] - 1.0), a);
}

static inline real atanh(const real &a)
{
    return dual_chain(__builtin_atanh(a.all[0]), 1.0 / (1.0 - a.all[0] * a.all[0]), a);
}

static inline real exp(const real &a)
{
    const double value = __builtin_exp(a.all[0]);
    return dual_chain(value, value, a);
}

static inline real expm1(const real &a) { return dual_chain(__builtin_expm1(a.all[0]), __builtin_exp(a.all[0]), a); }
static inline real log(const real &a) { return dual_chain(__builtin_log(a.all[0]), 1.0 / a.all[0], a); }
static inline real log10(const real &a)
{
    return dual_chain(__builtin_log10(a.all[0]), 1.0 / (a.all[0] * 2.302585092994045684), a);
}
static inline real log2(const real &a)
{
    return dual_chain(__builtin_log2(a.all[0]), 1.0 / (a.all[0] * 0.693147180559945309), a);
}
static inline real log1p(const real &a) { return dual_chain(__builtin_log1p(a.all[0]), 1.0 / (1.0 + a.all[0]), a); }

static inline real cbrt(const real &a)
{
    const double root = __builtin_cbrt(a.all[0]);
    return dual_chain(root, 1.0 / (3.0 * root * root), a);
}

static inline real fabs(const real &a) { return __builtin_signbit(a.all[0]) ? -a : a; }
static inline real floor(const real &a) { return real(__builtin_floor(a.all[0])); }
static inline real ceil(const real &a) { return real(__builtin_ceil(a.all[0])); }
static inline real trunc(const real &a) { return real(__builtin_trunc(a.all[0])); }
static inline real rint(const real &a) { return real(__builtin_rint(a.all[0])); }
static inline bool isnan(const real &a) { return __builtin_isnan(a.all[0]); }
static inline bool isinf(const real &a) { return __builtin_isinf(a.all[0]); }
static inline bool isfinite(const real &a) { return __builtin_isfinite(a.all[0]); }
static inline bool signbit(const real &a) { return __builtin_signbit(a.all[0]); }

static inline real copysign(const real &a, const real &b)
{
    return __builtin_signbit(a.all[0]) == __builtin_signbit(b.all[0]) ? a : -a;
}

static inline real fmod(const real &a, const real &b)
{
    return dual_of(__builtin_fmod(a.all[0], b.all[0]), a.all - b.all * __builtin_trunc(a.all[0] / b.all[0]));
}

static inline real fmin(const real &a, const real &b) { return a < b || b.all[0] != b.all[0] ? a : b; }
static inline real fmax(const real &a, const real &b) { return a > b || b.all[0] != b.all[0] ? a : b; }

static inline real hypot(const real &a, const real &b)
{
    const double size = __builtin_hypot(a.all[0], b.all[0]);
    return dual_of(size, size > 0.0 ? (a.all * a.all[0] + b.all * b.all[0]) / size : dual_vector{});
}

static inline real atan2(const real &y, const real &x)
{
    const double square = x.all[0] * x.all[0] + y.all[0] * y.all[0];
    const dual_vector none{};
    return dual_of(
        __builtin_atan2(y.all[0], x.all[0]), square > 0.0 ? (y.all * x.all[0] - x.all * y.all[0]) / square : none);
}

static inline real pow(const real &a, const real &b)
{
    const double value = __builtin_pow(a.all[0], b.all[0]);
    const double slope = b.all[0] == 0.0 ? 0.0 : b.all[0] * __builtin_pow(a.all[0], b.all[0] - 1.0);
    const dual_vector by_base = __builtin_isinf(slope) ? dual_vector{} : a.all * slope;
    return dual_of(value, a.all[0] > 0.0 ? by_base + b.all * (value * __builtin_log(a.all[0])) : by_base);
}

#endif
