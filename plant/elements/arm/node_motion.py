"""Positions, attitudes and velocities of the nodes of a spacecraft's arms, vectorised over states.

All functions take a `Spacecraft` and rows of its states. Positions and velocities are inertial. If the position is a
state, the origin is the inertial origin. Otherwise the origin is the total mass centre, which is then at rest; for a
pivoted spacecraft, the pivot. Velocities are computed from the momenta, as in the equations of motion.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...attitude import from_rotation_matrix, quaternion_product, rotation_matrix
from ...errors import InputError
from ...hub.composition import compose_mass
from ...hub.dynamics import body_rate
from ...hub.parameters import AT_OWN, ELEMENT, HELD, N_ELEMENTS, N_OWN, REDUCED, SHARE, VARIES, W_MOMENT
from ...hub.work_of import AT_ONCE, work_of
from ...kernels.columns import as_samples
from ..branch import branches
from .arm import Arm
from .arm_layout import HEADER_SIZE, MOTION, NODE, POSE, ROW, STRAIN
from .beam_element import element_strain
from .node_equations import arm_configuration, axes_of

if TYPE_CHECKING:
    from ...spacecraft import Spacecraft

Array = NDArray[np.float64]


class _Chain(NamedTuple):
    """One arm in a batch of states.

    arm: the element.
    own: packed parameters.
    states (n, states): the arm's own states in each state vector.
    pose (nodes, 13, n): see `polhode.plant.elements.arm.arm_layout`; positions relative to the reference point.
    work: start of the arm's workspace in the spacecraft's workspace.
    """

    arm: Arm
    own: Array
    states: Array
    pose: Array
    work: int


class _Places(NamedTuple):
    """A batch of states of a spacecraft, and the positions computed from them.

    x (n, nx): states.
    turn (n, 3, 3): R of the hub.
    reference (n, 3): reference point, m.
    centre (n, 3): total mass centre, m; NaN if a pivoted hub has no stated mass.
    chains: the arms.
    """

    x: Array
    turn: Array
    reference: Array
    centre: Array
    chains: list[_Chain]


def _places(craft: "Spacecraft", states: ArrayLike) -> Iterator[_Places]:
    """Yield rows of states in batches, with positions."""
    x = np.asarray(states, dtype=np.float64)
    if x.ndim != 2 or x.shape[1] != craft.layout.size:
        raise InputError(f"states must be rows of {craft.layout.size} numbers each; got shape {x.shape}")
    p = craft.pack()
    for start in range(0, max(len(x), 1), AT_ONCE):
        yield _placed(craft, p, x[start : start + AT_ONCE])


def _placed(craft: "Spacecraft", p: Array, x: Array) -> _Places:
    turn = rotation_matrix(_unit(x[:, 3:7]))
    chains = _chains(craft, p, x)
    moment = np.einsum("nij,nj->ni", turn, _near_moment(craft, p, x))
    for chain in chains:
        moment += _first_moment(chain)
    centre = x[:, craft.layout.position] if craft.translation else np.zeros((len(x), 3))
    reference = centre
    if p[HELD] != 0.0:
        reference = np.zeros((len(x), 3))
        hub = turn @ -np.asarray(craft.body.pivot)
        mass = np.nan if p[SHARE] < 0.0 else craft.mass
        centre = hub if p[SHARE] == 0.0 else (float(craft.body.mass or 0.0) * hub + moment) / mass
    elif p[REDUCED] > 0.0:
        reference = centre - moment / craft.mass
    return _Places(x=x, turn=turn, reference=reference, centre=centre, chains=chains)


def _chains(craft: "Spacecraft", p: Array, x: Array) -> list[_Chain]:
    """Return the arms, in the order of the spacecraft's elements."""
    samples = as_samples(np.ascontiguousarray(x.T))
    axes, origin = axes_of(samples, 3), (np.zeros(len(x)),) * 3
    chains: list[_Chain] = []
    row = int(p[AT_OWN])
    for branch in branches(craft.elements):
        first, work = int(p[row + ROW.states]), int(p[row + ROW.work])
        if isinstance(branch, Arm):
            own = p[row + ROW.size : row + int(p[row + ELEMENT.length])]
            pose = np.zeros((branch.elements + 1, POSE, len(x)))
            arm_configuration(samples, first, origin, *axes, own, HEADER_SIZE, pose, 0)
            states = x[:, first : first + len(branch.states)]
            chains.append(_Chain(arm=branch, own=own, states=states, pose=pose, work=work))
        row += int(p[row + ELEMENT.length])
    return chains


def _first_moment(chain: _Chain) -> Array:
    """Return int r dm from the reference point, inertial components, kg m, shape (n, 3)."""
    arm, r = chain.arm, chain.pose[:, :3]
    length, slopes = arm.element_length, (1.0 + chain.pose[:, STRAIN, None]) * chain.pose[:, 3:6]
    middles = 0.5 * (r[:-1] + r[1:]) + length / 12.0 * (slopes[:-1] - slopes[1:])
    return (arm.section.mass_per_length * length * middles.sum(axis=0) + arm.tip_mass * r[-1]).T


