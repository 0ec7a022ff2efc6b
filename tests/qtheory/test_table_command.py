"""``qtheory table``: every format, files written whole or not at all, and one line for bad input."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from qtheory.cli import main
from qtheory.commands.output import require_writable
from qtheory.errors import InputError, UnknownNameError
from qtheory.report import latex, tables

PAIR = "a100-40gb-qwen-8b"
SHORT = ("eb-threshold", "--profile", PAIR, "--workload", "eb-sharegpt", "--batch", "256")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as caught:
        main(["table", *arguments])
    out, err = capsys.readouterr()
    return int(caught.value.code or 0), out, err


@pytest.mark.slow
def test_each_format_is_the_librarys_own(capsys: pytest.CaptureFixture[str]) -> None:
    table = tables.eb_threshold([PAIR], ["eb-sharegpt"], [256])
    for form in tables.FORMATS:
        assert run(capsys, *SHORT, "--format", form) == (0, table.render(form), "")
    assert run(capsys, *SHORT) == (0, table.render("md"), "")
    assert run(capsys, *SHORT, "--format", "latex", "--document") == (0, latex.document(table), "")


def test_options_may_be_given_several_times(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, *SHORT, "--profile", "a100-40gb-qwen-4b", "--workload", "eb-wildchat",
                         "--batch", "64", "--format", "json")
    rows = json.loads(out)["rows"]
    assert status == 0
    assert [(row["profile"], row["workload"], row["N"]) for row in rows] == [
        (profile, workload, batch) for profile in (PAIR, "a100-40gb-qwen-4b")
        for workload in ("eb-sharegpt", "eb-wildchat") for batch in (256, 64)
    ]


@pytest.mark.parametrize("document_class", ["article", "acmart"])
def test_a_caption_of_ones_own(capsys: pytest.CaptureFixture[str], document_class: str) -> None:
    """It stands for the title, as plain text; what the title alone has below the rows stands there too."""
    own, typed = "Thresholds at 100 % load_1 [a]", r"Thresholds at 100 \% load\_\allowbreak{}1 {[}a{]}"
    given = (*SHORT, "--format", "latex", "--class", document_class, "--narrow", "--caption")
    short, title = run(capsys, *given, "short")[1], latex.escape(tables.build(
        "eb-threshold", [PAIR], ["eb-sharegpt"], [256]).title)
    status, out, err = run(capsys, *given, own)
    height = re.compile(r"totalheight=[\d.]+")  # which a longer caption leaves less of
    assert (status, height.sub("", out), err) == (0, height.sub("", short.replace(title, typed)), "")
    assert rf"\caption[{typed}]{{%" in out and "Computed by qtheory" in out
    for empty in ("", " "):
        status, out, err = run(capsys, *given, empty)
        assert (status, out) == (2, "") and "full, short or a text of your own is needed" in err
    status, _, err = run(capsys, *SHORT, "--caption", own)
    assert status == 2 and "--caption goes with --format latex" in err


def test_default_batch_sizes(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, *SHORT[:-2], "--format", "csv")
    assert [row["N [requests]"] for row in csv.DictReader(io.StringIO(out))] == ["64", "256", "1024"]


def test_a_users_own_files(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    source = Path(tables.__file__).parents[1]
    profile, workload = tmp_path / "mine.toml", tmp_path / "load.toml"
    text = (source / "profiles" / "data" / f"{PAIR}.toml").read_text(encoding="utf-8")
    profile.write_text(text.replace(f'name = "{PAIR}"', 'name = "mine"'), encoding="utf-8")
    workload.write_text((source / "workloads" / "data" / "eb-sharegpt.toml").read_text(encoding="utf-8"), "utf-8")
    _, out, _ = run(capsys, "eb-threshold", "--profile", str(profile), "--workload", str(workload), "--format", "json")
    row = json.loads(out)["rows"][1]
    assert (row["profile"], row["workload"], row["k0"]) == ("mine", "load", 18)


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "--list")
    assert status == 0
    assert [line.split()[0] for line in out.splitlines()] == tables.names()


@pytest.mark.slow
@pytest.mark.parametrize(("ending", "form"), [
    (".tex", "latex"), (".md", "md"), (".csv", "csv"), (".html", "html"), (".json", "json"), (".txt", "md")
])
def test_the_files_ending_chooses_the_format(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, ending: str, form: str
) -> None:
    path = tmp_path / f"table{ending}"
    assert run(capsys, *SHORT, "-o", str(path)) == (0, f"wrote {path}\n", "")
    assert path.read_bytes().decode() == tables.eb_threshold([PAIR], ["eb-sharegpt"], [256]).render(form)


@pytest.mark.parametrize(("arguments", "message"), [
    ((), "no table named; the tables are: capacity, clients"),
    (("eb-treshold",), "unknown table 'eb-treshold'; nearest: eb-threshold"),
    (("eb-threshold", "--profile", "h200"), "h200 has no iteration-time law; the table needs a prefill_decode pair"),
    (("eb-threshold", "--profile", "a100-40gb-qwen-8"), "nearest: a100-40gb-qwen-8b"),
    (("eb-threshold", "--profile", "none.toml"), "none.toml"),
    (("eb-threshold", "--workload", "none.csv"), "none.csv"),
    (("eb-threshold", "--workload", "eb-sharegtp"), "unknown workload 'eb-sharegtp'; nearest: eb-sharegpt"),
    (("eb-threshold", "--batch", "0"), "--batch is '0'; it must be an integer of at least 1"),
    (("eb-threshold", "--batch", "-3"), "--batch is '-3'"),
    (("eb-threshold", "--batch", "12.5"), "12.5"),
    (("eb-threshold", "--batch", "many"), "many"),
    (("eb-threshold", "--format", "pdf"), "pdf"),
    (("eb-threshold", "--format", "csv", "--document"), "--document goes with --format latex, not with csv"),
])
def test_bad_input_is_one_line_and_writes_nothing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    path = tmp_path / "table.tex"
    path.write_text("mine")
    status, out, err = run(capsys, *arguments, "-o", str(path))
    assert (status, out, err.count("\n")) == (2, "", 1) and message in err
    assert path.read_text() == "mine" and list(tmp_path.iterdir()) == [path]


def test_a_file_that_cannot_be_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "absent" / "table.tex", tmp_path / "folder"):
        status, out, err = run(capsys, *SHORT, "-o", str(path))
        assert (status, out, err.count("\n")) == (2, "", 1) and str(path) in err
    assert [entry.name for entry in tmp_path.iterdir()] == ["folder"]


@pytest.mark.parametrize(("arguments", "message"), [
    ((*SHORT, "-o", "t.docx"), "t.docx: the ending .docx names no format; known: .tex, .md"),
    ((*SHORT, "-o", "table"), "table: a name without an ending names no format"),
    (("eb-threshold", "-o", "absent/t.md"), "absent/t.md: cannot be written: there is no folder absent"),
    (("eb-threshold", "-o", "folder.md"), "folder.md: cannot be written: it is a folder"),
])
def test_what_cannot_be_written_is_said_before_the_work(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...], message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.md").mkdir()
    monkeypatch.setattr(tables, "build", None)  # calling it would be an error of another type
    status, out, err = run(capsys, *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1) and message in err
    assert [entry.name for entry in tmp_path.iterdir()] == ["folder.md"]


def test_an_unwritable_folder_is_said_before_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda path, mode: False)  # root may write anywhere
    with pytest.raises(InputError, match="you may not write into the folder"):
        require_writable(tmp_path / "t.md")


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [
    ["table", "--list"], ["plot", "--list"], ["reproduce"], ["simulate", "--list"], ["profile", "list"],
])
def test_lists_import_little(arguments: list[str]) -> None:
    """SciPy, Numba and matplotlib take seconds; a profile's law is symbolic."""
    code = (f"import sys\nfrom qtheory.cli import main\ntry:\n    main({arguments})\nfinally:\n"
            "    assert not {'scipy.stats', 'numba', 'matplotlib', 'pandas'} & set(sys.modules), 'imported'\n"
            "    assert 'sympy' not in sys.modules or 'profile' in sys.argv, 'imported'")
    result = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False)
    assert result.returncode == 0 and len(result.stdout.splitlines()) >= 4, result.stderr


