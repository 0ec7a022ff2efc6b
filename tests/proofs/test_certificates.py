"""Each certificate of the corpus passes ``qtheory check`` in a fresh process, by the kernel and the second checker.

``make test`` has ``qtheory verify``, which holds each against both checkers itself, write them, names their folder in
QTHEORY_CERTIFICATES, and has one in five read here; ``make studies`` all of them. Without the folder those of every
fortieth claim without an axiom are made here, and of one with one.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from qtheory.proofs.corpus import claims, verify
from qtheory.proofs.records import records

PARTS, FEW, SLICE = 10, 40, 2  # of ten parts two are the slice
WRITTEN = os.environ.get("QTHEORY_CERTIFICATES")
# a recorded verdict of these rests on a certificate of the claim's own, unless a judge computes it
CERTIFIED = sorted(c.id for c in claims().values() if (c.statement is not None or c.theorem is not None)
                   and records()[c.id]["verdict"] in ("proved", "refuted"))
HERE = [*[name for name in CERTIFIED if claims()[name].theorem is None][::FEW], "to.thm-1a"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if WRITTEN:
        return Path(WRITTEN)
    made = tmp_path_factory.mktemp("certificates")
    for verdict in verify(HERE, jobs=1):
        assert verdict.certificate is not None, verdict.id
        verdict.certificate.save(made / f"{verdict.id}.json")
    return made


def test_most_claims_have_a_certificate() -> None:
    assert len(CERTIFIED) > 600


@pytest.mark.slow(5)
@pytest.mark.parametrize("part", [pytest.param(p, marks=[pytest.mark.study] * (p >= SLICE)) for p in range(PARTS)]
                         if WRITTEN else [0])
def test_certificates_pass_both_checkers_in_a_fresh_process(folder: Path, part: int) -> None:
    names = CERTIFIED[part::PARTS] if WRITTEN else HERE
    files = [str(folder / f"{name}.json") for name in names]
    done = subprocess.run([sys.executable, "-m", "qtheory.cli", "check", "--named", "--format", "json",
                           *files], capture_output=True, text=True, check=False, timeout=900)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    results = json.loads(done.stdout)["results"]
    assert [r["file"] for r in results] == files
    for name, result in zip(names, results, strict=True):
        assert result["result"] == "valid", result
        assert result["verdict"] == records()[name]["verdict"], name
