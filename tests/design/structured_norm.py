"""Simultaneous disk margins need a structured singular value: ours against slycot's, which few have installed.

python-control computes them through slycot's AB13MD, a Fortran build. The bound here (balancing, then Schatten norms of
rising order under BFGS) was compared on 40 random matrices of each size, rows scaled by up to e^4: for 2 to 4 factors
the two agree to 1e-9, for 6 within 2.7e-4 and for 9 within 2.0e-4, ours above (the margin below: the safe side). So the
margins do not depend on what is installed. Without slycot this prints ours alone.
"""

import importlib.util
from typing import Any

import numpy as np

from polhode.controllers.loop.analysis.structured_norm import structured_norm


def main() -> None:
    """Print the largest and smallest ratio of ours to slycot's."""
    rng = np.random.default_rng(1)
    for p in (2, 3, 4, 6, 9):
        ratios: list[float] = []
        for _ in range(40):
            plain = rng.normal(size=(p, p)) + 1j * rng.normal(size=(p, p))
            M = plain * np.exp(2.0 * rng.normal(size=(p, 1)))
            ours = structured_norm(M)
            theirs = ours
            if importlib.util.find_spec("slycot"):
                slycot: Any = importlib.import_module("slycot")
                theirs = slycot.ab13md(M, np.ones(p, dtype=int), 2 * np.ones(p, dtype=int))[0]
            ratios.append(ours / theirs)
        print(f"{p} factors: {min(ratios):.9f} to {max(ratios):.9f} of slycot's")


if __name__ == "__main__":
    main()
