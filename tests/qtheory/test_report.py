"""``qtheory report``: pages that say what the verdicts say, hold of a note but its text, and work in a browser."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from qtheory.cli import main
from qtheory.proofs import gate
from qtheory.proofs.corpus import claims, papers
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.printing import statement_latex
from qtheory.report.errata import errata
from qtheory.report.printed import printed, statement_lines
from qtheory.report.prose import set_in
from qtheory.report.referee import account, page
from qtheory.report.referee.account import Account
from qtheory.report.referee.mathematics import mathml

NOTE = """# A note of <b>ours</b>

| symbol | where | meaning | conditions or definition | source |
| --- | --- | --- | --- | --- |
| lam, mu | all | rates | > 0 | l. 1 |
| rho | all | load | = lam/mu | l. 2 |

## Section 1. Loads

::::{claim} note.positive, inequality, l. 3

> the load is positive <script>alert(1)</script>, $\\rho > 0$ and $\\text{<img src=y>}$, \\[ \\dfrac12 < \\mu. \\]

```qtheory
goal: rho > 0
```
::::

::::{claim} note.thm-1, inequality, l. 4
:root: too-much

> the load is below one

```qtheory
goal: rho < 1
```

See note.positive, <img src=x onerror=alert(2)> and [a link](javascript:alert(3)).
::::

## Roots

| root | rank | what fails | practical counterexample | repair | what survives |
| --- | --- | --- | --- | --- | --- |
| too-much | main-result | The load may be anything. | lam = 2, mu = 1. | Ask for a rate < mu. | All else. |
"""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    (folder / "note.md").write_text(NOTE)
    with pytest.raises(SystemExit) as ended:
        main(["report", str(folder / "note.md"), "-o", str(folder / "out"), "-j", "1"])
    assert not ended.value.code
    return folder / "out"


class _Elements(HTMLParser):
    """Every start tag with its attributes, and whether the tags close as they opened."""

    VOID = frozenset(("meta", "input", "br"))

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_files_are_there_and_the_certificates_hold(written: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert {f.name for f in written.iterdir()} == {"index.html", "note.tex", "certificates"}
    for name, status in (("note.positive", 0), ("note.thm-1", 0)):
        with pytest.raises(SystemExit) as ended:
            main(["check", str(written / "certificates" / f"{name}.json")])
        assert (ended.value.code or 0) == status
    assert "rho > 0" in capsys.readouterr().out


def test_what_a_stranger_wrote_is_text(written: Path) -> None:
    """No element, handler or link comes from the note; nothing is fetched, and the one script is the page's own."""
    text = (written / "index.html").read_text()
    elements = _Elements(text)
    assert not elements.open
    assert [t for t, _ in elements.found].count("script") == 1 and "&lt;script&gt;" in text
    assert not {"img", "b", "iframe", "object", "link"} & {t for t, _ in elements.found}
    for _, attributes in elements.found:
        assert not [a for a in attributes if a.startswith("on") or a == "src"]
        target = attributes.get("href")
        assert target is None or re.match(r"#|certificates/", target)
    assert "default-src 'none'" in text
    quotes = text.partition("<blockquote>")[2]
    assert "<mi>ρ</mi><mo>&#x0003E;</mo><mn>0</mn>" in quotes and r"\[" not in quotes
    assert "<mfrac><mn>1</mn><mn>2</mn></mfrac><mo>&#x0003C;</mo><mi>μ</mi>" in quotes


def test_the_page_says_what_the_verdicts_say(written: Path) -> None:
    text = (written / "index.html").read_text()
    for name, verdict in (("note.positive", "proved"), ("note.thm-1", "refuted")):
        article = re.search(rf'<article id="{re.escape(name)}" data-verdict="(\w+)".*?</article>', text, re.DOTALL)
        assert article and article[1] == verdict and f"certificates/{name}.json" in article[0]
    refuted = text[text.index('<article id="note.thm-1"'):]
    assert "<dt>fails at</dt><dd><code>lam = " in refuted and '<a class="id" href="#note.positive">' in refuted
    summary = text[:text.index("All statements</h2>")]
    assert "The load may be anything." in summary and "Ask for a rate &lt; <math><mi>μ" in summary
    shown = [mathml(part) for part in (r"\rho < 1", r"\lambda > 0", r"\mu > 0", r"\rho := \frac{\lambda}{\mu}")]
    assert f"Stated: {shown[0]} for {', '.join(shown[1:])}." in summary


