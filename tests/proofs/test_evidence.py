"""Evidence of simulations for claims: verdicts at their error rates, records, and what makes them stale."""

from __future__ import annotations

import dataclasses
import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from qtheory.cli import main
from qtheory.errors import InputError
from qtheory.proofs import corpus, records
from qtheory.proofs.claims import evidence as ev
from qtheory.proofs.claims import loading
from qtheory.proofs.claims.model import Claim
from qtheory.proofs.corpus import claims, find
from qtheory.proofs.gate import simulated
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
    study = ev.Study("E T = 2", model, sojourn, low, high, horizon=5000.0, replications=20)
    return dataclasses.replace(study, **changes)


def test_the_printed_throughput_is_supported() -> None:
    found = ev.run_study(throughput_study())
    assert found.side == "inside" and found.sample_size == 20 and found.seeds == "(0, 0) to (0, 19)"
    assert found.interval[0] < found.estimate < found.interval[1]


def test_a_false_one_is_contradicted() -> None:
    value = printed_throughput()
    assert ev.run_study(throughput_study(low=1.1 * value, high=math.inf)).side == "outside"
    assert ev.run_study(throughput_study(low=-math.inf, high=0.9 * value)).side == "outside"


def test_what_the_interval_straddles_is_undecided() -> None:
    assert ev.run_study(queue_study(-math.inf, 2.0, replications=6, horizon=500.0)).side == "across"


@pytest.mark.slow
def test_error_rates_hold_at_the_edge_of_the_range() -> None:
    """A mean at the edge: "inside" and "outside" are both errors, or nearly so; each is rare."""
    sides = [
        ev.run_study(queue_study(2.0, 9.0, seed=s, error_rate=0.05, horizon=2000.0, replications=10)).side
        for s in range(300)
    ]
    limit = 0.05 + 3.0 * math.sqrt(0.05 * 0.95 / 300)
    assert sides.count("inside") / 300 <= limit and sides.count("outside") / 300 <= limit


def test_any_change_makes_a_record_stale(monkeypatch: pytest.MonkeyPatch) -> None:
    study = queue_study(1.0, 3.0, replications=5, horizon=200.0)
    record = ev.run_study(study)
    assert ev.standing(study, record) == ev.Standing("current", record)
    assert ev.standing(study, None).state == "missing"
    other = Network((Station("s", 2),), (JobClass("a", "s", Exponential(1.0), Exponential(2.0)),))
    for change in (
        {"statement": "E T <= 2"}, {"claim": "a.b/other"}, {"hypothesis": "E T = 3"},
        {"model": other}, {"seed": 1}, {"horizon": 201.0}, {"high": 3.5},
        {"value": completions}, {"error_rate": 0.01}, {"replications": 6}, {"windows": 100},
    ):  # fmt: skip
        assert ev.standing(dataclasses.replace(study, **change), record).state == "stale", change  # type: ignore[arg-type]
    monkeypatch.setattr(fingerprint, "simulator_digest", lambda: "another simulator")
    assert ev.standing(study, record).state == "stale"
    again = ev.standing(study, record, rerun=True)
    assert again.state == "current" and again.evidence is not None
    assert again.evidence.values == record.values


def test_records_survive_their_file(tmp_path: Path) -> None:
    path = tmp_path / "evidence.json"
    assert ev.load(path) == {}
    records = {"b": ev.run_study(queue_study(1.0, math.inf, replications=5, horizon=200.0))}
    ev.save(path, records)
    assert ev.load(path) == records
    data = json.loads(path.read_text())
    assert data["b"]["range"] == [1.0, None]
    for broken in ("{", "[]", '{"a": 1}', '{"a": {"verdict": "supported"}}',
                   json.dumps({"b": {**data["b"], "verdict": "supported"}}),
                   json.dumps({"b": {**data["b"], "values": "many"}})):  # fmt: skip
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


# What is stored.

def edits(value: Any) -> Iterator[Any]:
    """The value with one word or one number changed."""
    if isinstance(value, str):
        words = value.split(" ")
        for i in range(len(words)):
            yield " ".join([*words[:i], words[i][::-1] + "x", *words[i + 1:]])
        yield from (value.replace(a, b) for a, b in (("0", "1"), ("5", "6"), (" ", "  ")) if a in value)
    elif isinstance(value, list):
        for i, part in enumerate(value):
            yield from ([*value[:i], new, *value[i + 1:]] for new in edits(part))
        yield from ([*value, 1.0], value[:-1], value[::-1] if value != value[::-1] else [])
    else:
        yield from (0.0, 1e9, "0.5", True, None) if value is None else (value + 1, value * 2 or 7, -value or 7, None)


