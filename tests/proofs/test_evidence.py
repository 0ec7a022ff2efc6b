"""Evidence of simulations for claims: verdicts at their error rates, records, and what makes them stale."""

from __future__ import annotations

import dataclasses
import json
import math
from pathlib import Path
from typing import Any

import pytest

from qtheory.cli import main
from qtheory.errors import InputError
from qtheory.proofs import corpus, records
from qtheory.proofs.claims import evidence as ev
from qtheory.proofs.corpus import find
from qtheory.simulate import fingerprint
from qtheory.simulate.counts import CountsChain, Factor, Move, up_to
from qtheory.simulate.laws import Exponential
from qtheory.simulate.networks import JobClass, Network, Station

ALPHA_P, BETA_P, ALPHA_D, BETA_D = 0.0152, 3.6e-5, 0.019, 1.0e-5
SLOTS, K, PROMPT, OUTPUT = 256, 32, 512, 128


def completions(run: Any) -> float:
    """Requests a second."""
    return float(run.moves[:, 0].sum() / (run.windows * run.window))


def sojourn(run: Any) -> float:
    """Mean sojourn time over the second half; s."""
    half = run.types[run.windows // 2 :, 0]
    return float(half[:, 2].sum() / half[:, 1].sum())


def exclusive_batching() -> CountsChain:
    refill = (Factor("between", {"busy": 1.0}, high=SLOTS - K), Factor("clamp", {"busy": -1.0}, offset=SLOTS))
    moves = (
        Move("end", {"busy": -1}, 1.0 / OUTPUT, (up_to("busy"),), "binomial"),
        Move("refill", {"busy": 1}, 1.0, refill, seconds=(ALPHA_P, BETA_P * PROMPT)),
    )
    return CountsChain({"busy": SLOTS}, moves, step=ALPHA_D, step_each={"busy": BETA_D})


def printed_throughput() -> float:
    """(4) of the exclusive-batching paper at theta = K/N, geometric outputs: zeta = -log(1 - theta)."""
    zeta = -math.log1p(-K / SLOTS)
    return 1.0 / ((ALPHA_P + ALPHA_D * zeta * OUTPUT) / K + BETA_P * PROMPT + BETA_D * OUTPUT)


def throughput_study(**changes: Any) -> ev.Study:
    value = printed_throughput()
    study = ev.Study(
        "the throughput of EB(k) is (4) within two percent",
        "the mean of completed requests a second lies within two percent of (4)",
        exclusive_batching(),
        completions,
        0.98 * value,
        1.02 * value,
        horizon=2000.0,
        replications=20,
    )
    return dataclasses.replace(study, **changes)


def queue_study(low: float, high: float, **changes: Any) -> ev.Study:
    model = Network((Station("s"),), (JobClass("a", "s", Exponential(1.0), Exponential(2.0)),))
    study = ev.Study("E T = 2", "E T = 2", model, sojourn, low, high, horizon=5000.0, replications=20)
    return dataclasses.replace(study, **changes)


def test_the_printed_throughput_is_supported() -> None:
    found = ev.run_study(throughput_study())
    assert found.verdict == "supported" and found.sample_size == 20 and found.seeds == "(0, 0) to (0, 19)"
    assert found.interval[0] < found.estimate < found.interval[1]


def test_a_false_one_is_contradicted() -> None:
    value = printed_throughput()
    assert ev.run_study(throughput_study(low=1.1 * value, high=math.inf)).verdict == "contradicted"
    assert ev.run_study(throughput_study(low=-math.inf, high=0.9 * value)).verdict == "contradicted"


def test_what_the_interval_straddles_is_undecided() -> None:
    assert ev.run_study(queue_study(-math.inf, 2.0, replications=6, horizon=500.0)).verdict == "undecided"


def test_error_rates_hold_at_the_edge_of_the_range() -> None:
    """A mean at the edge: "supported" and "contradicted" are both errors, or nearly so; each is rare."""
    verdicts = [
        ev.run_study(queue_study(2.0, 9.0, seed=s, error_rate=0.05, horizon=2000.0, replications=10)).verdict
        for s in range(300)
    ]
    limit = 0.05 + 3.0 * math.sqrt(0.05 * 0.95 / 300)
    assert verdicts.count("supported") / 300 <= limit and verdicts.count("contradicted") / 300 <= limit


def test_any_change_makes_a_record_stale(monkeypatch: pytest.MonkeyPatch) -> None:
    study = queue_study(1.0, 3.0, replications=5, horizon=200.0)
    record = ev.run_study(study)
    assert ev.standing(study, record) == ev.Standing("current", record)
    assert ev.standing(study, None).state == "missing"
    other = Network((Station("s", 2),), (JobClass("a", "s", Exponential(1.0), Exponential(2.0)),))
    for change in (
        {"statement": "E T <= 2"}, {"model": other}, {"seed": 1}, {"horizon": 201.0}, {"high": 3.5},
        {"value": completions}, {"error_rate": 0.01},
    ):  # fmt: skip
        assert ev.standing(dataclasses.replace(study, **change), record).state == "stale", change  # type: ignore[arg-type]
    monkeypatch.setattr(fingerprint, "simulator_digest", lambda: "another simulator")
    assert ev.standing(study, record).state == "stale"
    again = ev.standing(study, record, rerun=True)
    assert again.state == "current" and again.evidence is not None
    assert (again.evidence.estimate, again.evidence.verdict) == (record.estimate, record.verdict)


def test_records_survive_their_file(tmp_path: Path) -> None:
    path = tmp_path / "evidence.json"
    assert ev.load(path) == {}
    records = {"b": ev.run_study(queue_study(1.0, math.inf, replications=5, horizon=200.0))}
    ev.save(path, records)
    assert ev.load(path) == records
    data = json.loads(path.read_text())
    assert data["b"]["range"] == [1.0, None]
    for broken in ("{", "[]", '{"a": 1}', '{"a": {"verdict": "supported"}}',
                   json.dumps({"b": {**data["b"], "verdict": "proved"}})):  # fmt: skip
        path.write_text(broken)
        with pytest.raises(InputError) as caught:
            ev.load(path)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"low": 3.0, "high": 2.0}, "low <= high"),
        ({"low": -math.inf, "high": math.inf}, "one of them finite"),
        ({"replications": 2}, "at least 5 replications"),
        ({"error_rate": 0.7}, "error rate"),
        ({"value": lambda run: 1.0}, "function of a module"),
    ],
)
def test_bad_studies_are_one_line(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        dataclasses.replace(queue_study(1.0, 3.0), **changes)


# A claim that rests on simulations.

SIMULATED = "to.abs.optimal-systems"


def test_a_claim_rests_on_evidence_that_is_current(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ev, "RECORDS", tmp_path / "evidence.json")
    study = queue_study(1.6, 2.4)
    missing = ev.judged("a.b", {"q": study})
    assert missing["verdict"] == "unknown" and missing["evidence"] == {"stale": "q is missing"}
    assert "qtheory verify a.b --rerun-evidence --update-records" in missing["note"]
    fresh = ev.judged("a.b", {"q": study}, rerun=True)
    assert fresh["verdict"] == "supported" and not (tmp_path / "evidence.json").exists()
    ev.save(ev.RECORDS, {"a.b/q": ev.Evidence.from_json(fresh["evidence"]["studies"]["q"])})
    assert ev.judged("a.b", {"q": study}) == fresh
    assert ev.judged("a.b", {"q": dataclasses.replace(study, seed=1)})["evidence"] == {"stale": "q is stale"}
    false = queue_study(3.0, 4.0)
    both = ev.judged("a.b", {"q": study, "r": false}, rerun=True)
    assert both["verdict"] == "contradicted"


def test_verify_fails_on_stale_evidence_and_runs_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(ev, "RECORDS", tmp_path / "evidence.json")
    monkeypatch.setattr(records, "RECORDS", tmp_path / "records.json")
    ran = dataclasses.replace(find(SIMULATED), studies=lambda: {"q": queue_study(1.6, 2.4)})
    monkeypatch.setattr(corpus, "_claims", lambda files, stamps: {SIMULATED: ran})

    def verify(*options: str) -> int:
        with pytest.raises(SystemExit) as caught:
            main(["verify", SIMULATED, "-j", "1", *options])
        return int(str(caught.value.code or 0))

    assert verify("--rerun-evidence", "--update-records") == 0
    assert "supported" in capsys.readouterr().out
    assert verify() == 0
    monkeypatch.setattr(ev, "fingerprint", lambda *parts: "another simulator")
    assert verify() == 1
    out = capsys.readouterr().out
    assert "recorded as supported" in out
    assert verify("--strict") == 1 and "stale evidence" in capsys.readouterr().out
    assert verify("--rerun-evidence") == 0  # run again, not kept
    assert verify() == 1
