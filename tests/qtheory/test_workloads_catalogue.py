"""The shipped workloads against the papers' printed numbers; files of one's own; bad names and files."""

from __future__ import annotations

import doctest
import itertools
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from qtheory import workloads
from qtheory.errors import InputError, QTheoryError, UnknownNameError
from qtheory.workloads import Deterministic, Geometric, Mixture, Poisson, RequestClass, Uniform, Workload

GOOD = """
title = "mine"
source = "a test"
[[class]]
[class.prompt]
law = "uniform"
least = 2
greatest = 6
[class.output]
law = "geometric"
mean = 50
"""


def test_each_file_of_the_folder_is_a_shipped_workload() -> None:
    files = (Path(workloads.__file__).parent / "data").glob("*.toml")
    assert workloads.names() == sorted(file.stem for file in files)


@pytest.mark.parametrize("name", workloads.names())
def test_every_shipped_workload(name: str) -> None:
    workload = workloads.load(name)
    assert workload.name == name
    assert workload.paper == name.split("-")[0]
    assert any(word in workload.source for word in ("Section", "Table", "Figure", "Appendix"))
    assert workload.probabilities.sum() == pytest.approx(1)
    assert workload.output.mean >= 1
    assert isinstance(workload.output.increasing_failure_rate().increasing, bool)
    for c in workload.classes:
        assert c.prompt is not None or c.prompt_basis
    assert workload.title in workload._repr_html_()


