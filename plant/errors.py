"""The exceptions of polhode.

::

    PolhodeError (Exception)
    ├── InputError (also ValueError)       something given is wrong: quantity, value, bound and way out
    │   ├── SingularBasisError             a torque basis or an Euler sequence used at its singular pose
    │   ├── EquilibriumError               a linear model asked for about a state that is not steady
    │   └── DesignError                    no controller with the wanted properties exists for this model
    └── SaveError (also OSError)           a result could not be written; nothing was left half-written
"""

__all__ = [
    "DesignError",
    "EquilibriumError",
    "InputError",
    "PolhodeError",
    "SaveError",
    "SingularBasisError",
]


class PolhodeError(Exception):
    """Base of every exception that polhode raises on purpose."""


class InputError(PolhodeError, ValueError):
    """Something given is wrong; the message names the quantity, the value, the bound and the way out."""


class SingularBasisError(InputError):
    """A torque basis or an Euler sequence was used at its singular pose."""


class EquilibriumError(InputError):
    """A linear model was asked for about a state that is not steady."""


class DesignError(InputError):
    """No controller with the wanted properties exists for the model and the weights given."""


class SaveError(PolhodeError, OSError):
    """A result could not be written; nothing was left half-written."""
