"""Profiles in TOML: what is accepted, round trips, and one line for each fault with file, line, column or key."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from qtheory import profiles
from qtheory.errors import InputError, UnknownNameError
from qtheory.files import write_whole
from qtheory.models.laws import AffineLaw, PrefillDecodeLaw
from qtheory.profiles.files import parse_profile, read_profile, to_toml, write_profile

GOOD = """
name = "mine"
gpu = "A100"

[source]
measurements = "mine.csv"

[law]
kind = "affine"

[law.constants.alpha]
value = 0.02
unit = "s"

[law.constants.beta]
value = 6e-5
unit = "s/token"
interval = [5e-5, 7e-5]
"""


def test_a_good_profile_gives_its_law() -> None:
    profile = parse_profile(GOOD, "mine.toml")
    assert profile.law == AffineLaw(0.02, 6e-5)
    assert profile.complete and profile.missing == [] and profile.kind == "affine"
    with pytest.raises(ValidationError):
        profile.gpu = "H100"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("value = 0.02", "value = -0.02"), "key 'law': alpha: -0.02 s is negative"),
        (("value = 0.02", 'value = "0.02"'), "key 'law.constants.alpha.value': Input should be a valid number"),
        (("value = 0.02", "value = nan"), "key 'law.constants.alpha.value': Input should be a finite number"),
        (('unit = "s"\n', 'unit = "ms"\n'), "key 'law': alpha: unit 'ms' where 's' is wanted"),
        (("[law.constants.alpha]", "[law.constants.alhpa]"), "unknown constant of affine 'alhpa'; nearest: alpha"),
        (('kind = "affine"', 'kind = "afine"'), "unknown law 'afine'; nearest: affine"),
        (("interval = [5e-5, 7e-5]", "interval = [7e-5, 8e-5]"), "lies outside its interval"),
        (("interval = [5e-5, 7e-5]", "interval = [7e-5, 5e-5]"), "is empty"),
        (('gpu = "A100"', ""), "key 'gpu': missing"),
        (('gpu = "A100"', 'gpu = ""'), "key 'gpu': String should have at least 1 character"),
        (('gpu = "A100"', 'gpu = "A100"\ncolour = "red"'), "key 'colour': unknown key"),
        (('gpu = "A100"', 'gpu = "A100"\ntensor_parallel = 0'), "key 'tensor_parallel'"),
        (('gpu = "A100"', 'gpu = "A100"\nengine_version = "1"'), "'engine_version' without 'engine'"),
        (('name = "mine"', 'name = "Mine!"'), "key 'name'"),
        (('measurements = "mine.csv"', 'paper = "P"'), "'paper' without 'place'"),
        (('measurements = "mine.csv"', ""), "neither 'paper' nor 'measurements'"),
        (('kind = "affine"', 'kind = "affine"\ntokens_min = 9\ntokens_max = 8'), "tokens_min 9.0 exceeds"),
        (('unit = "s"\n', 'unit = "s"\nalternatives = [1.0, 2.0]\n'), "either 'value' or 'alternatives'"),
    ],
)
def test_wrong_fields_are_named_by_file_and_key(change: tuple[str, str], words: str) -> None:
    assert change[0] in GOOD
    with pytest.raises(InputError) as caught:
        parse_profile(GOOD.replace(*change), "mine.toml")
    message = str(caught.value)
    assert message.startswith("mine.toml: ") and words in message and "\n" not in message


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a = \n", "x.toml:1:5:"),
        ("a = 1\nb = = 2\n", "x.toml:2:5:"),
        ("a = 1\na = 2\n", "x.toml:2:6:"),
        ('a = 1\nb = "open', "x.toml:2:10:"),
        ("[law\n", "x.toml:1:5:"),
    ],
)
def test_malformed_toml_is_placed(text: str, place: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_profile(text, "x.toml")
    assert str(caught.value).startswith(place)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_profile(tmp_path / "absent.toml")
    with pytest.raises(InputError, match="cannot be read"):
        read_profile(tmp_path)
    (tmp_path / "bad.toml").write_bytes(b"name = '\xff'")
    with pytest.raises(InputError, match="not UTF-8"):
        read_profile(tmp_path / "bad.toml")
    with pytest.raises(InputError, match="nested too deeply"):
        parse_profile("a = " + "[" * 100_000, "deep.toml")


def test_contradictory_values() -> None:
    kappa = """
