"""What Python's operators do and those of C do not, as small functions; a program holds the ones it uses."""

__all__ = ["PRELUDE", "prelude_text"]

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
    "wrapped_product": """\
static integer wrapped_product(integer a, integer b) /* its lowest 64 bits */
{
    return (integer)((unsigned long long)a * (unsigned long long)b);
}""",
}


def prelude_text(name: str, *, single: bool) -> str:
    """Return one of them in float64 or float32."""
    text = PRELUDE[name]
    for each in ("fmod", "copysign", "floor"):
        text = text.replace("{" + each + "}", each + ("f" if single else ""))
    for word, number in (("zero", "0.0"), ("one", "1.0"), ("half", "0.5")):
        text = text.replace("{" + word + "}", number + ("f" if single else ""))
    return text.replace("{{", "{").replace("}}", "}")
