"""The shipped profiles: every file valid, every printed number equal to its value up to the unit's power of ten."""

from __future__ import annotations

import re

import pytest

from qtheory import profiles
from qtheory.models.laws import PiecewiseLinearLaw, PrefillDecodeLaw
from qtheory.profiles.files import parse_profile, to_toml

PAIRS = ["a100-40gb-qwen-4b", "a100-40gb-qwen-8b", "a100-llama3-70b-tp2-vidur-pair"]


def printed_number(text: str) -> float:
    """The first number of a printed constant, with its power of ten."""
    found = re.match(r"\D*?(?P<number>[-−]?\d+(?:\.\d+)?)(?: × 10\^(?P<power>-?\d+))?", text)
    assert found is not None, text
    power = int(found["power"] or 0)
    return float(found["number"].replace("−", "-")) * 10.0**power


@pytest.mark.parametrize("name", profiles.names())
def test_profile_is_valid_and_round_trips(name: str) -> None:
    profile = profiles.load(name)
    assert profile.name == name
    assert parse_profile(to_toml(profile), name) == profile
    if profile.complete:
        assert profile.law.kind == profile.kind
    elif profile.kind:
        assert profile.note and "print" in profile.note


@pytest.mark.parametrize("name", profiles.names())
def test_printed_constants_are_their_values(name: str) -> None:
    profile = profiles.load(name)
    for key, constant in (profile.law_table.constants if profile.law_table else {}).items():
        if constant.printed is None:
            assert constant.derivation or constant.interval, f"{key}: neither printed nor derived nor fitted"
            continue
        if constant.alternatives is not None:
            assert str(int(constant.alternatives[0])) in constant.printed
            continue
        assert constant.value is not None
        number = printed_number(constant.printed)
        expected = 1 / number if constant.printed.endswith("tokens/s") else number
        ratio = constant.value / expected
        assert min(abs(ratio - scale) for scale in (1.0, 1e-3)) < 1e-9, f"{key}: {constant.value} of {constant.printed}"


def test_printed_constants_of_the_papers() -> None:
    # to, Section 2.1: 45.5 ms, 0.30 [ms/token], 64 [tokens], the units of the last two printed in the wrong place
    assert profiles.load("a100-80gb-llama3-70b-tp2").law == PiecewiseLinearLaw(0.0455, 0.0003, 64)
    # gr, Section 6.1 and Figure 3
    mixed = profiles.load("a100-40gb-qwen-8b-mixed")
    assert mixed.law.constants == {"alpha": 0.0174, "beta": 6.2e-5}
    assert mixed.r_squared[0].value == 0.998 and mixed.engine_version == "0.11.0"
    assert profiles.load("a100-40gb-qwen-4b-mixed").law.constants == {"alpha": 0.0152, "beta": 3.6e-5}
    # rad, Section 2.3
    tiles = profiles.load("a100-tiles").law_table
    assert tiles is not None and tiles.constants["t_col"].alternatives == (128, 256)
    # eb, Appendix A.3
    for gpu, kappa in (("rtx-pro-6000", -11.6), ("h200", -0.69)):
        table = profiles.load(f"{gpu}-qwen3-4b-kappa").law_table
        assert table is not None and table.tokens == 4096 and table.constants["kappa"].value == kappa


def test_tables_5_to_7_of_exclusive_batching() -> None:
    found = [profiles.load(name) for name in profiles.names() if name.startswith("rtx-pro-6000-")]
    linear = [profile for profile in found if profile.kind == "affine"]
    assert len(linear) == 7
    for profile in linear:
        ranges = [r.tokens_max for r in profile.r_squared]
        values = [r.value for r in profile.r_squared]
        assert ranges == [4096, 8192, 16384, 32768, 65536, 131072]
        # the text's bounds: R2 > 0.986 up to 8K, > 0.979 up to 16K (0.9790 is printed), >= 0.943 throughout
        assert min(values[:2]) > 0.986 and values[2] >= 0.979 and min(values) >= 0.943
        cache = profile.kv_cache
        assert cache is not None and cache.at_least is not None and cache.below is not None
        assert cache.at_least % (131072 + 64) == 0 and cache.below - cache.at_least == 131072 + 64


def test_data_sheets_agree_with_their_ratio() -> None:
    # eb, Table 1: FLOP/B is TFLOPS over TB/s, truncated or rounded to a whole number
    for name in ("b300", "h200", "l40s", "rtx-pro-6000"):
        sheet = profiles.load(name).gpu_data
        assert sheet is not None and sheet.fp16_tflops and sheet.bandwidth_tb_per_s and sheet.flop_per_byte
        assert abs(sheet.fp16_tflops / sheet.bandwidth_tb_per_s - sheet.flop_per_byte) < 1


@pytest.mark.parametrize("name", PAIRS)
def test_prefill_decode_pairs(name: str) -> None:
    law = profiles.load(name).law
    assert isinstance(law, PrefillDecodeLaw)
    assert law.alpha_p > 0 and law.beta_p > 0 and law.alpha_d > 0 and law.beta_d >= 0
    kinds = {n: profiles.load(n).kind for n in profiles.names()}
    assert sorted(n for n, kind in kinds.items() if kind == "prefill_decode") == PAIRS
