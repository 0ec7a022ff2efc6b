"""Theorems asserted in tests: hypothesis strategies for LLM serving, and the papers' claims as tests of your code.

You have written a formula of a paper, and want a test that fails when it is wrong::

    import math

    from hypothesis import given
    from qtheory.testing import assert_theorem, profiles, theorem, workloads


    def decode_duration(k, N, p0, alpha_d, beta_d):  # your implementation; its parameters are the paper's symbols
        return (beta_d * k - alpha_d * math.log1p(-k / N)) / p0


    @theorem("eb.sec-3.2.1.Td", using={"Td": decode_duration}, max_examples=50)
    def test_decode_duration():  # at drawn cases that meet the claim's hypotheses
        pass


    def test_decode_duration_at_printed_numbers():
        assert_theorem("eb.sec-3.2.1.Td", using={"Td": decode_duration}, rtol=1e-12,
                       k=12, N=64, p0="0.01", alpha_d="0.0218", beta_d="0.00011")


    @given(profiles("prefill_decode"), workloads())
    def test_decoding_takes_time(profile, workload):  # on any hardware, for any workload
        law = profile.law
        assert decode_duration(12, 64, 1 / workload.output.mean, law.alpha_d, law.beta_d) > 0

Claims of your own go by their file, ``theorem("note.md#mine.wait")``, and are refereed first; ``conjecture("W > 0",
where=["rho < 1"])`` is a statement without a file.  ``qtheory show ID`` prints a claim with its symbols.

Where a drawn case breaks the implementation, the test fails
at the plainest that is found, with the value that is right there; nothing is decided by a comparison of floats.
``pytest --qtheory=eb`` referees a paper's claims afresh as test items; ``--qtheory-strict`` fails on the refuted ones.

The strategies need the extra ``testing`` (hypothesis and pytest); ``assert_theorem`` needs neither.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from qtheory.errors import InputError
from qtheory.testing.telling import slowly

if TYPE_CHECKING:  # what type checkers and editors see
    from qtheory.testing.asserting import Case as Case
    from qtheory.testing.asserting import assert_theorem as assert_theorem
    from qtheory.testing.claims import conjecture as conjecture
    from qtheory.testing.drawing import cases as cases
    from qtheory.testing.errors import BrokenHypothesesError as BrokenHypothesesError
    from qtheory.testing.errors import MissingValueError as MissingValueError
    from qtheory.testing.errors import NoFiniteCasesError as NoFiniteCasesError
    from qtheory.testing.errors import NotATheoremError as NotATheoremError
    from qtheory.testing.errors import TheoremFailedError as TheoremFailedError
    from qtheory.testing.implementations import Tolerance as Tolerance
    from qtheory.testing.series import UndecidedError as UndecidedError
    from qtheory.testing.strategies import Threshold as Threshold
    from qtheory.testing.strategies import engines as engines
    from qtheory.testing.strategies import laws as laws
    from qtheory.testing.strategies import lengths as lengths
    from qtheory.testing.strategies import networks as networks
    from qtheory.testing.strategies import profiles as profiles
    from qtheory.testing.strategies import thresholds as thresholds
    from qtheory.testing.strategies import workloads as workloads
    from qtheory.testing.theorems import theorem as theorem

_HOMES = {
    "assert_theorem": "asserting", "Case": "asserting", "Tolerance": "implementations", "theorem": "theorems",
    "cases": "drawing", "conjecture": "claims",
    **dict.fromkeys(("TheoremFailedError", "BrokenHypothesesError", "MissingValueError", "NotATheoremError",
                     "NoFiniteCasesError"),
                    "errors"),
    "UndecidedError": "series",
    **dict.fromkeys(("Threshold", "engines", "laws", "lengths", "networks", "profiles", "thresholds", "workloads"),
                    "strategies"),
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'qtheory.testing' has no attribute {name!r}; it has {', '.join(__all__)}")
    try:
        with slowly(f"loading qtheory.testing.{name}"):
            return getattr(importlib.import_module(f"qtheory.testing.{_HOMES[name]}"), name)
    except ModuleNotFoundError as error:
        if error.name != "hypothesis":
            raise
        raise InputError(f"qtheory.testing.{name} needs hypothesis: pip install 'qtheory-llm[testing]'") from None


def __dir__() -> list[str]:
    return __all__