def _near_moment(craft: "Spacecraft", p: Array, x: Array) -> Array:
    """Return the first moment of mass of the elements without own states, body axes, kg m, shape (n, 3)."""
    near = p.copy()
    near[N_ELEMENTS] -= near[N_OWN]
    if near[N_ELEMENTS] == 0.0:
        return np.zeros((len(x), 3))
    near[N_OWN] = near[REDUCED] = near[VARIES] = 0.0
    at = int(p[W_MOMENT])
    return work_of(craft, x, lambda x, w: compose_mass(0.0, x, np.zeros(3), near, w))[:, at : at + 3]


def _of_each_arm(craft: "Spacecraft", states: ArrayLike, part: Callable[[_Places, _Chain], Array]) -> list[Array]:
    batches = [[part(places, chain) for chain in places.chains] for places in _places(craft, states)]
    return [np.concatenate(parts) for parts in zip(*batches, strict=True)]


def _moving(craft: "Spacecraft", states: ArrayLike) -> list[Array]:
    """Return node velocities of each arm relative to the mass centre or pivot, (n, elements + 1, 7)."""
    p = craft.pack()
    batches: list[list[Array]] = []
    for places in _places(craft, states):
        w = work_of(craft, places.x, lambda x, w: body_rate(0.0, x, np.zeros(3), p, w))
        rows: list[Array] = []
        for chain in places.chains:
            nodes = chain.arm.elements + 1
            at = chain.work + POSE * nodes
            rows.append(w[:, at : at + MOTION.size * nodes].reshape(len(w), nodes, MOTION.size))
        batches.append(rows)
    return [np.concatenate(parts) for parts in zip(*batches, strict=True)]


def _unit(e: Array) -> Array:
    return e / np.sqrt((e * e).sum(axis=-1, keepdims=True))


def node_positions(craft: "Spacecraft", states: ArrayLike) -> list[Array]:
    """Return the positions of the nodes of each arm.

    Parameters
    ----------
    craft : Spacecraft
        Spacecraft with flexible arms.
    states : array_like, shape (n, nx)
        Rows of states.

    Returns
    -------
    list of numpy.ndarray, shape (n, elements + 1, 3)
        One array per arm, root first; inertial, m. If the position is a state, the origin is the inertial origin;
        otherwise it is the total mass centre or the pivot.

    Raises
    ------
    InputError
        When the rows of `states` are not state vectors of this spacecraft.

    Examples
    --------
    >>> from polhode.plant import RigidBody, Spacecraft
    >>> from polhode.plant.flexible import Arm, BeamSection
    >>> section = BeamSection(
    ...     area=2.5e-3, second_moment_m=5.2e-7, second_moment_n=5.2e-7, youngs_modulus=7.17e10,
    ...     shear_modulus=2.68e10, density=2.8e3,
    ... )
    >>> arm = Arm(section=section, length=2.0, elements=2, direction=(0, 1, 0), root=(0, 0.1, 0))
    >>> craft = Spacecraft(RigidBody((1.0, 1.2, 1.4), mass=6.0), elements=[arm])
    >>> node_positions(craft, [craft.at_rest()])[0][0, :, 1].round(3)  # the 14 kg arm shifts the mass centre
    array([-0.67,  0.33,  1.33])
    """
    return _of_each_arm(
        craft, states, lambda places, chain: places.reference[:, None] + np.moveaxis(chain.pose[:, :3], -1, 0)
    )


def node_attitudes(craft: "Spacecraft", states: ArrayLike) -> list[Array]:
    """Return the attitudes of the sections at the nodes of each arm.

    Parameters
    ----------
    craft : Spacecraft
        Spacecraft with flexible arms.
    states : array_like, shape (n, nx)
        Rows of states.

    Returns
    -------
    list of numpy.ndarray, shape (n, elements + 1, 4)
        One array per arm, root first: Euler parameters, scalar first, of the section axes l, m, n.

    Raises
    ------
    InputError
        When the rows of `states` are not state vectors of this spacecraft.
    """

    def part(places: _Places, chain: _Chain) -> Array:
        root = quaternion_product(places.x[:, 3:7], from_rotation_matrix(chain.arm.frame))
        nodes = chain.states[:, 1 : 1 + NODE.size * chain.arm.elements].reshape(len(root), -1, NODE.size)[:, :, 3:7]
        return _unit(np.concatenate((root[:, None], nodes), axis=1))

    return _of_each_arm(craft, states, part)


def node_strains(craft: "Spacecraft", states: ArrayLike) -> list[Array]:
    """Return the axial strains at the nodes of each arm.

    Parameters
    ----------
    craft : Spacecraft
        Spacecraft with flexible arms.
    states : array_like, shape (n, nx)
        Rows of states.

    Returns
    -------
    list of numpy.ndarray, shape (n, elements + 1)
        One array per arm, root first.

    Raises
    ------
    InputError
        When the rows of `states` are not state vectors of this spacecraft.
    """
    return _of_each_arm(craft, states, lambda _, chain: chain.pose[:, STRAIN].T)


