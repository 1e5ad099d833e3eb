"""Control laws and their design: linear-quadratic regulator, quaternion feedback, references, margins.

A law is sampled: it measures the plant every `sample` seconds. Its torque command reaches the plant `delay` seconds
later and is held until the next one. Designs use the exact linear model of the plant (`Spacecraft.linearize`) and
python-control. Margins are those of the discrete loop that is simulated, delay included.

Imports only numpy; scipy and control are imported by the functions that need them.
"""

if __name__ != "polhode.controllers":
    raise ImportError(
        f"this folder is the package polhode.controllers, not {__name__!r}: install polhode "
        "(pip install -e . in the repository) and `import polhode.controllers`"
    )

from importlib import import_module
from typing import TYPE_CHECKING

from ..plant.lazy_names import lazy_name

if TYPE_CHECKING:
    from . import blocks as blocks
    from . import estimators as estimators
    from . import sensors as sensors
    from .allocation import BasisTorque, ThrusterAllocation, WheelAllocation, to_basis, wheel_shares
    from .analysis import (
        DiskMargin,
        DiskMargins,
        ErrorBudget,
        LinearResponse,
        LoopAnalysis,
        LoopMode,
        OpenedLoop,
        PointingBudget,
        SensitivityPeak,
        analyse,
        disk_margins,
        disturbance_response,
        loop_modes,
        open_loop,
        pointing_budget,
        sensitivity_peaks,
        step_response,
    )
    from .designs import (
        disturbance_observer,
        filtered,
        law_from_system,
        lqg,
        lqgi,
        lqi,
        mixed_sensitivity,
        notch,
        pid,
        pole_placement,
        roll_off,
    )
    from .designs.lqr import lqr
    from .designs.quaternion_tuning import quaternion_feedback
    from .designs.rational_filter import RationalFilter
    from .files.law_file import load_law, save_law
    from .files.plant_fingerprint import plant_fingerprint
    from .files.system_file import load_system
    from .guidance import (
        EigenaxisSlew,
        NadirPointing,
        OrbitPointing,
        SampledReference,
        ShapedReference,
        SpinUp,
        pointing_attitude,
        shaper_impulses,
        shaper_vibration,
    )
    from .guidance.custom_reference import CustomReference
    from .guidance.reference import FixedReference, Reference, SpinReference
    from .laws.block import Block
    from .laws.block_draws import draw_normals, draw_uniforms
    from .laws.block_form import BlockForm
    from .laws.clock import Clock
    from .laws.compensator import Compensator
    from .laws.custom_law import CustomLaw
    from .laws.design_condition import DesignCondition
    from .laws.energy_shaping import EnergyShaping
    from .laws.law import AttitudeLaw, Law
    from .laws.linear_feedback import LinearFeedback
    from .laws.on_off import OnOffThrusters
    from .laws.quaternion_feedback import QuaternionFeedback
    from .laws.rate_damping import RateDamping
    from .laws.shaped_noise import ShapedNoise
    from .laws.signal import Signal
    from .laws.sliding_mode import SlidingMode
    from .laws.system_law import SystemLaw
    from .laws.torque_law import TorqueLaw
    from .loop.margins import AxisMargins, Margins
    from .modes.condition import Condition
    from .modes.mode import Mode, Transition
    from .modes.modes import Modes
    from .robustness.measured import loop_margin
    from .robustness.robust_margin import RobustMarginBound, robust_margin_bound

__all__ = [
    "AttitudeLaw",
    "AxisMargins",
    "BasisTorque",
    "Block",
    "BlockForm",
    "Clock",
    "Compensator",
    "Condition",
    "CustomLaw",
    "CustomReference",
    "DesignCondition",
    "DiskMargin",
    "DiskMargins",
    "EigenaxisSlew",
    "EnergyShaping",
    "ErrorBudget",
    "FixedReference",
    "Law",
    "LinearFeedback",
    "LinearResponse",
    "LoopAnalysis",
    "LoopMode",
    "Margins",
    "Mode",
    "Modes",
    "NadirPointing",
    "OnOffThrusters",
    "OpenedLoop",
    "OrbitPointing",
    "PointingBudget",
    "QuaternionFeedback",
    "RateDamping",
    "RationalFilter",
    "Reference",
    "RobustMarginBound",
    "SampledReference",
    "SensitivityPeak",
    "ShapedNoise",
    "ShapedReference",
    "Signal",
    "SlidingMode",
    "SpinReference",
    "SpinUp",
    "SystemLaw",
    "ThrusterAllocation",
    "TorqueLaw",
    "Transition",
    "WheelAllocation",
    "analyse",
    "disk_margins",
    "disturbance_observer",
    "disturbance_response",
    "draw_normals",
    "draw_uniforms",
    "filtered",
    "law_from_system",
    "load_law",
    "load_system",
    "loop_margin",
    "loop_modes",
    "lqg",
    "lqgi",
    "lqi",
    "lqr",
    "mixed_sensitivity",
    "notch",
    "open_loop",
    "pid",
    "plant_fingerprint",
    "pointing_attitude",
    "pointing_budget",
    "pole_placement",
    "quaternion_feedback",
    "robust_margin_bound",
    "roll_off",
    "save_law",
    "sensitivity_peaks",
    "shaper_impulses",
    "shaper_vibration",
    "step_response",
    "to_basis",
    "wheel_shares",
]


