"""What a control law is to the engine, what it may say of itself, and the checks that every law shares.

The contract of a law kernel::

    law(t, y, r, q, z, u)

    t   float           time of the sample, s
    y   array           what the law sees: pi (3, N m s, body), e (4, scalar first), omega (3, rad/s, body), then the
                        other states of the plant: internal coordinates and momenta, position, linear momentum
    r   array (10,)     reference: e_ref (4), omega_ref (3, rad/s) and its rate alpha_ref (3, rad/s^2),
                        both in components of the reference body frame
    q   array           the law's own numbers (`parameters`), never written
    z   array           the law's memory (`memory` at the start), carried from sample to sample; may be empty
    u   array (3,)      out: the command, in components of the plant's torque basis

It is called once per sample. The command reaches the plant `delay` seconds after the sample and is held
(zero-order hold) until the next command arrives; before the first arrival the command is zero. Saturation
(`TorqueBasis.limit`) is applied by the engine after the law, so a law does not saturate.

A kernel is plain Python on scalars (see `polhode.plant.kernels.kernel`): it runs as it stands, compiled, and on
complex numbers, which is how the margins of a nonlinear law get their exact small-signal gain.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, cast, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant import LinearModel, Spacecraft, TorqueBasis
from ...plant.checks import non_negative, of_kind, positive
from ...plant.errors import DesignError, InputError
from ...plant.one_thread import one_thread
from ...plant.parts import has_parts

if TYPE_CHECKING:
    from ..guidance.reference import Reference
    from ..loop.margins import Margins
    from ..loop.sampled_loop import SampledLoop
    from ..loop.small_signal import SmallSignal
    from .block import Block
    from .compensator import Compensator
    from .designed_on import DesignedOn
    from .lyapunov import LyapunovFunction

__all__ = ["AttitudeLaw", "Law", "asked", "body_unless", "check_timing", "packed", "read_only"]

Array = NDArray[np.float64]

SHORTEST, LONGEST = 1e-9, 1e9  # s


@runtime_checkable
class Law(Protocol):
    """A sampled control law, as the engine sees it (see the module for the kernel's contract).

    What else a law may say of itself, and what counts when it does not, is in `AttitudeLaw`.
    """

    @property
    def sample(self) -> float:
        """Sampling period, s."""
        ...

    @property
    def delay(self) -> float:
        """Time from a sample to the moment its command reaches the plant, s."""
        ...

    @property
    def kernel(self) -> Callable[..., Any]:
        """The law kernel `law(t, y, r, q, z, u)`."""
        ...

    @property
    def parameters(self) -> Array:
        """The numbers handed to the kernel as q."""
        ...

    @property
    def memory(self) -> Array:
        """The kernel's z before the first sample."""
        ...


SAVED: dict[str, Any] = {}
"""The laws that are data, by what they are called in a file; a class with a `kind` is here from its definition on."""


class AttitudeLaw:
    """What a law says of itself beyond `Law`: each part is optional, and this is its default.

    The laws of polhode inherit it and say what differs; of any other object with the five parts of `Law`, `asked`
    gives the parts that it has, and these for the rest.
    """

    sample: float
    delay: float

    kind: ClassVar[str] = ""
    """What it is called in a file; empty: it is no data, and cannot be saved."""

    def __init_subclass__(cls, **more: Any) -> None:
        """Note a law that is data, so that its file can be read."""
        super().__init_subclass__(**more)
        if cls.__dict__.get("kind"):
            SAVED[cls.kind] = cls

    switches: ClassVar[bool] = False
    """Whether it is a relay about each axis, with `torque`, `deadband`, `lead` and `hysteresis`: then its limit cycles
    are looked at in place of margins."""

    measured: tuple[str, ...] = ()
    """The states that it measures beside attitude and rate, as far as it knows."""

    @property
    def words(self) -> str:
        """What it is and what it holds, for people."""
        return f"{self.__class__.__name__}, a law of the user's own"

    @property
    def designed_on(self) -> "DesignedOn | None":
        """What it counts on: a run says where that is not so. None: it does not say."""
        return None

    @property
    def no_margins(self) -> str:
        """Why its loop has no margins, whatever it flies; empty when it may have."""
        return ""

    @property
    def parts(self) -> "tuple[Law, ...]":
        """The laws it consists of: itself, where it does not take turns."""
        return (cast("Law", self),)

    @property
    def may_differ(self) -> NDArray[np.bool_]:
        """Of each of `parameters`, whether it may be another one in each of several runs that fly in packs.

        That is whatever a kernel marked for lanes does not take by `polhode.plant.kernels.lanes.shared`.
        """
        return np.zeros(len(cast("Law", self).parameters), dtype=np.bool_)

    def scalars(self) -> "Mapping[str, tuple[float, Callable[[float], Law]]]":
        """Return its numbers that may be varied one by one: from name to value, and the law with another there."""
        return {}

    def scalar_units(self) -> "Mapping[str, str]":
        """Return the units of `scalars` by their names; those that are left out have none that is known."""
        return {}

    def check_reference(self, reference: "Reference") -> None:
        """Raise when it cannot follow a reference; it is asked once before a run.

        Parameters
        ----------
        reference : Reference
            What the run asks the law to follow.

        Raises
        ------
        DesignError
            When it cannot; the default never raises.
        """

    def gains(self) -> dict[str, list[list[float]]]:
        """Return the matrices it consists of, by names that carry their units."""
        return {}

    def entering(self) -> tuple[Array, Array]:
        """Return how its memory starts where it takes over from another law, beside how a run starts it.

        Returns
        -------
        missing : numpy.ndarray, shape (n, 3)
            Times what its first command would miss of the one before (N m), what is added so that it misses less.
        past : numpy.ndarray, shape (n, 3)
            Times the command before, what is added first. The default is zero: it starts as in a run.
        """
        n = np.size(cast("Any", self).memory)
        return np.zeros((n, 3)), np.zeros((n, 3))

    @property
    def on_any_plant(self) -> "Compensator | None":
        """Its linear form, of attitude error and rate alone, where that is the same on every plant; else None."""
        return None

    def small_signal(self, model: LinearModel) -> "SmallSignal":
        """Return its linear form about a model's operating point: from its kernel, exact to round-off.

        Parameters
        ----------
        model : LinearModel
            Whose operating point is meant.

        Returns
        -------
        SmallSignal
            A compensator, and the states that it measures beside attitude and rate.

        Raises
        ------
        DesignError
            When it has none there.
        """
        from ..loop.small_signal import small_signal

        return small_signal(cast("Any", self), model)

    def to_nlsys(
        self,
        craft: Spacecraft | None = None,
        *,
        sees: Mapping[str, str] | None = None,
        reference: "Reference | None" = None,
        blocks: "Sequence[Block]" = (),
        with_delay: bool = True,
        name: str = "law",
    ) -> Any:
        """Return the law, exactly as it flies, as a discrete nonlinear system of python-control.

        Its inputs are what a law is shown, by the names that `craft.to_nlsys` and `sim.sampled_craft` give them, so
        that `control.interconnect` connects them: momentum_x (N m s), attitude_0 to attitude_3, rate_x (rad/s), the
        further states of the craft, then what the reference says: reference_attitude_0, reference_rate_x (rad/s),
        reference_acceleration_x (rad/s^2). Its outputs are torque_1 to torque_3 (N m, in the craft's torque basis),
        before the limits of the craft. Its states are the memory of the law, which starts at `law.memory`, and commands
        on their way, which start at zero; without either it has one that stays zero, for python-control takes steps,
        at which an answer that is no number is told, of what has states only.

        Parameters
        ----------
        craft : Spacecraft, optional
            What it flies; a law that looks at further states of the craft wants it.
        sees : mapping of str to str, optional
            From a signal to the one that it sees in its place, such as {"rate": "rate_filtered"}, as a block writes it.
        reference : Reference, optional
            What it follows; without, it is told by the inputs above.
        blocks : sequence of Block
            What runs on the clock beside it: a law that goes by the limits of the craft leaves them to what stands
            between it and the craft.
        with_delay : bool
            Whether its delay is part of it, which must then be a whole number of samples.
        name : str
            The name of the system.

        Returns
        -------
        control.NonlinearIOSystem
            With dt = `sample`.

        Raises
        ------
        InputError
            When the law is answered from outside, its delay is no whole number of samples, it needs the craft, or a
            signal is unknown; when the system is asked, also where a law in plain Python keeps something between calls.
        DesignError
            When it cannot follow the reference.

        Examples
        --------
        >>> from polhode import controllers, plant
        >>> craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
        >>> law = controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=0.7, sample=0.1)
        >>> system = law.to_nlsys(craft, reference=controllers.FixedReference())
        >>> system.dt, system.ninputs, system.output_labels
        (0.1, 10, ['torque_1', 'torque_2', 'torque_3'])
        """
        from .law_system import law_system

        return law_system(
            cast("Any", self),
            craft,
            sees=sees or {},
            reference=reference,
            blocks=blocks,
            with_delay=with_delay,
            name=name,
        )

    def to_control(self, model: LinearModel | None = None, *, with_delay: bool = True, name: str = "law") -> Any:
        """Return the law as a discrete linear system of python-control, exactly where it is linear.

        u = C x + D y of the law's own signs (close it by positive feedback): inputs attitude_error_x (rad), rate_x
        (rad/s, deviation), and what else it measures, as the outputs of `model.to_control()` are called; outputs
        torque_1 to torque_3 (N m). The feed-forward of the reference and what saturation does are not in it.

        Parameters
        ----------
        model : LinearModel, optional
            About whose operating point; a linear law knows its own. Any other law without a model is returned as it
            flies: `to_nlsys()`.
        with_delay : bool
            Whether its delay is part of it, which must then be a whole number of samples.
        name : str
            The name of the system.

        Returns
        -------
        control.StateSpace or control.NonlinearIOSystem
            With dt = `sample`.

        Raises
        ------
        DesignError
            When it has no linear form there.
        InputError
            When its delay is no whole number of samples.
        """
        from .law_system import linear_law_system

        about = getattr(self, "model", None) if model is None else model
        if about is None:
            return self.to_nlsys(with_delay=with_delay, name=name)
        return linear_law_system(self, about, with_delay=with_delay, name=name)

    def lyapunov(self, *, moving: bool = False) -> "LyapunovFunction":
        """Return a Lyapunov function of it.

        Parameters
        ----------
        moving : bool
            Whether the reference moves.

        Returns
        -------
        LyapunovFunction
            V, and the damping in V'.

        Raises
        ------
        DesignError
            When none is known.
        """
        name = self.__class__.__name__
        raise DesignError(f"no Lyapunov function of a {name} is known here; look at its runs instead")

    def to_file(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return what a file keeps of it.

        Returns
        -------
        keys, tables : dict
            In the form of TOML; sample, delay and the plant are added.

        Raises
        ------
        InputError
            When it is no data.
        """
        raise InputError(f"only laws with gains can be saved; got {self.__class__.__name__}")

    @one_thread
    def loop(
        self,
        model: LinearModel | None = None,
        *,
        delay: float | None = None,
        attitude: bool = False,
        blocks: "Sequence[Block]" = (),
    ) -> "SampledLoop":
        """Return the sampled loop of this law, exactly as it flies, about a model's operating point.

        A linear law sees attitude error and rate, not momentum: what it makes of the rate keeps the inertia it was
        designed with, whatever the inertia of the model. Any other law enters with its exact linear form there.

        Parameters
        ----------
        model : LinearModel, optional
            `craft.linearize(...)` of the plant that the law will fly, about rest or about a spin; a linear law
            knows its own.
        delay : float, optional
            Time from a sample to the moment its command reaches the plant, s; that of the law if left out. What the
            law remembers of its own commands stays as designed.
        attitude : bool
            Whether the attitude is part of the loop even where neither law nor plant look at it.
        blocks : sequence of Block
            What runs on the clock beside it, as in `sim.simulate`: each with its linear form (`Block.small_signal`),
            at its own period, offset and delay, exactly.

        Returns
        -------
        SampledLoop
            For poles, margins and radius, opened at the command of the law.

        Raises
        ------
        InputError
            When the law needs a model.
        DesignError
            When the law has no linear form there, or writes its torque in another basis than the plant takes it.
        """
        from ..loop.attitude_model import check_model
        from ..loop.sampled_loop import SampledLoop

        if self.no_margins:
            raise DesignError(self.no_margins)
        name = self.__class__.__name__
        about = getattr(self, "model", None) if model is None else model
        if about is None:
            raise InputError(f"{name} does not know its plant; give model=craft.linearize(...)")
        check_model(about)
        mine = self.designed_on
        if mine is not None and (mine.torques.code, *mine.torques.axes) != (about.torques.code, *about.torques.axes):
            raise DesignError(
                f"the law commands torque in the {mine.torques.name!r} basis and the plant takes it in the "
                f"{about.torques.name!r} basis; {_other_basis(self)}"
            )
        compensator, measured, of_momentum = self.small_signal(about)
        return SampledLoop(
            about,
            compensator,
            measured=measured,
            sample=self.sample,
            delay=self.delay if delay is None else non_negative("delay", delay, "s"),
            attitude=attitude or (mine is not None and mine.holds is not None),
            blocks=blocks,
            of_momentum=of_momentum,
        )

    def closed_loop_poles(
        self, model: LinearModel | None = None, *, blocks: "Sequence[Block]" = ()
    ) -> NDArray[np.complex128]:
        """Return the z-plane poles of the sampled loop, the commands under way and what blocks keep included.

        Parameters
        ----------
        model : LinearModel, optional
            The linear model of the plant; a linear law knows its own.
        blocks : sequence of Block
            What runs on the clock beside the law. With blocks whose period does not divide that of the law the poles
            are those of the whole time after which everything begins again (`SampledLoop.repeats` samples).

        Returns
        -------
        numpy.ndarray, shape (n + 3 m,)
            Largest modulus first; stable means inside the unit circle. m is the delay in samples, rounded up; n is 6
            for a rigid craft and a law without states, and more with internal states or states of the law.
        """
        return self.loop(model, blocks=blocks).poles()

    def margins(self, model: LinearModel | None = None, *, blocks: "Sequence[Block]" = ()) -> "Margins":
        """Return the margins of the sampled loop, opened at the command of the law.

        Parameters
        ----------
        model : LinearModel, optional
            The linear model of the plant; a linear law knows its own.
        blocks : sequence of Block
            What runs on the clock beside the law.

        Returns
        -------
        Margins
            Per input, with the other inputs closed, and for all together.

        Raises
        ------
        InputError
            When the law needs a model.
        DesignError
            When the loop is not stable there, the law has no margins, or law and plant disagree on the torque basis.
        """
        return self.loop(model, blocks=blocks).margins()


def _other_basis(law: AttitudeLaw) -> str:
    if getattr(law, "model", None) is not None:
        return "linearize a craft with the torque basis of the design"
    return f"give {law.__class__.__name__}(torques=craft.torques)"


class _Asked(AttitudeLaw):
    """A law that is no `AttitudeLaw`: what it has is its own, the rest is the default."""

    def __init__(self, law: Law) -> None:
        object.__setattr__(self, "_law", law)

    def __getattribute__(self, name: str) -> Any:
        law = object.__getattribute__(self, "_law")
        return getattr(law, name) if hasattr(law, name) else object.__getattribute__(self, name)


def asked(law: Law | AttitudeLaw) -> AttitudeLaw:
    """Return a law with every part of `AttitudeLaw`.

    Raises InputError when it is no law.
    """
    if isinstance(law, AttitudeLaw):
        return law
    if not has_parts(law, Law):
        raise InputError(f"law must be a control law; got a {type(law).__name__}")
    return _Asked(law)


def check_timing(sample: float, delay: float) -> tuple[float, float]:
    """Return sampling period and delay as floats, or say what is wrong with them.

    sample: sampling period, s; from 1e-9 to 1e9.
    delay: computational delay, s; zero or more. It may be longer than the sampling period.
    -> `(sample, delay)`.
    Raises InputError when either is not a finite number in its range, or the delay is beyond 1000 samples.

    Examples
    --------
    >>> check_timing(0.1, 0)
    (0.1, 0.0)
    """
    period = positive("sample", sample, "s")
    if not SHORTEST <= period <= LONGEST:
        raise InputError(
            f"sample {period:g} s lies outside {SHORTEST:g} to {LONGEST:g} s, and no computer samples like that; it is "
            "seconds: check the units"
        )
    lag = non_negative("delay", delay, "s")
    if lag > 1000.0 * period:
        raise InputError(
            f"delay {lag:g} s is more than 1000 samples of {period:g} s; both are seconds: check the units"
        )
    return period, lag


def body_unless(torques: TorqueBasis | None) -> TorqueBasis:
    """Return the torque basis given, or the body's.

    torques: what was given. Raises InputError when it is something else.
    """
    if torques is None:
        return TorqueBasis("body")
    of_kind("torques", torques, TorqueBasis, such_as="a TorqueBasis, such as craft.torques")
    return torques


def read_only(array: ArrayLike) -> Array:
    """Return a copy that nobody can write into: a law does not change under a run.

    array: any numbers.
    """
    copy = np.array(array, dtype=np.float64)
    copy.flags.writeable = False
    return copy


def packed(name: str, values: ArrayLike) -> Array:
    """Return a user's parameters as a read-only flat float64 array.

    name: what they are called in the message; values: finite numbers of any shape -> (n,), the numbers, row by row.
    Raises InputError when something is not a finite number.
    """
    try:
        flat = np.asarray(values, dtype=np.float64).ravel()
    except (TypeError, ValueError):
        raise InputError(f"{name} must be numbers; got {values!r}") from None
    if not np.isfinite(flat).all():
        raise InputError(f"{name} must be finite; got {flat.tolist()}")
    return read_only(flat)
