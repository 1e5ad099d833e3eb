"""What all tests share."""

import os

# before numpy is loaded: threads make small matrices slower (see polhode.plant.one_thread), those of tests too
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
