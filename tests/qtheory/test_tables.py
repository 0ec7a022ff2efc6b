"""Tables: their numbers against mpmath, every format read back, and LaTeX that pdflatex compiles."""

from __future__ import annotations

import csv
import dataclasses
import doctest
import io
import json
import re
import sys
import unicodedata
from html.parser import HTMLParser

import mpmath
import pytest
from drawn import PAIR, VIDUR_PAIR, pair, requests
from hypothesis import given, settings
from hypothesis import strategies as st

import qtheory as qt
from qtheory import profiles, workloads
from qtheory.errors import InputError, UnknownNameError
from qtheory.report import captions, crossover, floats, hardware, latex, regret, rules, tables, waiting
from qtheory.report.apart import label_of
from qtheory.report.inputs import fitting_profiles
from qtheory.report.table import FORMATS, LABEL, Column, Math, Note, Table, plain, rounded, within


@pytest.fixture(scope="module")
def everything() -> Table:
    return tables.eb_threshold()


# The numbers.


@pytest.mark.slow
def test_default_rows_are_all_fitting_profiles_and_the_papers_workloads(everything: Table) -> None:
    tables_of_laws = {name: profiles.load(name).law_table for name in profiles.names()}
    pairs = {name for name, law in tables_of_laws.items() if law is not None and {
        key for key, constant in law.constants.items() if constant.value is not None} == {
            "alpha_p", "beta_p", "alpha_d", "beta_d"}}
    assert set(everything.column("profile")) == pairs == {p.name for p in fitting_profiles()}
    assert {PAIR, "a100-40gb-qwen-4b", "a100-llama3-70b-tp2-vidur-pair"} <= set(everything.column("profile"))
    assert set(everything.column("workload")) == {n for n in workloads.names() if n.startswith("eb-")}
    assert set(everything.column("N")) == {64, 256, 1024}
    count = len(fitting_profiles()) * len(set(everything.column("workload"))) * 3
    assert len(everything.rows) == count


def test_every_row_against_mpmath(everything: Table) -> None:
    """(3) solved anew, and the throughput as k0 over the time of a cycle, at 30 digits."""
    with mpmath.workdps(30):
        for row in everything.to_dict()["rows"]:
            law = profiles.load(row["profile"]).law.constants
            p0 = 1 / mpmath.mpf(row["mu_O"])
            gamma = p0 * law["alpha_p"] / law["alpha_d"]
            theta = 1 + 1 / mpmath.lambertw(-mpmath.exp(-1 - gamma), -1).real
            assert abs(theta / (1 - theta) + mpmath.log(1 - theta) - gamma) < mpmath.mpf(10) ** -25
            assert row["p0"] == pytest.approx(float(p0), rel=1e-14)
            assert row["ratio"] == pytest.approx(float(gamma), rel=1e-14)
            assert row["theta0"] == pytest.approx(float(theta), rel=1e-12)
            assert row["zeta"] == pytest.approx(float(-mpmath.log(1 - theta)), rel=1e-12)
            k0 = int(mpmath.floor(theta * row["N"]))
            assert row["k0"] == k0
            if row["mu_L"] is None or k0 == 0:
                assert row["throughput"] is None
                continue
            decode = (law["beta_d"] * k0 - law["alpha_d"] * mpmath.log(1 - mpmath.mpf(k0) / row["N"])) / p0
            prefill = law["alpha_p"] + law["beta_p"] * k0 * row["mu_L"]
            assert row["throughput"] == pytest.approx(float(k0 / (decode + prefill)), rel=1e-12)


@settings(derandomize=True, max_examples=60, deadline=None)
@given(st.floats(1e-5, 10), st.floats(0, 1e-2), st.floats(1e-5, 10), st.floats(0, 1e-2), st.floats(1, 1e5),
       st.integers(1, 10**5), st.integers(1, 10**6))
