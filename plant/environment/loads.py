"""Environmental torques on a spacecraft along a prescribed orbit."""

from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..attitude import rotation_matrix
from ..checks import numbers, positive, vector
from ..errors import InputError
from ..frozen import frozen_arrays
from ..kernels.fields import filled
from ..loads.potentials.any_potential import AnyPotential
from .constants import ASTRONOMICAL_UNIT, GAS_CONSTANT, MU, SOLAR_FLUX, SPEED_OF_LIGHT
from .faces import Face, packed_faces, require_closed
from .gas_curve import gas_curve
from .load_kernels import HEAD, INSTANT, environment_energy, environment_load
from .magnetorquers import MagneticDamping, MagneticPointing, MagneticUnloading, Magnetorquers
from .spline_table import SPLINE, local_polynomials

if TYPE_CHECKING:
    from ..hub.rigid_body import RigidBody
    from .fields_along_orbit import FieldsAlongOrbit

Array = NDArray[np.float64]

TORQUER_LAWS = ("magnetic damping", "magnetic unloading", "magnetic pointing")
MAGNETIC = ("gravity gradient", "residual dipole", "eddy currents", *TORQUER_LAWS)
SOURCES = (*MAGNETIC, "solar pressure", "drag")
"""Sources of torque, in the order of the torque budget."""


