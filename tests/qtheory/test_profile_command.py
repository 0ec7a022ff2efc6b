"""``qtheory profile``: its output in both formats, the files it writes, and one line for bad input."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import numpy as np
import pytest

from qtheory import profiles
from qtheory.cli import main
from qtheory.models.laws import PiecewiseLinearLaw


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as caught:
        main(["profile", *arguments])
    out, err = capsys.readouterr()
    return int(caught.value.code or 0), out, err


@pytest.fixture
def csv(tmp_path: Path) -> Path:
    counts = np.arange(8, 1025, 16)
    times = PiecewiseLinearLaw(0.045, 3e-4, 100).time(counts)
    noisy = times * np.exp(np.random.default_rng(1).normal(0, 0.02, counts.size))
    path = tmp_path / "times.csv"
    path.write_text("tokens,seconds\n" + "".join(f"{n},{t!r}\n" for n, t in zip(counts, noisy.tolist(), strict=True)))
    return path


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "list")
    assert status == 0
    files = (Path(profiles.__file__).parent / "data").glob("*.toml")
    assert [line.split()[0] for line in out.splitlines()[1:]] == profiles.names() == sorted(f.stem for f in files)
    status, out, _ = run(capsys, "list", "--format", "json")
    listed = {entry["name"]: entry for entry in json.loads(out)}
    assert listed["a100-40gb-qwen-8b"]["constants"]["alpha_p"] == 0.0174
    assert listed["a100-tiles"]["missing"] == ["tile_time", "token_time", "t_col"]


def test_show(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "show", "a100-80gb-llama3-70b-tp2")
    assert status == 0
    assert "b0 = 64 tokens  (printed: 64 ms/token; read as 64 tokens)" in out
    assert "R²        > 0.985 (Figure 4)" in out
    for name in {profiles.load(name).kind: name for name in profiles.names()}.values():  # one of each law
        status, out, _ = run(capsys, "show", name, "--format", "json")
        assert status == 0 and json.loads(out)["name"] == name
        assert run(capsys, "show", name)[0] == 0


@pytest.mark.slow
def test_fit_writes_a_profile_and_a_plot(capsys: pytest.CaptureFixture[str], csv: Path) -> None:
    toml, plot = csv.with_suffix(".toml"), csv.with_suffix(".png")
    options = ["--gpu", "A100", "--name", "mine", "-o", str(toml), "--plot", str(plot)]
    status, out, err = run(capsys, "fit", str(csv), *options)
    assert (status, err) == (0, "")
    assert "prefill_decode: not fitted: no column 'kind'" in out and "chosen: piecewise_linear" in out
    law = profiles.load(toml).law
    assert isinstance(law, PiecewiseLinearLaw) and law.b0 == pytest.approx(100, rel=0.2)
    assert plot.read_bytes().startswith(b"\x89PNG")
    status, out, _ = run(capsys, "show", str(toml))
    assert status == 0 and "by likelihood" in out


@pytest.mark.later
def test_fit_in_json(capsys: pytest.CaptureFixture[str], csv: Path) -> None:
    options = ("--max-tokens", "512", "--law", "affine", "--format", "json")
    status, out, _ = run(capsys, "fit", str(csv), *options)
    report = json.loads(out)
    assert status == 0 and report["rows"] == 32 and report["best"] == "affine"
    assert {law["kind"] for law in report["laws"]} == {"affine", "piecewise_linear", "staircase"}
    assert set(report["not_fitted"]) == {"prefill_decode", "concave", "memory_linear", "context_affine",
                                         "mixed_quadratic"}


@pytest.mark.later
def test_a_pair_from_token_ranges(capsys: pytest.CaptureFixture[str], csv: Path) -> None:
    options = ("--decode-up-to", "128", "--prefill-from", "256", "--format", "json")
    status, out, _ = run(capsys, "fit", str(csv), *options)
    assert status == 0 and "prefill_decode" in {law["kind"] for law in json.loads(out)["laws"]}


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".pdf", ".svg"])
def test_vector_plots(capsys: pytest.CaptureFixture[str], csv: Path, suffix: str) -> None:
    plot = csv.with_suffix(suffix)
    assert run(capsys, "fit", str(csv), "--plot", str(plot))[0] == 0
    assert plot.read_bytes()[:5] in (b"%PDF-", b"<?xml")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["show", "a100-tile"], "unknown profile 'a100-tile'; nearest: a100-tiles"),
        (["show", "absent.toml"], "absent.toml: no such file"),
        (["show"], "Missing argument"),
        (["list", "--format", "xml"], "'xml' is not one of"),
        (["lst"], "No such command"),
        ([], "Missing command"),
        (["fit", "absent.csv"], "absent.csv: no such file"),
        (["fit", "CSV", "--law", "afine"], "unknown law 'afine'; nearest: affine"),
        (["fit", "CSV", "--law", "memory_linear"], "no column 'resident_tokens'"),
        (["fit", "CSV", "--plot", "p.gif"], "p.gif: a plot ends in .pdf, .png, .svg"),
        (["fit", "CSV", "--workers", "2"], "workers is for files in Vidur's layout"),
        (["fit", "CSV", "--max-tokens", "1"], "no row with"),
        (["fit", "CSV", "--max-tokens", "nan"], "no token count lies between 0 and nan"),
        (["fit", "CSV", "--max-tokens", "30"], "no law can be fitted"),
        (["fit", "CSV", "--decode-up-to", "100"], "--decode-up-to and --prefill-from belong together"),
        (["fit", "CSV", "-o", "p.toml"], "does not tell the GPU; give --gpu"),
        (["fit", "CSV", "--gpu", "A100", "--name", "No Name", "-o", "p.toml"], "key 'name'"),
        (["fit", "CSV", "--gpu", "A100", "-o", "absent/p.toml"], "absent/p.toml: cannot be written"),
    ],
)
def test_bad_input_is_one_line(
    capsys: pytest.CaptureFixture[str],
    csv: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    words: str,
) -> None:
    monkeypatch.chdir(csv.parent)
    status, out, err = run(capsys, *[str(csv) if a == "CSV" else a for a in arguments])
    assert status == 2 and out == ""
    assert words in err and err.count("\n") == 1
    assert [path.name for path in csv.parent.iterdir()] == [csv.name]


def test_a_profile_without_a_gpu_is_refused_before_the_fit(
    capsys: pytest.CaptureFixture[str], csv: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A fit may take minutes: what is missing without it is said first."""
    def fitted(*arguments: object) -> None:
        raise AssertionError("the laws were fitted")

    monkeypatch.setattr("qtheory.profiles.fitting.fit", fitted)
    status, _, err = run(capsys, "fit", str(csv), "-o", str(csv.with_suffix(".toml")))
    assert status == 2 and err.strip().endswith("does not tell the GPU; give --gpu")