@pytest.mark.parametrize(
    ("name", "prompt", "output"),
    [("eb-decode-heavy", 128, 1024), ("eb-balanced", 512, 512), ("eb-prefill-heavy", 1024, 128)],
)
def test_synthetic_workloads_of_the_exclusive_batching_paper(name: str, prompt: int, output: int) -> None:
    workload = workloads.load(name)
    assert workload.prompt == Uniform(prompt // 2, prompt * 3 // 2)
    assert workload.output == Uniform(output // 2, output * 3 // 2)
    assert (workload.prompt.mean, workload.output.mean) == (prompt, output)


@pytest.mark.parametrize(
    ("name", "prompt", "output"),
    [
        ("eb-sharegpt", (1, 20448, 105), (2, 500, 280, 153)),
        ("eb-longbench", (1000, 4000, 2492), (1, 19, 11, 4)),
        ("eb-numinamath", (16, 1395, 122), (800, 3149, 1039, 228)),
        ("eb-wildchat", None, (1, 1934, 310, 245)),
    ],
)
def test_table_9(name: str, prompt: tuple[int, ...] | None, output: tuple[int, ...]) -> None:
    workload = workloads.load(name)
    law = workload.output
    assert (law.minimum, law.maximum) == output[:2]
    assert (law.mean, law.standard_deviation) == pytest.approx(output[2:], rel=1e-9)
    if prompt is None:
        with pytest.raises(InputError, match="turns per conversation"):
            _ = workload.prompt
        with pytest.raises(InputError, match="has no prompt lengths"):
            workload.sample(np.random.default_rng(0), 3)
    else:
        assert (workload.prompt.minimum, workload.prompt.maximum) == prompt[:2]
        assert workload.prompt.mean == pytest.approx(prompt[2], rel=1e-9)


def test_other_named_workloads() -> None:
    assert workloads.load("eb-geometric-256").output == Geometric(1 / 256)
    assert workloads.load("eb-geometric-256").prompt == Deterministic(1)
    assert workloads.load("eb-gamma-2").output.mean == pytest.approx(256, rel=1e-11)
    agent = workloads.load("to-rybko-stolyar-agent-1")
    assert [c.prompt for c in agent.classes] == [Poisson(32), Poisson(512)]
    assert agent.output == Poisson(32)
    assert workloads.load("to-homogeneous").prompt.mean == 129
    two = workloads.load("gr-two-class")
    assert [(c.prompt.mean, c.output.mean) for c in two.classes if c.prompt] == [(300, 1000), (3000, 400)]
    dolly = workloads.load("gr-dolly")
    assert sum(c.weight for c in dolly.classes) == 14_875
    assert {c.name: c.output.mean for c in dolly.classes}["Creative writing"] == pytest.approx(915)
    high = workloads.load("wait-high-demand")
    assert isinstance(high.output, Mixture)
    assert high.output.mean == pytest.approx((6 * 100 + 4 * 200 + 2 * 300) / 12)
    assert workloads.load("wait-lmsys").output.mean == pytest.approx(
        sum(w * (50 * i + 25.5) for i, w in enumerate([23, 11, 8, 7, 6, 4, 3, 2, 1, 1])) / 66
    )


def test_openchat_has_the_printed_quantiles() -> None:
    workload = workloads.load("rad-openchat-sharegpt4")
    assert [workload.prompt.quantile(q) for q in (0.5, 0.9)] == [1730, 5696]
    assert [workload.output.quantile(q) for q in (0.5, 0.9)] == [415, 834]


def test_openchat_printed_deviation_is_impossible() -> None:
    """With half the mass up to 415 and a tenth from 834 on, the deviation is above 120, not the printed 101.

    Whatever the mean m, the deviation is least with the half at min(m, 415), the tenth at max(m, 834).
    """
    m = np.linspace(1, 2000, 20_000)
    least = 0.5 * np.maximum(m - 415, 0) ** 2 + 0.1 * np.maximum(834 - m, 0) ** 2
    assert np.sqrt(least.min()) > 120
    assert workloads.load("rad-openchat-sharegpt4").output.standard_deviation > 120


def test_samples_of_classes() -> None:
    workload = workloads.load("wait-nested")
    sample = workload.sample(np.random.default_rng(1), 20_000)
    assert (sample.prompt_lengths == 10).all()
    assert (sample.output_lengths == np.array([20, 40, 80, 160])[sample.classes]).all()
    np.testing.assert_allclose(np.bincount(sample.classes) / 20_000, workload.probabilities, atol=0.015)
    assert workload.sample(np.random.default_rng(1), 0).classes.shape == (0,)
    with pytest.raises(InputError, match="count is -1"):
        workload.sample(np.random.default_rng(1), -1)
    with pytest.raises(InputError, match="Generator"):
        workload.sample(1, 5)  # type: ignore[arg-type]


def test_workloads_made_by_hand() -> None:
    one = RequestClass("a", 1, Deterministic(3), Geometric(0.5))
    workload = Workload("w", "mine", "", "a test", "", (one,))
    assert (workload.prompt.mean, workload.output.mean) == (3, 2)
    with pytest.raises(InputError, match="no class of requests"):
        Workload("w", "mine", "", "a test", "", ())
    with pytest.raises(InputError, match="weight is 0"):
        RequestClass("a", 0, Deterministic(3), Geometric(0.5))
    with pytest.raises(InputError, match="output of class 'a' is None"):
        RequestClass("a", 1, Deterministic(3), None)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="prompt of class 'a' is 3"):
        RequestClass("a", 1, 3, Geometric(0.5))  # type: ignore[arg-type]


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(GOOD)
    for given in (path, str(path)):
        workload = workloads.load(given)
        assert (workload.name, workload.prompt, workload.output.mean) == ("mine", Uniform(2, 6), 50)


LAW_TABLES = {
    'law = "deterministic"\nlength = 3': 3.0,
    'law = "geometric"\nsuccess = 0.25': 4.0,
    'law = "poisson"\nrate = 3.0\nform = "shifted"': 4.0,
    'law = "gamma"\nshape = 2.0\nmean = 40': 40.0,
    'law = "gamma"\nshape = 1\nrate = 0.6931471805599453': 2.0,
    'law = "negative-binomial"\nsize = 2\nmean = 40': 40.0,
    'law = "negative-binomial"\nsize = 2\nsuccess = 0.5': 3.0,
    'law = "shifted-exponential"\nshift = 5\nmean = 40': 40.0,
    'law = "shifted-exponential"\nshift = 5\nrate = 0.6931471805599453': 7.0,
    'law = "empirical"\nlengths = [1, 3]\ncounts = [1, 1]': 2.0,
    'law = "empirical"\nsample = [3, 1, 3, 1]': 2.0,
    'law = "binned"\nedges = [1, 4, 6]\nweights = [1, 0]': 2.0,
    'law = "maximum-entropy"\nleast = 1\ngreatest = 9\nmean = 4': 4.0,
    'law = "maximum-entropy"\nleast = 1\ngreatest = 9\nmean = 4\nstandard_deviation = 2': 4.0,
}


@pytest.mark.parametrize("table", LAW_TABLES)
def test_every_law_in_toml(tmp_path: Path, table: str) -> None:
    path = tmp_path / "w.toml"
    path.write_text(f'title = "t"\nsource = "s"\n[[class]]\n[class.output]\n{table}\n')
    assert workloads.load(path).output.mean == pytest.approx(LAW_TABLES[table], rel=1e-12)


def test_unknown_names_come_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="unknown workload 'eb-sharegtp'; nearest: eb-sharegpt"):
        workloads.load("eb-sharegtp")
    with pytest.raises(UnknownNameError, match="nearest: "):
        workloads.load("")
    with pytest.raises(InputError, match="by name or path, not by a int"):
        workloads.load(3)  # type: ignore[arg-type]