def test_laws_of_the_table(alpha_p: float, beta_p: float, alpha_d: float, beta_d: float, mean: float, prompt: int,
                           batch: int) -> None:
    table = tables.eb_threshold([pair(alpha_p, beta_p, alpha_d, beta_d)], [requests(mean, prompt)], [batch])
    (row,) = table.to_dict()["rows"]
    assert 0 < row["theta0"] < 1 and row["zeta"] > row["theta0"]
    assert 0 <= row["k0"] < batch and row["k0"] <= row["theta0"] * batch
    assert (row["throughput"] is None) == (row["k0"] == 0)
    if row["throughput"] is not None:  # no more than when a phase's fixed times were free, or its tokens were
        tokens = beta_p * prompt + beta_d / row["p0"]
        assert 0 < row["throughput"] <= row["k0"] / alpha_p
        assert row["throughput"] * tokens <= 1 + 1e-12
    assert all(table.render(form) for form in FORMATS)


def test_a_threshold_that_rounds_to_one_stays_below_the_batch_size() -> None:
    table = tables.eb_threshold([pair(1e18, 0, 1e-3, 0)], [requests(1, 5)], [1, 64])
    assert table.column("theta0") == (1.0, 1.0) and table.column("k0") == (0, 63)


def test_no_prompt_length_or_no_threshold_gives_no_throughput() -> None:
    table = tables.eb_threshold([PAIR], ["eb-wildchat", "eb-sharegpt"], [8, 64])
    assert table.column("k0")[2:] == (0, 4)
    assert [value is None for value in table.column("throughput")] == [True, True, True, False]


def test_what_leaves_the_laws_range_is_marked() -> None:
    table = tables.eb_threshold([PAIR], ["eb-balanced"], [64, 256])  # 3 and 13 prompts of 512 tokens; law to 2048
    assert table.column("extrapolated") == (False, True)
    assert "12.8ᵃ" in table.render("md") and "4.59ᵃ" not in table.render("md")
    assert r"12.8{\textsuperscript{a}}" in table.render("latex") and "outside the range" in table.render("html")
    inside = tables.eb_threshold([PAIR], ["eb-balanced"], [64])
    assert "outside the range" not in "".join(inside.render(form) for form in FORMATS)


def test_the_mark_begins_right_after_the_laws_range() -> None:
    """512 tokens a prompt, a law up to 2048: four prompts are inside; five, or 2049 requests, are not."""
    table = tables.eb_threshold([PAIR], ["eb-balanced"], [*range(70, 110), 2048])
    marks = {(row["N"], row["k0"]): row["extrapolated"] for row in table.to_dict()["rows"]}
    assert {k for _, k in marks} >= {3, 4, 5}
    assert all(mark is (k > 4) for (N, k), mark in marks.items() if N < 2048)
    short = requests(20.0, 1)
    law = profiles.load(PAIR).law_table
    assert law is not None and law.tokens_max == 2048
    few = tables.eb_threshold([PAIR], [short], [2047, 2048, 2049, 4096]).column("extrapolated")
    assert few == (False, False, True, True)


@settings(derandomize=True, max_examples=300, deadline=None)
@given(st.floats(1e-12, 1e15), st.integers(2, 8))
def test_rounding_keeps_the_digits(value: float, digits: int) -> None:
    text = rounded(value, digits)
    mantissa = text.split("e")[0].replace(".", "").lstrip("0")
    assert len(mantissa) >= digits and abs(float(text) - value) <= 0.5000001 * 10.0 ** (1 - digits) * value
    assert float(rounded(value, digits, trim=True)) == float(text)


@pytest.mark.parametrize(("value", "digits", "trim", "text"), [
    (0.04131, 3, False, "0.0413"), (9.996, 3, False, "10.0"), (1024.0, 3, True, "1024"), (512.0, 4, True, "512"),
    (279.99999999999994, 4, True, "280"), (1.234e-9, 3, False, "1.23e-9"), (2.5e11, 2, True, "2.5e11"),
    (0.0, 3, False, "0"), (-0.0123, 2, False, "-0.012"),
])
def test_rounded(value: float, digits: int, trim: bool, text: str) -> None:
    assert rounded(value, digits, trim) == text