@pytest.mark.slow
def test_an_edited_word_or_number_is_noticed() -> None:
    """Of a record made anew, and of the one of the corpus that contradicts its claim: no edit is believed."""
    own = queue_study(3.0, 4.0, replications=5, horizon=200.0)
    claim = find(CONTRADICTED)
    [(name, theirs)] = ev.studies(claim).items()
    stored = ev.load(ev.RECORDS)[f"{CONTRADICTED}/{name}"]
    assert ev.standing(theirs, stored).state == "current" and stored.side == "outside"
    for study, record in ((own, ev.run_study(own)), (theirs, stored)):
        data, tried = json.loads(json.dumps(record.to_json())), 0
        assert ev.Evidence.from_json(data) == record
        for key, value in data.items():
            for new in edits(value):
                if new == value and type(new) is type(value):
                    continue
                try:
                    changed = ev.Evidence.from_json({**data, key: new})
                except InputError:
                    continue
                assert ev.standing(study, changed).state == "stale", (key, new)
                tried += 1
        assert tried > 50
        shifted = ev.Evidence.of(study, [v - 1.0 for v in record.values])  # consistent in all but the hash
        forged = dataclasses.replace(shifted, fingerprint=record.fingerprint)
        assert ev.standing(study, forged).state == "stale"


def test_no_word_is_stored_and_no_record_serves_another_claim() -> None:
    text = ev.RECORDS.read_text(encoding="utf-8")
    assert not re.search(r"supported|contradicted|undecided|verdict", text)
    kept = ev.load(ev.RECORDS)
    bound = {s.claim: s for c in corpus.claims().values() if c.studies for s in ev.studies(c).values()}
    assert set(kept) == set(bound)
    for name, study in list(bound.items())[:4]:
        assert ev.standing(study, kept[name]).state == "current"
        assert all(ev.standing(study, kept[other]).state == "stale" for other in list(kept)[:5] if other != name)


def test_the_word_lies_where_the_interval_lies() -> None:
    record = ev.run_study(queue_study(-math.inf, 9.0, replications=5, horizon=200.0))
    low, high = record.interval
    middle = (low + high) / 2
    for ends, word in (((None, high), "inside"), ((low, None), "inside"), ((low, high), "inside"),
                       ((None, middle), "across"), ((middle, None), "across"), ((middle, middle), "across"),
                       ((high + 1e-9, None), "outside"), ((None, low - 1e-9), "outside")):  # fmt: skip
        assert dataclasses.replace(record, range=ends).side == word


# A claim that rests on simulations.

SIMULATED = "to.conj-1.simulated"
CONTRADICTED = "eb.sec-3.4.converges.process"


def claimed(**studies: ev.Study) -> Claim:
    return Claim("a.b", "Section 1", "E T = 2", (1, 1), "theorem", studies=lambda: studies)


def test_a_claim_rests_on_evidence_that_is_current(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ev, "RECORDS", tmp_path / "evidence.json")
    study = queue_study(1.6, 2.4)
    missing = simulated(claimed(q=study))
    assert missing.verdict == "unknown" and missing.evidence == {"stale": "q is missing"}
    assert "qtheory verify --rerun-evidence runs it again" in missing.note
    fresh = simulated(claimed(q=study), rerun=True)
    assert fresh.verdict == "supported" and not (tmp_path / "evidence.json").exists()
    ev.save(ev.RECORDS, {"a.b/q": ev.Evidence.from_json(fresh.evidence["studies"]["q"])})
    again = simulated(claimed(q=study))
    assert (again.verdict, again.evidence) == (fresh.verdict, fresh.evidence)
    for found, made in ((fresh, "run now"), (again, "recorded, and not run again")):
        assert made in found.method and made in found.rests_on[0] and "the range 1.6 to 2.4" in found.rests_on[0]
    assert simulated(claimed(q=dataclasses.replace(study, seed=1))).evidence == {"stale": "q is stale"}
    says = dataclasses.replace(claimed(q=study), says="E T = 3")
    assert simulated(says).evidence == {"stale": "q is stale"}
    assert simulated(claimed(q=study, r=queue_study(3.0, 4.0)), rerun=True).verdict == "contradicted"
    assert simulated(claimed()).verdict == "unknown"


@pytest.mark.slow
def test_verify_fails_on_stale_evidence_and_runs_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(ev, "RECORDS", tmp_path / "evidence.json")
    monkeypatch.setattr(records, "RECORDS", tmp_path / "records.json")
    known, ran = claims(), dataclasses.replace(find(SIMULATED), studies=lambda: {"q": queue_study(1.6, 2.4)})
    monkeypatch.setattr(loading, "_claims", lambda files, stamps: known | {SIMULATED: ran})

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
