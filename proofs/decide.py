"""From a statement to a verdict: search, then the gate on what the search found, as it will be read back.

Nothing here is trusted: the word comes from the gate, with the statement that both checkers read.
"""

from __future__ import annotations

import json
import logging
import time
import traceback
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from qtheory.errors import InputError
from qtheory.proofs import cache as proof_cache
from qtheory.proofs import gate
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import KernelError
from qtheory.proofs.proving.lines import Proof
from qtheory.proofs.tactics.stopping import OutOfTime, limited
from qtheory.proofs.tactics.tracing import recording
from qtheory.proofs.verdict import Verdict

HERE = Path(__file__).parent
PATIENCE = 2.0  # times the budget, of which the parts of a search may each take somewhat more than their share
LEAST_LOOK = 0.25  # seconds of work in which a contradiction is looked for, however small the budget
STOPPED = "the search was stopped"
VACUOUS = "it says nothing"  # as no point meets what it supposes


def decide(statement: Statement, *, proof: Proof | None = None, point: Mapping[str, str] | None = None,
           budget: float = 10.0, cache: bool = False, patience: float | None = None) -> Verdict:
    """The verdict on a parsed statement: proved or refuted with a certificate that both checkers accepted, or unknown.

    ``proof``: how to prove it, and ``point``: where to look for a counterexample first; neither is believed.
    ``budget`` is in seconds of work; with ``cache`` a proof found before is re-checked before anything is searched.
    ``patience``: seconds after which the search is stopped, by default more than it plans with.
    """
    started = time.perf_counter()
    look = min(gate.LOOK, max(budget / 4, LEAST_LOOK))
    cache = cache and recording() is None  # what is traced is searched for
    outcome: Mapping[str, Any] = (proof_cache.load(statement) if cache else None) or {}
    verdict, _ = accepted(statement, outcome, look)
    if verdict is None:
        outcome = searched(statement, proof, budget, patience, point=point)
        verdict, why = accepted(statement, outcome, look)
        if verdict is None and outcome.get("certificate") is not None and not why.startswith(VACUOUS):
            # what cannot be read back: another, then
            outcome = searched(statement, proof, budget, patience, point=point, reread=True)
            verdict, why = accepted(statement, outcome, look)
        if verdict is not None and cache:
            proof_cache.store(statement, {"certificate": outcome["certificate"]})
    if verdict is None:
        verdict = gate.unknown(statement, why)
    return verdict.annotated(seconds=time.perf_counter() - started)


def searched(statement: Statement, proof: Proof | None, budget: float, patience: float | None = None, *,
             point: Mapping[str, str] | None = None, reread: bool = False, met: bool = True) -> dict[str, Any]:
    """The search's certificate as plain data; a search that fails or does not stop has found nothing, and says why.

    ``reread``: the search itself checks its certificates, and goes on after one that the kernel rejects. ``met``: is it
    asked where the conditions are met?
    """
    from qtheory.proofs.tactics.search import search

    limit = PATIENCE * budget if patience is None else patience
    try:
        with limited(limit), warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # points where floating point gives up are left out
            outcome = search(statement, proof=proof, point=point, budget=budget, reread=reread, met=met)
    except OutOfTime:
        twice = ", twice its budget" if patience is None else ""
        return {"obstacle": f"{STOPPED} after {limit:.2g} units of work{twice}"}
    except InputError:  # a proof that cannot be read
        raise
    except Exception as error:  # nothing that search does is trusted: that it failed is what there is to say
        logging.getLogger(__name__).debug("a search failed", exc_info=error)
        return {"obstacle": f"the search failed at {_step(error)} ({type(error).__name__}), which says nothing of the "
                            "statement: a defect of qtheory, worth reporting with the statement"}
    return {"certificate": json.loads(json.dumps(outcome.certificate)),
            "obstacle": outcome.obstacle or "no proof and no counterexample was found"}


def _step(error: Exception) -> str:
    """The innermost function of this library that the error came through."""
    own = [f for f in traceback.extract_tb(error.__traceback__) if Path(f.filename).is_relative_to(HERE)]
    return f"{own[-1].name} of {Path(own[-1].filename).relative_to(HERE)}"


def accepted(statement: Statement, outcome: Mapping[str, Any], look: float) -> tuple[Verdict | None, str]:
    """The gate's verdict on the certificate; else None, and the obstacle."""
    data = outcome.get("certificate")
    if data is None:
        return None, str(outcome.get("obstacle"))
    try:
        return gate.certified(statement, data, look=look), ""
    except gate.Vacuous as error:
        return None, f"{VACUOUS}: {error}"
    except (KernelError, RecursionError, MemoryError) as error:
        return None, f"the checkers rejected what the search found: {error}"