@pytest.mark.parametrize(("statement", "latex"), [
    (Statement("0 < W(x)", ("n in naturals", "f in functions", "f(x) <= n"), ("W(t) = f(t)/n",)),
     r"0 < W(x) \quad \text{for } n \in \mathbb{N},\; f \text{ a function},\; f(x) \le n,\; W(t) := \frac{f(t)}{n}"),
    (Statement("zeta(x) < x/(1 - x)", ("0 < x < 1",), ("zeta(t) = -log(1 - t)",)),
     r"\zeta(x) < \frac{x}{1 - x} \quad \text{for } 0 < x < 1,\; \zeta(t) := -\ln(1 - t)"),
    (Statement("1 <= n", ("n in naturals", "n > 0")), r"1 \le n \quad \text{for } n \in \mathbb{N},\; n > 0"),
    (Statement("eps > 0", ("eps > epsilon", "epsilon > 0")),  # which would look alike
     r"\mathrm{eps} > 0 \quad \text{for } \mathrm{eps} > \mathrm{epsilon},\; \mathrm{epsilon} > 0"),
    (Statement("Implies(x > 0, f(x) > 0)", (), ("f(t) = t",)),
     r"x > 0 \;\Longrightarrow\; f(x) > 0 \quad \text{for } f(t) := t"),
])
def test_a_statement_is_set_as_its_file_has_it(statement: Statement, latex: str) -> None:
    assert printed(statement) == latex


def test_what_is_said_of_each_index_stands_together() -> None:
    stated = printed(Statement("P(1) > 0", ("P in functions", "ForAll(i, And(Integer(i), i >= 1), P(i) > 0)", "n > 0")))
    _, conditions = statement_lines(stated)
    assert len(conditions) == 3 and conditions[1].startswith(r"(\forall") and conditions[1].endswith("P(i) > 0)")


def test_a_condition_on_each_value_ends_where_it_does() -> None:
    every = "ForAll(x, x > 0, And(f(x) > 0, g(x) > 0))"
    stated = printed(Statement("y > 0", ("f, g in functions", every, "x < 1", "Or(x > 0, log(y) > 0)")))
    assert r"(\forall\, x,\; x > 0: \; f(x) > 0,\; g(x) > 0),\; x < 1,\; (x > 0 \;\vee\; \ln(y) > 0)" in stated


@pytest.mark.parametrize(("definition", "condition"), [("x_1 = y**2 + 1", "x1 > 5"), ("e = y**2 + 1", "exp(y) > 5")])
def test_a_definition_that_looks_like_something_else_is_put_in(definition: str, condition: str) -> None:
    name = definition.partition(" ")[0]
    stated = printed(Statement(f"{name} > 0", (condition,), (definition,)))
    assert stated.startswith("y^{2} + 1 > 0") and ":=" not in stated


@pytest.mark.parametrize(("text", "made"), [
    ("theta0 is p0/alpha_d", r"[\theta_{0}] is [p_{0}]/[\alpha_{d}]"),
    ("1/(mu*(mu - lam)) at mu*", r"1/([\mu]*([\mu] - [\lambda])) at [\mu^{*}]"),
    ("chunks of t^*_lcm, k0* of them", r"chunks of [t_{\mathrm{lcm}}^{*}], [k_{0}^{*}] of them"),
    ("a gap -p0 - ln(1 - p0)", r"a gap -[p_{0}] - ln(1 - [p_{0}])"),
    ("lam = 1/2 at eps_d, epsilon", r"[\lambda] = 1/2 at [\varepsilon_{d}], [\varepsilon]"),
    ("l'_j + 1 of T_*^R(j)", r"[l'_{j}] + 1 of [T_{*}^{R}](j)"),
    ("theta_hat and sum_{j=1}^k", r"[\hat{\theta}] and sum_{j=1}^k"),
    ("(p0^2 mu_L) grows as 1/sqrt(N) <= c", r"([p_{0}^{2}] [\mu_{L}]) grows as 1/[\sqrt{N}] [\le] c"),
    ("a => b, sqrt(2*N), x86^", "a => b, sqrt(2*N), x86^"),
    ("rad.lem-1, an A100, x86_64, EB+, alphabet", "rad.lem-1, an A100, x86_64, EB+, alphabet"),
])
def test_symbols_in_prose_are_mathematics(text: str, made: str) -> None:
    assert set_in(text, lambda s: s, lambda s: f"[{s}]") == made