def test_help_does_not_import_numpy() -> None:
    code = ("import sys\nfrom qtheory.cli import main\ntry:\n    main(['table', '--help'])\n"
            "finally:\n    assert not {'numpy', 'scipy', 'sympy'} & set(sys.modules)")
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.returncode == 0 and "--workload" in result.stdout, result.stderr


@pytest.mark.parametrize("name", ["profiles", "wait-equilibrium"])
@pytest.mark.parametrize("wide", ["--wide", "--narrow", None])
def test_a_table_over_both_columns_unasked_is_told(capsys: pytest.CaptureFixture[str], name: str,
                                                      wide: str | None) -> None:
    status, out, err = run(capsys, name, "--format", "latex", "--class", "IEEEtran", *[wide] * bool(wide))
    over = r"\begin{table*}" in out
    assert status == 0 and (over is (wide == "--wide") or wide is None)
    assert err == (f"{name} is set over both columns, as one column does not hold it; --narrow scales it down to one\n"
                   * (over and wide is None))


@pytest.mark.parametrize("form", tables.FORMATS)
def test_a_label_is_in_the_output_or_an_error(capsys: pytest.CaptureFixture[str], form: str) -> None:
    status, out, err = run(capsys, "wait-equilibrium", "--format", form, "--label", "tab:mine")
    assert "tab:mine" in out if status == 0 else (out, err.count("\n")) == ("", 1) and "--label" in err


@pytest.mark.later
def test_numbers_that_head_groups_say_what_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, "wait-memory", "--format", "latex")[1]
    assert {"50", "500"} == set(re.findall(r"\\textit{\$\\lambda\$ = (\d+) 1/\\allowbreak{}s}", out))


@pytest.mark.parametrize("form", ["latex", "md"])
def test_a_profile_alone_is_named_with_its_source(capsys: pytest.CaptureFixture[str], form: str) -> None:
    out = run(capsys, "profiles", "--profile", PAIR, "--format", form)[1]
    assert f"Profile: {PAIR} (" in out and "[1]" not in out.replace("\\", "").replace("{[}1]", "[1]")


def test_names_that_begin_as_the_unknown_one_come_first() -> None:
    names = ["b-a100", "a100-two", "h100", "a100-one", "a10"]
    assert str(UnknownNameError("profile", "a100", names)).split("nearest: ")[1].startswith("a100-one, a100-two")
