"""The table ``eb-rules``: no rule beats the general one, and each number is what the theory says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from drawn import pair

from qtheory import profiles, workloads
from qtheory.errors import InputError
from qtheory.models.laws import PrefillDecodeLaw
from qtheory.numerics import kept_ages
from qtheory.report import tables
from qtheory.report.rules import fitted_threshold
from qtheory.theory import increasing_hazard as ih

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


def test_a_row_by_hand() -> None:
    row, = tables.eb_rules(["a100-40gb-qwen-8b"], ["eb-sharegpt"], [64]).to_dict()["rows"]
    law, workload = profiles.load("a100-40gb-qwen-8b").law, workloads.load("eb-sharegpt")
    assert isinstance(law, PrefillDecodeLaw)
    tail = ih.survivors(workload.output)
    cost = [(law.alpha_d * D + law.alpha_p) * kept_ages.cohort_batch(tail, D) / 64 for D in range(1, 400)]
    tokens = law.beta_p * float(workload.prompt.mean) + law.beta_d * float(workload.output.mean)
    assert row["iterations"] == 1 + int(np.argmin(cost))
    assert row["throughput"] == pytest.approx(1 / (min(cost) + tokens))
    at_base = cost[kept_ages.phase_length(tail, row["theta0"]) - 1]
    assert row["loss0"] == pytest.approx(100 * (1 - (min(cost) + tokens) / (at_base + tokens)))
    assert row["more0"] == pytest.approx(100 * (at_base / min(cost) - 1))


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
