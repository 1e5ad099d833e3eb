"""Schema of `[[modes]]`: control modes and the conditions of their transitions."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from .controller import ControllerTable
from .fields import NonNegative, Number, Positive, Switch, Table, Text, entries_of, wrong
from .reference import ReferenceTable

SUFFIXES = ("", "_s", "_deg", "_deg_s")
"""Suffixes of threshold keys, which depend on the unit of the quantity."""


def _several(value: object) -> Any:
    return (value,) if entries_of(value) is None else value


class ConditionTable(Table):
    """Condition: a quantity stays below or above a threshold for some time."""

    quantity: Text = Field(
        description=(
            "time, elapsed (since the mode was entered), rate, rate_error, attitude_error, all from the "
            "measurements of the mode's law; or a signal or one number of it: attitude_sigma, "
            "star_tracker.valid, nis.1"
        )
    )
    below: Number | None = Field(default=None, description="threshold of a signal, in its unit")
    below_s: Number | None = Field(default=None, description="threshold of a time, s")
    below_deg: Number | None = Field(default=None, description="threshold of an angle, deg")
    below_deg_s: Number | None = Field(default=None, description="threshold of a rate, deg/s")
    above: Number | None = Field(default=None, description="threshold of a signal, in its unit")
    above_s: Number | None = Field(default=None, description="threshold of a time, s")
    above_deg: Number | None = Field(default=None, description="threshold of an angle, deg")
    above_deg_s: Number | None = Field(default=None, description="threshold of a rate, deg/s")
    release: Number | None = Field(
        default=None, description="hysteresis: threshold at which the condition ends; by default the same threshold"
    )
    release_s: Number | None = Field(default=None, description="the same for a time, s")
    release_deg: Number | None = Field(default=None, description="the same for an angle, deg")
    release_deg_s: Number | None = Field(default=None, description="the same for a rate, deg/s")
    for_s: NonNegative = Field(
        default=0.0, description="time for which the condition must hold without interruption, s"
    )

    @model_validator(mode="after")
    def _one(self) -> "ConditionTable":
        thresholds = [key for key in self.given if not key.startswith("release")]
        if len(thresholds) != 1:
            raise wrong(
                f"needs one threshold, such as below_deg_s = 0.1; got {', '.join(thresholds) if thresholds else 'none'}"
            )
        suffix = thresholds[0].removeprefix("below").removeprefix("above")
        for key in self.given:
            if key.removeprefix("release").removeprefix("below").removeprefix("above") != suffix:
                raise wrong(f"{thresholds[0]} and {key} have different units; use release{suffix}")
        return self

    @property
    def given(self) -> dict[str, float]:
        """Threshold keys in the table, with their values."""
        keys = [f"{word}{suffix}" for word in ("below", "above", "release") for suffix in SUFFIXES]
        return {key: getattr(self, key) for key in keys if getattr(self, key) is not None}

    @property
    def suffix(self) -> str:
        """Suffix of the threshold keys: "", "_s", "_deg" or "_deg_s"."""
        return next(iter(self.given)).removeprefix("below").removeprefix("above")


class TransitionTable(Table):
    """Transition out of a mode."""

    to: Text = Field(description="name of the next mode")
    when: Annotated[tuple[ConditionTable, ...], BeforeValidator(_several)] = Field(
        description="conditions that must all hold: a table, or a list of tables"
    )

    @model_validator(mode="after")
    def _some(self) -> "TransitionTable":
        if not self.when:
            raise wrong('when: needs a condition, such as { quantity = "elapsed", above_s = 60 }')
        return self


class ModeTable(Table):
    """One of `[[modes]]`: a mode with its law. The run starts in the first mode."""

    name: Annotated[Text, Field(min_length=1, max_length=40)] = Field(description="name of the mode")
    controller: ControllerTable | None = Field(
        default=None,
        description=(
            "law of the mode; by default [controller]. Its torque_limit_N_m is the largest torque of this mode, "
            "at most that of [controller] if both have the same actuators"
        ),
    )
    reference: ReferenceTable | None = Field(default=None, description="reference of the mode; by default [reference]")
    reference_from: Literal["entry", "run"] | None = Field(
        default=None,
        description=(
            "whether the time of its reference starts at the entry into the mode or at the start of the "
            "run; by default at the entry for a slew or spin-up, otherwise at the start of the run"
        ),
    )
    remap: dict[Text, Text] = Field(
        default={},
        description=(
            "replacements for rate, attitude or other plant signals that the law of the mode reads, "
            "such as a sensor or a block; other signals as in controller.uses"
        ),
    )
    transitions: tuple[TransitionTable, ...] = Field(
        default=(), description="transitions: the first whose conditions hold is taken"
    )
    dwell_s: NonNegative = Field(default=0.0, description="minimum time in the mode, s")
    blend_time_s: NonNegative = Field(
        default=0.0, description="time over which the command is blended on entry, s; 0: no blending"
    )
    unload_s: Positive | None = Field(
        default=None,
        description="time constant of unloading, s: the total momentum decays to 1/e; the wheels are unloaded, and an "
        "external torque compensates in parallel to the law, without a torque on the hub",
    )
    final: Switch = Field(default=False, description="whether the mode is intentionally final")