def replaced(old: str, new: str) -> str:
    assert old in GOOD
    return GOOD.replace(old, new)


BAD_FILES = [
    ("title = ", "at line 1, column 9"),
    ('title = "t"\nsource = [', "at line 2, column 11"),
    ('title = "t"\nsource = = 3', "at line 2, column 10"),
    ("", r"no \[\[class\]\] table"),
    ("class = 3", r"no \[\[class\]\] table"),
    (replaced('title = "mine"\n', ""), "title is missing"),
    (replaced('title = "mine"', "title = 3"), "title is 3; it must be a string"),
    (replaced("[[class]]", "colour = 1\n[[class]]"), "unknown key 'colour'"),
    (replaced("[[class]]", "[[class]]\nsize = 1"), "class 1: unknown key 'size'"),
    (replaced("[[class]]", "[[class]]\nweight = -1"), "class 1: weight is -1"),
    (replaced("[[class]]", '[[class]]\nweight = "a"'), "class 1: weight is 'a'"),
    (replaced('law = "uniform"\n', ""), "class 1, prompt: law is missing"),
    (replaced('"uniform"', '"unifrom"'), r"unknown law \(.*prompt\) 'unifrom'; nearest: uniform"),
    (replaced("least = 2", "lowest = 2"), "uniform has greatest, lowest; it takes least, greatest"),
    (replaced("least = 2", "least = 0"), "class 1, prompt: least is 0"),
    (replaced("least = 2", "least = []"), "class 1, prompt: least is"),
    (replaced("mean = 50", "mean = nan"), "class 1, output: mean is nan"),
    (replaced("mean = 50", "mean = 50\nsuccess = 0.1"), "it takes mean or success"),
    (replaced('law = "geometric"\nmean = 50', 'law = "binned"\nedges = 3\nweights = 4'), "wrong type"),
    (GOOD + "[[class]]\n[class.output]\nlaw = 'geometric'\nmean = 5\n", "name is missing"),
    (GOOD.split("[class.output]")[0], "no .class.output. table"),
    ('title = "t"\nsource = "s"\n[[class]]\noutput = 3', "output: must be a table"),
]


@pytest.mark.parametrize(("text", "message"), BAD_FILES)
def test_bad_files(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text)
    with pytest.raises(QTheoryError, match=message) as caught:
        workloads.load(path)
    assert "bad.toml" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        workloads.load(tmp_path / "none.toml")
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="not UTF-8 text at byte 0"):
        workloads.load(binary)
    with pytest.raises(InputError, match="directory"):
        workloads.load(tmp_path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = " + "[" * 100_000, "nested too deeply"),
        ("a = " + "9" * 10_000, "limit|digits"),
        (replaced("mean = 50", "mean = " + "9" * 400), "mean is inf; it must be finite"),
        (replaced("mean = 50", "mean = 1979-05-27"), "must be a number"),
        (replaced("least = 2", 'least = "2"'), "must be a number"),
    ],
    ids=["nested", "digits", "huge", "date", "text"],
)
def test_hostile_files(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "hostile.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=message) as caught:
        workloads.load(path)
    assert len(str(caught.value)) < 1000


def test_null_byte_in_a_path() -> None:
    with pytest.raises(InputError, match="null"):
        workloads.load("a\0b.toml")


def test_doctest() -> None:
    assert doctest.testmod(workloads).failed == 0
    assert doctest.testmod(workloads).attempted > 0


def test_every_truncation_is_refused_or_read(tmp_path: Path) -> None:
    """Cut anywhere, a file is either still a workload or refused by the library's own error."""
    path = tmp_path / "cut.toml"
    outcomes = set()
    for end in itertools.chain(range(0, len(GOOD), 3), [len(GOOD)]):
        path.write_text(GOOD[:end])
        try:
            outcomes.add(type(workloads.load(path)).__name__)
        except QTheoryError:
            outcomes.add("refused")
    assert outcomes == {"Workload", "refused"}


def test_import_is_light() -> None:
    code = "import sys, qtheory.workloads; sys.exit(len({'sympy', 'matplotlib', 'scipy'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