EVIL = "\x1b[2J\nstable\u202e\u2066\x7f\x85!"


@pytest.mark.parametrize("form", ["text", "json"])
def test_words_of_a_profile_cannot_pretend(capsys: pytest.CaptureFixture[str], tmp_path: Path, form: str) -> None:
    """Its GPU, model and note are shown with what cannot be seen spelled out, and begin no line of their own."""
    shipped = Path(profiles.__file__).parent / "data" / "a100-80gb-llama3-70b-tp2.toml"
    document = tomllib.loads(shipped.read_text(encoding="utf-8"))
    text, quoted = shipped.read_text(encoding="utf-8"), json.dumps(EVIL).replace("\x7f", "\\u007f")
    for key in ("gpu", "model", "note"):
        assert document[key]
        text = re.sub(rf"^{key} = .*$", lambda _, key=key: f"{key} = {quoted}", text, count=1, flags=re.M)
    file = tmp_path / "mine.toml"
    file.write_text(text, encoding="utf-8")
    assert profiles.load(file).gpu == EVIL
    status, out, _ = run(capsys, "show", str(file), "--format", form)
    assert status == 0 and all(line.isprintable() and not line.startswith("stable") for line in out.split("\n"))
    if form == "json":
        assert json.loads(out)["gpu"] == EVIL
    else:
        assert r"\x1b[2J stable\u202e\u2066\x7f\x85!" in out
