"""A law whose gains are interpolated over a scheduling variable: spin rate, wheel momentum or a parameter."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant import LinearModel, Spacecraft, TorqueBasis
from ...plant.brief import brief
from ...plant.checks import choice, numbers, of_kind
from ...plant.errors import DesignError, InputError
from ...plant.frozen import frozen_arrays
from ...plant.kernels.fields import filled
from ..contracts.attitude_law import AttitudeLaw
from ..contracts.checks import read_only
from ..contracts.design_condition import DesignCondition
from ..contracts.kernel_call import KernelCall, call_code
from ..contracts.law_defaults import with_defaults
from ..contracts.reference import Reference
from ..loop.acting_model import operating_rate
from ..loop.small_signal import SmallSignal
from .gain_schedule_checks import ascending_points, check_laws, parameter_table
from .gain_schedule_kernel import AT, MOMENTUM, PARAMETER, RATE, RECORD, REFERENCE_RATE, gain_schedule_kernel
from .gain_schedule_linear import interpolated_compensator, small_signal_of
from .linear_feedback import LinearFeedback

Array = NDArray[np.float64]

VARIABLES = {"rate": RATE, "reference-rate": REFERENCE_RATE, "momentum": MOMENTUM, "parameter": PARAMETER}
UNITS = {"rate": "rad/s", "reference-rate": "rad/s", "momentum": "N m s", "parameter": ""}
"""Units of the scheduling variables."""

BETWEEN = 3
"""Values within an interval at which a schedule over a changing parameter is held."""


@frozen_arrays
@dataclass(frozen=True, eq=False, init=False)
class GainSchedule(AttitudeLaw):
    """Law whose gains are interpolated linearly between designs at several values of a scheduling variable.

    All laws must be of the same kind and structure. At every sample, the compiled law computes the scheduling variable,
    interpolates all kernel parameters (gains, inertia of the feed-forward) between the two neighbouring points, and
    evaluates the law with them; all points share its memory. At a point, the command is bitwise identical to the
    command of the point's law. Outside the range of the points, the nearest law applies, and the run warns.

    Laws that are stable at their points need not be stable between the points. `schedule_margins` bounds the margin
    over every interval. That bound holds for a variable that changes slowly compared with the loop.

    Parameters
    ----------
    laws : sequence of Law
        Law at each point, such as `lqr(...)` or `quaternion_feedback(...)`.
    values : array_like, shape (n,)
        Value of the scheduling variable at each point, ascending; n of 2 or more.
    variable : str
        "rate": measured body rate along `axis`, rad/s. "reference-rate": rate of the reference along `axis`, rad/s,
        which is free of noise. "momentum": momentum of the wheels and other elements along `axis`, pi - J omega with
        the inertia J of the first law, N m s. "parameter": the value of `parameter`, such as the mass of propellant.
    axis : array_like, shape (3,)
        Direction in body axes; it is normalised.
    parameter : float or array_like, shape (m, 2), optional
        Value of the scheduled parameter, or rows of time (s, ascending) and value, between which it is interpolated.
        Only for variable = "parameter".

    Raises
    ------
    InputError
        When the laws differ in kind, structure, sampling period or delay, the values do not ascend, or an argument does
        not belong to the variable.

    Examples
    --------
    >>> from polhode import controllers, plant
    >>> craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    >>> law = lambda frequency: controllers.quaternion_feedback(
    ...     craft, frequency=frequency, damping_ratio=0.7, sample=0.1)
    >>> schedule = GainSchedule([law(0.4), law(0.8)], [0.0, 0.1], variable="rate")
    >>> [round(float(schedule.at_value(value).stiffness[0, 0]), 4) for value in (0.0, 0.05, 0.1)]
    [0.96, 2.4, 3.84]
    """

    laws: tuple[Any, ...]
    values: Array
    variable: str
    axis: Array
    parameter: Array | None

    __repr__ = brief

    def __init__(
        self,
        laws: Sequence[Any],
        values: "ArrayLike",
        *,
        variable: str = "rate",
        axis: "ArrayLike" = (0.0, 0.0, 1.0),
        parameter: "ArrayLike | None" = None,
    ) -> None:
        of_kind("laws", laws, Sequence, such_as="a list of laws")
        choice("variable", variable, tuple(VARIABLES))
        points = ascending_points(values, len(laws))
        direction = numbers("axis", axis)
        if direction.shape != (3,) or not direction.any():
            raise InputError(f"axis must be three numbers, not all zero; got {np.array(axis).tolist()}")
        if (variable == "parameter") != (parameter is not None):
            raise InputError(
                "give parameter, the value or table of the scheduled parameter"
                if parameter is None
                else f"a schedule over {variable} computes its variable; omit parameter, or use variable='parameter'"
            )
        object.__setattr__(self, "laws", tuple(with_defaults(each) for each in laws))
        object.__setattr__(self, "values", read_only(points))
        object.__setattr__(self, "variable", variable)
        object.__setattr__(self, "axis", read_only(direction / np.linalg.norm(direction)))
        object.__setattr__(self, "parameter", None if parameter is None else read_only(parameter_table(parameter)))
        check_laws(self.laws, lambda k: f"{self.values[k]:g} {self.unit}".rstrip())
        if variable == "momentum":
            self._momentum_inertia()

    @property
    def unit(self) -> str:
        """Unit of the scheduling variable."""
        return UNITS[self.variable]

    @property
    def sample(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride] # that of its laws
        """Sampling period, s."""
        return self.laws[0].sample

    @property
    def delay(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride] # that of its laws
        """Time from a sample to the moment its command reaches the plant, s."""
        return self.laws[0].delay

    @property
    def measured(self) -> tuple[str, ...]:  # pyright: ignore[reportIncompatibleVariableOverride] # that of its laws
        """States that the laws measure in addition to attitude and rate."""
        return self.laws[0].measured

    @property
    def kernel(self) -> Callable[..., Any]:
        """The law kernel `law(t, y, r, q, z, u)`."""
        return gain_schedule_kernel

    @property
    def parameters(self) -> Array:
        """Kernel parameters: head, values of the points, table of the parameter, parameters of the laws."""
        found = self._numbers.copy()
        found[AT.code] = call_code(self.laws[0].kernel)  # valid in this process only
        return read_only(found)

    @cached_property
    def _numbers(self) -> Array:
        first = self.laws[0]
        table = np.zeros((0, 2)) if self.parameter is None else self.parameter
        head = filled(
            AT, code=0.0, law=np.size(first.parameters), memory=np.size(first.memory), points=len(self.values),
            variable=VARIABLES[self.variable], axis=self.axis, rows=len(table),
            inertia=self._momentum_inertia() if self.variable == "momentum" else np.zeros((3, 3)),
        )  # fmt: skip
        return read_only(np.concatenate((head, self.values, table.T.ravel(), *(law.parameters for law in self.laws))))

    def _momentum_inertia(self) -> Array:
        about = self.laws[0].design_condition
        if about is None or about.inertia is None:
            raise InputError(
                "a schedule over momentum needs the inertia of the first law, but that law has none; use lqr, pid or "
                "quaternion_feedback, or variable='parameter'"
            )
        return about.inertia

    @property
    def calls(self) -> tuple[KernelCall, ...]:
        """The kernel of the laws."""
        return (KernelCall(AT.code, "law", self.laws[0].kernel),)

    @property
    def memory(self) -> Array:
        """Initial memory: the memory of the law, scratch space for its interpolated parameters, and `RECORD`."""
        behind = np.zeros(np.size(self.laws[0].parameters) + RECORD.size)
        return read_only(np.concatenate((self.laws[0].memory, behind)))

    kept: ClassVar[int] = RECORD.size
    """Number of final memory components that keep their values when a mode is entered again."""

    @property
    def summary(self) -> str:
        """Description of the law."""
        low, high = self.values[0], self.values[-1]
        of = f"{self.variable} from {low:g} to {high:g} {self.unit}".rstrip()
        return f"gain schedule of {len(self.laws)} laws over {of}: {self.laws[0].summary}"

    @property
    def looks_at_momentum(self) -> bool | None:
        """True if the variable is a momentum; otherwise None, because it depends on the laws."""
        return True if self.variable == "momentum" else None

    @property
    def design_condition(self) -> DesignCondition | None:
        """Design conditions common to all laws: no rate or attitude, and no inertia if the inertias differ."""
        every = [law.design_condition for law in self.laws]
        first = every[0]
        if first is None or any(each is None for each in every):
            return None
        same = all(each.inertia is not None and np.array_equal(each.inertia, first.inertia) for each in every)
        return replace(first, inertia=first.inertia if same else None, rate=None, attitude=None)

    def check_craft(self, craft: Spacecraft) -> None:
        """Raise InputError if the variable is the momentum of elements and the spacecraft has no elements.

        Parameters
        ----------
        craft : Spacecraft
            The spacecraft of a run.

        Raises
        ------
        InputError
            When the spacecraft has no elements.
        """
        if self.variable == "momentum" and not craft.elements:
            raise InputError(
                "the gain schedule is over the momentum of wheels, but the spacecraft has no elements; schedule over "
                "its rate or a parameter"
            )

    def check_reference(self, reference: Reference) -> None:
        """Raise DesignError if a law cannot follow a reference.

        Parameters
        ----------
        reference : Reference
            The reference of the run.

        Raises
        ------
        DesignError
            When a law cannot follow the reference.
        """
        for law in self.laws:
            law.check_reference(reference)

    def limited_to(self, torques: TorqueBasis) -> "GainSchedule":
        """Return the schedule with changed torque limits.

        Parameters
        ----------
        torques : TorqueBasis
            Torque basis of the design, with the new limits.

        Returns
        -------
        GainSchedule
            The schedule that designs with this torque basis would return.
        """
        return self._with_laws([law.limited_to(torques) if hasattr(law, "limited_to") else law for law in self.laws])

    def _with_laws(self, laws: Sequence[Any]) -> "GainSchedule":
        return GainSchedule(laws, self.values, variable=self.variable, axis=self.axis, parameter=self.parameter)

    def to_file(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Raise InputError: a law file is for one plant, and the laws of a schedule are for one each.

        Returns
        -------
        keys, tables : dict
            Never returned.

        Raises
        ------
        InputError
            Always.
        """
        raise InputError(
            "a gain schedule cannot be saved as one law, since each of its laws is for a plant of its own; save "
            'each of schedule.laws with the model of its point, and read them with law = { kind = "file", file = ... } '
            "of the points of a case"
        )

    def scalars(self) -> Mapping[str, tuple[float, Callable[[float], "GainSchedule"]]]:
        """Return the variable scalars of all laws, named by the number of the point from 1."""
        return {
            f"point_{k + 1}_{name}": (value, partial(self._with, k, with_it))
            for k, law in enumerate(self.laws)
            for name, (value, with_it) in law.scalars().items()
        }

    def scalar_units(self) -> Mapping[str, str]:
        """Return the units of `scalars`."""
        return {
            f"point_{k + 1}_{name}": unit
            for k, law in enumerate(self.laws)
            for name, unit in law.scalar_units().items()
        }

    def _with(self, k: int, with_it: Callable[[float], Any], value: float) -> "GainSchedule":
        return self._with_laws([with_it(value) if n == k else law for n, law in enumerate(self.laws)])

    def bumpless_gains(self) -> tuple[Array, Array]:
        """Return the smallest gains of all points, for the memory of the law.

        The correction of the memory removes the command step at the point with these gains, and at other points the
        part of it that their larger gains leave. The gains of another point could enlarge the step.
        """
        rest = np.zeros((np.size(self.laws[0].parameters) + RECORD.size, 3))
        smallest = min((law.bumpless_gains() for law in self.laws), key=lambda gains: float(np.linalg.norm(gains[0])))
        missing, past = (np.vstack((each, rest)) for each in smallest)
        return missing, past

    def held(self, value: float) -> "GainSchedule":
        """Return the schedule with its variable held at a value, for analysis.

        Parameters
        ----------
        value : float
            Value of the scheduling variable.

        Returns
        -------
        GainSchedule
            A schedule over a constant parameter, with the same laws.
        """
        return GainSchedule(self.laws, self.values, variable="parameter", parameter=value)

    def frozen_over(self, duration: float) -> Sequence[AttitudeLaw]:
        """Return the schedule held at values that its parameter takes from 0 s to the end of a run.

        Parameters
        ----------
        duration : float
            Duration of the run, s.

        Returns
        -------
        sequence of AttitudeLaw
            The schedule itself if its variable is not a parameter, or constant; otherwise schedules held at the
            smallest and largest value of the parameter, at the points between them, and at `BETWEEN` values in each
            interval.
        """
        if self.parameter is None:
            return (self,)
        times, values = self.parameter.T
        ends = np.asarray(np.interp((0.0, duration), times, values), dtype=np.float64)
        taken = np.concatenate((ends, values[(times > 0.0) & (times < duration)]))
        low, high = float(taken.min()), float(taken.max())
        if low == high:
            return (self,)
        knots = np.array([low, *self.values[(self.values > low) & (self.values < high)], high])
        steps = np.arange(BETWEEN + 1) / (BETWEEN + 1)
        grid = [*(knots[:-1, None] + steps * np.diff(knots)[:, None]).ravel().tolist(), high]
        return tuple(self.held(each) for each in grid)

    def share(self, value: float) -> tuple[int, float]:
        """Return the interval that contains a value of the variable, and the value's place in it, 0 to 1.

        Parameters
        ----------
        value : float
            Value of the scheduling variable.

        Returns
        -------
        interval : int
            Index of the point at the lower end.
        fraction : float
            0 at the lower end, 1 at the upper end.
        """
        low = int(np.clip(np.searchsorted(self.values, value, side="right") - 1, 0, len(self.values) - 2))
        start, end = self.values[low], self.values[low + 1]
        return low, float(np.clip((value - start) / (end - start), 0.0, 1.0))

    def value_at(self, model: LinearModel) -> float:
        """Return the scheduling variable at a model's operating point; for a parameter, its value at t = 0.

        Parameters
        ----------
        model : LinearModel
            Model whose operating point is used.

        Returns
        -------
        float
            Value of the variable, in its unit.
        """
        if self.parameter is not None:
            return float(np.interp(0.0, self.parameter[:, 0], self.parameter[:, 1]))
        rate = operating_rate(model)
        if self.variable == "momentum":
            momentum = np.asarray(model.operating_point[:3], dtype=np.float64)
            return float(self.axis @ (momentum - self._momentum_inertia() @ rate))
        return float(self.axis @ rate)

    def end_warnings(self, memory: Array) -> tuple[str, ...]:
        """Return a warning if the variable left the range of the points at a sample of a run, else nothing.

        A variable that is outside by less than 1 % of the range counts as being at the end of the range.

        Parameters
        ----------
        memory : numpy.ndarray
            Memory of the law at the end of the run.

        Returns
        -------
        tuple of str
            The sentence.
        """
        record = memory[-RECORD.size :]
        if record[RECORD.beyond] == 0.0:
            return ()
        unit = f" {self.unit}" if self.unit else ""
        low, high = float(self.values[0]), float(self.values[-1])
        words = (
            f"the {self.variable.replace('-', ' ')} of the gain schedule reaches {record[RECORD.value]:.6g}{unit}, "
            f"outside its points from {low:g} to {high:g}{unit} (first at {record[RECORD.first]:.6g} s); the gains of "
            "the nearest point are used there: add a point beyond this value"
        )
        return (words,)

    def at_value(self, value: float) -> Any:
        """Return the law with the gains interpolated at a value of the variable.

        Parameters
        ----------
        value : float
            Value of the scheduling variable.

        Returns
        -------
        Law
            A law of the same kind as the laws at the points; at a point, the law of that point.

        Raises
        ------
        DesignError
            When laws of this kind cannot be constructed from interpolated gains.
        """
        low, share = self.share(value)
        first, other = self.laws[low], self.laws[low + 1]
        if share in (0.0, 1.0):
            return other if share else first
        law = first
        if isinstance(first, LinearFeedback):
            law = replace(first, compensator=interpolated_compensator(first.compensator, other.compensator, share))
        else:
            for name, (start, _) in first.scalars().items():
                end = other.scalars()[name][0]
                law = law if start == end else law.scalars()[name][1]((1.0 - share) * start + share * end)
        if not np.allclose(law.parameters, self.interpolated(value), rtol=1e-12, atol=0.0):
            raise DesignError(
                f"the laws of this schedule differ in more than the gains of a {type(first).__name__}, such as the "
                "inertia of their feed-forward; use held()"
            )
        return law

    def interpolated(self, value: float) -> Array:
        """Return the kernel parameters of the laws, interpolated at a value of the variable.

        Parameters
        ----------
        value : float
            Value of the scheduling variable, in its unit.

        Returns
        -------
        numpy.ndarray, shape (parameters,)
            Parameters of the law's kernel.
        """
        low, share = self.share(value)
        a, b = (np.asarray(self.laws[k].parameters, dtype=np.float64) for k in (low, low + 1))
        return np.where(a == b, a, (1.0 - share) * a + share * b)

    def small_signal(self, model: LinearModel) -> SmallSignal:
        """Return the linear form of the law with the gains at a model's operating point.

        If the variable is measured and the command at the operating point changes along the schedule, the linear form
        includes this change times the deviation of the variable (the coupling of Rugh & Shamma 2000, section 4).

        Parameters
        ----------
        model : LinearModel
            Model whose operating point is used.

        Returns
        -------
        SmallSignal
            A compensator, and the states that it measures in addition to attitude and rate.

        Raises
        ------
        DesignError
            When the variable is a momentum, and the command at the operating point changes along the schedule; or
            when it is a parameter that changes with time.
        """
        if self.parameter is not None and np.ptp(self.parameter[:, 1]) > 0.0:
            low, high = self.parameter[:, 1].min(), self.parameter[:, 1].max()
            raise DesignError(
                f"the parameter of the gain schedule changes from {low:g} to {high:g} with time, so it has no one "
                "linear loop; hold the parameter at one value after the other (parameter = a number, or held(value))"
            )
        return small_signal_of(self, model)