@dataclass(frozen=True, kw_only=True)
class Molecules:
    """Free-molecular gas around the faces.

    Parameters
    ----------
    temperature : float
        Gas temperature, K: 700 to 1500 in a low orbit.
    molar_mass : float
        Mean molar mass, kg/mol: 0.016 where atomic oxygen prevails, at 200 to 600 km.
    wall_temperature : float
        Temperature of the faces, K.

    Raises
    ------
    InputError
        When a value is not positive.
    """

    temperature: float
    molar_mass: float
    wall_temperature: float

    def __post_init__(self) -> None:
        positive("temperature of the gas", self.temperature, "K")
        if positive("molar mass of the gas", self.molar_mass, "kg/mol") > 0.2:
            raise InputError(f"molar mass of the gas is in kg/mol, 0.016 for atomic oxygen; got {self.molar_mass:g}")
        positive("wall temperature", self.wall_temperature, "K")

    @property
    def speed(self) -> float:
        """Most probable speed of the molecules, sqrt(2 R T/M), m/s."""
        return float(np.sqrt(2.0 * GAS_CONSTANT * self.temperature / self.molar_mass))


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class EnvironmentLoads(AnyPotential):
    """Torques of gravity gradient, magnetic field, sunlight and atmosphere along a prescribed orbit.

    Pass this object among the `potentials` of a spacecraft. It has no energy. Faces are fixed to the hub and do not
    shadow each other. The forces do not change the orbit.

    Parameters
    ----------
    fields : FieldsAlongOrbit
        Environment along the orbit, from `fields_along`; it must cover the run.
    gravity_gradient : bool
        Whether the gravity gradient of a central field acts.
    residual_dipole : array_like, shape (3,), optional
        Residual dipole, body axes, A m^2.
    eddy_coefficient : array_like, optional
        Scalar or symmetric matrix (3, 3), A m^2 s/T = m^4 S: 2 pi/3 sigma d r^4 for a thin sphere.
    magnetic_damping : MagneticDamping, optional
        B-dot damping by magnetorquers.
    magnetic_unloading : MagneticUnloading, optional
        Unloading of wheels by magnetorquers; alternative to `magnetic_damping`.
    magnetic_pointing : MagneticPointing, optional
        Nadir pointing by magnetorquers; alternative to damping and unloading.
    faces : sequence of Face
        Flat faces.
    solar_pressure : bool
        Whether sunlight acts on the faces, with eclipses: 1361 W/m^2 at 1 au.
    molecules : Molecules, optional
        Gas, whose drag then acts on the faces.
    open_faces : bool
        Whether the faces may form an open body.

    Raises
    ------
    InputError
        When `fields` lacks the magnetic field or density that a torque needs, `faces` is empty although sunlight or
        drag acts, the faces do not form a closed body, or a value is out of range.
    """

    words: ClassVar[str] = "the environment along an orbit"
    needs_place: ClassVar[bool] = False
    has_energy: ClassVar[bool] = False
    feels_inertia: ClassVar[bool] = True
    holds_point: ClassVar[bool] = True
    work_size: ClassVar[int] = INSTANT.size

    fields: "FieldsAlongOrbit"
    gravity_gradient: bool = False
    residual_dipole: ArrayLike | None = None
    eddy_coefficient: ArrayLike | None = None
    magnetic_damping: MagneticDamping | None = None
    magnetic_unloading: MagneticUnloading | None = None
    magnetic_pointing: MagneticPointing | None = None
    faces: tuple[Face, ...] = ()
    solar_pressure: bool = False
    molecules: Molecules | None = None
    open_faces: bool = False

    def __post_init__(self) -> None:
        if self.residual_dipole is not None:
            object.__setattr__(self, "residual_dipole", vector("residual dipole", self.residual_dipole, unit="A m^2"))
        if self.eddy_coefficient is not None:
            object.__setattr__(self, "eddy_coefficient", _eddy_matrix(self.eddy_coefficient))
        object.__setattr__(self, "faces", tuple(self.faces))
        laws = [name for name in TORQUER_LAWS if self._has(name)]
        if len(laws) > 1:
            raise InputError(f"give either {laws[0]} or {laws[1]}: the magnetorquers cannot do both")
        magnetic = [name for name in MAGNETIC[1:] if self._has(name)]
        if magnetic and not self.fields.magnetic:
            raise InputError(f"{magnetic[0]} needs a magnetic field, but the orbit has none: give a model")
        if self.molecules is not None and not self.fields.dense:
            raise InputError("drag needs an atmosphere, but the orbit has none: give a density model")
        if (self.solar_pressure or self.molecules is not None) and not self.faces:
            raise InputError("solar pressure and drag act on faces, but the spacecraft has none: give faces")
        if self.faces and not self.open_faces:
            require_closed(self.faces)

    def _has(self, source: str) -> bool:
        return {
            "gravity gradient": self.gravity_gradient,
            "residual dipole": self.residual_dipole is not None,
            "eddy currents": self.eddy_coefficient is not None,
            "magnetic damping": self.magnetic_damping is not None,
            "magnetic unloading": self.magnetic_unloading is not None,
            "magnetic pointing": self.magnetic_pointing is not None,
            "solar pressure": self.solar_pressure,
            "drag": self.molecules is not None,
        }[source]

    @property
    def sources(self) -> tuple[str, ...]:
        """Names of the acting torques, in the order of the torque budget."""
        return tuple(source for source in SOURCES if self._has(source))

    def only(self, source: str) -> "EnvironmentLoads":
        """Return the loads with only one of their sources.

        Parameters
        ----------
        source : str
            One of `sources`.

        Returns
        -------
        EnvironmentLoads
            Loads with the same fields and faces.
        """
        return replace(
            self,
            gravity_gradient=self.gravity_gradient and source == "gravity gradient",
            residual_dipole=self.residual_dipole if source == "residual dipole" else None,
            eddy_coefficient=self.eddy_coefficient if source == "eddy currents" else None,
            magnetic_damping=self.magnetic_damping if source == "magnetic damping" else None,
            magnetic_unloading=self.magnetic_unloading if source == "magnetic unloading" else None,
            magnetic_pointing=self.magnetic_pointing if source == "magnetic pointing" else None,
            solar_pressure=self.solar_pressure and source == "solar pressure",
            molecules=self.molecules if source == "drag" else None,
        )

    @property
    def reads_momentum(self) -> bool:
        """True if there is magnetic unloading, whose dipole depends on the total momentum."""
        return self.magnetic_unloading is not None

    @property
    def time_dependent(self) -> bool:
        """True: the orbit is prescribed."""
        return True

    @property
    def frozen_words(self) -> str:
        """Sentence about magnetic torques, which linear models evaluate in the field at t = 0; may be empty.

        It also states the deadband of magnetic unloading.
        """
        magnetic = [name for name in MAGNETIC[1:] if self._has(name)]
        if not magnetic:
            return ""
        words = (
            f"the {' and '.join(magnetic)} {'is' if len(magnetic) == 1 else 'are'} taken in the magnetic field at "
            "t = 0, along which they exert no torque; the field changes along the orbit, and with it this direction: "
            "simulate an orbit for the mean behaviour"
        )
        unloading = self.magnetic_unloading
        if unloading is not None and unloading.deadband > 0.0:
            words += (
                f"; the deadband of {unloading.deadband:g} N m s is evaluated at the operating point: the model has no "
                "unloading if the operating point is inside it, and no deadband otherwise; a motion may cross its edge"
            )
        return words

    @property
    def breakpoints(self) -> tuple[float, ...]:
        """Times of shadow entry and exit and of torquer faults, s; integration steps end there."""
        shadow = tuple(contact.t for contact in self.fields.contacts) if self.solar_pressure else ()
        torquers = self.torquers
        return shadow if torquers is None else (*shadow, *(time for _, time in torquers.faults.values()))

    @property
    def torquers(self) -> Magnetorquers | None:
        """Magnetorquers used for damping, unloading or pointing, or None."""
        return self.magnetic_damping or self.magnetic_unloading or self.magnetic_pointing

    def check_duration(self, duration: float) -> None:
        """Raise InputError if a run is longer than the table.

        Parameters
        ----------
        duration : float
            Duration of the run, s.

        Raises
        ------
        InputError
            When the duration exceeds the table of the fields.
        """
        if duration > self.fields.duration * (1.0 + 1e-9):
            raise InputError(
                f"the environment is computed for {self.fields.duration:g} s along the orbit, but the run takes "
                f"{duration:g} s: compute it for the whole run"
            )

    def pack(self, body: "RigidBody", *, translation: bool, off_center: bool) -> list[float]:
        """Return an empty list, since all parameters are in `extension`.

        Parameters
        ----------
        body : RigidBody
            Body on which the torques act.
        translation : bool
            Whether position is a state.
        off_center : bool
            Whether an element has weight off the pivot.

        Returns
        -------
        list of float
            Empty.

        Raises
        ------
        InputError
            When the body is pivoted or its position is a state.
        """
        if body.pivot is not None:
            raise InputError("the environment along an orbit acts about the mass centre; remove the pivot")
        if translation:
            raise InputError(
                "the environment is computed along a prescribed orbit, which a spacecraft with translation=True would "
                "leave: omit translation, or exert the force by a UserForce"
            )
        return []

    @property
    def extension(self) -> Array:
        """Parameters of the kernels beyond the row of the potential: `HEAD`, faces, gas curve and table."""
        damping, unloading, torquers = self.magnetic_damping, self.magnetic_unloading, self.torquers
        pointing = self.magnetic_pointing
        acts = bool(self.faces)
        table = self.fields
        gas = self.molecules
        rows = packed_faces(self.faces, wall=1.0 if gas is None else gas.wall_temperature / gas.temperature)
        curve = gas_curve() if gas is not None and acts else np.zeros(0)
        variable = any(self._has(name) for name in MAGNETIC[2:])
        head = filled(
            HEAD,
            mu=MU if self.gravity_gradient else 0.0,
            field=float(self.fields.magnetic),
            magnetic=float(any(self._has(name) for name in MAGNETIC[1:])),
            slope=float(variable),
            variable=float(variable),
            dipole=np.zeros(3) if self.residual_dipole is None else self.residual_dipole,
            eddy=np.zeros(9) if self.eddy_coefficient is None else self.eddy_coefficient,
            gain=0.0 if damping is None else damping.gain,
            unload=0.0 if unloading is None else unloading.gain,
            target=np.zeros(3) if unloading is None else unloading.target,
            deadband=0.0 if unloading is None else unloading.deadband,
            point=float(pointing is not None),
            stiffness=0.0 if pointing is None else pointing.stiffness,
            damping=0.0 if pointing is None else pointing.damping,
            frame=np.eye(3).ravel() if pointing is None else rotation_matrix(np.asarray(pointing.attitude)).T.ravel(),
            limit=np.zeros(3) if torquers is None else torquers.limit,
            factor=np.ones(3) if torquers is None else torquers.fault_factors,
            faulty=np.zeros(3) if torquers is None else torquers.fault_times,
            light=SOLAR_FLUX / SPEED_OF_LIGHT * ASTRONOMICAL_UNIT**2 if self.solar_pressure and acts else 0.0,
            drag=float(gas is not None and acts),
            molecules=1.0 if gas is None else gas.speed,
            faces=float(len(rows)),
            curve=float(HEAD.size + rows.size),
            table=float(HEAD.size + rows.size + curve.size),
            key=0.0,
        )
        spline = filled(SPLINE, start=0.0, inverse_step=1.0 / table.step, intervals=float(table.intervals))
        numbers = np.concatenate([head, rows.ravel(), curve, spline, local_polynomials(table.coefficients).ravel()])
        digest = blake2b(numbers.tobytes(), digest_size=6).digest()
        numbers[HEAD.key] = 1.0 + int.from_bytes(digest, "little")
        return numbers


def _eddy_matrix(value: ArrayLike) -> Array:
    given = numbers("eddy coefficient", value, "A m^2 s/T")
    if given.shape not in {(), (3, 3)}:
        raise InputError(f"eddy coefficient must be a number or a 3 x 3 matrix (A m^2 s/T); got shape {given.shape}")
    matrix = given * np.eye(3) if given.shape == () else given
    if not np.array_equal(matrix, matrix.T) or float(np.linalg.eigvalsh(matrix)[0]) < 0.0:
        raise InputError(
            "eddy coefficient must be symmetric and positive semidefinite, since eddy currents dissipate energy"
        )
    return matrix


EnvironmentLoads.kernels = environment_load, environment_energy
