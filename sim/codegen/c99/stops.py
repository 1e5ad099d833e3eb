"""Early stops of a user-defined kernel in C, by its own `raise` or where Python would raise an exception.

Every function that may stop takes the argument `polhode_stop`, which holds the reason and the target of the long jump
back to the caller of the kernel. The reason consists of the index of a `Stop`, which contains the message, and the
values to insert in that message.
"""

from collections.abc import Sequence
from dataclasses import dataclass

STOP = "polhode_stop"
"""Name of the stop argument."""

MOST_NUMBERS = 8
ROOM = 8192
"""Number of reals available to the arrays of a kernel during one call."""


@dataclass(frozen=True)
class Number:
    """A number in a message: where it is stored, whether it is an integer or a flag, and its format."""

    at: int
    kind: str = "real"
    conversion: str = ""
    spec: str = ""


@dataclass(frozen=True)
class Stop:
    """An exception: the name of its type, and its arguments, each split into texts and numbers."""

    name: str
    arguments: tuple[tuple["str | Number", ...], ...] = ()


def sentence(stop: Stop, numbers: Sequence[float]) -> str:
    """Return the text of an exception as Python shows it."""
    held = [_argument(pieces, numbers) for pieces in stop.arguments]
    words = "" if not held else str(held[0] if len(held) == 1 else tuple(held))
    return f"{stop.name}{': ' if words else ''}{words}"


def _argument(pieces: Sequence["str | Number"], numbers: Sequence[float]) -> object:
    if len(pieces) == 1 and isinstance(pieces[0], Number) and not pieces[0].spec and not pieces[0].conversion:
        return _number(pieces[0], numbers)
    return "".join(each if isinstance(each, str) else _text(each, numbers) for each in pieces)


def _number(number: Number, numbers: Sequence[float]) -> "float | int | bool":
    value = numbers[number.at]
    return {"real": float, "integer": int, "flag": bool}[number.kind](value)


def _text(number: Number, numbers: Sequence[float]) -> str:
    value = _number(number, numbers)
    if number.conversion:
        return format(repr(value) if number.conversion in "ra" else str(value), number.spec)
    return format(value, number.spec)


_BEYOND = (
    "an integer needs more than the 64 bits of compiled functions (53 in quotients, and in powers whose exponent is no "
    "literal); compute with floats"
)


def _built_in() -> dict[str, Stop]:
    first, second, third = (Number(n, "integer") for n in range(3))
    return {
        "INDEX": Stop("IndexError", (("index ", first, " is out of bounds for axis ", third, " with size ", second),)),
        "DIVIDED": Stop("ZeroDivisionError", (("integer division or modulo by zero",),)),
        "NOT_WHOLE": Stop("ValueError", ((Number(0), " exceeds an integer of 64 bits"),)),
        "SHIFT": Stop("ValueError", (("negative shift count: ", first),)),
        "EMPTY": Stop("ValueError", (("an empty array has no maximum or minimum",),)),
        "STEP": Stop("ValueError", (("a step must not be zero",),)),
        "OVERFLOW": Stop("OverflowError", ((_BEYOND,),)),
        "ROOM": Stop("MemoryError", ((f"the arrays of a kernel may contain {ROOM} numbers during one call",),)),
        "SIZES": Stop("ValueError", (("arrays of ", first, " and of ", second, " numbers cannot be combined"),)),
        "NOTHING": Stop("TypeError", (("a function ended without returning a number",),)),
        "PART": Stop("ValueError", (("part of a row beyond its end: up to ", first, " of ", second, " numbers"),)),
    }


BUILT_IN = _built_in()
"""Reasons to stop that every program has even without a `raise`, by name; their numbers are their indices."""

