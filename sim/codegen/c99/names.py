"""Conversion of Python names to names that are free in C and C++."""

from functools import cache

from .prelude import PRELUDE

_WORDS = """
auto break case char const continue default do double else enum extern float for goto if inline int long register
restrict return short signed sizeof static struct switch typedef union unsigned void volatile while _Bool _Complex
_Imaginary asm typeof main errno complex imaginary I NAN INFINITY bool true false real integer flag complex_number
acos asin atan atan2 cos sin tan acosh asinh atanh cosh sinh tanh exp exp2 expm1 frexp ilogb ldexp log log10 log1p
log2 logb modf scalbn scalbln cbrt fabs hypot pow sqrt erf erfc lgamma tgamma ceil floor nearbyint rint lrint round
lround trunc fmod remainder remquo copysign nan nextafter nexttoward fdim fmax fmin fma signgam gamma j0 j1 jn y0 y1
yn abs labs div exit free malloc calloc realloc made_of
alignas alignof and and_eq bitand bitor catch char16_t char32_t class compl const_cast constexpr decltype delete
dynamic_cast explicit export friend mutable namespace new noexcept not not_eq nullptr operator or or_eq private
protected public reinterpret_cast static_assert static_cast template this thread_local throw try typeid typename using
virtual wchar_t xor xor_eq linux unix i386
"""

_TAKEN = frozenset(_WORDS.split()) | frozenset(PRELUDE)


@cache
def free_name(name: str) -> str:
    """Return a Python name as a C name: names used by C or its libraries get a trailing underscore."""
    plain = "".join(each if each.isascii() and (each.isalnum() or each == "_") else _spelt(each) for each in name)
    plain = plain.lstrip("_") or "unnamed"
    if plain[0].isdigit():
        plain = f"n{plain}"
    return f"{plain}_" if plain in _TAKEN or plain.endswith("_t") else plain


def _spelt(letter: str) -> str:
    """Replace a character that C does not allow by its code, so that different names remain different."""
    return f"u{ord(letter):04x}_" if letter.isalnum() else "_"
