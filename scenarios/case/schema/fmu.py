"""Common keys of laws, blocks and torques that are external FMUs."""

from typing import Annotated, Any, ClassVar, cast

from pydantic import BeforeValidator, Field, ValidationInfo, field_validator

from ....sim import FMU
from ....sim.hosts.process.answers import Answers
from .authority import vouched
from .fields import FileName, Positive, Program, Switch, Table, entries_of, given, wrong
from .untrusted import if_trusted


def _named(value: object) -> Any:
    if not isinstance(value, dict):
        raise wrong(
            f'must be a table from signals to variables, such as {{ rate = ["w1", "w2", "w3"] }}; got {given(value)}'
        )
    found: dict[str, str | tuple[str, ...]] = {}
    for name, each in value.items():  # pyright: ignore[reportUnknownVariableType] # parsed TOML
        entries = entries_of(each)  # pyright: ignore[reportUnknownArgumentType]
        if isinstance(each, str) and each:
            found[str(name)] = each  # pyright: ignore[reportUnknownArgumentType]
        elif entries and all(isinstance(entry, str) for entry in entries):
            found[str(name)] = tuple(str(entry) for entry in entries)  # pyright: ignore[reportUnknownArgumentType]
        else:
            raise wrong(f"{name}: must be the name of an array, or a list of names; got {given(each)}")  # pyright: ignore[reportUnknownArgumentType]
    return found


def _values(value: object) -> Any:
    if not isinstance(value, dict) or not all(isinstance(each, bool | int | float | str) for each in value.values()):  # pyright: ignore[reportUnknownVariableType]
        raise wrong(
            f"must be a table from variables to numbers, truth values or text; got {given(cast('object', value))}"
        )
    return value  # pyright: ignore[reportUnknownVariableType]


Connections = Annotated[dict[str, str | tuple[str, ...]], BeforeValidator(_named)]


class FMUKeys(Table):
    """Functional mock-up unit (FMU), with the map between its variables and the signals of the run."""

    paths: ClassVar[tuple[str, ...]] = ("file",)
    program_keys: ClassVar[tuple[str, ...]] = ("file", "trust")

    file: FileName = Field(description="path of the FMU, relative to the folder of the case file")
    inputs: Connections = Field(
        default={},
        description='variables of each signal, one per component ("" for none), or one array: '
        'rate = ["w1", "w2", "w3"]',
    )
    outputs: Connections = Field(description="the same for the outputs")
    values: Annotated[dict[str, bool | float | str], BeforeValidator(_values)] = Field(
        default={}, description="values of parameters and of unconnected inputs"
    )
    ahead: Switch = Field(
        default=False,
        description="whether the step that begins at a sample is taken before the outputs are read: for sampled "
        "controllers whose variables are not discrete; with discrete variables, the outputs belong to the sample of "
        "the inputs",
    )
    unitless: Switch = Field(default=False, description="whether a variable without a unit has the unit of its signal")
    trust: Switch = Field(
        default=False,
        validate_default=True,
        description="whether the library of the FMU may run; it has all rights of the user",
    )
    answer_within_s: Positive = Field(default=5.0, description="timeout of a step, s of wall-clock time")
    start_within_s: Positive = Field(default=30.0, description="timeout of loading, s of wall-clock time")

    @field_validator("trust")
    @classmethod
    def _vouched(cls, said: bool, info: ValidationInfo) -> bool:
        return vouched(("file", str(info.data.get("file"))), said=said, info=info)

    @property
    def trusted(self) -> frozenset[Program]:
        """The FMU as a permitted program, if its library may run."""
        return frozenset({("file", self.file)} if self.trust else ())

    @property
    def fmu(self) -> Answers:
        """The FMU as an external program; an untrusted library is rejected when a run starts."""
        found = FMU(
            file=self.file,
            inputs=self.inputs,
            outputs=self.outputs,
            values=self.values,
            ahead=self.ahead,
            unitless=self.unitless,
            answer_within=self.answer_within_s,
            start_within=self.start_within_s,
        )
        return if_trusted(found, f"runs the library in {self.file!r}", trusted=self.trust)
