"""The table ``eb-rules``: no rule beats the general one, and each number is what the theory says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from drawn import pair

from qtheory import profiles, workloads
from qtheory.errors import InputError
from qtheory.models.laws import PrefillDecodeLaw
from qtheory.report import tables
from qtheory.report.rules import fitted_threshold

TRACES = Path(__file__).resolve().parents[3] / "shared" / "data" / "traces"
DEAR = pair(0.17, 1e-5, 0.01, 4e-5, "dear-prefill")  # the ratio 17 that Table 10 implies


@pytest.mark.slow
def test_no_rule_beats_the_general_one_on_the_papers_workloads() -> None:
    rows = tables.eb_rules([DEAR, "a100-40gb-qwen-8b"]).to_dict()["rows"]
    assert len(rows) == 2 * sum(workloads.load(name).paper == "eb" for name in workloads.names())
    for r in rows:
        assert r["more0"] >= -1e-9 and (r["more5"] is None or r["more5"] >= -1e-9), r
        assert (r["theta5"] is None) == (r["p0"] <= 0)
        assert r["loss0"] is None or -1e-9 <= r["loss0"] <= r["more0"] + 1e-9
    dear = {r["workload"]: r for r in rows if r["profile"] == "dear-prefill"}
    assert dear["eb-gamma-2"]["more5"] > 20 and dear["eb-longbench"]["more0"] > 5
    assert all(abs(r["more5"]) < 0.2 for w, r in dear.items() if w.startswith("eb-geometric"))
    assert dear["eb-wildchat"]["throughput"] is None  # its source prints no prompt lengths


def test_a_row_by_its_definition() -> None:
    """Requests that keep their age: after D iterations all who have completed are replaced, so that a slot's phases per
    request number E[ceil(O/D)], each of fixed time alpha_d D + alpha_p, shared by N slots. The mean is drawn here."""
    row, = tables.eb_rules(["a100-40gb-qwen-8b"], ["eb-geometric-64"], [64]).to_dict()["rows"]
    law, workload = profiles.load("a100-40gb-qwen-8b").law, workloads.load("eb-geometric-64")
    assert isinstance(law, PrefillDecodeLaw)
    lengths = np.arange(1, 20_000)
    weights = workload.output.pmf(lengths)
    assert weights.sum() == pytest.approx(1, abs=1e-12)

    def fixed(D: int) -> float:
        return (law.alpha_d * D + law.alpha_p) * float(weights @ np.ceil(lengths / D)) / 64

    tokens = law.beta_p * float(workload.prompt.mean) + law.beta_d * float(weights @ lengths)
    costs = {D: fixed(D) for D in range(1, 400)}
    best = min(costs, key=costs.__getitem__)
    assert row["iterations"] == best and 1 < best < 399
    assert row["throughput"] == pytest.approx(1 / (costs[best] + tokens))
    # the base threshold ends a phase once its share has completed, of slots in steady state under phases of D
    for name, column in (("theta0", "0"), ("theta5", "5")):
        at = costs[phase_of(weights, lengths, row[name])]
        assert row[f"more{column}"] == pytest.approx(100 * (at / costs[best] - 1), abs=1e-6)
        assert row[f"loss{column}"] == pytest.approx(100 * (1 - (costs[best] + tokens) / (at + tokens)), abs=1e-6)


def phase_of(weights: np.ndarray, lengths: np.ndarray, theta: float) -> int:
    """The first D at which the share 1/E[ceil(O/D)] of slots that complete in a phase reaches theta."""
    return next(D for D in range(1, 20_000) if 1 / float(weights @ np.ceil(lengths / D)) >= theta)


def test_a_falling_hazard_rate_raises_no_threshold() -> None:
    law = PrefillDecodeLaw(0.17, 1e-5, 0.01, 4e-5)
    flat, rising = (fitted_threshold(law, 0.01, eta, 64) for eta in (0.0, 1e-5))
    assert flat is not None and rising is not None and flat < rising
    assert fitted_threshold(law, 0.01, -1e-5, 64) == flat


def test_algorithm_1_makes_no_update_without_a_positive_intercept() -> None:
    law = PrefillDecodeLaw(0.17, 1e-5, 0.01, 4e-5)
    assert fitted_threshold(law, -0.001, 1e-4, 64) is None
    assert fitted_threshold(law, 1e-9, 1.0, 64) == 0.9  # clipped
    with pytest.raises(InputError, match="takes no --intervals"):
        tables.build("eb-rules", intervals=True)


@pytest.mark.skipif(not TRACES.exists(), reason="the recorded traces are not beside this checkout")
def test_the_rules_on_recorded_traces() -> None:
    """Of the paper's rule and the general one; what the general one costs is simulated in test_increasing_hazard."""
    rows = tables.eb_rules([DEAR], sorted(TRACES.glob("*.csv")), [1024]).to_dict()["rows"]
    more = {r["workload"]: (r["more0"], r["more5"]) for r in rows}
    assert set(more) == {"arxiv_summarization", "splitwise_code", "splitwise_conv"}
    assert all(0 <= value < 100 for pair in more.values() for value in pair)
    assert more["splitwise_conv"][1] > 50 and more["splitwise_conv"][0] < 5
