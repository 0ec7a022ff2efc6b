"""Traces of other services, and their summaries: tests that keep their level on what they assume, and see the rest."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from qtheory import workloads
from qtheory.errors import InputError
from qtheory.report import plots, tables
from qtheory.workloads import Trace, Workload, read_clients, shared_prefix
from qtheory.workloads.summary import (
    dispersion,
    falls,
    geometric_p,
    hazard_bands,
    ljung_box_p,
    poisson_p,
    spread,
    summarise,
)

MORE = Path(__file__).parents[3] / "shared" / "data" / "traces-more"
needs_more = pytest.mark.skipif(not MORE.is_dir(), reason="the recorded traces are not beside this checkout")
AZURE = "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 23:59:59.5000000,374,44\n2023-11-17 00:00:01,396,109\n"


def written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def lines(*rows: dict[str, object]) -> str:
    base = {"timestamp": 0, "input_length": 1000, "output_length": 5, "hash_ids": [1, 2]}
    return "\n".join(json.dumps(base | row) for row in rows) + "\n"


def test_azures_dates_are_seconds_from_the_first(tmp_path: Path) -> None:
    trace = workloads.load(written(tmp_path / "a.csv", AZURE)).trace
    assert trace is not None and trace.arrival_times is not None
    assert trace.arrival_times == pytest.approx([0.0, 1.5], abs=1e-6)
    assert (trace.prompt_lengths.tolist(), trace.output_lengths.tolist()) == ([374, 396], [44, 109])


def test_json_lines_keep_their_prefixes(tmp_path: Path) -> None:
    text = lines({"timestamp": 500}, {"timestamp": 2000, "hash_ids": [1, 3]}, {"timestamp": 2000, "hash_ids": [2, 3]})
    trace = workloads.load(written(tmp_path / "m.jsonl", text)).trace
    assert trace is not None and trace.arrival_times is not None and trace.prefixes is not None
    assert trace.arrival_times.tolist() == [0.5, 2.0, 2.0]
    assert shared_prefix(trace.prefixes, trace.prompt_lengths).tolist() == [0, 512, 0]  # elsewhere it is no prefix


@pytest.mark.parametrize(("name", "text", "message"), [
    ("a.csv", AZURE.replace("2023-11-17", "2023-13-17"), r"line 3, column TIMESTAMP: '2023-13-17 .* is not a date"),
    ("a.csv", AZURE.replace("2023-11-17", "2023-11-15"), "line 3, column TIMESTAMP.*must not decrease"),
    ("m.jsonl", "", "no request"), ("m.jsonl", "[1]\n", "line 1: not a JSON object"), ("m.jsonl", "{\n", "not JSON"),
    ("m.jsonl", lines({}, {"timestamp": -5}), "line 2, timestamp: -5 after 0"),
    ("m.jsonl", lines({"timestamp": "x"}), "timestamp: 'x' is not a time"),
    ("m.jsonl", lines({"output_length": 0}), "line 1, output_length: 0 is not an integer of at least 1"),
    ("m.jsonl", lines({"input_length": True}), "input_length: True is not"),
    ("m.jsonl", lines({"hash_ids": [1, 2, 3]}), "3 blocks of 512 tokens in a prompt of 1000"),
    ("m.jsonl", lines({"hash_ids": ["x"]}), "hash_ids: a list of whole numbers"),
])
def test_bad_lines_are_named(tmp_path: Path, name: str, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        workloads.load(written(tmp_path / name, text))
    assert name in str(caught.value) and "\n" not in str(caught.value)


def test_clients_are_read_in_order(tmp_path: Path) -> None:
    for i in (10, 2):
        written(tmp_path / f"chunk-{i}-trace.csv", f"0,0,0,,0,0\n600,0.{i},2.5,Gamma,0.1,3\n")
    clients = read_clients(tmp_path)
    assert [c.name for c in clients] == ["2", "10"]
    assert clients[0].rates.tolist() == [0, 0.2] and clients[0].laws == ("", "Gamma")
    assert clients[1].parameters.tolist() == [[0, 0], [0.1, 3]]


@pytest.mark.parametrize(("text", "message"), [
    ("0,0,0,,0\n", "line 1: 5 fields"), ("0,-1,0,,0,0\n", "line 1, rate: '-1'"), ("", "no window"),
    ("0,1,1,Cauchy,0,0\n", "law: 'Cauchy' is neither"), ("0,0,0,,0,0\n0,0,0,,0,0\n", "line 2, start: 0 after 0"),
])
def test_bad_clients_are_named(tmp_path: Path, text: str, message: str) -> None:
    written(tmp_path / "chunk-0-trace.csv", text)
    with pytest.raises(InputError, match=message):
        read_clients(tmp_path)
    with pytest.raises(InputError, match="no file chunk-"):
        read_clients(tmp_path / "none")


def share_below(p_values: list[float | None], level: float = 0.05) -> float:
    return float(np.mean([p is not None and p < level for p in p_values]))


@pytest.mark.later
def test_the_tests_keep_their_level_and_have_power() -> None:
    """Of 200 samples of what a test assumes about one in twenty is rejected; of another law nearly all."""
    rng = np.random.default_rng(1)
    poisson = [np.cumsum(rng.exponential(0.5, 4000)) for _ in range(200)]
    stepped = [np.sort(np.concatenate([rng.uniform(0, 600, 900), rng.uniform(600, 1200, 2700)])) for _ in range(200)]
    bursty = [np.cumsum(rng.gamma(0.5, 1.0, 4000)) for _ in range(50)]
    assert 0.01 <= share_below([poisson_p(t) for t in poisson]) <= 0.1
    assert share_below([poisson_p(t) for t in stepped]) <= 0.1  # the rate may change between windows
    assert share_below([poisson_p(t) for t in bursty]) == 1
    assert 0.01 <= share_below([dispersion(t, 10).p for t in poisson]) <= 0.1
    assert share_below([dispersion(t, 60).p for t in stepped]) == 1
    assert 0.01 <= share_below([geometric_p(rng.geometric(0.01, 3000)) for _ in range(200)]) <= 0.1
    assert share_below([geometric_p(rng.integers(1, 200, 3000)) for _ in range(50)]) == 1
    assert 0.01 <= share_below([ljung_box_p(rng.random(2000)) for _ in range(200)]) <= 0.1
    assert share_below([ljung_box_p(np.cumsum(rng.normal(size=500))) for _ in range(50)]) == 1


def test_hazard_bands_hold_the_rate_and_see_it_fall() -> None:
    rng = np.random.default_rng(2)
    held = []
    for _ in range(40):
        bands = hazard_bands(rng.geometric(0.02, 4000))
        held += [each.low <= 0.02 <= each.high for each in bands[:-1]]
        assert [b.least for b in bands[1:]] == [b.greatest + 1 for b in bands[:-1]]
    assert np.mean(held) > 0.9
    assert falls(hazard_bands(np.concatenate([rng.geometric(0.5, 3000), rng.geometric(0.01, 3000)])))
    assert not falls(hazard_bands(rng.integers(1, 500, 5000)))


def test_ties_are_spread_within_the_grain() -> None:
    rng = np.random.default_rng(3)
    times = np.cumsum(rng.exponential(0.3, 5000))
    coarse = np.floor(times / 3) * 3
    loose = spread(coarse)
    assert (np.diff(loose) >= 0).all() and np.abs(loose - coarse).max() < 6
    assert (poisson_p(loose) or 0) > 0.01 > (poisson_p(coarse + 1e-9 * np.arange(5000)) or 0)
    assert spread(times) is times
    with pytest.raises(InputError, match="span no time"):
        spread(np.zeros(5))


def synthetic(count: int = 3000) -> Workload:
    rng = np.random.default_rng(4)
    made = workloads.load("eb-sharegpt")
    trace = Trace(rng.integers(1, 900, count), rng.geometric(0.01, count), np.cumsum(rng.exponential(0.5, count)))
    return Workload("made", "made", "", "nowhere", "", made.classes, trace)


def test_a_poisson_trace_of_geometric_outputs_is_what_papers_assume() -> None:
    found = summarise(synthetic())
    assert found.rate == pytest.approx(2, rel=0.1) and found.gap_variation == pytest.approx(1, abs=0.15)
    p_values = [found.p_poisson, found.p_geometric, found.p_lengths, found.p_outputs, found.p_gaps]
    assert all(p is not None and p > 0.001 for p in p_values)
    assert not found.falls and found.shared is None and abs(found.lengths_rho) < 0.1
    with pytest.raises(InputError, match="is no trace"):
        summarise(workloads.load("eb-sharegpt"))
    with pytest.raises(InputError, match="has 99 requests"):
        summarise(synthetic(99))


@pytest.mark.slow
def test_the_table_and_the_plot_take_traces_alone() -> None:
    table = tables.traces([synthetic()])
    assert table.column("trace") == ("made",) and table.column("requests") == (3000,)
    assert plots.find("traces").draw(".svg", workloads=[synthetic()]).startswith(b"<?xml")
    with pytest.raises(InputError, match="no trace given"):
        tables.traces()
    with pytest.raises(InputError, match="'eb-sharegpt' is no trace"):
        tables.traces(["eb-sharegpt"])
    with pytest.raises(InputError, match="takes no --batch"):
        plots.find("traces").draw(".svg", workloads=[synthetic()], batch=[4])


@needs_more
@pytest.mark.parametrize(("name", "requests", "poisson", "shared"), [
    ("azure2023_conv.csv", 19366, False, None), ("azure2023_code.csv", 8819, False, None),
    ("mooncake_conversation.jsonl", 12031, True, 0.374), ("mooncake_synthetic.jsonl", 3993, False, 0.651),
])
def test_recorded_traces(name: str, requests: int, poisson: bool, shared: float | None) -> None:
    found = summarise(workloads.load(MORE / name))
    assert found.requests == requests and found.p_poisson is not None
    assert (found.p_poisson > 0.05) == poisson
    assert found.p_geometric < 1e-6 and found.falls
    assert found.shared == (None if shared is None else pytest.approx(shared, abs=1e-3))


def windows(path: Path, rng: np.random.Generator, gaps: Callable[[int], np.ndarray], rates: np.ndarray) -> None:
    """A client whose windows of 600 s have gaps of that law, at those rates."""
    lines = []
    for i, rate in enumerate(rates):
        drawn = gaps(max(2, rng.poisson(rate * 600)))
        lines.append(f"{600 * i},{len(drawn) / 600},{drawn.std(ddof=1) / drawn.mean()},Gamma,1,1")
    path.write_text("\n".join(lines) + "\n")


def test_the_table_of_clients_tells_poisson_ones(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    constant, varying = np.full(400, 0.2), np.tile([0.1, 0.4], 200)
    windows(tmp_path / "chunk-0-trace.csv", rng, lambda n: rng.exponential(size=n), constant)
    windows(tmp_path / "chunk-1-trace.csv", rng, lambda n: rng.exponential(size=n), varying)
    windows(tmp_path / "chunk-2-trace.csv", rng, lambda n: rng.gamma(0.5, size=n), constant)
    table = tables.clients([tmp_path])
    assert table.column("client") == ("0", "1", "2", "all") and table.column("windows") == (400, 400, 400, 1200)
    poisson, rejected = table.column("p_poisson"), table.column("rejected")
    assert poisson[0] > 0.01 and poisson[1] > 0.01 and poisson[2] < 1e-9
    assert rejected[0] < 0.03 and rejected[1] < 0.03 and rejected[2] > 0.5
    assert table.column("p_rate")[0] > 0.01 and table.column("p_rate")[1] < 1e-9
    assert table.column("dispersion")[0] == pytest.approx(1, abs=0.25)
    assert table.column("requests")[3] == sum(table.column("requests")[:3])
    with pytest.raises(InputError, match="no clients given"):
        tables.clients()


def test_a_client_without_requests_has_empty_cells(tmp_path: Path) -> None:
    (tmp_path / "chunk-0-trace.csv").write_text("0,0,0,,0,0\n600,0,0,,0,0\n")
    table = tables.clients([tmp_path])
    assert [table.column(name)[0] for name in ("requests", "gap_variation", "p_rate")] == [0, None, None]


@needs_more
def test_recorded_clients() -> None:
    clients = read_clients(MORE / "servegen_deepseek_r1")
    assert len(clients) == 20
    for client in clients:
        assert (np.diff(client.starts) == 600).all()
        assert all((law == "") == (rate == 0) or law == "" for law, rate in zip(client.laws, client.rates, strict=True))
