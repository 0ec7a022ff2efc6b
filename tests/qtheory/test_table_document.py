"""Every table and the macros in one document that pdflatex compiles: no line too wide, every printed number in it."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from drawn import PAIR, VIDUR_PAIR, pair, requests

from qtheory import workloads
from qtheory.proofs.corpus import papers
from qtheory.report import floats, latex, slai, stability_map, tables
from qtheory.report.macros import macros
from qtheory.report.table import Table
from qtheory.workloads import Trace, Workload

Once = Callable[[str, Callable[[], Any]], Any]
OVERFULL = 3.0  # points that a line may stick out
HOSTILE = r"[A] 100% & \ ~^_#${}<>|`*' τ Ω ∞ é 中"


def hostile() -> Table:
    drawn = [pair(0.02, 1e-4, 0.03, 0, "slow", gpu=HOSTILE), pair(0.01, 1e-4, 0.02, 1e-5)]
    loads = [requests(100, 7, "*[1] %_#&$", source=r"C:\trace_{1}.csv, 50% of it"), requests(200, None, "β-load")]
    return replace(tables.eb_threshold(drawn, loads, [16, 10**6]), label="tab:hostile")


def extreme() -> Table:
    """Numbers of any size: it may be wider than a page, but compiles."""
    drawn = [pair(1e-9, 0, 10, 0, "slow"), pair(0.5, 1e-4, 1e-3, 1e-5)]
    loads = [requests(1e5, 7, "long"), requests(1, 7, "short")]
    return replace(tables.eb_threshold(drawn, loads, [2, 10**6]), label="tab:extreme")


def recorded() -> Workload:
    """A trace, which the table of traces has no default for."""
    rng = np.random.default_rng(0)
    trace = Trace(rng.integers(1, 9000, 500), rng.geometric(0.01, 500), np.cumsum(rng.exponential(0.5, 500)))
    return replace(workloads.load("eb-sharegpt"), name="recorded_trace_2023", trace=trace)


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory, tex: Callable[[], None], built: Callable[[str], Table],
            once: Once) -> list[Table]:
    """Where they cannot be set none is made."""
    tex()
    made: list[Table] = once("printed tables", lambda: every(tmp_path_factory.mktemp("clients"), built))
    return made


def every(clients: Path, built: Callable[[str], Table]) -> list[Table]:
    """Each table by name as a user asks for it, and some of one profile; less of eb-memory, slai and to-map, which
    simulate."""
    short = tables.eb_threshold([PAIR], ["eb-sharegpt", "eb-wildchat"], [64, 1024])
    intervals = tables.eb_threshold([VIDUR_PAIR], (), [64, 1024], intervals=True)
    memory = tables.eb_memory([PAIR], ["eb-sharegpt", "eb-longbench", "eb-long-context"], [64, 1024])
    (clients / "chunk-17-trace.csv").write_text("0,0.5,1.2,Gamma,1,1\n600,400,90.5,Weibull,1,1\n1200,0,0,,0,0\n")
    long = ("eb-memory", "clients", "traces", "regret", "capacity", "rad-capacity", "slai", "to-map")
    whole = [built(name) for name in tables.names() if name not in long]
    with pytest.MonkeyPatch.context() as less:
        less.setattr(stability_map, "LENGTHS", (128, 640))
        whole.append(tables.build("to-map"))
    whole += [tables.rad_capacity(["a100-llama3-70b-tp2-vidur-staircase"]), slai.table((0.05,), 2)]
    whole += [tables.traces([recorded()]), tables.clients([clients])]
    whole += [make(["b200-qwen3-30b-a3b-vllm-kernels"], ["eb-sharegpt"]) for make in (tables.capacity, tables.regret)]
    others = [tables.build("verdicts", paper=key) for key in papers() if key != "eb"]
    others += [t for t in (tables.build("errata", paper=key) for key in papers() if key != "eb") if t.rows]
    return [short, intervals, memory, *whole, *others, hostile()]


def compiled(folder: Path, source: str) -> str:
    """The log of two runs of pdflatex: longtable finds its widths in the second."""
    (folder / "t.tex").write_text(source, encoding="utf-8")
    for _ in range(1 + ("longtable" in source)):
        run = subprocess.run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "t.tex"], cwd=folder,
                             capture_output=True, timeout=300, check=False)
        log = (folder / "t.log").read_text(encoding="latin-1")
        assert run.returncode == 0, log[-3000:]
    return log


def sound(log: str) -> None:
    """No line sticks out by more than `OVERFULL` points, no reference or character is missing, no label is there twice.
    """
    wide = [float(points) for points in re.findall(r"Overfull \\hbox \(([\d.]+)pt too wide\)", log)]
    assert all(points <= OVERFULL for points in wide), wide
    told = r"LaTeX Warning: (?!Label\(s\) may).*|Missing character.*|Package (?!rerunfilecheck)\w+ Warning:.*"
    assert not re.findall(told, log)


@pytest.fixture(scope="module")
def log_and_text(printed: list[Table], tmp_path_factory: pytest.TempPathFactory, once: Once) -> tuple[str, str]:
    set_: tuple[str, str] = once("set tables", lambda: document(printed, tmp_path_factory.mktemp("document")))
    return set_


def document(printed: list[Table], folder: Path) -> tuple[str, str]:
    """What pdflatex says of the document, and the text of its pages."""
    defined = macros([VIDUR_PAIR], ["eb-sharegpt"], [64, 256])
    used = "".join(f"{name}{{}}\n\n" for name in re.findall(r"newcommand{(\\\w+)}", defined))
    silent = r"{\let\sloppy\relax\hfuzz=\maxdimen" + latex.table(extreme()) + r"\clearpage}"
    body = "".join(map(latex.table, printed)) + silent
    source = latex.document().replace(r"\begin{document}", defined + "\\begin{document}\n" + used + "\n\n" + body)
    log = compiled(folder, source)
    pages = subprocess.run(["pdftotext", "-layout", "t.pdf", "-"], cwd=folder, capture_output=True, check=True)
    return log, pages.stdout.decode()


@pytest.mark.slow(35)
def test_no_line_is_too_wide_and_nothing_is_missing(log_and_text: tuple[str, str]) -> None:
    sound(log_and_text[0])


@pytest.mark.slow(35)
def test_the_printed_numbers_are_in_the_pages(log_and_text: tuple[str, str], printed: list[Table]) -> None:
    _, text = log_and_text
    for table in printed:
        for i, column in enumerate(table.columns):
            if column.digits and column.printed:
                for r in range(len(table.rows)):
                    shown = table.shown(r, i) or ""
                    assert shown.split("e")[0].replace("-", "\N{MINUS SIGN}") in text, (table.name, column.name, shown)


@pytest.mark.slow(35)
def test_the_macros_print_value_interval_and_unit(log_and_text: tuple[str, str]) -> None:
    _, text = log_and_text
    flat = "".join(text.split())  # TeX breaks lines, and sets spaces, where it likes
    for shown in ("(30.3±1.6)ms", "(312.1±1.0)µs/token", "0.0677±0.0018", "(3.420±0.025)requests/s",
                  "17requests[16,17]", "280tokens"):
        assert shown in flat


@pytest.mark.slow(20)
@pytest.mark.parametrize("name", ["IEEEtran", "acmart"])
def test_two_columns_hold_every_table(
    name: str, printed: list[Table], tmp_path: Path, tex: Callable[..., None],
) -> None:
    """No line is too wide, no float too high, none has a longtable; a short caption's provenance stands below."""
    tex(f"{name}.cls")
    layouts = [floats.Layout.of(name), floats.Layout.of(name, wide=True, caption="full")]
    texts = [latex.table(one, layout=layouts[i % 7 == 0]) for i, one in enumerate(printed)]
    assert not any("longtable" in text for text in texts) and sum("{table*}" in text for text in texts) > 10
    assert any(r"\begin{table}" in text for text in texts)
    source = latex.document(layout=layouts[0])
    log = compiled(tmp_path, source.replace(r"\end{document}", r"\clearpage ".join([*texts, r"\end{document}"])))
    sound(log)
    read = subprocess.run(["pdftotext", "t.pdf", "-"], cwd=tmp_path, capture_output=True, check=True).stdout.decode()
    assert "Computed by qtheory" in " ".join(read.split()) and VIDUR_PAIR in read.replace("\n", "")


