"""Small C functions for Python operators that C lacks; a program contains only those that it uses."""

import re

PRELUDE = {
    "least_real": "static real least_real(real a, real b) { return b < a ? b : a; } /* not a number only if a is */",
    "most_real": "static real most_real(real a, real b) { return b > a ? b : a; }",
    "least_integer": "static integer least_integer(integer a, integer b) { return b < a ? b : a; }",
    "most_integer": "static integer most_integer(integer a, integer b) { return b > a ? b : a; }",
    "size_of_integer": "static integer size_of_integer(integer a) { return a < 0 ? -a : a; }",
    "modulo_integer": """\
static integer modulo_integer(integer a, integer b) /* with the sign of b */
{
    const integer rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}""",
    "quotient_integer": """\
static integer quotient_integer(integer a, integer b) /* rounded down */
{
    const integer quotient = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}""",
    "modulo_real": """\
static real modulo_real(real a, real b) /* with the sign of b */
{
    const real rest = {fmod}(a, b);
    if (rest == {zero}) {{
        return {copysign}({zero}, b);
    }}
    return (rest < {zero}) != (b < {zero}) ? rest + b : rest;
}""",
    "quotient_real": """\
static real quotient_real(real a, real b) /* rounded down */
{
    real rest = {fmod}(a, b);
    real quotient = (a - rest) / b;
    real down;
    if (rest != {zero} && (rest < {zero}) != (b < {zero})) {{
        quotient -= {one};
    }}
    if (quotient == {zero}) {{
        return {copysign}({zero}, a / b);
    }}
    down = {floor}(quotient);
    return quotient - down > {half} ? down + {one} : down;
}""",
    "quotient_or_limit": """\
static real quotient_or_limit(real a, real b) /* rounded down, and by zero as in numpy */
{
    return b == {zero} ? a / b : quotient_real(a, b);
}""",
    "root_of": """\
static real root_of(real a) /* a to the power 0.5, as pow has it at -0 and -infinity */
{
    return a == -INFINITY ? INFINITY : {sqrt}(a) + {zero};
}""",
    "wrapped_product": """\
static integer wrapped_product(integer a, integer b) /* its lowest 64 bits */
{
    return (integer)((unsigned long long)a * (unsigned long long)b);
}""",
    "sign_of": """\
static real sign_of(real a) { return a > {zero} ? {one} : a < {zero} ? -{one} : a == {zero} ? {zero} : a; }""",
    "smaller_of": "static real smaller_of(real a, real b) { return a < b || a != a ? a : b; } /* NaN if one is */",
    "larger_of": "static real larger_of(real a, real b) { return a > b || a != a ? a : b; } /* NaN if one is */",
    "complex_of": """\
static inline complex_number complex_of(real re, real im)
{
    complex_number z;
    z.re = re;
    z.im = im;
    return z;
}""",
    "complex_negative": """\
static inline complex_number complex_negative(complex_number a) { return complex_of(-a.re, -a.im); }""",
    "complex_sum": """\
static inline complex_number complex_sum(complex_number a, complex_number b)
{
    return complex_of(a.re + b.re, a.im + b.im);
}""",
    "complex_difference": """\
static inline complex_number complex_difference(complex_number a, complex_number b)
{
    return complex_of(a.re - b.re, a.im - b.im);
}""",
    "complex_shifted": """\
static inline complex_number complex_shifted(complex_number a, real b) { return complex_of(a.re + b, a.im); }""",
    "complex_lowered": """\
static inline complex_number complex_lowered(complex_number a, real b) { return complex_of(a.re - b, a.im); }""",
    "complex_below": """\
static inline complex_number complex_below(real a, complex_number b) { return complex_of(a - b.re, -b.im); }""",
    "complex_scaled": """\
static inline complex_number complex_scaled(complex_number a, real b) { return complex_of(a.re * b, a.im * b); }""",
    "complex_over": """\
static inline complex_number complex_over(complex_number a, real b) { return complex_of(a.re / b, a.im / b); }""",
    "complex_product": """\
static inline complex_number complex_product(complex_number a, complex_number b)
{
    return complex_of(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}""",
    "complex_quotient": """\
static inline complex_number complex_quotient(complex_number a, complex_number b) /* by the larger part of b (Smith) */
{
    real ratio, whole;
    if ({fabs}(b.re) >= {fabs}(b.im)) {{
        ratio = b.im / b.re;
        whole = b.re + b.im * ratio;
        return complex_of((a.re + a.im * ratio) / whole, (a.im - a.re * ratio) / whole);
    }}
    ratio = b.re / b.im;
    whole = b.re * ratio + b.im;
    return complex_of((a.re * ratio + a.im) / whole, (a.im * ratio - a.re) / whole);
}""",
    "complex_equal": """\
static inline flag complex_equal(complex_number a, complex_number b) { return a.re == b.re && a.im == b.im; }""",
    "complex_size": "static inline real complex_size(complex_number a) { return {hypot}(a.re, a.im); }",
    "complex_sqrt": """\
static complex_number complex_sqrt(complex_number a)
{
    const real x = {fabs}(a.re), y = {fabs}(a.im);
    real s, d;
    if (x < {tiny} && y < {tiny}) {{ /* where hypot would lose digits */
        s = {down} * {sqrt}({up} * x + {hypot}({up} * x, {up} * y));
    }} else {{
        s = {two} * {sqrt}(x / {eight} + {hypot}(x / {eight}, y / {eight}));
    }}
    d = s == {zero} ? y : y / ({two} * s);
    return a.re >= {zero} ? complex_of(s, {copysign}(d, a.im)) : complex_of(d, {copysign}(s, a.im));
}""",
    "complex_exp": """\
static complex_number complex_exp(complex_number a)
{
    const real size = {exp}(a.re);
    return complex_of(size * {cos}(a.im), size * {sin}(a.im));
}""",
    "complex_log": """\
static complex_number complex_log(complex_number a)
{
    const real x = {fabs}(a.re), y = {fabs}(a.im), most = x > y ? x : y, least = x > y ? y : x;
    const real size = {hypot}(x, y);
    const real near_one = {log1p}((most - {one}) * (most + {one}) + least * least) / {two};
    return complex_of(size >= {low} && size <= {high} ? near_one : {log}(size), {atan2}(a.im, a.re));
}""",
    "complex_sinh": """\
static complex_number complex_sinh(complex_number a)
{
    return complex_of({cos}(a.im) * {sinh}(a.re), {sin}(a.im) * {cosh}(a.re));
}""",
    "complex_cosh": """\
static complex_number complex_cosh(complex_number a)
{
    return complex_of({cos}(a.im) * {cosh}(a.re), {sin}(a.im) * {sinh}(a.re));
}""",
    "complex_tanh": """\
static complex_number complex_tanh(complex_number a)
{
    const real th = {tanh}(a.re), tn = {tan}(a.im), c = {one} / {cosh}(a.re), p = th * tn, whole = {one} + p * p;
    return complex_of(th * ({one} + tn * tn) / whole, tn / whole * c * c);
}""",
    "complex_sin": """\
static complex_number complex_sin(complex_number a)
{
    return complex_of({sin}(a.re) * {cosh}(a.im), {cos}(a.re) * {sinh}(a.im));
}""",
    "complex_cos": """\
static complex_number complex_cos(complex_number a)
{
    return complex_of({cos}(a.re) * {cosh}(a.im), -({sin}(a.re) * {sinh}(a.im)));
}""",
    "complex_tan": """\
static complex_number complex_tan(complex_number a)
{
    const complex_number turned = complex_tanh(complex_of(-a.im, a.re));
    return complex_of(turned.im, -turned.re);
}""",
}