name = "k"
gpu = "H200"
[source]
measurements = "k.csv"
[law]
kind = "mixed_quadratic"
[law.constants]
c0 = {value = 0.03, unit = "s"}
c1 = {value = 0.05, unit = "s"}
c2 = {value = -0.06, unit = "s"}
kappa = {value = -6.0, unit = "1"}
"""
    assert parse_profile(kappa, "k.toml").complete
    with pytest.raises(InputError, match=r"kappa: -3.0 contradicts c0, c1, c2, which give -6"):
        parse_profile(kappa.replace("-6.0", "-3.0"), "k.toml")
    with pytest.raises(InputError, match=r"K\(1\) = .* is not positive"):
        parse_profile(kappa.replace("-0.06", "-0.09"), "k.toml")
    bounds = GOOD + "[kv_cache]\nat_least = 10\nbelow = 10\n"
    with pytest.raises(InputError, match=r"at_least 10\.0 is not less than below 10\.0"):
        parse_profile(bounds, "k.toml")
    with pytest.raises(InputError, match=r"key 'r_squared\.0\.value'"):
        parse_profile(GOOD + "[[r_squared]]\nvalue = 1.5\n", "k.toml")


COVARIANCE = """
[law.covariance]
constants = ["alpha", "beta"]
matrix = [[4e-8, -1e-11], [-1e-11, 1e-13]]
"""


def test_a_covariance_goes_there_and_back() -> None:
    profile = parse_profile(GOOD + COVARIANCE, "mine.toml")
    assert profile.law_table is not None and profile.law_table.covariance is not None
    assert profile.law_table.covariance.array().tolist() == [[4e-8, -1e-11], [-1e-11, 1e-13]]
    assert parse_profile(to_toml(profile), "mine.toml") == profile


@pytest.mark.parametrize(("change", "words"), [
    (('["alpha", "beta"]', '["alpha", "gamma"]'), "covariance: gamma is not among the constants"),
    (('["alpha", "beta"]', '["alpha", "alpha"]'), "one of alpha, alpha stands twice"),
    (('["alpha", "beta"]', '["alpha"]'), "1 rows of 1 numbers are wanted"),
    (("[-1e-11, 1e-13]]", "[-2e-11, 1e-13]]"), "entries (1, 2) and (2, 1) differ"),
    (("[[4e-8", "[[-4e-8"), "entry (1, 1), -4e-08, is beyond"),
    (("[[4e-8, -1e-11], [-1e-11", "[[4e-8, -1e-9], [-1e-9"), "entry (1, 2), -1e-09, is beyond what its variances"),
    (("4e-8", "nan"), "finite number"),
    (("4e-8", '"4e-8"'), "valid number"),
])
def test_what_is_no_covariance(change: tuple[str, str], words: str) -> None:
    assert change[0] in COVARIANCE
    with pytest.raises(InputError) as caught:
        parse_profile(GOOD + COVARIANCE.replace(*change), "mine.toml")
    message = str(caught.value)
    assert message.startswith("mine.toml: key 'law.covariance") or "key 'law'" in message
    assert words in message and "\n" not in message


def test_an_incomplete_law_says_what_is_missing() -> None:
    text = GOOD[: GOOD.index("[law.constants.beta]")]
    profile = parse_profile(text, "mine.toml")
    assert not profile.complete and profile.missing == ["beta"]
    with pytest.raises(InputError, match="its source gives no beta of the affine law"):
        _ = profile.law


def test_loading_by_name_and_by_path(tmp_path: Path) -> None:
    profile = parse_profile(GOOD, "mine.toml")
    path = tmp_path / "mine.toml"
    write_profile(profile, path)
    assert profiles.load(path) == profiles.load(str(path)) == profile
    law = profiles.load("a100-40gb-qwen-8b").law
    assert isinstance(law, PrefillDecodeLaw) and law.alpha_p == 0.0174
    with pytest.raises(UnknownNameError, match="nearest: a100-40gb-qwen-8b"):
        profiles.load("a100-40gb-qwen8b")


def test_writing_leaves_nothing_half_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        write_whole(tmp_path / "absent" / "p.toml", b"x")
    target = tmp_path / "folder"
    target.mkdir()
    with pytest.raises(InputError, match="cannot be written"):
        write_whole(target, b"x")
    assert [entry.name for entry in tmp_path.iterdir()] == ["folder"]


@settings(derandomize=True, max_examples=60, deadline=None)
@given(
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip),
    st.floats(1e-9, 1e3),
    st.floats(0, 1e3),
)
def test_toml_round_trip(note: str, alpha: float, beta: float) -> None:
    data = parse_profile(GOOD, "x").to_dict() | {"note": note}
    data["law"] = {
        "kind": "affine",
        "constants": {"alpha": {"value": alpha, "unit": "s"}, "beta": {"value": beta, "unit": "s/token"}},
    }
    profile = profiles.HardwareProfile.model_validate(data)
    assert parse_profile(to_toml(profile), "x") == profile


def test_a_notebook_shows_constants_with_units_law_and_source_as_text() -> None:
    page = profiles.load("a100-llama3-70b-tp2-vidur-pair")._repr_html_()
    assert "<tr><th>alpha_p</th><td>0.0303481 s</td><td>[0.028754, 0.0319422] by covariance</td></tr>" in page
    assert "prefill_decode: <code>delta*" in page and "microsoft/vidur" in page
    for name in profiles.names():
        profile = profiles.load(name)
        page = profile._repr_html_()
        assert page.count("<table>") == page.count("</table>") == 1 and name in page and len(page) < 3000
        assert all(f"<th>{missing}</th><td>not given</td>" in page for missing in profile.missing if profile.kind)
    strange = profile.model_copy(update={"gpu": "<script>", "model": "a & b"})
    assert "&lt;script&gt;" in strange._repr_html_() and "a &amp; b" in strange._repr_html_()