@pytest.mark.later
@pytest.mark.sliced(2)
@pytest.mark.parametrize("name", ["IEEEtran", "acmart"])
def test_a_document_of_one_table_fits_its_pages(name: str, tmp_path: Path, tex: Callable[..., None]) -> None:
    """One that nearly fills a column, beside the title that a class may ask for."""
    tex(f"{name}.cls", "adjustbox.sty")
    log = compiled(tmp_path, latex.document(tables.build("verdicts", paper="eb"), layout=floats.Layout.of(name)))
    sound(log)
    assert not re.findall(r"Overfull \\vbox.*", log)


@pytest.mark.later
@pytest.mark.parametrize("name", ["IEEEtran", "acmart"])
def test_a_full_caption_is_neither_in_small_capitals_nor_in_bold(name: str, tmp_path: Path,
                                                                  tex: Callable[..., None]) -> None:
    """But for the title: the names of profiles and models lose by that."""
    tex(f"{name}.cls", "adjustbox.sty")
    table = tables.eb_crossover([VIDUR_PAIR], ["eb-sharegpt"], [64], intervals=True)
    sound(compiled(tmp_path, latex.document(table, layout=floats.Layout.of(name, caption="full"))))
    read = subprocess.run(["pdftotext", "t.pdf", "-"], cwd=tmp_path, capture_output=True, check=True).stdout.decode()
    assert "Meta-Llama-3-70B, A100, tensor parallel 2" in " ".join(read.split())
    fonts = subprocess.run(["pdftohtml", "-xml", "-stdout", "t.pdf"], cwd=tmp_path, capture_output=True, check=True)
    caption = next(line for line in fonts.stdout.decode().splitlines() if "prefill law" in line)
    assert "<b>" not in caption