def test_links_lead_somewhere(written: Path) -> None:
    elements = _Elements((written / "index.html").read_text()).found
    ids = {a["id"] for _, a in elements if "id" in a}
    for target in (a["href"] for _, a in elements if a.get("href")):
        assert target is not None
        assert target[1:] in ids if target.startswith("#") else (written / target).exists()


@pytest.mark.slow
def test_every_statement_of_the_corpus_is_set_as_mathematics() -> None:
    """None is left as LaTeX, and the pieces that are set apart are together the statement."""
    statements = [gate.flat(c.statement) for c in claims().values() if c.statement is not None]
    stated = [show(s) for show in (statement_latex, printed) for s in statements]
    pieces = set[str]()  # many hypotheses are stated of many claims
    for latex in dict.fromkeys(stated):
        goal, conditions = statement_lines(latex)
        pieces |= {*goal, *conditions}
        assert re.sub(r"\s", "", "".join(goal)) == re.sub(r"\s", "", latex.partition(r" \quad \text{for } ")[0])
        assert all(p.count("(") == p.count(")") for p in conditions), latex
    for piece in pieces:
        shown = mathml(piece)
        assert shown.startswith("<math") and "\\" not in shown, piece


def unsearched(paper: str) -> Account:
    """A paper's account before any search, which holds all that its file says: quotes, statements, proofs."""
    told = [c for c in claims().values() if c.id.startswith(f"{paper}.") and (c.statement or c.verdict)]
    verdicts = [gate.unknown(c.statement, "not searched") if c.statement is not None else gate.declared(c)
                for c in told]
    return account(paper, paper, [v.annotated(id=c.id) for v, c in zip(verdicts, told, strict=True)])


@pytest.mark.later
@pytest.mark.sliced(5)
@pytest.mark.parametrize("key", [*papers()][::-1])  # the largest last
def test_a_page_is_light(key: str) -> None:
    """2 MB for 300 claims, a tenth of it left for what a search adds: witnesses, how, certificates' links."""
    made = unsearched(key)
    assert len(page(made).encode()) / len(made.judged) < 0.9 * 2_000_000 / 300


@pytest.mark.parametrize(("latex", "made"), [
    (r"\left(\frac{x}{y}\right) \le \mathrm{eps}_{0}",
     '<mrow><mo form="prefix">(</mo><mfrac><mi>x</mi><mi>y</mi></mfrac><mo form="postfix">)</mo></mrow><mo>≤</mo>'
     "<msub><mi>eps</mi><mn>0</mn></msub>"),
    ("f(x)", '<mi>f</mi><mo stretchy="false">(</mo><mi>x</mi><mo stretchy="false">)</mo>'),  # else set wide apart
    ("x < y", "<mi>x</mi><mo>&#x0003C;</mo><mi>y</mi>"),
    (r"\frac{x + 1}{2}", "<mfrac><mrow><mi>x</mi><mo>+</mo><mn>1</mn></mrow><mn>2</mn></mfrac>"),
])
def test_mathematics_says_nothing_twice(latex: str, made: str) -> None:
    assert mathml(latex) == f"<math><mrow>{made}</mrow></math>"


def test_several_papers_get_a_page_that_lists_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.md").write_text(NOTE.replace("note.", f"{name}."))
    with pytest.raises(SystemExit) as ended:
        main(["report", *(str(tmp_path / f"{n}.md") for n in ("one", "two")), "-o", str(tmp_path / "out"), "-j", "1"])
    assert not ended.value.code
    index = (tmp_path / "out" / "index.html").read_text()
    assert 'href="one.html"' in index and 'href="two.html"' in index
    assert 'href="index.html"' in (tmp_path / "out" / "one.html").read_text()


@pytest.mark.parametrize(("arguments", "why"), [
    (["nothing.md"], "no paper of the corpus"), (["."], "a Markdown file (.md), or a folder with a paper.toml"),
    (["note.md", "sub/note.md"], "two sources are named note")])