@pytest.mark.parametrize(("own", "typed"), [
    (r"the rate $\lambda^+$ of [0, 1]", r"the rate {$\lambda^+$} of {[}0, 1{]}"), (r"$x$ and $y$", "{$x$} and {$y$}"),
    ("$5 to $10", r"\$5 to \$10"), ("5 $ to 10 $", r"5 \$ to 10 \$"), ("$$", r"\$\$"), ("$x^{2}$\n", "{$x^{2}$}"),
    (r"$x = \$ 5$", r"{$x = \$ 5$}"), (r"\$5, 50\% and $a$", r"\$5, 50\% and {$a$}"),
    ('the "best" one', "the ``best'' one"),
])
def test_formulas_in_a_caption_of_ones_own(own: str, typed: str) -> None:
    assert latex.typed(own) == typed


@pytest.mark.parametrize(("own", "why"), [
    ("rates $x and more", "the $ before 'x and more' has no $ that closes it"), (r"$\$", "has no $ that closes it"),
    (r"\textbf{Ours}", r"\textbf stands outside of formulas"), ("$x^2^3$", "two ^ follow"), (r"$x_$", "nothing stands"),
    (r"$\frac{a$", "a { is not closed"), (r"$\frac a b$", r"braces are needed behind \frac"), ("$a}b{$", "a } closes"),
    (r"$\left( x$", r"a \left has no \right"), (r"$x \right)$", r"a \right has no \left"), (r"$a & b$", "& cannot"),
    (r"$x_\frac{1}{2}$", "braces are needed behind _"), ("$θ$", r"such as \theta"), (r"$\sqrt[3$", "a [ is not closed"),
    (r"$\begin{matrix}a\end{matrix}$", r"\begin cannot stand"), (r"$\text{a_b}$", r"cannot stand in \text"),
    (r"$\load$", "is no command that a whole document knows")])
def test_a_caption_that_would_not_compile_is_refused_in_a_line(own: str, why: str) -> None:
    with pytest.raises(InputError, match=re.escape(why)):
        captions.require(own, whole=True)
    captions.require(r"Our $\load$, $\frac{x'^2}{\sqrt[3]{y_{i}}}$, $\left[\hat{x}_1\right)$")


def test_the_docstrings_example() -> None:
    assert doctest.testmod(tables) == (0, 3)


# Provenance.


def test_the_caption_names_profile_source_engine_and_version() -> None:
    for form in ("latex", "md", "html", "json"):
        text = re.sub(r"\\allowbreak{}|\\(?=[_*])", "", qt.tables.eb_threshold([PAIR], ["eb-sharegpt"]).render(form))
        for part in (PAIR, "arXiv:2602.02987v1", "Section 6.1", "vLLM 0.11.0", f"qtheory {qt.__version__}", "Table 9"):
            assert part in text, (form, part)


@pytest.mark.parametrize("name", ["capacity", "regret", "rad-capacity", "profiles"])
def test_every_table_of_a_profile_names_it_and_its_source(name: str) -> None:
    asked = {"workloads": ["eb-sharegpt"]} if "workloads" in tables.find(name).takes else {}
    caption = plain(tables.build(name, ["h100-llama-8b-vllm-kernels"], **asked).caption)
    assert "Profile: h100-llama-8b-vllm-kernels (Llama-3.1-8B, " in caption and " from measurements " in caption
    assert ("Workload eb-sharegpt from " in caption) == bool(asked)


def test_labels_of_other_names_are_others() -> None:
    asked = [(), ("a-b",), ("a_b",), ("a.b",), ("a b",), ("a/b",), ("a+b",), ("a", "b"), ("a", "-b"), ("ab",), ("",),
             ("-",), ("", ""), ("\u00e9",), ("\u00ea",), ("a" * 99,), ("a" * 98,), ("a" * 98, "b"), ("a" * 98 + " b",)]
    made = [label_of("tab:x", *names) for names in asked]
    assert len(set(made)) == len(made) and all(re.fullmatch(LABEL, one) for one in made)
    assert made[:3] == ["tab:x", "tab:x-a-b", "tab:x-a_b"] and made[7] == "tab:x-a+b"
    assert re.fullmatch(r"tab:x-a-b:[0-9a-f]{8}", made[4]) and re.fullmatch(r"tab:x:[0-9a-f]{8}", made[15])


