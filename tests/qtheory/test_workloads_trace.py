"""Trace files as workloads: small ones by hand, the measured ones where they are at hand, and malformed ones."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from qtheory import workloads
from qtheory.errors import InputError
from qtheory.workloads import Empirical

TRACES = Path(__file__).parents[3] / "shared" / "data" / "traces"
needs_traces = pytest.mark.skipif(not TRACES.is_dir(), reason="the measured traces are not beside this checkout")

SMALL = "arrived_at,num_prefill_tokens,num_decode_tokens\n0.0,374,44\n0.5,396,109\n2.5,374,55\n"


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "trace.csv"
    path.write_text(text)
    return path


def test_small_trace(tmp_path: Path) -> None:
    workload = workloads.load(written(tmp_path, SMALL))
    assert workload.prompt == Empirical((374, 396), (2, 1))
    assert workload.output == Empirical((44, 55, 109), (1, 1, 1))
    trace = workload.trace
    assert trace is not None
    assert len(trace) == 3
    assert trace.arrival_times is not None
    assert trace.arrival_times.tolist() == [0.0, 0.5, 2.5]
    assert trace.arrival_rate == pytest.approx(2 / 2.5)
    assert trace.prompt_lengths.tolist() == [374, 396, 374]


def test_samples_keep_rows_together(tmp_path: Path) -> None:
    sample = workloads.load(written(tmp_path, SMALL)).sample(np.random.default_rng(0), 500)
    pairs = set(zip(sample.prompt_lengths.tolist(), sample.output_lengths.tolist(), strict=True))
    assert pairs == {(374, 44), (396, 109), (374, 55)}


def test_own_column_names_order_and_byte_order_mark(tmp_path: Path) -> None:
    text = "\ufeffoutput_length,user,prompt_length\r\n3,a,10\r\n\r\n4,b,20\r\n"
    workload = workloads.load(written(tmp_path, text))
    assert (workload.prompt.mean, workload.output.mean) == (15, 3.5)
    assert workload.trace is not None
    assert workload.trace.arrival_times is None
    with pytest.raises(InputError, match="no arrival times"):
        _ = workload.trace.arrival_rate


BURSTGPT = """Timestamp,{more}Model,Request tokens,Response tokens,Total tokens,Log Type
5,{a}ChatGPT,472,18,490,Conversation log
45.5,{a}GPT-4,1087,230,1317,API log
"""


@pytest.mark.parametrize("more", ["", "Session ID,Elapsed time,"])
def test_burstgpt_headers(tmp_path: Path, more: str) -> None:
    """The two headers under which BurstGPT was published; its times are seconds."""
    trace = workloads.load(written(tmp_path, BURSTGPT.format(more=more, a="x,1.5," if more else ""))).trace
    assert trace is not None and trace.arrival_times is not None
    assert trace.arrival_times.tolist() == [5.0, 45.5]
    assert trace.prompt_lengths.tolist() == [472, 1087] and trace.output_lengths.tolist() == [18, 230]


def test_burstgpt_requests_that_failed_are_named(tmp_path: Path) -> None:
    text = BURSTGPT.format(more="", a="").replace(",18,", ",0,")
    with pytest.raises(InputError, match=r"line 2, column Response tokens: 0 tokens: this request failed"):
        workloads.load(written(tmp_path, text))


HEAD = "arrived_at,num_prefill_tokens,num_decode_tokens\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty; a trace needs a header"),
        (HEAD, "no request below the header"),
        ("a,b\n1,2\n", "line 1: no column prompt_length or num_prefill_tokens; the header has a, b"),
        ("prompt_length,b\n1,2\n", "line 1: no column output_length or num_decode_tokens"),
        ("prompt_length,prompt_length,output_length\n1,2,3\n", "line 1: column prompt_length appears 2 times"),
        (HEAD + "0.0,5,6\n1.0,5\n", "line 3: 2 fields where the header has 3"),
        (HEAD + "0.0,5,6\n1.0,x,6\n", "line 3, column num_prefill_tokens: 'x' is not an integer"),
        (HEAD + "0.0,5,0\n", "line 2, column num_decode_tokens: '0' is not an integer of at least 1"),
        (HEAD + "0.0,5,2.5\n", "line 2, column num_decode_tokens: '2.5'"),
        (HEAD + "0.0,5,1_0\n", "line 2, column num_decode_tokens: '1_0'"),
        (HEAD + "1_0,5,1\n", "line 2, column arrived_at: '1_0'"),
        (HEAD + "0.0,5," + "9" * 30 + "\n", "line 2, column num_decode_tokens"),
        (HEAD + "0.0,,2\n", "line 2, column num_prefill_tokens: ''"),
        (HEAD + "soon,5,6\n", "line 2, column arrived_at: 'soon' is not a time"),
        (HEAD + "nan,5,6\n", "line 2, column arrived_at: 'nan' is not a time"),
        (HEAD + "1.0,5,6\n\n0.5,5,6\n", "line 4, column arrived_at: 0.5 after 1.0"),
        (HEAD + '0.0,"5,6\n', "line 3|line 2"),
    ],
)
def test_malformed(tmp_path: Path, text: str, message: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(InputError, match=message) as caught:
        workloads.load(path)
    assert "trace.csv" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_unreadable(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        workloads.load(tmp_path / "none.csv")
    path = tmp_path / "binary.csv"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="not UTF-8"):
        workloads.load(path)


@needs_traces
@pytest.mark.parametrize(
    ("name", "requests", "arrivals"),
    [("splitwise_conv", 19366, True), ("splitwise_code", 8819, True), ("arxiv_summarization", 28257, False)],
)
def test_measured_traces(name: str, requests: int, arrivals: bool) -> None:
    raw = np.genfromtxt(TRACES / f"{name}.csv", delimiter=",", names=True)
    workload = workloads.load(TRACES / f"{name}.csv")
    assert workload.trace is not None
    assert len(workload.trace) == requests == raw.size
    assert workload.prompt.mean == pytest.approx(raw["num_prefill_tokens"].mean(), rel=1e-12)
    assert workload.output.variance == pytest.approx(raw["num_decode_tokens"].var(), rel=1e-9)
    outputs = raw["num_decode_tokens"]
    for t in (1, 50, workload.output.quantile(0.95)):
        assert workload.output.hazard(t) == pytest.approx((outputs == t).sum() / (outputs >= t).sum(), rel=1e-13)
    assert (workload.trace.arrival_times is not None) == arrivals
    # every age counts: real traces have ages at which nobody completes, so none is IFR to the letter
    verdict = workload.output.increasing_failure_rate()
    assert verdict.exact
    assert not verdict.increasing
