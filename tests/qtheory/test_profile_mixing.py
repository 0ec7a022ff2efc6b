"""The decode ratio from which mixing costs more, by context length: planted parabolas, intervals, table and picture."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from qtheory import profiles
from qtheory.cli import main
from qtheory.errors import InputError
from qtheory.models.laws import AffineLaw, MemoryLinearLaw, MixedQuadraticLaw, PrefillDecodeLaw
from qtheory.profiles.fitting import FitReport, fit
from qtheory.profiles.measurements import parse
from qtheory.profiles.mixing import crossover, markdown, shown, with_interval
from qtheory.profiles.schema import Covariance

RATIOS = np.linspace(0, 1, 9)
PLANTED = {  # by context length: the law, and the ratio from which K(r) exceeds K(1)
    64: (MixedQuadraticLaw(0.030, 0.010, -0.030), None),
    256: (MixedQuadraticLaw(0.020, 0.052, -0.040), 0.3),
    1024: (MixedQuadraticLaw(0.012, 0.090, -0.060), 0.5),
    4096: (MixedQuadraticLaw(0.010, 0.010, 0.020), None),
}


def raw(seed: int = 0, noise: float = 0.005) -> str:
    """A measured file of all four mixed series, a prefill, a decode and a context series, three repetitions each."""
    rng = np.random.default_rng(seed)
    lines = ["# gpu: Drawn", "# model: Qwen3-4B",
             "series,kind,tokens,decode_ratio,resident_tokens,context,repeat,seconds"]

    def add(series: str, kind: str, tokens: float, ratio: float, resident: float, context: float, time: float) -> None:
        lines.extend(f"{series},{kind},{tokens:g},{ratio:g},{resident:g},{context:g},{repeat},"
                     f"{time * np.exp(rng.normal(0, noise)):.9g}" for repeat in range(3))

    for context, (law, _) in PLANTED.items():
        for ratio in RATIOS:
            kind = "prefill" if ratio == 0 else "decode" if ratio == 1 else "mixed"
            add(f"mixed-{context}", kind, 512, ratio, 512 * (1 + ratio * context), context, float(law.time(ratio)))
    for n in 2.0 ** np.arange(4, 13):
        add("prefill", "prefill", n, 0, n, 0, float(AffineLaw(0.012, 6e-5).time(n)))
    for n in 2.0 ** np.arange(9):
        add("decode", "decode", n, 1, n * 1025, 1024, float(AffineLaw(0.011, 2e-5).time(n)))
    for context in 2.0 ** np.arange(6, 15):
        held = 32 * (context + 1)
        add("context", "decode", 32, 1, held, context, float(MemoryLinearLaw(0.011, 3e-8).time(held)))
    return "\n".join(lines) + "\n"


def report(series: str, seed: int = 0) -> FitReport:
    return fit(parse(raw(seed), "raw.csv", series=[series]))


@pytest.mark.slow
def test_the_planted_ratio_is_found_with_its_interval() -> None:
    assert PLANTED[256][0].crossover == pytest.approx(0.3) and PLANTED[1024][0].crossover == pytest.approx(0.5)
    for context in (256, 1024):
        hits = 0
        for seed in range(20):
            found = crossover(report(f"mixed-{context}", seed))
            assert found is not None and found.interval is not None and found.ratio is not None
            assert (found.context, found.tokens) == (context, 512)
            low, high = found.interval
            assert low < found.ratio < high and high - low < 0.1
            hits += low <= (PLANTED[context][1] or 0.0) <= high
        assert hits >= 16  # of 20 intervals at 95 percent fewer miss with probability 0.0003


@pytest.mark.later
def test_where_no_ratio_is_there_is_no_interval() -> None:
    for context, expected in ((64, 0.0), (4096, None)):
        found = crossover(report(f"mixed-{context}"))
        assert found is not None and (found.ratio, found.interval) == (expected, None)
    assert crossover(report("prefill")) is None and crossover(report("context")) is None
    assert (shown(None, None), shown(0.0, None), shown(0.301, (0.28, 0.325))) == (
        "nowhere", "0.00", "0.30 [0.28, 0.33]")
    with pytest.raises(InputError, match="mixed_quadratic is needed"):
        with_interval(profiles.load("a100-llama3-70b-tp2-vidur-pair"))
    assert with_interval(profiles.load("a100-llama3-70b-tp2-vidur-pair").model_copy(
        update={"law_table": mixed_table(0.3)})) == (pytest.approx(0.3), None)  # no covariance, no interval


@pytest.mark.parametrize("ratio", [0.05, 0.95])
def test_an_interval_of_a_ratio_is_of_ratios(ratio: float) -> None:
    """By the delta method for r = -1 - c1/c2 of c1 alone: r -+ 1.96 sd(c1)/|c2|, cut at 0 and 1."""
    table = mixed_table(ratio).model_copy(update={"covariance": Covariance.model_validate(
        {"constants": ["c0", "c1", "c2"], "matrix": [[1e-12, 0, 0], [0, 1e-5, 0], [0, 0, 1e-12]]})})
    profile = profiles.load("a100-llama3-70b-tp2-vidur-pair").model_copy(update={"law_table": table})
    found, interval = with_interval(profile)
    half = 1.959964 * 1e-5**0.5 / 0.04
    assert found == pytest.approx(ratio)
    assert interval == pytest.approx((max(ratio - half, 0), min(ratio + half, 1)), rel=5e-3)


def mixed_table(ratio: float) -> object:
    from qtheory.profiles.schema import LawTable

    constants = {"c0": 0.02, "c1": 0.04 * (1 + ratio), "c2": -0.04}
    return LawTable.model_validate({"kind": "mixed_quadratic", "constants": {
        name: {"value": value, "unit": "s"} for name, value in constants.items()}})


def test_the_table_is_in_order_of_context() -> None:
    rows = [("set", crossover(report(f"mixed-{context}"))) for context in (1024, 256, 4096)]
    lines = markdown([(name, c) for name, c in rows if c is not None]).splitlines()
    assert [line.split("|")[3].strip() for line in lines[2:]] == ["256", "1,024", "4,096"]
    assert "nowhere" in lines[4] and "0.50 [0.4" in lines[3] and len({line.count("|") for line in lines}) == 1


@pytest.mark.slow
def test_quality_of_a_measured_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Every series has its laws, the pair is fitted to prefill and decode together, and the picture draws all."""
    path, plot = tmp_path / "raw.csv", tmp_path / "held-out.svg"
    path.write_text(raw())
    with pytest.raises(SystemExit) as caught:
        main(["profile", "quality", str(path), "--plot", str(plot)])
    out = capsys.readouterr().out
    assert not caught.value.code and "| Drawn, Qwen3-4B, prefill and decode | 18 |" in out
    assert "Decode ratio from which a mixed batch takes longer" in out and "| 512 | 256 | 0.30 [0." in out
    drawn = plot.read_text()
    assert drawn.startswith("<?xml") and drawn.count('id="axes_') >= 8
    with pytest.raises(SystemExit) as caught:
        main(["profile", "quality", str(path), "--format", "json"])
    by_set = {tuple(one["set"].split(", ")[2:]): one for one in json.loads(capsys.readouterr().out)}
    assert not caught.value.code
    assert by_set["prefill and decode",]["best"] == "prefill_decode"
    assert by_set["context",]["best"] == "memory_linear" and by_set["mixed-256",]["best"] == "mixed_quadratic"
    assert by_set["mixed-1024",]["crossover"]["ratio"] == pytest.approx(0.5, abs=0.05)
    assert by_set["prefill",]["crossover"] is None


@pytest.mark.later
def test_phases_by_size(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    law, counts = PrefillDecodeLaw(0.02, 6e-5, 0.01, 2e-5), 2.0 ** np.arange(13)
    times = law.time(counts, (counts <= 256).astype(float))
    path = tmp_path / "a.csv"
    path.write_text("tokens,seconds\n" + "".join(f"{n:g},{t!r}\n" for n, t in zip(counts, times.tolist(), strict=True)))
    with pytest.raises(SystemExit) as caught:
        main(["profile", "quality", str(path), "--decode-up-to", "256", "--prefill-from", "512", "--format", "json"])
    [found] = json.loads(capsys.readouterr().out)
    assert not caught.value.code and found["best"] == "prefill_decode"
    assert found["rows"] == 13 and found["laws"]["prefill_decode"]["cv_error"] < 1e-6