@pytest.mark.later
@pytest.mark.sliced(3)
@pytest.mark.parametrize("name", ["article", "IEEEtran", "acmart"])
def test_a_caption_of_ones_own_compiles_whatever_it_says(name: str, tmp_path: Path, tex: Callable[..., None]) -> None:
    tex(*([] if name == "article" else [f"{name}.cls", "adjustbox.sty"]))
    table = tables.eb_threshold([PAIR], ["eb-sharegpt"], [64])
    formulas = r'$\theta_0 \in [0, 1)$, $5 to $10, \$9, "so": ' + HOSTILE.replace("$", r"\$")
    layout = floats.Layout.of(name, caption=f"Ours, {formulas}\n\nof two paragraphs")
    sound(compiled(tmp_path, latex.document(table, layout=layout)))
    read = subprocess.run(["pdftotext", "t.pdf", "-"], cwd=tmp_path, capture_output=True, check=True).stdout.decode()
    said = " ".join(read.split()).lower()  # IEEEtran has small capitals
    assert "of two paragraphs" in said and "computed by qtheory" in said and table.title.lower() not in said
    assert ",θ0∈[0,1),$5to$10,$9,“so”:" in said.replace(" ", "").replace("𝜃", "θ")  # acmart's font


def test_the_notebooks_form_needs_no_siunitx(tmp_path: Path, tex: Callable[[], None]) -> None:
    tex()
    table = tables.eb_threshold([PAIR], ["eb-sharegpt"], [64])
    preamble = r"\documentclass{article}\usepackage{booktabs,longtable}\begin{document}"
    sound(compiled(tmp_path, f"{preamble}\n{table._repr_latex_()}\\end{{document}}\n"))