def node_velocities(craft: "Spacecraft", states: ArrayLike) -> list[Array]:
    """Return the velocities of the nodes of each arm.

    Parameters
    ----------
    craft : Spacecraft
        Spacecraft with flexible arms.
    states : array_like, shape (n, nx)
        Rows of states.

    Returns
    -------
    list of numpy.ndarray, shape (n, elements + 1, 3)
        One array per arm, root first; inertial, m/s: the rates of `node_positions`.

    Raises
    ------
    InputError
        When the rows of `states` are not state vectors of this spacecraft.
    """
    drift = 0.0
    if craft.translation:
        x = np.asarray(states, dtype=np.float64)
        drift = x[:, None, craft.layout.linear_momentum] / np.reshape(craft.mass_at(x), (-1, 1, 1))
    return [arm[..., :3] + drift for arm in _moving(craft, states)]


def node_rates(craft: "Spacecraft", states: ArrayLike) -> list[Array]:
    """Return the angular velocities of the sections at the nodes of each arm.

    Parameters
    ----------
    craft : Spacecraft
        Spacecraft with flexible arms.
    states : array_like, shape (n, nx)
        Rows of states.

    Returns
    -------
    list of numpy.ndarray, shape (n, elements + 1, 3)
        One array per arm, root first; inertial components, rad/s.

    Raises
    ------
    InputError
        When the rows of `states` are not state vectors of this spacecraft.
    """
    return [arm[..., 3:6] for arm in _moving(craft, states)]


def hub_position(craft: "Spacecraft", states: ArrayLike) -> Array:
    """Return the position of the hub's mass centre.

    Parameters
    ----------
    craft : Spacecraft
        Any spacecraft.
    states : array_like, shape (n, nx)
        Rows of states.

    Returns
    -------
    numpy.ndarray, shape (n, 3)
        Inertial position, m, with the same origin as in `node_positions`.

    Raises
    ------
    InputError
        When the rows of `states` are not state vectors of this spacecraft.
    """
    offset = np.zeros(3) if craft.body.pivot is None else -np.asarray(craft.body.pivot)
    return np.concatenate([places.reference + places.turn @ offset for places in _places(craft, states)])


def mass_centre(craft: "Spacecraft", states: ArrayLike) -> Array:
    """Return the position of the total mass centre.

    Parameters
    ----------
    craft : Spacecraft
        Any spacecraft.
    states : array_like, shape (n, nx)
        Rows of states.

    Returns
    -------
    numpy.ndarray, shape (n, 3)
        Inertial position, m, with the same origin as in `node_positions`. Zero for a free spacecraft whose position is
        not a state.

    Raises
    ------
    InputError
        When the rows of `states` are not state vectors of this spacecraft, or a pivoted hub has no stated mass.
    """
    centre = np.concatenate([places.centre for places in _places(craft, states)])
    if not np.isfinite(centre).all():
        raise InputError("the total mass centre needs the mass of the hub: RigidBody(..., mass=...) in kg")
    return centre


def tip_deflection(craft: "Spacecraft", states: ArrayLike) -> Array:
    """Return the deflection of the tip of each arm relative to a rigid arm.

    Parameters
    ----------
    craft : Spacecraft
        Spacecraft with flexible arms.
    states : array_like, shape (n, nx)
        Rows of states.

    Returns
    -------
    numpy.ndarray, shape (n, arms, 3)
        Components along l, m, n of the arm's root, m.

    Raises
    ------
    InputError
        When the rows of `states` are not state vectors of this spacecraft, or it has no arms.
    """

    def part(_: _Places, chain: _Chain) -> Array:
        axes = chain.pose[0, 3:12].reshape(3, 3, -1)  # l, m, n as rows
        local = np.einsum("ijn,jn->ni", axes, chain.pose[-1, :3] - chain.pose[0, :3])
        return local - (chain.arm.length, 0.0, 0.0)

    deflections = _of_each_arm(craft, states, part)
    if not deflections:
        raise InputError("the spacecraft has no flexible arms; give it elements=[plant.flexible.Arm(...)]")
    return np.stack(deflections, axis=1)


def strain_energy(craft: "Spacecraft", states: ArrayLike) -> Array:
    """Return the total strain energy of all arms.

    Parameters
    ----------
    craft : Spacecraft
        Spacecraft with flexible arms.
    states : array_like, shape (n, nx)
        Rows of states.

    Returns
    -------
    numpy.ndarray, shape (n,)
        Energy, J.

    Raises
    ------
    InputError
        When the rows of `states` are not state vectors of this spacecraft.
    """
    return np.concatenate(
        [
            sum((_strain_energy(chain) for chain in places.chains), np.zeros(len(places.x)))
            for places in _places(craft, states)
        ]
    )


def _strain_energy(chain: _Chain) -> Array:
    pose: Any = as_samples(chain.pose)
    energy = np.zeros(len(chain.states))
    for element in range(chain.arm.elements):
        energy += np.asarray(element_strain(chain.own, HEADER_SIZE, element, pose))
    return energy
