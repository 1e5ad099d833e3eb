"""Ready-made blocks: filters, lags, delay, noise, quantisation, dropout, faults, thrusters, gyros, wheel speeds."""

from .direction_attitude import direction_attitude
from .dropout import dropout
from .gyro_steering import gyro_steering
from .jitter import jitter
from .linear_block import lag, low_pass, state_space, transfer_function
from .momentum import momentum_of_rate, split_body_momentum
from .noise import noise
from .nonlinear_blocks import delay, quantizer, rate_limiter
from .pwpf import PulseCharacteristic, pulse_characteristic, pwpf
from .signal_fault import health, signal_fault
from .thruster_pulses import ThrusterFault, thruster_pulses
from .wheel_speed_loop import wheel_speed_loop

__all__ = [
    "PulseCharacteristic",
    "ThrusterFault",
    "delay",
    "direction_attitude",
    "dropout",
    "gyro_steering",
    "health",
    "jitter",
    "lag",
    "low_pass",
    "momentum_of_rate",
    "noise",
    "pulse_characteristic",
    "pwpf",
    "quantizer",
    "rate_limiter",
    "signal_fault",
    "split_body_momentum",
    "state_space",
    "thruster_pulses",
    "transfer_function",
    "wheel_speed_loop",
]