@pytest.mark.slow
def test_title_and_label_say_what_was_asked_for() -> None:
    """Two tables of a kind in one paper are told apart; what is left to its default is not told."""
    asked = [
        tables.eb_threshold([PAIR], ["eb-sharegpt"]), tables.eb_threshold([VIDUR_PAIR], ["eb-sharegpt"]),
        tables.eb_threshold([VIDUR_PAIR], ["eb-sharegpt"], intervals=True), tables.eb_threshold(batch=[64]),
        tables.eb_threshold([PAIR], workloads.names()), tables.eb_threshold(), tables.profiles([PAIR]),
        tables.profiles([VIDUR_PAIR]),
    ]
    for tell in (lambda t: t.title, lambda t: t.label):
        assert len({tell(one) for one in asked}) == len(asked)
    assert all(one.labelled(one.label) == one for one in asked)  # which a LaTeX reference can name
    titles = [one.title.partition(": ")[2] for one in asked]
    assert titles[:2] == [f"{PAIR}; eb-sharegpt", f"{VIDUR_PAIR}; eb-sharegpt"] and titles[2].endswith("with intervals")
    assert titles[3:6] == ["N = 64", f"{PAIR}; {len(workloads.names())} workloads", ""]
    assert asked[0].label == f"tab:eb-threshold-{PAIR}+eb-sharegpt" and asked[5].label == "tab:eb-threshold"
    once = (p for p in [PAIR])
    assert tables.eb_threshold(once, iter(["eb-sharegpt"]), iter((64, 256, 1024))) == asked[0]


def test_each_row_of_the_data_carries_its_provenance(everything: Table) -> None:
    for row in csv.DictReader(io.StringIO(everything.render("csv"))):
        assert row["profile_source"] and row["workload_source"] and row["gpu"] and row["qtheory"] == qt.__version__


# The formats, read back.


def test_csv_and_json_hold_the_full_precision(everything: Table) -> None:
    names = [column.name for column in everything.columns]
    data = json.loads(everything.render("json"))
    assert [tuple(row[name] for name in names) for row in data["rows"]] == list(everything.rows)
    assert {c["name"]: c["unit"] for c in data["columns"]}["throughput"] == "requests/s"
    header, *lines = csv.reader(io.StringIO(everything.render("csv")))
    assert header[names.index("throughput")] == "throughput [requests/s]"
    for line, row in zip(lines, everything.rows, strict=True):
        for field, value in zip(line, row, strict=True):
            if isinstance(value, bool):
                assert field == str(value).lower()
            elif isinstance(value, float):
                assert float(field) == value
            else:
                assert field == ("" if value is None else str(value))


def test_markdown_has_one_cell_a_column(everything: Table) -> None:
    hostile = dataclasses.replace(everything, rows=(("a|b", "*c*\n_d_", *everything.rows[0][2:]),))
    for table in (everything, hostile):
        lines = [line for line in table.render("md").splitlines() if line.startswith("|")]
        assert len(lines) == 2 + len(table.rows)
        assert {len(re.findall(r"(?<!\\)\|", line)) for line in lines} == {1 + sum(c.printed for c in table.columns)}