PRELUDE_NUMBERS = {
    "zero": "0.0",
    "half": "0.5",
    "low": "0.71",
    "one": "1.0",
    "high": "1.73",
    "two": "2.0",
    "eight": "8.0",
    "tiny": "2.2250738585072014e-308",
    "up": "9007199254740992.0",
    "down": "7.450580596923828e-09",
}
"""Constants of the prelude functions; up is 2^53, down 2^-27."""

_PLACE = re.compile(r"\{(\w+)\}")
_NAME = re.compile(r"\bcomplex_\w+")


def prelude_text(name: str, *, single: bool) -> str:
    """Return the C text of a prelude function for float64 or float32."""
    text = _PLACE.sub(lambda found: _word(found[1], single=single), PRELUDE[name])
    return text.replace("{{", "{").replace("}}", "}")


def _word(name: str, *, single: bool) -> str:
    """Return the C text of a constant or of a math.h function name."""
    if not single:
        return PRELUDE_NUMBERS.get(name, name)
    return "1.17549435e-38f" if name == "tiny" else PRELUDE_NUMBERS.get(name, name) + "f"


def prelude_names(name: str) -> list[str]:
    """Return a prelude function and the functions that it calls, in dependency order, with itself last."""
    found: list[str] = []
    for each in _NAME.findall(PRELUDE[name]):
        if each in PRELUDE and each != name:
            found += [inner for inner in prelude_names(each) if inner not in found]
    return [*found, name]
