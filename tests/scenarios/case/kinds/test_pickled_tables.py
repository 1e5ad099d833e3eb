"""Tables of every kind of law, sensor and estimator are pickled by reference, as worker processes need."""

import pickle

import pytest

from polhode.scenarios.case.kinds.distributions import DISTRIBUTIONS
from polhode.scenarios.case.kinds.estimators.kinds import KINDS as ESTIMATORS
from polhode.scenarios.case.kinds.laws.kinds import KINDS as LAWS
from polhode.scenarios.case.kinds.sensors.kinds import KINDS as SENSORS


@pytest.mark.parametrize("kind", [*LAWS, *SENSORS, *ESTIMATORS], ids=lambda kind: kind.name)
def test_table_of_kind_is_pickled_by_reference(kind):
    assert pickle.loads(pickle.dumps(kind.table)) is kind.table


def test_table_of_dispersions_is_pickled_by_reference():
    assert pickle.loads(pickle.dumps(DISTRIBUTIONS.table)) is DISTRIBUTIONS.table
