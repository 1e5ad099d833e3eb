"""Error messages for each type of pydantic fault."""

from collections.abc import Callable
from typing import Any

from pydantic_core import ErrorDetails

from ...plant.nearest import nearest_words
from .schema.fields import given

_UNITS = {
    "stiffness_N_m": "N/m",
    "area_m2": "m^2",
    "_1_s": "1/s",
    "_A_m": "A/m",
    "_A_m2": "A m^2",
    "_A_m2_s_T": "A m^2 s/T",
    "_J": "J",
    "_K": "K",
    "_N": "N",
    "_N_m": "N m",
    "_N_m_rad": "N m/rad",
    "_N_m_rtHz": "N m/sqrt(Hz)",
    "_N_m_rts": "N m/sqrt(s)",
    "_N_m_s": "N m s",
    "_N_m_s_rad": "N m s/rad",
    "_N_per_rtkg": "N/kg^0.5",
    "_N_s_m": "N s/m",
    "_Pa": "Pa",
    "_T": "T",
    "_arcsec": "arcsec",
    "_dB": "dB",
    "_deg": "deg",
    "_deg_h": "deg/h",
    "_deg_h_sqrt_h": "deg/h/sqrt(h)",
    "_deg_s": "deg/s",
    "_deg_s2": "deg/s^2",
    "_deg_sqrt_h": "deg/sqrt(h)",
    "_h": "h",
    "_kg": "kg",
    "_kg_m": "kg m",
    "_kg_m2": "kg m^2",
    "_kg_m3": "kg/m^3",
    "_kg_mol": "kg/mol",
    "_kg_s": "kg/s",
    "_km": "km",
    "_km_s": "km/s",
    "_m": "m",
    "_m3_s2": "m^3/s^2",
    "_m4": "m^4",
    "_m_s": "m/s",
    "_m_s2": "m/s^2",
    "_nT": "nT",
    "_per_s": "1/s",
    "_percent": "%",
    "_rad": "rad",
    "_rad_s": "rad/s",
    "_rad_s2": "rad/s^2",
    "_rad_sqrt_kg_m": "rad/sqrt(kg)/m",
    "_s": "s",
    "_sqrt_kg": "sqrt(kg)",
    "_sqrt_kg_m": "sqrt(kg) m",
    "_uT": "uT",
}
UNITS = tuple(sorted(_UNITS.items(), key=lambda each: (-len(each[0]), each[0])))
"""Key suffixes with their units, longest suffix first."""


LONGEST = 60  # largest number of characters of a quoted word in a message
SHORT, LONG = 120, 300  # largest length of a list of allowed words, with and without a suggested word


def unit_of(key: str) -> str:
    """Return the unit in the suffix of a key, or an empty string.

    Examples
    --------
    >>> unit_of("duration_s"), unit_of("rate_deg_s"), unit_of("integrator")
    ('s', 'deg/s', '')
    """
    return next((unit for ending, unit in UNITS if key.endswith(ending)), "")


def name_of(key: str) -> str:
    """Return a key without the unit in its suffix.

    Examples
    --------
    >>> name_of("friction_kg_s"), name_of("stiffness_N_m"), name_of("kind")
    ('friction', 'stiffness', 'kind')
    """
    ending = next((ending for ending, _ in UNITS if key.endswith(ending)), "_")
    return key.removesuffix(ending[ending.index("_") :]) if key.endswith(ending) else key


def words(fault: ErrorDetails, key: str) -> str:
    """Return the message for a fault in a value: bound, value and remedy.

    key: last key of the path of the value. The caller puts the path before the message.
    """
    write = _SENTENCES.get(fault["type"])
    return write(fault, key) if write else f"{fault['msg']}; got {given(fault['input'])}"


