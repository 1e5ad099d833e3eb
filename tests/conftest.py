"""What all tests share."""

import os

# before numpy is loaded: threads make small matrices slower (see polhode.plant.one_thread), those of tests too
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from hypothesis import HealthCheck, settings

# a machine under load is no fault of an example, and a suite that passes today passes tomorrow
settings.register_profile(
    "any-machine", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("any-machine")
