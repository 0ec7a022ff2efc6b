"""Measurement sets from kernels, and what a law's error costs the critical rate."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from kernel_files import write

from qtheory import profiles
from qtheory.errors import UnknownNameError
from qtheory.models.laws import AffineLaw, ContextAffineLaw
from qtheory.profiles import kernels
from qtheory.profiles.files import parse_profile, to_toml
from qtheory.profiles.fitted import profile_from_fit
from qtheory.profiles.fitting import fit
from qtheory.profiles.kernels import Batch, Engine, Shape
from qtheory.profiles.kernels.points import SETS, measurements
from qtheory.profiles.measurements import Measurements
from qtheory.profiles.quality import capacity_errors, capacity_markdown, quality

SMALL = Shape(title="small", source="nobody", layers=3, hidden=64, heads=8, kv_heads=4, head_dim=16, vocabulary=512,
              intermediate=256)


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    return Engine(kernels.tables("gpu", "vllm", write(tmp_path)), SMALL)


def test_rows_are_the_engines_iterations(engine: Engine) -> None:
    data = measurements(engine, "decode")
    for i in (0, 20, len(data.seconds) - 1):
        count, resident = int(data.columns["tokens"][i]), data.columns["resident_tokens"][i]
        batch = Batch(decode=[round(resident / count)] * count)
        assert data.seconds[i] == pytest.approx(float(engine.seconds(batch)), rel=1e-9)
    prompts = measurements(engine, "prefill")
    assert prompts.seconds[5] == pytest.approx(float(engine.seconds(Batch([(int(prompts.columns["tokens"][5]), 0)]))))
    sizes = {name: len(measurements(engine, name).seconds) for name in SETS}
    assert sizes["pair"] == sizes["decode"] + sizes["prefill"] < sizes["serving"]
    assert measurements(engine, "serving", cache=5000.0).columns["resident_tokens"].max() <= 5000
    with pytest.raises(UnknownNameError, match=r"unknown set of batches 'decodes'; nearest: decode"):
        measurements(engine, "decodes")


@pytest.mark.later
def test_a_profile_names_its_rows(engine: Engine) -> None:
    report = fit(measurements(engine, "decode"))
    profile = profile_from_fit(report, kind="context_affine", name="made")
    assert (profile.engine, profile.engine_version, profile.gpu) == ("vLLM", "1.0", "gpu")
    assert "Apache-2.0" in str(profile.source.measurements)
    assert "gpu/gemm/vllm/1.0/gemm_perf.parquet (54 rows)" in str(profile.source.place)
    assert parse_profile(to_toml(profile), "made") == profile


def test_shipped_profiles_from_kernels_name_source_versions_and_licence() -> None:
    found = [p for p in map(profiles.load, profiles.names()) if "aiconfigurator" in str(p.source.measurements)]
    assert len(found) >= 18
    assert len({p.gpu for p in found}) >= 6 and {p.engine for p in found} == {"vLLM", "SGLang", "TRT-LLM"}
    for profile in found:
        assert profile.name.endswith(("-kernels", f"-{profile.kind}")) and profile.engine_version and profile.fit
        assert isinstance(profile.law, ContextAffineLaw) == profile.name.endswith("-kernels")
        assert "Apache-2.0" in str(profile.source.measurements)
        assert str(profile.source.place).count(" rows)") >= 3


def test_where_another_law_errs_less_it_ships_too() -> None:
    """By the held-out errors that the profiles themselves state: a bend serves small experts, steps a wide product."""
    shipped = {p.name: p for p in map(profiles.load, profiles.names()) if p.fit}
    others = [p for p in shipped.values() if p.name.endswith(("-concave", "-vllm-staircase"))]
    assert {p.kind for p in others} == {"concave", "staircase"}
    for profile in others:
        beside = shipped[f"{profile.name.removesuffix(f'-{profile.kind}')}-kernels"]
        assert profile.fit and beside.fit and profile.source == beside.source
        assert profile.fit.cv_error and beside.fit.cv_error and profile.fit.cv_error < beside.fit.cv_error


@pytest.mark.slow
def test_the_error_of_the_critical_rate_is_that_of_full_iterations() -> None:
    """Times 25 percent above a line at full iterations: the line promises a quarter more than there is."""
    tokens = np.arange(1.0, 201.0)
    law = AffineLaw(0.01, 1e-4)
    seconds = law.time(tokens) * np.where(tokens > 100, 1.25, 1.0) * np.exp(
        np.random.default_rng(0).normal(0, 1e-3, 200))
    report = fit(Measurements("m.csv", {"tokens": tokens}, seconds))
    errors = capacity_errors(report)
    for fitted in report.fits:
        full = fitted.law.time(tokens[tokens > 100])
        expected = np.median(seconds[tokens > 100] / full) - 1
        assert errors[fitted.law.kind] == pytest.approx(expected, abs=0.02)
    exact = fit(Measurements("m.csv", {"tokens": tokens}, law.time(tokens) * np.exp(
        np.random.default_rng(0).normal(0, 1e-3, 200))))
    assert abs(capacity_errors(exact)["affine"]) < 0.01
    table = capacity_markdown([quality(exact)])
    assert "| affine" in table and "adequate" in table and "affine" in table.splitlines()[2].rpartition("% |")[2]
