"""Control laws and their design: linear-quadratic regulator, quaternion feedback, references, margins.

A law is sampled: it measures the plant every `sample` seconds. Its torque command reaches the plant `delay` seconds
later and is held until the next command. Designs use the exact linear model of the plant (`Spacecraft.linearize`) and
python-control. Margins are computed for the discrete loop that is simulated, including the delay.

This package imports only numpy; functions that need scipy or control import them when called.
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
    from .contracts.attitude_law import AttitudeLaw
    from .contracts.block import Block
    from .contracts.block_draws import draw_normals, draw_uniforms
    from .contracts.block_form import BlockForm
    from .contracts.clock import Clock
    from .contracts.design_condition import DesignCondition
    from .contracts.law import Law
    from .contracts.reference import FixedReference, Reference, SpinReference
    from .contracts.signal import Signal
    from .designs import (
        dipole,
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
        state_feedback,
        state_space_law,
    )
    from .designs.lqr import lqr
    from .designs.periodic_lqr import periodic_lqr
    from .designs.quaternion_tuning import quaternion_feedback
    from .designs.rational_filter import RationalFilter
    from .designs.tuning import tune_loops
    from .guidance import (
        EigenaxisSlew,
        KeepOutSlew,
        NadirPointing,
        OrbitPointing,
        PointingCone,
        SampledReference,
        ShapedReference,
        SpinUp,
        TimeOptimalSlew,
        pointing_attitude,
        shaper_impulses,
        shaper_vibration,
    )
    from .guidance.allocation import (
        BasisTorque,
        GyroAllocation,
        ThrusterAllocation,
        WheelAllocation,
        to_basis,
        wheel_shares,
    )
    from .guidance.custom_reference import CustomReference
    from .laws import blocks as blocks
    from .laws.compensator import Compensator
    from .laws.custom_law import CustomLaw
    from .laws.energy_shaping import EnergyShaping
    from .laws.files.law_file import load_law, save_law
    from .laws.files.plant_fingerprint import plant_fingerprint
    from .laws.files.system_file import load_system
    from .laws.gain_schedule import GainSchedule
    from .laws.linear_feedback import LinearFeedback
    from .laws.modes.condition import Condition
    from .laws.modes.mode import Mode, Transition
    from .laws.modes.modes import Modes
    from .laws.on_off import OnOffThrusters
    from .laws.periodic_dipole import PeriodicDipoleFeedback
    from .laws.quaternion_feedback import QuaternionFeedback
    from .laws.rate_damping import RateDamping
    from .laws.recorded_commands import RecordedCommands
    from .laws.shaped_noise import ShapedNoise
    from .laws.sliding_mode import SlidingMode
    from .laws.spin_precession import SpinPrecession
    from .laws.system_law import SystemLaw
    from .laws.torque_law import TorqueLaw
    from .loop.analysis import (
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
    from .loop.margins import AxisMargins, Margins
    from .loop.robustness.measured import loop_margin
    from .loop.robustness.robust_budget import RobustBudgetBound, robust_budget_bound
    from .loop.robustness.robust_margin import RobustMarginBound, robust_margin_bound
    from .loop.robustness.schedule_margins import ScheduleInterval, schedule_margins
    from .sensing import estimators as estimators
    from .sensing import sensors as sensors

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
    "GainSchedule",
    "GyroAllocation",
    "KeepOutSlew",
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
    "PeriodicDipoleFeedback",
    "PointingBudget",
    "PointingCone",
    "QuaternionFeedback",
    "RateDamping",
    "RationalFilter",
    "RecordedCommands",
    "Reference",
    "RobustBudgetBound",
    "RobustMarginBound",
    "SampledReference",
    "ScheduleInterval",
    "SensitivityPeak",
    "ShapedNoise",
    "ShapedReference",
    "Signal",
    "SlidingMode",
    "SpinPrecession",
    "SpinReference",
    "SpinUp",
    "SystemLaw",
    "ThrusterAllocation",
    "TimeOptimalSlew",
    "TorqueLaw",
    "Transition",
    "WheelAllocation",
    "analyse",
    "dipole",
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
    "periodic_lqr",
    "pid",
    "plant_fingerprint",
    "pointing_attitude",
    "pointing_budget",
    "pole_placement",
    "quaternion_feedback",
    "robust_budget_bound",
    "robust_margin_bound",
    "roll_off",
    "save_law",
    "schedule_margins",
    "sensitivity_peaks",
    "shaper_impulses",
    "shaper_vibration",
    "state_feedback",
    "state_space_law",
    "step_response",
    "to_basis",
    "tune_loops",
    "wheel_shares",
]


_HOMES = {
    "AttitudeLaw": ".contracts.attitude_law",
    "AxisMargins": ".loop.margins",
    "BasisTorque": ".guidance.allocation",
    "Block": ".contracts.block",
    "BlockForm": ".contracts.block_form",
    "Clock": ".contracts.clock",
    "Signal": ".contracts.signal",
    "Compensator": ".laws.compensator",
    "Condition": ".laws.modes.condition",
    "CustomLaw": ".laws.custom_law",
    "CustomReference": ".guidance.custom_reference",
    "DesignCondition": ".contracts.design_condition",
    "DiskMargin": ".loop.analysis",
    "DiskMargins": ".loop.analysis",
    "EigenaxisSlew": ".guidance",
    "EnergyShaping": ".laws.energy_shaping",
    "ErrorBudget": ".loop.analysis",
    "FixedReference": ".contracts.reference",
    "GainSchedule": ".laws.gain_schedule",
    "GyroAllocation": ".guidance.allocation",
    "KeepOutSlew": ".guidance",
    "RobustBudgetBound": ".loop.robustness.robust_budget",
    "RobustMarginBound": ".loop.robustness.robust_margin",
    "Law": ".contracts.law",
    "LinearFeedback": ".laws.linear_feedback",
    "LinearResponse": ".loop.analysis",
    "LoopAnalysis": ".loop.analysis",
    "LoopMode": ".loop.analysis",
    "Margins": ".loop.margins",
    "Mode": ".laws.modes.mode",
    "Modes": ".laws.modes.modes",
    "NadirPointing": ".guidance",
    "OnOffThrusters": ".laws.on_off",
    "OpenedLoop": ".loop.analysis",
    "OrbitPointing": ".guidance",
    "PointingBudget": ".loop.analysis",
    "PointingCone": ".guidance",
    "PeriodicDipoleFeedback": ".laws.periodic_dipole",
    "QuaternionFeedback": ".laws.quaternion_feedback",
    "RateDamping": ".laws.rate_damping",
    "RecordedCommands": ".laws.recorded_commands",
    "RationalFilter": ".designs.rational_filter",
    "Reference": ".contracts.reference",
    "SampledReference": ".guidance",
    "ScheduleInterval": ".loop.robustness.schedule_margins",
    "SensitivityPeak": ".loop.analysis",
    "ShapedNoise": ".laws.shaped_noise",
    "ShapedReference": ".guidance",
    "SlidingMode": ".laws.sliding_mode",
    "SpinPrecession": ".laws.spin_precession",
    "SpinReference": ".contracts.reference",
    "SpinUp": ".guidance",
    "SystemLaw": ".laws.system_law",
    "ThrusterAllocation": ".guidance.allocation",
    "TimeOptimalSlew": ".guidance",
    "TorqueLaw": ".laws.torque_law",
    "Transition": ".laws.modes.mode",
    "WheelAllocation": ".guidance.allocation",
    "analyse": ".loop.analysis",
    "dipole": ".designs",
    "disk_margins": ".loop.analysis",
    "disturbance_observer": ".designs",
    "disturbance_response": ".loop.analysis",
    "draw_normals": ".contracts.block_draws",
    "draw_uniforms": ".contracts.block_draws",
    "filtered": ".designs",
    "law_from_system": ".designs",
    "robust_budget_bound": ".loop.robustness.robust_budget",
    "robust_margin_bound": ".loop.robustness.robust_margin",
    "load_law": ".laws.files.law_file",
    "load_system": ".laws.files.system_file",
    "loop_margin": ".loop.robustness.measured",
    "loop_modes": ".loop.analysis",
    "lqg": ".designs",
    "lqgi": ".designs",
    "lqi": ".designs",
    "lqr": ".designs.lqr",
    "periodic_lqr": ".designs.periodic_lqr",
    "mixed_sensitivity": ".designs",
    "notch": ".designs",
    "open_loop": ".loop.analysis",
    "pid": ".designs",
    "plant_fingerprint": ".laws.files.plant_fingerprint",
    "pointing_attitude": ".guidance",
    "pointing_budget": ".loop.analysis",
    "pole_placement": ".designs",
    "quaternion_feedback": ".designs.quaternion_tuning",
    "roll_off": ".designs",
    "save_law": ".laws.files.law_file",
    "schedule_margins": ".loop.robustness.schedule_margins",
    "sensitivity_peaks": ".loop.analysis",
    "shaper_impulses": ".guidance",
    "shaper_vibration": ".guidance",
    "state_feedback": ".designs",
    "state_space_law": ".designs",
    "step_response": ".loop.analysis",
    "to_basis": ".guidance.allocation",
    "tune_loops": ".designs.tuning",
    "wheel_shares": ".guidance.allocation",
}
"""Module of each public name. Names are imported at first use, since a run needs few of them."""

_ROOMS = {"blocks": ".laws.blocks", "estimators": ".sensing.estimators", "sensors": ".sensing.sensors"}
"""Packages that are accessed by name: `controllers.sensors.RateGyro`."""


def __getattr__(name: str) -> object:
    if name in _ROOMS:
        return import_module(_ROOMS[name], __name__)
    return lazy_name(__name__, _HOMES, name)


def __dir__() -> list[str]:
    """Return the public names, not the modules that define them."""
    return sorted([*__all__, *_ROOMS])
