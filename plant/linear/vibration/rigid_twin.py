"""Spacecraft with rigid arms: the design model of a law that ignores arm flexibility."""

from ...elements.arm.arm import Arm
from ...spacecraft import Spacecraft


def rigid_twin(craft: Spacecraft) -> Spacecraft:
    """Return the spacecraft with every flexible arm replaced by a rigid, straight one.

    Parameters
    ----------
    craft : Spacecraft
        Any spacecraft.

    Returns
    -------
    Spacecraft
        The same hub, elements, potentials and torques, with a `RigidPart` in place of each `Arm`. If there are no arms,
        the spacecraft itself is returned.

    Examples
    --------
    Choi's satellite: each arm is a rod of 14 kg and 2 m whose root is 0.1 m from the centre, with rotary inertia.

    >>> from polhode.plant import RigidBody
    >>> from polhode.plant.flexible import BeamSection
    >>> section = BeamSection(
    ...     area=2.5e-3, second_moment_m=5.2e-7, second_moment_n=5.2e-7, youngs_modulus=7.17e10,
    ...     shear_modulus=2.68e10, density=2.8e3,
    ... )
    >>> arms = [
    ...     Arm(section=section, length=2.0, elements=2, direction=(s, 0, 0), root=(0.1 * s, 0, 0)) for s in (1, -1)
    ... ]
    >>> rigid = rigid_twin(Spacecraft(RigidBody((0.149, 0.149, 0.149), mass=22.4), elements=arms))
    >>> rigid.layout.size, rigid.locked_inertia(rigid.at_rest()).diagonal().round(6)
    (7, array([ 0.160648, 43.368157, 43.368157]))
    """
    if not any(isinstance(element, Arm) for element in craft.elements):
        return craft
    return Spacecraft(
        craft.body,
        torques=craft.torques,
        external=craft.external,
        elements=[element.rigid() if isinstance(element, Arm) else element for element in craft.elements],
        potentials=craft.potentials,
        user_forces=craft.user_forces,
        translation=craft.translation,
    )
