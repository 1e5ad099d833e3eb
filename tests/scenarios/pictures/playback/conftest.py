"""Runs that several tests of the playback draw."""

import base64

import numpy as np
import pytest

from polhode import scenarios


@pytest.fixture(scope="package")
def flown():
    """A function that simulates a case once for all tests of this folder."""
    cache = {}

    def run(name, *overrides):
        key = (name, overrides)
        if key not in cache:
            cache[key] = scenarios.run_case(name, overrides=overrides)
        return cache[key]

    return run


def decoded(channel):
    """Times and values of an encoded channel."""
    t = np.frombuffer(base64.b64decode(channel["t"]), "<f8")
    values = np.frombuffer(base64.b64decode(channel["v"]), "<f4").astype(float)
    return t, values.reshape(len(t), channel["width"])


@pytest.fixture(scope="session")
def decode():
    """The function `decoded`."""
    return decoded
