"""Registry of metrics."""

from importlib import import_module

from .kind import MetricKind

FILES = (
    "arms",
    "attitude",
    "balance",
    "command",
    "environment",
    "guidance",
    "gyros",
    "knowledge",
    "modes",
    "nutation",
    "pointing",
    "thrusters",
    "translation",
    "wheels",
)

_found = [
    each
    for name in FILES
    for each in vars(import_module(f".{name}", __package__)).values()
    if isinstance(each, MetricKind)
]

METRICS: dict[str, MetricKind] = {each.name: each for each in sorted(_found, key=lambda each: each.name)}
"""All metrics by name, in alphabetical order."""
