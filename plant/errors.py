"""Exceptions of polhode.

::

    PolhodeError (Exception)
    ├── InputError (also ValueError)       invalid argument: quantity, value, bound and remedy
    │   ├── SingularBasisError             a torque basis or an Euler sequence used at its singular pose
    │   ├── EquilibriumError               a linear model requested about a state that is not steady
    │   └── DesignError                    no controller with the required properties exists for this model
    └── SaveError (also OSError)           a result could not be written; no partial file remains
"""


class PolhodeError(Exception):
    """Base class of all exceptions that polhode raises on purpose."""


class InputError(PolhodeError, ValueError):
    """Invalid argument. The message names the quantity, the value, the bound and the remedy."""


class SingularBasisError(InputError):
    """Torque basis or Euler sequence used at its singular pose."""


class EquilibriumError(InputError):
    """Linear model requested about a state that is not steady."""


class DesignError(InputError):
    """No controller with the required properties exists for the model and the weights."""


class SaveError(PolhodeError, OSError):
    """A result could not be written. No partial file remains."""