def test_bad_input_is_told_in_a_line(arguments: list[str], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                     capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    for file in ("note.md", "sub/note.md"):
        (tmp_path / file).write_text(NOTE)
    with pytest.raises(SystemExit) as ended:
        main(["report", *arguments, "-o", "out"])
    err = capsys.readouterr().err
    assert ended.value.code == 2 and err.count("\n") == 1 and why in err and not (tmp_path / "out").exists()


def test_a_file_is_no_folder_to_write_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "note.md").write_text(NOTE)
    (tmp_path / "out").write_text("mine")
    with pytest.raises(SystemExit) as ended:
        main(["report", str(tmp_path / "note.md"), "-o", str(tmp_path / "out")])
    assert ended.value.code == 2 and "no folder can be made there" in capsys.readouterr().err
    assert (tmp_path / "out").read_text() == "mine"


# ---- LaTeX ----

@pytest.mark.parametrize("key", papers())
def test_the_errata_compile_within_eight_pages(key: str, tmp_path: Path, tex: Callable[[], None]) -> None:
    tex()
    document = errata(key).latex()
    (tmp_path / "e.tex").write_text(document, encoding="utf-8")
    run = subprocess.run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "e.tex"], cwd=tmp_path,
                         capture_output=True, text=True, errors="replace")
    assert run.returncode == 0, run.stdout[-2000:]
    pages = re.search(r"Output written on e.pdf \((\d+) pages?", run.stdout)
    assert pages and int(pages[1]) <= 8
    wide = [float(w) for w in re.findall(r"Overfull \\hbox \(([\d.]+)pt", run.stdout)]
    assert not wide or max(wide) < 20, max(wide)


# ---- in a browser ----

@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    driver, binary = shutil.which("chromedriver"), shutil.which("chromium")
    if not (driver and binary):
        pytest.skip("chromium is not installed (Debian: chromium chromium-driver)")
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1100,1400"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    shown = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    yield shown
    shown.quit()


def visible(browser: Any) -> list[str]:
    return [e.get_attribute("id") for e in browser.find_elements("css selector", "article") if e.is_displayed()]


@pytest.mark.slow
def test_filters_search_and_links_work_in_a_browser(written: Path, browser: Any) -> None:
    url = (written / "index.html").as_uri()
    browser.get(url)
    assert visible(browser) == ["note.positive", "note.thm-1"]
    browser.find_element("css selector", "#f-verdict option:nth-child(3)").click()
    assert visible(browser) == ["note.thm-1"] and browser.find_element("id", "f-shown").text == "1 of 2"
    browser.find_element("css selector", "article:not([hidden]) dd a[href='#note.positive']").click()
    assert "note.positive" in visible(browser)  # a link to what a filter hides shows it
    browser.find_element("tag name", "body").send_keys("/")
    assert browser.switch_to.active_element.get_attribute("id") == "f-text"
    browser.switch_to.active_element.send_keys("below one")
    assert visible(browser) == ["note.thm-1"]
    browser.switch_to.active_element.send_keys("\ue00c")  # Escape
    assert len(visible(browser)) == 2
    assert browser.get_log("browser") == []


@pytest.mark.slow
def test_on_paper_a_proof_stays_as_the_reader_left_it(written: Path, browser: Any) -> None:
    browser.get((written / "index.html").as_uri())
    proofs = browser.find_elements("css selector", "article details")
    assert proofs
    browser.execute_script("arguments[0].open = true; dispatchEvent(new Event('beforeprint'))", proofs[0])
    browser.print_page()
    assert [p.get_attribute("open") is not None for p in proofs] == [True, *[False] * (len(proofs) - 1)]


@pytest.mark.slow
def test_no_page_is_wider_than_a_telephone(written: Path, browser: Any) -> None:
    (written / "wide.html").write_text(page(unsearched("wait")))
    for width in (1100, 500):  # a browser's window is no narrower
        browser.set_window_size(width, 1000)
        browser.get((written / "wide.html").as_uri())
        full, seen = browser.execute_script("return [document.documentElement.scrollWidth, innerWidth]")
        assert full <= seen
    assert browser.get_log("browser") == []
