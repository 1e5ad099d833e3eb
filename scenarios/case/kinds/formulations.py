"""Formulation of the equations of motion, from run.formulation or the published ring damper."""

from ....plant import Spacecraft
from ....plant.errors import InputError
from ....plant.formulations.view import View
from ..located import located
from ..schema import Case


def require_linear(case: Case) -> None:
    """Raise InputError for the published ring damper, whose linear model would have different equations."""
    ring = _published_ring(case)
    if ring is not None:
        raise InputError(
            f'plant.elements.{ring}.model: "published" can only be simulated, since the linear model, steady spins and '
            'margins use the consistent equations; use model = "consistent"'
        )


def _published_ring(case: Case) -> int | None:
    """Return the index of the published ring damper among the elements; None if there is none."""
    return next((n for n, each in enumerate(case.plant.elements) if getattr(each, "model", "") == "published"), None)


def formulation_of(case: Case, craft: Spacecraft) -> View | None:
    """Return the formulation of a case; None for the default equations of the spacecraft.

    Raises InputError if the formulation cannot describe the spacecraft; the message begins with the key path.
    """
    ring = _published_ring(case)
    if ring is None and case.run.formulation is None:
        return None
    from ....plant.formulations import PublishedRing, RotationIn

    if ring is not None:
        with located(f"plant.elements.{ring}.model"):
            if case.run.formulation is not None:
                raise InputError('"published" is a formulation itself; omit run.formulation')
            published = PublishedRing()
            published.numbers(craft)
        return published
    assert case.run.formulation is not None  # noqa: S101 # checked above
    with located("run.formulation"):
        found = RotationIn(case.run.formulation, sequence=case.run.formulation_sequence)
        found.numbers(craft)
    return found
