"""Certificates of theorems by axioms: every change of one is rejected, or proves the theorem that was asked for."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import Any

import pytest
from json_changes import leaves, put
from theorem_uses import CLUSTER, FLUID, STRONG

from qtheory.proofs.axiomatic import check_theorem, from_json, owed, to_json
from qtheory.proofs.claims.axioms import Theorem, Use
from qtheory.proofs.kernel.terms import KernelError
from qtheory.proofs.theorems import found

RENEWALS = STRONG["renewals come at the rate of their mean time"]


@pytest.fixture(scope="module")
def certificate() -> dict[str, Any]:
    return dict(json.loads(json.dumps(found(RENEWALS.theorem, RENEWALS.proof, 20.0))))


def rejected(data: Any, wanted: Theorem | None = RENEWALS.theorem) -> bool:
    try:
        check_theorem(data, wanted)
    except KernelError:
        return True
    return False


def test_every_change_of_the_theorem_is_rejected(certificate: dict[str, Any]) -> None:
    """Of a certificate for the claim; and where no claim is named, of all that an obligation is made from."""
    assert not rejected(certificate)
    for path, value in leaves(certificate["theorem"]):
        for other in (f"{value} + 1", "x > ", 7, None, "", f"{value}\n", f"{value}\u202e"):
            mutant = put(certificate, ("theorem", *path), other)
            assert rejected(mutant), path
            if "words" not in path or not str(other).isprintable():
                assert rejected(mutant, None), (path, other)


@pytest.mark.slow
def test_every_change_of_a_derivation_is_rejected(certificate: dict[str, Any]) -> None:
    for part in (("obligations",), ("conclusion",), ("witness", "derivation")):
        bundle = certificate
        for key in part:
            bundle = bundle[key]
        for n, step in enumerate(bundle["steps"]):
            for key, other in (("goal", "1 > 0"), ("label", "other"), ("verdict", "unknown"), ("certificate", None)):
                if key == "label" and step["label"].startswith("met: "):
                    continue  # what meets a guard is found by its formula
                assert rejected(put(certificate, (*part, "steps", n, key), other)), (step["label"], key)
        last = bundle["steps"][-1]
        for lost in (last, *(s for s in bundle["steps"] if s["label"].startswith("met: "))):
            assert rejected(put(certificate, (*part, "steps"), [s for s in bundle["steps"] if s is not lost]))
        wrong: list[tuple[str, Any]] = [("context", [*bundle["context"], "m > 7"]), ("context", []),
                                        ("let", bundle["let"][:-1]), ("steps", [])]
        for key, other in wrong:
            assert rejected(put(certificate, (*part, key), other)), (part, key)
        others: list[Any] = [None, [], {}, 3, last["certificate"]]
        for instead in others:
            assert rejected(put(certificate, part, instead))


def test_old_and_malformed_certificates_are_refused(certificate: dict[str, Any]) -> None:
    for schema in (1, 3, True, "2", None):
        assert rejected({**certificate, "schema": schema}, None)
    instance = certificate["witness"]["instance"]
    others: list[Any] = [None, 3, [None], "low = 0", instance[1:], [*instance, "m = 1"], [*instance, 5]]
    for other in others:
        assert rejected(put(certificate, ("witness", "instance"), other), None), other
    for key in certificate:
        assert rejected({k: v for k, v in certificate.items() if k != key}, None)
    for other in (None, [], {}, 3, "theorem"):
        assert rejected({**certificate, "theorem": other}, None) and rejected(other, None)
    for key in certificate["theorem"]:
        for other in (None, 3, {}, [3], [[]], "x", [{"axiom": "strong-law"}], {"uses": 3}):
            assert rejected(put(certificate, ("theorem", key), other), None), (key, other)


def test_theorems_are_written_and_read() -> None:
    for shown in (*STRONG.values(), *FLUID.values(), *CLUSTER.values()):
        assert from_json(json.loads(json.dumps(to_json(shown.theorem)))) == shown.theorem
    assert {f.name for f in fields(Theorem)} == set(to_json(RENEWALS.theorem))


def test_no_axiom_and_an_axiom_twice_are_no_theorems() -> None:
    (use,) = RENEWALS.theorem.uses
    for uses, why in (((), "uses an axiom"), ((use, use), "none twice"), ((replace(use, axiom="oracle"),), "no axiom"),
                      ((replace(use, words={**use.words, "iid": " "}),), "left out"),
                      ((Use(use.axiom, use.terms),), "its words")):
        with pytest.raises(KernelError, match=why):
            owed(replace(RENEWALS.theorem, uses=uses))
    with pytest.raises(KernelError, match="named twice"):
        owed(replace(RENEWALS.theorem, parameters=("m", "d", "m")))
    with pytest.raises(KernelError, match="not seen"):
        owed(replace(RENEWALS.theorem, uses=(replace(use, words={**use.words, "iid": "yes\nproved: 0 > 1"}),)))