class Cells(HTMLParser):
    """Counts the cells of each row, and holds the text; fails on tags that do not nest."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.rows: list[int] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "br":
            return
        self.open.append(tag)
        if tag == "tr":
            self.rows.append(0)
        if tag in ("td", "th"):
            self.rows[-1] += int(dict(attrs).get("colspan") or 1)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_html_nests_and_escapes(everything: Table) -> None:
    hostile = dataclasses.replace(everything, rows=(("<b>&", '"x"', *everything.rows[0][2:]),))
    for table in (everything, hostile):
        cells = Cells()
        cells.feed(table._repr_html_())
        assert cells.open == [] and set(cells.rows) == {9}
        assert all(str(name) in cells.text for name in table.column("profile"))


def test_data_frame() -> None:
    pytest.importorskip("pandas", reason="pandas is not installed")
    table = tables.eb_threshold([PAIR], ["eb-sharegpt"])
    frame = table.to_pandas()
    assert list(frame.columns) == [column.name for column in table.columns]
    assert frame["theta0"].tolist() == list(table.column("theta0"))
    assert frame.attrs["units"]["mu_O"] == "tokens"


def test_data_frame_without_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(InputError, match="needs pandas"):
        tables.eb_threshold([PAIR], ["eb-sharegpt"]).to_pandas()


# Bad input.


@pytest.mark.parametrize(("arguments", "error", "message"), [
    ({"profiles": ["h200"]}, InputError, r"h200 has no iteration-time law; .*these have: .*a100-40gb-qwen-8b"),
    ({"profiles": ["a100-tiles"]}, InputError, "a100-tiles has the law staircase without tile_time"),
    ({"profiles": ["a100-40gb-qwen-8b-mixed"]}, InputError, "has the law affine; the table needs a prefill_decode"),
    ({"profiles": ["a100-40gb-qwen"]}, UnknownNameError, "nearest: a100-40gb-qwen-"),
    ({"workloads": ["eb-sharegtp"]}, UnknownNameError, "nearest: eb-sharegpt"),
    ({"profiles": PAIR}, InputError, "must be a list"),
    ({"workloads": "eb-sharegpt"}, InputError, "must be a list"),
    ({"profiles": pair(1, 0, 1, 0)}, InputError, r"profiles is 'drawn'; it must be a list, such as \['drawn'\]"),
    ({"profiles": ["eb-sharegpt"]}, InputError, "is a workload, and stands where a profile is wanted"),
    ({"workloads": [PAIR]}, InputError, "is a profile, and stands where a workload is wanted"),
    ({"batch": []}, InputError, "batch is empty"),
    ({"batch": 64}, InputError, "must be a list"),
    ({"batch": [0]}, InputError, "batch is 0; it must be at least 1"),
    ({"batch": [1.5]}, InputError, "must be an integer"),
    ({"batch": [float("nan")]}, InputError, "must be finite"),
    ({"profiles": [pair(0.0, 1e-5, 0.01, 0)]}, InputError, "profile drawn, workload eb-balanced: alpha_p must be"),
    ({"profiles": [pair(1, 0, 1, 0), pair(2, 0, 1, 0)]}, InputError, "two different profiles have the name 'drawn'"),
])
def test_bad_input(arguments: dict[str, object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message) as caught:
        tables.eb_threshold(**arguments)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


def test_the_table_itself_refuses_what_it_cannot_print() -> None:
    column = Column("x", "x", "x", digits=3)
    for columns, rows, message in (
        ((column, column), (), "two columns of one name"),
        ((column,), ((1.0, 2.0),), "row 0 has 2 values for 1 columns"),
        ((column,), ((1.0,), (float("nan"),)), "row 1 has x = nan"),
    ):
        with pytest.raises(InputError, match=message):
            Table("t", "T", (), "tab:t", columns, rows, "0")
    table = Table("t", "T", (), "tab:t", (column,), ((1.0,),), "0")
    with pytest.raises(UnknownNameError, match="table format 'pdf'"):
        table.render("pdf")
    with pytest.raises(UnknownNameError, match="column of t"):
        table.column("y")


def test_repeated_names_count_once() -> None:
    once = tables.eb_threshold([PAIR], ["eb-sharegpt"], [64])
    assert tables.eb_threshold([PAIR, PAIR], ["eb-sharegpt", "eb-sharegpt"], [64, 64]) == once


# LaTeX.


@pytest.mark.slow
@settings(derandomize=True, max_examples=200, deadline=None)
@given(st.text())
def test_escaped_text_has_no_bare_special_character(text: str) -> None:
    escaped = latex.escape(text)
    known = re.sub(r"\\[#$%&_{}]|\\ensuremath{[^{}]*}", "", escaped)
    assert not re.search(r"[#$%&_^]", known)
    depth = 0
    for brace in re.findall(r"(?<!\\)[{}]", escaped):
        depth += 1 if brace == "{" else -1
        assert depth >= 0
    assert depth == 0 and "\n" not in escaped


@pytest.mark.slow
def test_superscripts_and_subscripts_stay_above_and_below_the_line() -> None:
    kinds = {c: unicodedata.decomposition(c).split() for c in map(chr, range(sys.maxunicode + 1))}
    raised = {c: said for c, said in kinds.items() if said[:1] in (["<super>"], ["<sub>"])}
    assert set("²³¹ⁿ⁻₀₉ᵢₖ") < raised.keys()
    for character, (kind, *letters) in raised.items():
        plain = latex.escape("".join(chr(int(c, 16)) for c in letters))
        said = rf"\text{kind[1:-1]}script{{{plain}}}"
        assert latex.escape(f"ρ{character}/2") == latex.escape("ρ") + said + latex.escape("/2")


@pytest.mark.parametrize("intervals", [False, True])
def test_captions_speak_of_what_is_printed_beside_the_ends_of_intervals(intervals: bool) -> None:
    """Ends have names of their own, and what stays in the data formats is not explained."""
    memory = tables.eb_memory([VIDUR_PAIR], ["eb-sharegpt"], [64], intervals=intervals)
    names = {c.name for _, c in memory.printed()}
    assert ({"reserve", "deviation", "exceeds"} <= names) == ("reserve R =" in plain(memory.caption)) != intervals
    crossover = plain(tables.eb_crossover([VIDUR_PAIR], ["eb-sharegpt"], [64], intervals=intervals).caption)
    assert ("left-hand side of (7) as Δ±, of its right-hand side as B±" in crossover) == intervals
    assert ("throughputs that it compares" in crossover) != intervals


@pytest.mark.parametrize("intervals", [False, True])
def test_a_caption_speaks_of_zeta_where_the_column_is_printed(intervals: bool) -> None:
    table = tables.eb_threshold([VIDUR_PAIR], ["eb-sharegpt"], [64], intervals=intervals)
    assert any(c.name == "zeta" for _, c in table.printed()) == ("ζ =" in plain(table.caption)) != intervals


def test_a_mark_is_explained_where_its_column_is_printed() -> None:
    columns = (Column("a", "a", "a"), Column("b", "b", "b", printed=False),
               Column("when", "when", "when", printed=False))
    notes = tuple(Note(name, "when", (f"of {name}",)) for name in "ab")
    table = Table("t", "T", (), "tab:t", columns, ((1.0, 2.0, True),), "0", notes=notes)
    assert [plain(one) for one in table.remarks()] == ["ᵃ of a"]


def test_marks_are_letters_on_words_and_numbers_and_exponents_are_raised() -> None:
    columns = (Column("a", "a", "a", text=True), Column("b", "b", "b", text=True, share=0.3),
               Column("when", "when", "when", printed=False), Column("never", "never", "never", printed=False))
    notes = (Note("b", "never", ("never",)), Note("a", "when", ("first",)))
    set_in = Table("t", "T", (), "tab:t", columns, (("MB", "3.6 × 10^-5, x^2", True, False),), "0", notes=notes)
    assert r"MB{\textsuperscript{a}} & 3.6 \ensuremath{\times} 10\ensuremath{^{-5}}, " in set_in.render("latex")
    assert r"x\allowbreak\textasciicircum{}2" in set_in.render("latex")
    assert r"\textsuperscript{a} first" in set_in.to_latex(caption="short")
    assert [hardware.mark(i) for i in (0, 1, 24, 25)] == ["ᵃ", "ᵇ", "ᶻ", "ᵃᵃ"]


def test_a_table_over_both_columns_uses_the_width_that_it_has() -> None:
    numbers = tuple(Column(name, name, name) for name in "abcdefghi")
    plain_ = Table("t", "T", (), "tab:t", numbers, ((1234567.0,) * 9,), "0")
    gap = {name: float(re.search(r"tabcolsep}{([\d.]+)pt", plain_.to_latex(document_class=name))[1])
           for name in ("article", "IEEEtran")}
    assert gap["article"] == 2 and 3 < gap["IEEEtran"] <= 6
    words = tuple(Column(name, name, name, text=True, share=0.18) for name in "abcd")
    for name in ("article", "IEEEtran"):
        set_in = Table("t", "T", (), "tab:t", words, (("x",) * 4,), "0").to_latex(document_class=name)
        assert 0.88 < sum(map(float, re.findall(r"p{([\d.]+)\\linewidth}", set_in))) < 0.95


@pytest.mark.parametrize(("words", "set_as"), [
    (r"For all \(\lambda\), $\frac{\lambda}{\mu} < 1$, 50% of lam/mu",
     r"For all $\lambda$, $\frac{\lambda}{\mu} < 1$, 50\% of "
     r"\ensuremath{\lambda}/\allowbreak{}\ensuremath{\mu}"),
    (r"\frac{\lambda}{\mu} < 1.", r"$\frac{\lambda}{\mu} < 1$."),
    (r"Then \[ \log x \leqslant \dfrac12. \]", r"Then $\log x \le \frac{1}{2}.$"),
    (r"Then \begin{align*} x &= y \\[2pt] &\le z \nonumber \\ u & > 0. \end{align*}",
     r"Then $x = y$ $\le z$ $\quad u > 0.$"),
    (r"\[ a $ b \]", r"\textbackslash{}{[} a \$ b \textbackslash{}{]}"),
    (r"\[ \input{x} \]", r"\textbackslash{}{[} \textbackslash{}input\{x\} \textbackslash{}{]}"),
    ("66:43, 1", r"66:\allowbreak{}43, 1"),
    (r"whose rate has \mu", r"whose rate has \textbackslash{}mu"),
    (r"$\foo$ and 5 $", r"\$\textbackslash{}foo\$ and 5 \$"),
    ("lam = 1/2, x = -3; t in [1, 2]", r"$\lambda = 1/\allowbreak{}2$, $x = -3$; t in {[}1, 2{]}")])
def test_what_a_note_types_as_formulas_is_set_as_such(words: str, set_as: str) -> None:
    told = Column("a", "a", "a", text=True, share=0.3, formulas=True)
    assert f"\n{set_as} \\\\\n" in Table("t", "T", (), "tab:t", (told,), ((words,),), "0").to_latex()


def test_the_page_before_the_last_stays_full_where_the_notes_have_no_room() -> None:
    rows = [floats.Rows("", (str(i),), 10) for i in range(50)]
    assert [len(piece) for piece in floats.cut(rows, 500, 100)] == [42, 8]
    assert [len(piece) for piece in floats.cut(rows, 500, 0)] == [50]
    assert [len(piece) for piece in floats.cut(rows[:6], 60, 40)] == [3, 2, 1]  # notes that leave room for a row or two


def test_no_column_is_headed_by_the_number_of_an_equation() -> None:
    modules = (crossover.COLUMNS, regret.COLUMNS, rules.COLUMNS, waiting.EQUILIBRIUM_COLUMNS, waiting.MEMORY_COLUMNS)
    assert not [c for columns in modules for c in columns if re.search(r"\(\d", plain((c.heading,)))]


def test_numbers_are_aligned_by_their_own_widths() -> None:
    columns = (Column("a", Math("a", "a"), "a", digits=3), Column("b", Math("b", "b"), "b", unit="s", digits=2))
    table = Table("t", "T", (), "tab:t", columns, ((12.3, -1e-9), (0.0456, None)), "0")
    assert r"S[table-format=2.4]S[table-format=-1.1e-1]" in table.render("latex")
    assert "{--}" in table.render("latex")


@pytest.mark.parametrize(("value", "half_width", "text"), [
    (0.07153, 0.0042, "0.072"), (12.345, 0.12, "12.35"), (9.73, 0.15, "9.73"), (0.99996, 0.0012, "1.0000"),
    (1234.6, 120.0, "1230"), (3.4e-9, 1.2e-10, "3.40e-9"), (0.0, 0.2, "0.00"), (61.22, 8.0, "61"), (5.0, 0.96, "5.0"),
    (-0.034, 0.021, "-0.034"),
])
def test_numbers_are_rounded_to_what_their_intervals_allow(value: float, half_width: float, text: str) -> None:
    assert within(value, half_width) == text


@settings(derandomize=True, max_examples=200, deadline=None)
@given(st.floats(-1e9, 1e9), st.floats(1e-6, 1e6))
def test_rounding_moves_a_number_by_a_small_part_of_its_interval(value: float, half_width: float) -> None:
    assert abs(float(within(value, half_width)) - value) <= 0.15 * half_width


def test_a_tables_ends_are_rounded_with_their_number() -> None:
    table = tables.eb_threshold([VIDUR_PAIR], ["eb-sharegpt"], [64], intervals=True)
    shown = {c.name: table.shown(0, i) for i, c in enumerate(table.columns)}
    assert [shown[f"theta0{end}"] for end in ("_low", "", "_high")] == ["0.0659", "0.0677", "0.0695"]
    assert shown["k0"] == "4" and shown["mu_O"] == "280"
    crossed = tables.eb_crossover([VIDUR_PAIR, PAIR], ["eb-sharegpt"], [64]).to_dict()["rows"]
    assert crossed[0]["gap_low"] < crossed[0]["gap"] < crossed[0]["gap_high"] and crossed[1]["gap_low"] is None


def test_the_profiles_table_holds_every_constant_with_its_interval_and_source() -> None:
    table = tables.profiles()
    rows = table.to_dict()["rows"]
    known = {p.name: p.law_table for p in map(profiles.load, profiles.names()) if p.law_table}
    assert {(r["profile"], r["constant"]) for r in rows} == {(n, c) for n, law in known.items() for c in law.constants}
    for row in rows:
        constant = known[row["profile"]].constants[row["constant"]]
        assert row["value"] == constant.value and row["unit"] == constant.unit and row["profile_source"]
        low, high = constant.interval or (None, None)
        factor = {"ms": 1e-3, "µs": 1e-6, "ns": 1e-9}.get(row["shown_unit"].split("/")[0], 1.0)
        for end, value in (("_low", low), ("", constant.value), ("_high", high)):
            shown = row[f"shown{end}"]
            assert shown is None if value is None else shown * factor == pytest.approx(value)
    mine = tables.build("profiles", [VIDUR_PAIR])
    assert set(mine.column("profile")) == {VIDUR_PAIR} and mine.render("latex").count(r"\alpha_{p}") == 1
    with pytest.raises(InputError, match="profiles takes no --workload; it takes --profile"):
        tables.build("profiles", workloads=["eb-sharegpt"])


EVIL = "\x1b[2J\nstable\u202e\u2066\x7f|<b>&lt;"


@pytest.mark.parametrize("form", ["md", "csv", "html", "json"])
def test_words_of_files_cannot_pretend(everything: Table, form: str) -> None:
    """In cells and captions what cannot be seen is spelled out; JSON says the same data."""
    hostile = dataclasses.replace(everything, rows=((EVIL, EVIL, *everything.rows[0][2:]),), caption=(f"by {EVIL}",))
    text = hostile.render(form)
    assert all(line.isprintable() and not line.startswith("stable") for line in text.split("\n"))
    if form == "json":
        assert json.loads(text)["rows"][0]["profile"] == EVIL
        return
    shown = {"csv": r"\x1b[2J\nstable\u202e\u2066\x7f|<b>&lt;",
             "md": r"\\x1b\[2J stable\\u202e\\u2066\\x7f\|\<b\>\&lt;",
             "html": r"\x1b[2J stable\u202e\u2066\x7f|&lt;b&gt;&amp;lt;"}
    assert text.count(shown[form]) >= 2


def test_what_cells_show_now_stays(everything: Table) -> None:
    assert r"k0\*" in everything.render("md") and "&" not in everything.render("md")


def test_columns_left_out_for_one_reason_are_told_in_one_sentence() -> None:
    columns = (Column("section", "section", "of the paper", text=True), Column("a", "a", "of these, a"),
               Column("b", "b", "per second"), Column("c", "c", "of these, c"), Column("d", "d", "of these, d"))
    table = Table(name="t", title="T", caption=("T",), label="t", columns=columns, version="0",
                  rows=(("1", 0, 0, 3, None), ("2", 0, 0, 4, None)))
    assert [c.name for _, c in table.printed()] == ["section", "c"]
    told = ["".join(map(str, remark)) for remark in table.remarks()]
    assert told == ["Left out: a, b (per second), 0 in every row.", "Left out: d, with no value in any row."]
    assert all(line in table.render("md") for line in told)