def _bound(relation: str, name: str) -> Callable[[ErrorDetails, str], str]:
    def write(fault: ErrorDetails, key: str) -> str:
        unit = unit_of(key)
        unit = f" {unit}" if unit else ""
        return f"must be {relation} {_context(fault)[name]:g}{unit}; got {given(fault['input'])}{unit}"

    return write


def _context(fault: ErrorDetails) -> dict[str, Any]:
    return fault.get("ctx", {})


def _choices(fault: ErrorDetails, _: str) -> str:
    context = _context(fault)
    text = str(context.get("expected") or context.get("expected_tags"))
    words = [word.strip(" '") for word in text.replace(" or ", ", ").split(",")]
    value = context.get("tag", fault["input"])
    kind = "kind " if "tag" in context else ""
    if not isinstance(value, str):
        every = ", ".join(words)
        allowed = f"one of {every} (text in quotes)" if len(every) <= LONG else f"a text, such as {words[0]!r}"
        return f"must be {allowed}; got {given(value)}"
    quoted = repr(value if len(value) <= LONGEST else value[:LONGEST] + "...")
    near, every = nearest_words(value, words), ", ".join(words)
    if near:
        hint = f"did you mean {' or '.join(map(repr, near))}?"
        return f"unknown {kind}{quoted}; {hint}" + (f" ({every})" if len(every) <= SHORT else "")
    allowed = f"must be one of {every}" if len(every) <= LONG else f"polhode schema lists the {len(words)} allowed"
    return f"unknown {kind}{quoted}; {allowed}"


def _switch(fault: ErrorDetails, _: str) -> str:
    return f"must be true or false; got {given(fault['input'])}"


def _table(fault: ErrorDetails, key: str) -> str:
    written = "" if key.isdigit() else f", written [{key}]"
    return f"must be a table of keys{written}; got {given(fault['input'])}"


def _tables(fault: ErrorDetails, key: str) -> str:
    return f"must be a list of tables, written [[{key}]]; got {given(fault['input'])}"


def _too_short(fault: ErrorDetails, _: str) -> str:
    least = int(_context(fault).get("min_length", 1))
    return "must not be empty" if least == 1 else f"must have at least {least} {_parts(fault)}; got {_size(fault)}"


def _too_long(fault: ErrorDetails, _: str) -> str:
    return f"must have at most {int(_context(fault)['max_length'])} {_parts(fault)}; got {_size(fault)}"


def _pattern(fault: ErrorDetails, _: str) -> str:
    allowed = _PATTERNS.get(str(_context(fault)["pattern"]), f"match {_context(fault)['pattern']}")
    return f"must {allowed}; got {given(fault['input'])}"


def _parts(fault: ErrorDetails) -> str:
    return "characters" if isinstance(fault["input"], str) else "entries"


def _size(fault: ErrorDetails) -> int:
    return len(fault["input"])


_PATTERNS = {"^[A-Za-z0-9_-]+$": "contain only ASCII letters, digits, hyphens and underscores"}

_SENTENCES: dict[str, Callable[[ErrorDetails, str], str]] = {
    "polhode": lambda fault, _: str(_context(fault)["message"]),
    "missing": lambda _, key: "required, but not given" + (f" ({unit_of(key)})" if unit_of(key) else ""),
    "greater_than": _bound("greater than", "gt"),
    "greater_than_equal": _bound("at least", "ge"),
    "less_than": _bound("less than", "lt"),
    "less_than_equal": _bound("at most", "le"),
    "literal_error": _choices,
    "union_tag_invalid": _choices,
    "union_tag_not_found": lambda _fault, _key: "needs a kind",
    "string_too_short": _too_short,
    "too_short": _too_short,
    "string_too_long": _too_long,
    "too_long": _too_long,
    "string_pattern_mismatch": _pattern,
    "bool_type": _switch,
    "bool_parsing": _switch,
    "model_type": _table,
    "model_attributes_type": _table,
    "dict_type": _table,
    "tuple_type": _tables,
    "list_type": _tables,
}
