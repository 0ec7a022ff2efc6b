r"""``qtheory macros``: the tables' own numbers, with unit and interval, under names that LaTeX takes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from drawn import PAIR, VIDUR_PAIR

from qtheory.cli import main
from qtheory.errors import InputError, UnknownNameError
from qtheory.report import tables
from qtheory.report.macros import macros

LINE = re.compile(r"\\newcommand{\\([A-Za-z]+)}{(.*)} % (.*)")


def defined(text: str) -> dict[str, tuple[str, str]]:
    lines = [line for line in text.splitlines() if line.startswith("\\newcommand")]
    found = {m.group(1): (m.group(2), m.group(3)) for m in map(LINE.fullmatch, lines) if m}
    assert len(found) == len(lines)  # each line is one, and no name twice
    return found


@pytest.mark.slow
def test_the_numbers_are_the_tables_own_with_unit_interval_and_profile() -> None:
    text = macros([VIDUR_PAIR], ["eb-sharegpt"], [64])
    found = defined(text)
    table = tables.eb_threshold([VIDUR_PAIR], ["eb-sharegpt"], [64])
    names = [c.name for c in table.columns]
    rate = table.shown(0, names.index("throughput"))
    body, comment = found["qtThresholdThroughput"]
    assert re.fullmatch(rf"\\SI\[separate-uncertainty=true\]{{{rate} \+- [\d.]+}}{{requests/s}}", body)
    assert VIDUR_PAIR in comment and "eb-sharegpt" in comment and "N 64" in comment
    assert found["qtThresholdKZero"][0] == r"\SI{4}{requests}"
    assert found["qtProfileAlphaP"][0] == r"\SI[separate-uncertainty=true]{30.3 +- 1.6}{\milli s}"
    assert f"% profile: {VIDUR_PAIR}" in text and "microsoft/vidur" in text


def test_units_are_those_of_the_tables_and_none_begins_with_a_number() -> None:
    """0.00357 1/iteration would be read as 0.003571/iteration."""
    found = defined(macros([PAIR], ["eb-sharegpt"], [64]))
    assert found["qtProfileBetaD"][0] == r"\SI{0}{\micro s/token}"
    assert found["qtThresholdPZero"][0] == r"\SI[group-digits=integer]{0.00357}{iteration^{-1}}"
    assert not [body for body, _ in found.values() if re.search(r"}{\d", body)]


def test_no_interval_without_a_covariance() -> None:
    assert "+-" not in "".join(body for body, _ in defined(macros([PAIR], ["eb-sharegpt"], [64])).values())


def test_names_say_only_what_differs() -> None:
    one = defined(macros([PAIR], ["eb-sharegpt"], [64, 256]))
    assert {"qtThresholdThetaZero", "qtThresholdKZeroSixFour", "qtThresholdKZeroTwoFiveSix"} <= set(one)
    two = defined(macros([PAIR, VIDUR_PAIR], ["eb-sharegpt"], [64], prefix="my", tables=["eb-threshold"]))
    assert "myThresholdThetaZeroAOneZeroZeroFourZerogbQwenEightb" in two and len(two) == 2 * 7
    whole = defined(macros(tables=["profiles"]))
    assert len(whole) > 50 and all("#" not in body for body, _ in whole.values())


def test_an_uneven_interval_is_printed_by_its_ends() -> None:
    found = defined(macros(["a100-llama3-70b-tp2-vidur"], tables=["profiles"]))
    assert found["qtProfileBZero"][0] == r"\SI{61}{tokens} [\num{57}, \num{67}]"


@pytest.mark.parametrize(("options", "error", "message"), [
    ({"prefix": "q2"}, InputError, "one to twenty letters"), ({"prefix": ""}, InputError, "one to twenty letters"),
    ({"tables": ["errata"]}, UnknownNameError, "unknown table with macros 'errata'"),
    ({"profiles": ["a100-tiles"]}, InputError, "needs a prefill_decode pair"),
])
def test_bad_input(options: dict[str, object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        macros(**options)  # type: ignore[arg-type]


@pytest.mark.slow
def test_the_command_writes_the_file_or_nothing(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "numbers.tex"
    options = ["--profile", PAIR, "--workload", "eb-sharegpt", "--batch", "64"]
    for arguments, status in (([*options, "-o", str(path)], 0), (["--prefix", "1", "-o", str(path)], 2),
                              (["--batch", "x", "-o", str(path)], 2)):
        with pytest.raises(SystemExit) as end:
            main(["macros", *arguments])
        _, err = capsys.readouterr()
        assert end.value.code == status and err.count("\n") == (status == 2) and "Traceback" not in err
        assert path.read_text(encoding="utf-8") == macros([PAIR], ["eb-sharegpt"], [64])