_CHECKS = """\
typedef struct {
    jmp_buf back;
    integer code;
    double numbers[@most@];
    integer used;
    real *room;
    integer sizes[2];
} polhode_stops;

static POLHODE_NO_RETURN void polhode_leave(polhode_stops *stop, integer code)
{
    stop->code = code;
    longjmp(stop->back, 1);
}

static POLHODE_NO_RETURN void polhode_leave_with(polhode_stops *stop, integer code, double a, double b, double c)
{
    stop->numbers[0] = a;
    stop->numbers[1] = b;
    stop->numbers[2] = c;
    polhode_leave(stop, code);
}

static inline integer polhode_place(polhode_stops *stop, integer n, integer size, integer axis)
{
    const integer at = n < 0 ? n + size : n;
    if (at < 0 || at >= size) {
        polhode_leave_with(stop, @INDEX@, (double)n, (double)size, (double)axis);
    }
    return at;
}

static inline integer polhode_clipped(integer n, integer size)
{
    const integer at = n < 0 ? n + size : n;
    return at < 0 ? 0 : at > size ? size : at;
}

static inline integer polhode_span(integer first, integer last) { return last > first ? last - first : 0; }

static inline integer polhode_part(polhode_stops *stop, integer first, integer count, integer size)
{
    if (first < 0 || count < 0 || first > size || count > size - first) {
        polhode_leave_with(stop, @PART@, (double)first + (double)count, (double)size, 0.0);
    }
    return first;
}

static inline integer polhode_sum(integer a, integer b)
{
    return (integer)((unsigned long long)a + (unsigned long long)b);
}

static inline integer polhode_difference(integer a, integer b)
{
    return (integer)((unsigned long long)a - (unsigned long long)b);
}

static inline integer polhode_product(integer a, integer b)
{
    return (integer)((unsigned long long)a * (unsigned long long)b);
}

static inline integer polhode_bounded_sum(polhode_stops *stop, integer a, integer b)
{
    const integer sum = polhode_sum(a, b);
    if ((a < 0) == (b < 0) && (sum < 0) != (a < 0)) {
        polhode_leave(stop, @OVERFLOW@);
    }
    return sum;
}

static inline integer polhode_bounded_difference(polhode_stops *stop, integer a, integer b)
{
    const integer rest = polhode_difference(a, b);
    if ((a < 0) != (b < 0) && (rest < 0) != (a < 0)) {
        polhode_leave(stop, @OVERFLOW@);
    }
    return rest;
}

static inline integer polhode_bounded_product(polhode_stops *stop, integer a, integer b)
{
    const integer product = polhode_product(a, b);
    const integer least = -9223372036854775807LL - 1;
    if (a != 0 && ((a == -1 && b == least) || (b == -1 && a == least) || (a != -1 && product / a != b))) {
        polhode_leave(stop, @OVERFLOW@);
    }
    return product;
}

static inline integer polhode_power(polhode_stops *stop, integer a, integer n)
{
    integer power = 1;
    if (a == 0 || a == 1) {
        return n == 0 ? 1 : a;
    }
    if (a == -1) {
        return n % 2 == 0 ? 1 : -1;
    }
    for (; n > 0; n--) { /* at most 63 times, then it is too large */
        power = polhode_bounded_product(stop, power, a);
    }
    return power;
}

static inline real polhode_real_power(polhode_stops *stop, integer a, integer n)
{
    integer power;
    if (n < 0) {
        if (a == 0) {
            polhode_leave(stop, @DIVIDED@);
        }
        return pow((real)a, (real)n);
    }
    power = polhode_power(stop, a, n);
    if (power > 9007199254740992LL || power < -9007199254740992LL) {
        polhode_leave(stop, @OVERFLOW@);
    }
    return (real)power;
}

static inline real polhode_ratio(polhode_stops *stop, integer a, integer b)
{
    const integer most = 9007199254740992LL;
    if (b == 0) {
        polhode_leave(stop, @DIVIDED@);
    }
    if (a > most || a < -most || b > most || b < -most) { /* whose quotient is not that of the nearest reals */
        polhode_leave(stop, @OVERFLOW@);
    }
    return (real)a / (real)b;
}

static inline integer polhode_size(polhode_stops *stop, integer a)
{
    return a < 0 ? polhode_bounded_difference(stop, 0, a) : a;
}

static inline integer polhode_modulo(polhode_stops *stop, integer a, integer b)
{
    integer rest;
    if (b == 0) {
        polhode_leave(stop, @DIVIDED@);
    }
    rest = b == -1 ? 0 : a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

static inline integer polhode_quotient(polhode_stops *stop, integer a, integer b)
{
    if (b == 0) {
        polhode_leave(stop, @DIVIDED@);
    }
    if (b == -1) {
        return polhode_bounded_difference(stop, 0, a);
    }
    return a % b != 0 && (a < 0) != (b < 0) ? a / b - 1 : a / b;
}

static inline integer polhode_whole(polhode_stops *stop, real a)
{
    if (!(a >= -9223372036854775808.0 && a < 9223372036854775808.0)) {
        polhode_leave_with(stop, @NOT_WHOLE@, (double)a, 0.0, 0.0);
    }
    return (integer)a;
}

static inline integer polhode_step(polhode_stops *stop, integer step)
{
    if (step == 0) {
        polhode_leave(stop, @STEP@);
    }
    return step;
}

static inline integer polhode_count(integer first, integer last, integer step)
{
    if (step > 0) {
        return first < last ? (last - first - 1) / step + 1 : 0;
    }
    return first > last ? (first - last - 1) / -step + 1 : 0;
}

static inline integer polhode_bound(integer n, integer size, integer step) /* of a part with a step, as Python has it */
{
    const integer at = n < 0 ? n + size : n;
    if (at < 0) {
        return step < 0 ? -1 : 0;
    }
    return at >= size ? (step < 0 ? size - 1 : size) : at;
}

static inline integer polhode_bits(polhode_stops *stop, integer n)
{
    if (n < 0) {
        polhode_leave_with(stop, @SHIFT@, (double)n, 0.0, 0.0);
    }
    if (n > 63) {
        polhode_leave(stop, @OVERFLOW@);
    }
    return n;
}

static inline integer polhode_shifted(polhode_stops *stop, integer a, integer n)
{
    const integer found = a == 0 && n > 63 ? 0 : (integer)((unsigned long long)a << polhode_bits(stop, n));
    if (a != 0 && found >> n != a) {
        polhode_leave(stop, @OVERFLOW@);
    }
    return found;
}

static inline integer polhode_shifted_down(polhode_stops *stop, integer a, integer n)
{
    return n > 63 ? (a < 0 ? -1 : 0) : a >> polhode_bits(stop, n);
}

static inline void polhode_known(polhode_stops *stop, flag known, integer code)
{
    if (!known) {
        polhode_leave(stop, code);
    }
}

static inline void polhode_fit(polhode_stops *stop, integer a, integer b)
{
    if (a != b) {
        polhode_leave_with(stop, @SIZES@, (double)a, (double)b, 0.0);
    }
}

static inline void polhode_some(polhode_stops *stop, integer count)
{
    if (count <= 0) {
        polhode_leave(stop, @EMPTY@);
    }
}

static real polhode_total(const real *a, integer n) /* pairwise, as numpy adds */
{
    real found = -0.0, r[8];
    integer i, k;
    if (n < 8) {
        for (i = 0; i < n; i++) {
            found += a[i];
        }
        return found;
    }
    if (n > 128) {
        i = n / 2;
        i -= i % 8;
        return polhode_total(a, i) + polhode_total(a + i, n - i);
    }
    for (k = 0; k < 8; k++) {
        r[k] = a[k];
    }
    for (i = 8; i < n - n % 8; i += 8) {
        for (k = 0; k < 8; k++) {
            r[k] += a[i + k];
        }
    }
    found = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
    for (; i < n; i++) {
        found += a[i];
    }
    return found;
}

static inline real *polhode_take(polhode_stops *stop, integer count)
{
    real *const found = stop->room + stop->used;
    if (count < 0 || count > @room@ - stop->used) {
        polhode_leave(stop, @ROOM@);
    }
    stop->used += count;
    return found;
}

static inline real *polhode_give(polhode_stops *stop, integer used, const real *numbers, integer count)
{
    real *const found = stop->room + used;
    if (count > @room@ - used) {
        polhode_leave(stop, @ROOM@);
    }
    memmove(found, numbers, (size_t)count * sizeof(real));
    stop->used = used + count;
    return found;
}"""


def _filled_in() -> str:
    text = _CHECKS.replace("@most@", str(MOST_NUMBERS)).replace("@room@", str(ROOM))
    for number, name in enumerate(BUILT_IN):
        text = text.replace(f"@{name}@", str(number))
    return text


CHECKS = _filled_in()
"""C text of the functions by which a program checks values and stops."""
