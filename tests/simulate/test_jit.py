"""Where the simulator needs Numba, it loads it without scipy.linalg; a user's own compiled code works after it."""

import json
import subprocess
import sys

import numpy as np
import pytest

NETWORK_RUN = """
import json, sys
from qtheory.simulate.kernel import machine_code
machine_code.load = lambda place: None  # as if no machine code were kept: Numba loads its own
from qtheory.simulate.laws import Exponential
from qtheory.simulate.networks import JobClass, Network, Station
from qtheory.simulate.runs import run
run(Network((Station("s", 1),), (JobClass("a", "s", Exponential(2.0), Exponential(1.0)),)), horizon=100.0, seed=1)
loaded = [m for m in sys.modules if m == "scipy.linalg" or m.startswith("scipy.linalg.")]
print(json.dumps(["numba" in sys.modules, loaded]))
"""
USERS_CODE = """
import json
import numba
import numpy as np
from qtheory.simulate.laws import Exponential
from qtheory.simulate.kernel import machine_code
machine_code.load = lambda place: None
Exponential(1.0).sample(2)

@numba.njit
def solved(a, b):
    return np.linalg.solve(a, b), np.dot(a, b)

solution, product = solved(np.array([[2.0, 1.0], [1.0, 3.0]]), np.array([3.0, 5.0]))
import scipy.linalg.cython_blas as blas
print(json.dumps({"solution": solution.tolist(), "product": product.tolist(), "file": blas.__file__,
                  "dgemm": "dgemm" in blas.__pyx_capi__}))
"""


def printed(code):
    """What a fresh process prints, in which nothing else has been loaded."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_run_does_not_load_scipy_linalg():
    assert printed(NETWORK_RUN) == [True, []]


@pytest.mark.slow
def test_a_users_compiled_linear_algebra_works_after_it():
    found = printed(USERS_CODE)
    assert found["solution"] == pytest.approx(np.linalg.solve([[2.0, 1.0], [1.0, 3.0]], [3.0, 5.0]))
    assert found["product"] == [11.0, 18.0]
    assert "cython_blas" in found["file"] and found["dgemm"]