_HOMES = {
    "AttitudeLaw": ".laws.law",
    "AxisMargins": ".loop.margins",
    "BasisTorque": ".allocation",
    "Block": ".laws.block",
    "BlockForm": ".laws.block_form",
    "Clock": ".laws.clock",
    "Signal": ".laws.signal",
    "Compensator": ".laws.compensator",
    "Condition": ".modes.condition",
    "CustomLaw": ".laws.custom_law",
    "CustomReference": ".guidance.custom_reference",
    "DesignCondition": ".laws.design_condition",
    "DiskMargin": ".analysis",
    "DiskMargins": ".analysis",
    "EigenaxisSlew": ".guidance",
    "EnergyShaping": ".laws.energy_shaping",
    "ErrorBudget": ".analysis",
    "FixedReference": ".guidance.reference",
    "RobustMarginBound": ".robustness.robust_margin",
    "Law": ".laws.law",
    "LinearFeedback": ".laws.linear_feedback",
    "LinearResponse": ".analysis",
    "LoopAnalysis": ".analysis",
    "LoopMode": ".analysis",
    "Margins": ".loop.margins",
    "Mode": ".modes.mode",
    "Modes": ".modes.modes",
    "NadirPointing": ".guidance",
    "OnOffThrusters": ".laws.on_off",
    "OpenedLoop": ".analysis",
    "OrbitPointing": ".guidance",
    "PointingBudget": ".analysis",
    "QuaternionFeedback": ".laws.quaternion_feedback",
    "RateDamping": ".laws.rate_damping",
    "RationalFilter": ".designs.rational_filter",
    "Reference": ".guidance.reference",
    "SampledReference": ".guidance",
    "SensitivityPeak": ".analysis",
    "ShapedNoise": ".laws.shaped_noise",
    "ShapedReference": ".guidance",
    "SlidingMode": ".laws.sliding_mode",
    "SpinReference": ".guidance.reference",
    "SpinUp": ".guidance",
    "SystemLaw": ".laws.system_law",
    "ThrusterAllocation": ".allocation",
    "TorqueLaw": ".laws.torque_law",
    "Transition": ".modes.mode",
    "WheelAllocation": ".allocation",
    "analyse": ".analysis",
    "disk_margins": ".analysis",
    "disturbance_observer": ".designs",
    "disturbance_response": ".analysis",
    "draw_normals": ".laws.block_draws",
    "draw_uniforms": ".laws.block_draws",
    "filtered": ".designs",
    "law_from_system": ".designs",
    "robust_margin_bound": ".robustness.robust_margin",
    "load_law": ".files.law_file",
    "load_system": ".files.system_file",
    "loop_margin": ".robustness.measured",
    "loop_modes": ".analysis",
    "lqg": ".designs",
    "lqgi": ".designs",
    "lqi": ".designs",
    "lqr": ".designs.lqr",
    "mixed_sensitivity": ".designs",
    "notch": ".designs",
    "open_loop": ".analysis",
    "pid": ".designs",
    "plant_fingerprint": ".files.plant_fingerprint",
    "pointing_attitude": ".guidance",
    "pointing_budget": ".analysis",
    "pole_placement": ".designs",
    "quaternion_feedback": ".designs.quaternion_tuning",
    "roll_off": ".designs",
    "save_law": ".files.law_file",
    "sensitivity_peaks": ".analysis",
    "shaper_impulses": ".guidance",
    "shaper_vibration": ".guidance",
    "step_response": ".analysis",
    "to_basis": ".allocation",
    "wheel_shares": ".allocation",
}
"""Module of each name: names are imported at first use, since a run needs few of them."""

_ROOMS = ("blocks", "estimators", "sensors")


def __getattr__(name: str) -> object:
    if name in _ROOMS:
        return import_module(f".{name}", __name__)
    return lazy_name(__name__, _HOMES, name)


def __dir__() -> list[str]:
    """Return the public names, not the modules that define them."""
    return sorted([*__all__, *_ROOMS])
