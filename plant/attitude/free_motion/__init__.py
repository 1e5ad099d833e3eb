"""Free motion and the heavy top in closed form: references for simulations, and curves to plot.

Modules: `elliptic` (any body: momentum and attitude at any time), `axisymmetric` (steady precession, body cone and
space cone), `roll_coupling`, `momentum_frame` and `euler_equations` (free motion in Euler angles), `energy_limits`,
`polhode`, `polhode_family`, `herpolhode`, `axis_stability` (of spins about the principal axes), `gyrostat` (with
wheels), `heavy_top` and `top` (nutation and precession). They use `principal` (axes and moments), `regime` (constants
of the elliptic functions) and `jacobi` (the functions).
"""

from .axis_stability import AxisStability, axis_stability
from .axisymmetric import AxisymmetricMotion, axisymmetric_motion
from .elliptic import FreeMotion
from .energy_limits import EnergyLimits, energy_limits
from .euler_equations import euler_angle_derivative
from .gyrostat import Gyrostat, SteadySpin, dissipates, gyrostat
from .heavy_top import heavy_top
from .herpolhode import Herpolhode, herpolhode
from .momentum_frame import MomentumFrame, euler_angle_rates, momentum_frame
from .polhode import Polhode, polhode
from .polhode_family import polhode_family, separatrix
from .principal import PrincipalAxes, principal_axes
from .roll_coupling import RollCoupling, roll_coupling
from .top import HeavyTop
from .translating_top import TranslatingTop

__all__ = [
    "AxisStability",
    "AxisymmetricMotion",
    "EnergyLimits",
    "FreeMotion",
    "Gyrostat",
    "HeavyTop",
    "Herpolhode",
    "MomentumFrame",
    "Polhode",
    "PrincipalAxes",
    "RollCoupling",
    "SteadySpin",
    "TranslatingTop",
    "axis_stability",
    "axisymmetric_motion",
    "dissipates",
    "energy_limits",
    "euler_angle_derivative",
    "euler_angle_rates",
    "gyrostat",
    "heavy_top",
    "herpolhode",
    "momentum_frame",
    "polhode",
    "polhode_family",
    "principal_axes",
    "roll_coupling",
    "separatrix",
]
