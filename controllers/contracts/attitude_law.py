"""Base class of polhode's laws: optional members with their defaults, and the sampled loop of the law."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from ...plant import LinearModel, Spacecraft
from ...plant.checks import non_negative
from ...plant.errors import DesignError, InputError
from ...plant.one_thread import one_thread
from .law import Law

if TYPE_CHECKING:
    from ..laws.lyapunov import LyapunovFunction
    from ..loop.margins import Margins
    from ..loop.sampled_loop import SampledLoop
    from ..loop.small_signal import SmallSignal
    from .block import Block
    from .design_condition import DesignCondition
    from .reference import Reference

Array = NDArray[np.float64]

SAVED: dict[str, Any] = {}
"""Classes of laws that can be saved, by `kind`; a class with a `kind` is registered when it is defined."""


class AttitudeLaw:
    """Base class of laws, with a default for each optional member that `Law` does not require.

    The laws of polhode inherit from this class. For any other object with the five members of `Law`, `with_defaults`
    adds the default of each member that the object lacks.
    """

    sample: float
    delay: float

    kind: ClassVar[str] = ""
    """Name of the kind of law in a file; empty if the law cannot be saved."""

    def __init_subclass__(cls, **more: Any) -> None:
        """Register a subclass that can be saved, so that its files can be read."""
        super().__init_subclass__(**more)
        if cls.__dict__.get("kind"):
            SAVED[cls.kind] = cls

    is_relay: ClassVar[bool] = False
    """True if the law is a relay about each axis, with `torque`, `deadband`, `lead` and `hysteresis`. Its limit cycles
    are then examined instead of margins."""

    pulsed: bool = False
    """True if the torque switches on and off, so that metrics of the command require a row in every sample."""

    measured: tuple[str, ...] = ()
    """States that the law declares to measure in addition to attitude and rate."""

    def _repr_html_(self) -> str:
        """Return HTML for a notebook."""
        from ..notebook_views import law_html

        return law_html(self)

    @property
    def summary(self) -> str:
        """Description of the law."""
        return f"{self.__class__.__name__}, a user-defined law"

    @property
    def design_condition(self) -> "DesignCondition | None":
        """Design conditions, which a run compares with its own conditions; None if the law declares none."""
        return None

    def frozen_over(self, duration: float) -> "Sequence[AttitudeLaw]":
        """Return laws with constant gains that cover the gains of a run from 0 s on; most laws return themselves.

        Parameters
        ----------
        duration : float
            Duration of the run, s.

        Returns
        -------
        sequence of AttitudeLaw
            One law for each value of a scheduled parameter whose margins are to be checked.
        """
        del duration
        return (self,)

    @property
    def no_margins(self) -> str:
        """Reason why the law has no margins on any plant; empty if margins may exist."""
        return ""

    @property
    def parts(self) -> "tuple[Law, ...]":
        """The laws that this law switches between; only the law itself if it does not switch."""
        return (cast(Law, self),)

    @property
    def batchable(self) -> NDArray[np.bool_]:
        """Flags that state which entries of `parameters` may differ between the runs of a SIMD batch.

        In a kernel marked for SIMD, these are the parameters not read by `polhode.plant.kernels.lanes.shared`.
        """
        return np.zeros(len(cast(Law, self).parameters), dtype=np.bool_)

    def frozen_at(self, t: float) -> "AttitudeLaw":
        """Return the law with the gains of one sample, for the analysis along an orbit.

        Parameters
        ----------
        t : float
            Middle of the sample, s, at which the linear model and its attitude are taken.

        Returns
        -------
        AttitudeLaw
            A law that has a linear form; the law itself if its gains do not depend on time.
        """
        return self

    def scalars(self) -> "Mapping[str, tuple[float, Callable[[float], Law]]]":
        """Return, by name, each scalar that may vary: its value, and a function that maps a value to the law."""
        return {}

    def scalar_units(self) -> "Mapping[str, str]":
        """Return the units of `scalars` by name; names without a known unit are omitted."""
        return {}

    def check_reference(self, reference: "Reference") -> None:
        """Raise DesignError if the law cannot follow a reference. Each run calls this method when it starts.

        Parameters
        ----------
        reference : Reference
            The reference of the run.

        Raises
        ------
        DesignError
            When the law cannot follow the reference; the default never raises.
        """

    def gains(self) -> dict[str, list[list[float]]]:
        """Return the gain matrices by name; the names include units."""
        return {}

    def bumpless_gains(self) -> tuple[Array, Array]:
        """Return the gains that initialise the law's memory when it takes over from another law.

        Returns
        -------
        missing : numpy.ndarray, shape (n, 3)
            Gain from the command step at the hand-over (N m) to the correction of the memory.
        past : numpy.ndarray, shape (n, 3)
            Gain from the last command to the memory, applied before the correction. By default both gains are zero, and
            the memory starts as at the start of a run.
        """
        n = np.size(cast("Any", self).memory)
        return np.zeros((n, 3)), np.zeros((n, 3))

    kept: ClassVar[int] = 0
    """Number of final memory components that keep their values when a mode with this law is entered again."""

    def end_warnings(self, memory: Array) -> tuple[str, ...]:
        """Return what the law recorded in its memory during a run and the user should know about.

        Parameters
        ----------
        memory : numpy.ndarray
            Memory of the law at the end of the run.

        Returns
        -------
        tuple of str
            Sentences; empty by default.
        """
        del memory
        return ()

    @property
    def plant_independent(self) -> object:
        """Key of the law's linear form if that form is the same on every plant; otherwise None."""
        return None

    def small_signal(self, model: LinearModel) -> "SmallSignal":
        """Return the linear form of the law about a model's operating point, exact to round-off.

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
            When no linear form exists at the operating point.
        """
        from ..loop.small_signal import small_signal

        return small_signal(cast("Any", self), model)

    def to_nlsys(
        self,
        craft: Spacecraft | None = None,
        *,
        remap: Mapping[str, str] | None = None,
        reference: "Reference | None" = None,
        blocks: "Sequence[Block]" = (),
        with_delay: bool = True,
        name: str = "law",
    ) -> Any:
        """Return the law as a discrete nonlinear system of python-control that behaves as the law does in a run.

        Its inputs are the signals available to a law. They have the names that `craft.to_nlsys` and `sim.sampled_craft`
        use, so that `control.interconnect` connects them: momentum_x (N m s), attitude_0 to attitude_3, rate_x (rad/s),
        the further states of the spacecraft, then the reference: reference_attitude_0, reference_rate_x (rad/s),
        reference_acceleration_x (rad/s^2). Its outputs are torque_1 to torque_3 (N m, in the spacecraft's torque
        basis), before the spacecraft's limits apply. Its states are the memory of the law, which starts at
        `law.memory`, and delayed commands, which start at zero. A law without memory or delay gets one state that stays
        zero, because python-control steps only systems with states, and only a step reports an output that is not
        finite.

        Parameters
        ----------
        craft : Spacecraft, optional
            The spacecraft to control; required by a law that measures further states of the spacecraft.
        remap : mapping of str to str, optional
            The signal that replaces each named input signal, such as the output of a block: {"rate": "rate_filtered"}.
        reference : Reference, optional
            The reference to follow; by default it is an input of the system (the reference inputs above).
        blocks : sequence of Block
            Blocks of the loop. If a block acts between law and spacecraft, the law does not use the spacecraft's torque
            limits.
        with_delay : bool
            Whether the system includes the delay, which must then be a whole number of samples.
        name : str
            The name of the system.

        Returns
        -------
        control.NonlinearIOSystem
            The system, with dt = `sample`.

        Raises
        ------
        InputError
            When the law runs in another process, its delay is not a whole number of samples, `craft` is missing, or a
            signal is unknown. A plain Python law with internal state raises the error when the system is evaluated.
        DesignError
            When the law cannot follow the reference.

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
            remap=remap or {},
            reference=reference,
            blocks=blocks,
            with_delay=with_delay,
            name=name,
        )

    def to_control(self, model: LinearModel | None = None, *, with_delay: bool = True, name: str = "law") -> Any:
        """Return the law as a discrete linear system of python-control, exact for a linear law.

        The output is u = C x + D y with the law's sign, so the loop is closed by positive feedback. Inputs are
        attitude_error_x (rad), rate_x (rad/s, deviation), and further measurements under the output names of
        `model.to_control()`. Outputs are torque_1 to torque_3 (N m). The system includes neither the feed-forward of
        the reference nor saturation.

        Parameters
        ----------
        model : LinearModel, optional
            Model whose operating point is used; a linear law contains its own. If no model is given, a nonlinear law is
            returned as a nonlinear system by `to_nlsys()`.
        with_delay : bool
            Whether the system includes the delay, which must then be a whole number of samples.
        name : str
            The name of the system.

        Returns
        -------
        control.StateSpace or control.NonlinearIOSystem
            The system, with dt = `sample`.

        Raises
        ------
        DesignError
            When no linear form exists at the operating point.
        InputError
            When the delay is not a whole number of samples.
        """
        from .law_system import linear_law_system

        about = getattr(self, "model", None) if model is None else model
        if about is None:
            return self.to_nlsys(with_delay=with_delay, name=name)
        return linear_law_system(self, about, with_delay=with_delay, name=name)

    def lyapunov(self, *, moving: bool = False) -> "LyapunovFunction":
        """Return a Lyapunov function of the law.

        Parameters
        ----------
        moving : bool
            Whether the reference moves.

        Returns
        -------
        LyapunovFunction
            V, and the damping term of V'.

        Raises
        ------
        DesignError
            When no such function is known.
        """
        name = self.__class__.__name__
        raise DesignError(f"no Lyapunov function of a {name} is available; inspect its runs instead")

    def to_file(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the content of a file that describes the law.

        Returns
        -------
        keys, tables : dict
            Values of TOML types; the caller adds sample, delay and the plant.

        Raises
        ------
        InputError
            When the law cannot be saved.
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
        """Return the sampled loop of this law about a model's operating point.

        A linear law measures attitude error and rate, not momentum. Its rate gain is therefore based on the design
        inertia, not on the inertia of the model. Any other law is represented by its exact linear form at the operating
        point.

        Parameters
        ----------
        model : LinearModel, optional
            `craft.linearize(...)` of the plant to control, about rest or about a spin; a linear law contains its own.
        delay : float, optional
            Time from a sample to the moment its command reaches the plant, s; by default the law's delay. The law's
            memory of past commands stays as designed.
        attitude : bool
            Whether the loop includes the attitude even if neither law nor plant depends on it.
        blocks : sequence of Block
            Blocks of the loop, as in `sim.simulate`: each is represented exactly by its linear form
            (`Block.small_signal`) at its own period, offset and delay.

        Returns
        -------
        SampledLoop
            The loop, broken at the law's command, from which poles, margins and spectral radius are computed.

        Raises
        ------
        InputError
            When the law needs a model.
        DesignError
            When the law has no linear form at the operating point, or its torque basis differs from the plant's.
        """
        from ..loop.attitude_model import check_model
        from ..loop.sampled_loop import SampledLoop

        if self.no_margins:
            raise DesignError(self.no_margins)
        name = self.__class__.__name__
        about = getattr(self, "model", None) if model is None else model
        if about is None:
            raise InputError(f"{name} has no plant model; give model=craft.linearize(...)")
        check_model(about)
        mine = self.design_condition
        if mine is not None and (mine.torques.code, *mine.torques.axes) != (about.torques.code, *about.torques.axes):
            raise DesignError(
                f"the law commands torque in the {mine.torques.name!r} basis, but the plant expects the "
                f"{about.torques.name!r} basis; {_other_basis(self)}"
            )
        compensator, measured, of_momentum = self.small_signal(about)
        return SampledLoop(
            about,
            compensator,
            measured=measured,
            sample=self.sample,
            delay=self.delay if delay is None else non_negative("delay", delay, "s"),
            attitude=attitude or (mine is not None and mine.deadband is not None),
            blocks=blocks,
            of_momentum=of_momentum,
        )

    def closed_loop_poles(
        self, model: LinearModel | None = None, *, blocks: "Sequence[Block]" = ()
    ) -> NDArray[np.complex128]:
        """Return the z-plane poles of the sampled loop, including delayed commands and block states.

        Parameters
        ----------
        model : LinearModel, optional
            The linear model of the plant; a linear law contains its own model.
        blocks : sequence of Block
            Blocks of the loop. If the period of a block does not divide the law's period, the poles are the eigenvalues
            of the monodromy matrix over the common period (`SampledLoop.repeats` samples).

        Returns
        -------
        numpy.ndarray, shape (n + 3 m,)
            Poles, largest modulus first; the loop is stable if all are inside the unit circle. m is the delay in
            samples, rounded up; n is 6 if the spacecraft is rigid and the law has no states, and larger if there are
            internal states or law states.
        """
        return self.loop(model, blocks=blocks).poles()

    def margins(self, model: LinearModel | None = None, *, blocks: "Sequence[Block]" = ()) -> "Margins":
        """Return the margins of the sampled loop, broken at the command of the law.

        Parameters
        ----------
        model : LinearModel, optional
            The linear model of the plant; a linear law contains its own model.
        blocks : sequence of Block
            Blocks of the loop.

        Returns
        -------
        Margins
            Margins per input, with the other inputs closed, and for all inputs together.

        Raises
        ------
        InputError
            When the law needs a model.
        DesignError
            When the loop is not stable, the law has no margins, or law and plant have different torque bases.
        """
        return self.loop(model, blocks=blocks).margins()


def _other_basis(law: AttitudeLaw) -> str:
    if getattr(law, "model", None) is not None:
        return "linearize a craft with the torque basis of the design"
    return f"give {law.__class__.__name__}(torques=craft.torques)"
