"""``qtheory import``: a paper's theorems and equations as a note; nothing is stated that its LaTeX does not say."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from qtheory.cli import main
from qtheory.proofs.tex_claims import Imported, import_paper

PREAMBLE = r"""\documentclass{article}
\newtheorem{thm}{Theorem}
\newtheorem*{fact}{Fact}
\newcommand{\load}{\rho}
\newcommand{\half}[1]{\frac{#1}{2}}
"""
BODY = r"""
\title{On \emph{waits}}
\section{The model}
% \begin{equation} 1 = 2 \end{equation}
\begin{equation}\label{eq:load}
  \load = \frac{\lambda}{\mu}.
\end{equation}
\begin{align*}
 W &= \frac{\load}{\mu - \lambda} \\
   &\le \half{1} + \theta_0
\end{align*}
\iffalse \begin{equation} 3 = 4 \end{equation} \fi
\begin{thm}[Positive wait]\label{thm:pos}
If $0 < \rho < 1$ and $\mu > 0$, then $\frac{\rho}{(1-\rho)\mu} > 0$.
\end{thm}
\begin{lemma} Let $x > 0$. Then
\begin{equation} \log x \leq x - 1. \end{equation}
\end{lemma}
\begin{fact} The queue is stable. \end{fact}
\begin{definition} The load is $\rho = 1$. \end{definition}
\input{more}
\input{../outside}
"""
MORE = r"""\section{More}
\begin{proposition*}$\log(x) \le x - 1$ for all $x > 0$.\end{proposition*}
\begin{equation*} \sum_{k=0}^{3} k = 6 \end{equation*}
"""


TRUE = r"\begin{equation} 1 \le 2 \end{equation}"


def imported(folder: Path, body: str, preamble: str = PREAMBLE, **others: str) -> Imported:
    for name, text in others.items():
        (folder / f"{name}.tex").write_text(text)
    (folder / "paper.tex").write_text(f"{preamble}\\begin{{document}}\n{body}\n\\end{{document}}\n")
    return import_paper(folder / "paper.tex")


def test_each_has_its_quote_its_lines_and_its_statement(tmp_path: Path) -> None:
    (tmp_path / "outside.tex").write_text(r"\begin{equation} 5 = 5 \end{equation}")
    (tmp_path / "paper").mkdir()
    found = imported(tmp_path / "paper", BODY, more=MORE)
    assert [(s.id, s.found.file, s.found.lines, s.given, s.goal) for s in found.stubs] == [
        ("paper.eq-load", "paper.tex", (11, 13), (), "rho == lambda/mu"),
        ("paper.eq-line-14", "paper.tex", (14, 17), (), "W == rho/(mu - lambda) <= 1/2 + theta_0"),
        ("paper.thm-pos", "paper.tex", (19, 21), ("0 < rho < 1", "mu > 0"), "rho/((1 - rho)*mu) > 0"),
        ("paper.lemma-line-22", "paper.tex", (22, 24), ("x > 0",), "log(x) <= x - 1"),
        ("paper.eq-line-23", "paper.tex", (23, 23), (), ""),
        ("paper.fact-line-25", "paper.tex", (25, 25), (), ""),
        ("paper.definition-line-26", "paper.tex", (26, 26), (), ""),
        ("paper.proposition-line-2", "more.tex", (2, 2), ("x > 0",), "log(x) <= x - 1"),
        ("paper.eq-line-3", "more.tex", (3, 3), (), "Sum(k, (k, 0, 3)) == 6")]
    assert found.stubs[0].quote == r"\rho= \frac{\lambda}{\mu}." and found.missing == ("../outside",)
    assert "stands in a lemma, whose conditions it shares" in found.stubs[4].why
    assert "\n:place: Section 1, Theorem 1 (Positive wait), paper.tex\n" in found.note


def test_an_equation_that_may_be_a_definition_asks_whether_it_is_one(
        tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As a claim it is about any rho; where its row defines rho, it holds."""
    note = imported(tmp_path, r"The load is \begin{equation} \load = \frac{\lambda}{\mu}. \end{equation}").note
    asked = ("<!-- A definition? Then write = lambda/mu in the row of rho, and leave this claim out: it would say that "
             "the term has a value everywhere. -->")
    assert f"{asked}\n::::{{claim}} paper.eq-line-7, identity" in note
    rows = {"rho": "= lambda/mu", "lambda": "> 0", "mu": "> 0"}
    for name, what in rows.items():
        row = next(line for line in note.split("\n") if line.startswith(f"| {name} |"))
        note = note.replace(row, row.replace("| ? |", f"| {what} |"))
    (tmp_path / "note.md").write_text(note)
    with pytest.raises(SystemExit):
        main(["referee", str(tmp_path / "note.md"), "-j", "1", "--format", "json"])
    assert [c["verdict"] for c in json.loads(capsys.readouterr().out)["claims"]] == ["proved"]


@pytest.mark.parametrize("body", [
    r"\begin{equation} \rho = \rho^2 \end{equation}", r"\begin{equation} \rho \mu = \lambda \end{equation}",
    r"\begin{equation} \rho \le \lambda \end{equation}", r"\begin{equation} \rho = \lambda = \mu \end{equation}",
    r"\begin{equation} 1 = \rho \end{equation}", r"\begin{theorem} If $\mu > 0$, then $\rho = \mu$. \end{theorem}"])
def test_what_defines_nothing_is_not_asked_about(body: str, tmp_path: Path) -> None:
    found = imported(tmp_path, body)
    assert found.stubs[0].goal and "A definition?" not in found.note


@pytest.mark.parametrize(("latex", "shown"), [
    (r"\sum_{i=1}^{n} i^2 + 1 = n", "two readings, Sum(i**2, (i, 1, n)) + 1 and Sum(i**2 + 1, (i, 1, n)); write "
     r"brackets; near '}^{n} i^2 + 1 = n'"),
    (r"x^23 \ge 0", "23"), (r"x^{2y}/2y \ge 0", "(x**(2*y)/2)*y"), (r"x > 0 \quad y > 0", r"> 0 \quad y > 0")])
def test_why_nothing_is_stated_is_told_with_each_sign_of_it(latex: str, shown: str, tmp_path: Path) -> None:
    found = imported(tmp_path, rf"\begin{{equation}} {latex} \end{{equation}}", "")
    (told,) = (line for line in found.note.splitlines() if line.startswith("Not stated yet; "))
    assert shown in told and "\\\\" not in told


def test_a_theorem_is_listed_that_is_declared_with_a_star_in_its_name(tmp_path: Path) -> None:
    body = r"\begin{claim*} If $x > 0$, then $x + 2 > 1$. \end{claim*}"
    alone = imported(tmp_path, body, r"\newtheorem*{claim*}{Remark}").stubs
    both = imported(tmp_path, body, r"\newtheorem{claim}{Claim}\newtheorem*{claim*}{Claim (no number)}").stubs
    assert [(s.found.called, s.goal, s.found.number) for s in (*alone, *both)] == [
        ("Remark", "x + 2 > 1", ""), ("Claim (no number)", "x + 2 > 1", "")]


def test_a_theorem_with_a_star_does_not_take_the_number_of_another(tmp_path: Path) -> None:
    body = r"\begin{theorem*} If $x > 0$, then $x > 1$. \end{theorem*}" + "\n" + \
        r"\begin{theorem} If $x > 0$, then $x > 2$. \end{theorem}"
    stubs = imported(tmp_path, body, r"\newtheorem{theorem}{Theorem}\newtheorem*{theorem*}{Theorem}").stubs
    assert [(s.id, s.goal) for s in stubs] == [("paper.theorem-line-2", "x > 1"), ("paper.theorem-1", "x > 2")]


@pytest.mark.parametrize(("declared", "name", "why"), [
    (r"\newtheorem*{defn*}{Definition}", "defn*", "a definition"),
    (r"\newtheorem{defn}{Definition}", "defn", "a definition"),
    (r"\newtheorem{thm}{Theorem}\newtheorem*{thm*}{Definition}", "thm*", "a definition"),
    (r"\newtheorem*{thm*}{Definition}\newtheorem{thm}{Theorem}", "thm*", "a definition"),
    (r"\newtheorem{defi}{\protect\definitionname}", "defi", "a definition"),
    (r"\newtheorem{defi}{D\'efinition}", "defi", "a definition"),
    (r"\declaretheorem[style=x, name={Definition}]{dfn}", "dfn", "a definition"),
    (r"\newtheorem{ass}{Assumption}", "ass", "claims nothing in what it calls assumption")])
def test_what_is_printed_as_a_definition_is_no_claim(declared: str, name: str, why: str, tmp_path: Path) -> None:
    body = rf"\begin{{{name}}} If $x > 0$, then $x > 1$. \end{{{name}}}"
    (stub,) = imported(tmp_path, body, declared).stubs
    assert not stub.goal and why in stub.why


def test_displays_that_are_not_listed_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body = r"""\[ x + 6 > x \] and $$ x + 7 > x $$ \begin{align} a &= b \\[2pt] c &= d \\[1pt] e &= f \end{align}
\begin{theorem} If $$ x > 0, $$ then \begin{equation} x = x \end{equation} and \[ x + 1 > 1. \] \end{theorem}"""
    assert imported(tmp_path, body).displays == 2
    with pytest.raises(SystemExit):
        main(["import", str(tmp_path / "paper.tex")])
    assert r"not listed: 2 displays in \[..\] or $$..$$ outside of theorems" in capsys.readouterr().err


@pytest.mark.parametrize(("words", "given"), [
    (r"If $x, y > 0$, then $x + y > 0$.", ("x > 0", "y > 0")),
    (r"If $x > 0,\; y < 1$, then $x + y > 0$.", ("x > 0", "y < 1")),
    (r"If $x, y \in \mathbb{R}$ and $\theta_0, \mu \ge \frac{1}{2}$, then $x + y > 0$.",
     ("theta_0 >= 1/2", "mu >= 1/2")),
    (r"If $x, y \in [0, 1)$, then $xy < 1$.", ("0 <= x < 1", "0 <= y < 1")),
    (r"If $u = 0, v = 1$, then $u < v$.", ("u == 0", "v == 1")),
    (r"If $x > 0$ and $n$ is an integer, then $nx > n - 1$.", ("x > 0", "n in integers")),
    (r"If $n$ is a positive integer and $x \ge n$, then $x \ge 1$.", ("n in integers", "n > 0", "x >= n")),
    (r"For all positive real $x, y$ we have $x + y > 0$.", ("x > 0", "y > 0")),
    (r"For all integer $n, m \ge 1$ we have $nm \ge 1$.", ("n in integers", "n >= 1", "m in integers", "m >= 1")),
    (r"For every real $x > 0$ and integer $n \ge 1$ we have $nx > 0$.", ("x > 0", "n in integers", "n >= 1")),
    (r"Given an integer $n \ge 1$, we have $n^2 \ge n$.", ("n in integers", "n >= 1")),
    (r"$0 \le \int_0^1 t \,dt \le y$ for all $y > 2$.", ("y > 2",)),
    (r"$$ x + 1 > y \tag{P1} $$ for all $x > y$.", ("x > y",)),
    (r"Let $n \ge 2$ be an integer. Then $n^2 \ge 2n$.", ("n in integers", "n >= 2")),
    (r"Let $0 < \alpha < 1$ and let $n$ be an integer, $n \ge 1$. Then $\alpha^n < 1$.",
     ("0 < alpha < 1", "n in integers", "n >= 1")),
    (r"For every positive integer $n$, $n^2 \ge n$.", ("n in integers", "n > 0")),
    (r"$x + 1 > x$ for all real $x$.", ()), (r"Let $n, m \ge 1$ be integers. Then $nm \ge 1$.",
                                          ("n in integers", "n >= 1", "m in integers", "m >= 1"))])
def test_conditions_in_words_and_lists_are_read(words: str, given: tuple[str, ...], tmp_path: Path) -> None:
    (stub,) = imported(tmp_path, rf"Of $nm + mn$: \begin{{theorem}} {words} \end{{theorem}}", "").stubs
    assert stub.goal and stub.given == given, stub


@pytest.mark.parametrize("words", [
    r"If $0 < x, y < 1$, then $x < 2$.", r"If $x < y, z > 0$, then $x < 2$.", r"If $x = 1, n, y > 0$, then $x < 2$.",
    r"Let $n \ge 1$ and $m \ge 2$ be integers. Then $n > 0$.", r"Let $1 \le n$ be an integer. Then $n > 0$.",
    r"If $n > 0$, then $n$ is an integer.", r"For all integers $n \ge 1$, $m \ge 1$ we have $n > 0$.",
    r"Let $n < m$ be integers. Then $n^2 > m$.", r"Let $x > 0$ be an integral. Then $x > 1$.",
    r"Let $n \in \mathbb{N}$. Then $n \ge 0$.", r"Let $x > 0$ be no integer. Then $x > 1$.",
    r"For all $p, q = 1 - p$ we have $p q \ge 1/4$.", r"For all $x, y \ge x^2$ we have $x \le 1$.",
    r"For all $a, b \ne a$ we have $b < a$.", r"For all $x, y = 1$ we have $xy = 1$.",
    r"If $x, y \ne 0$, then $xy \ne 0$.", r"If $x, y > z > 0$, then $x > 0$.", r"If $x, y > z$, then $x > z$.",
    r"For every integer $n \ge 1,\ x \in \mathbb{R}$, we have $n x (x-1) \ge 0$.",
    r"For every integer $n \ge 1, x > 0$ we have $nx \ge 1$.", r"Let $n \ge 1, x > 0$ be integers. Then $nx \ge 1$.",
    r"For all positive real $x \ne 1, y \ge 0$ we have $y > 0$.", r"For positive real $x, y \ge -1$ we have $y > 0$.",
    r"For every integer $n \ge 1$ and $m \ge 1$ we have $(m-1)(m-2) \ge 0$.",
    r"For every integer $n$, $m \ge 1$ we have $(m-1)(m-2) \ge 0$.",
    r"For every integer $n, m \ge 1$ we have $(m-1)(m-2) \ge 0$.",
    r"For positive real $x$, $y \ge -1$ we have $x + y > -1$.",
    r"Let $x > 0$ and $n$ be an integer. Then $nx < n + 1$.",
    r"$x > 0$ for every integer $n \ge 1$ and $x \ge 1/n$.",
    r"Let $n$ be a positive integer, $k \le n$. Then $k < n + 1$.",
    r"For every integer $n \ge m$ we have $n^2 \ge m$.",
    r"For every integer $n$ and $nm \ge 1$ we have $m^2 > 0$.",
    r"If $n$ is a positive integer, $k \le n$, then $k < n$.", r"If $z > 0$ and $n > 0$ are integers, then $n > z$.",
    r"$x^2 = 4$ for an integer $x \ge 1$.", r"We have $x^2 = 4$ for some positive real $x$.",
    r"If $x > 0$, then $x + 1 > 1$ and let $y = 2$.", r"Let $x > 0$, $x + 1 > 1$.",
    r"$x > 0$ and $y > 0$ if $y > 1$.", r"Let $x > 0$ and let $n > 0$ be integers. Then $n > 0$.",
    r"$x(x-1) \ge 0$ for $x \ge 1$ and $x \le 1$.", r"$x(x-1) \ge 0$ for $x \ge 1, x \le 1$.",
    r"If $x > 1 \, y > 0$, then $x > 0$.", r"$$ x > 0 \tag{$x > y$} $$", r"[Case $x < 1$] If $x > 0$, then $x > 2$.",
    r"Let $x, y > 0$ such that $x + y = 1$. Then $xy \le 1$.", r"If $x, y > 0, 1$, respectively, then $x > 0$.",
    r"For all $x, y \in \mathbb{R} \setminus 0$ we have $x^2 > 0$.",
    r"For all $x, y > 2 < 3$ we have $xy > 0$.", r"For all $n, m \in \mathbb{Z}^2$ we have $m > 0$."])
def test_conditions_with_two_readings_are_not_read(words: str, tmp_path: Path) -> None:
    (stub,) = imported(tmp_path, rf"\begin{{theorem}} {words} \end{{theorem}}", "").stubs
    assert not stub.goal and stub.why


ALIGNED = r"""\begin{align}
  a &= b + 1 \label{eq:a} \\
    &\le c \\[2pt]
  d &= g \nonumber \\

  h &< 2 h + 1 \label{eq:h}
\end{align}"""


def test_each_equation_of_an_aligned_display_is_a_claim(tmp_path: Path) -> None:
    stubs = imported(tmp_path, ALIGNED, "").stubs
    assert [(s.id, s.found.lines, s.goal) for s in stubs] == [
        ("paper.eq-a", (3, 4), "a == b + 1 <= c"), ("paper.eq-line-5", (5, 5), "d == g"),
        ("paper.eq-h", (7, 7), "h < 2*h + 1")]
    assert stubs[0].quote == r"a = b + 1 \\ \le c" and "label" not in " ".join(s.quote for s in stubs)


@pytest.mark.parametrize(("latex", "read"), [
    (r"\emph{The \textbf{load} $\emph{x}~1$} is~small", r"The load $\emph{x}~1$ is small"),
    (r"see~\eqref{eq:load}, Lemma~\ref{lem:a} and \citep[p.~3]{kleinrock75,ross}",
     "see (eq:load), Lemma lem:a and [kleinrock75,ross]"),
    (r"``always'' --- {\em never} 5\% \ldots", "“always” — never 5% …"),
    (r"\begin{enumerate}[label=(i)] \item one \item[(b)] two \end{enumerate}", "• one (b) two"),
    (r"\[ a &= b~c \] and \unknown{x} \~n \emph{a {b} c}", r"\[ a &= b~c \] and \unknown{x} \~n \emph{a {b} c}"),
])
def test_words_are_quoted_as_they_are_read_and_formulas_as_they_are_typed(latex: str, read: str,
                                                                           tmp_path: Path) -> None:
    (stub,) = imported(tmp_path, rf"\begin{{theorem}} {latex} \end{{theorem}}").stubs
    assert stub.quote == read


def test_a_display_is_quoted_without_its_alignment_unless_something_is_set_in_it(tmp_path: Path) -> None:
    plain, cases = imported(tmp_path, r"\begin{align} a &= b \nonumber \end{align}"
                            r"\begin{equation} f = \begin{cases} 1 & x \\ 2 & y \end{cases} \end{equation}", "").stubs
    assert plain.quote == "a = b" and cases.quote == r"f = \begin{cases} 1 & x \\ 2 & y \end{cases}"


def test_a_factor_before_a_sum_in_brackets_is_read(tmp_path: Path) -> None:
    body = r"With $f(x)$, \begin{equation} \rho(1 - \rho) = p(1 + f - p)(\rho + 1) - 2p \end{equation}"
    (stub,) = imported(tmp_path, body, "").stubs
    assert stub.goal == "rho*(1 - rho) == p*(1 + f - p)*(rho + 1) - 2*p"


@pytest.mark.parametrize(("formula", "goal"), [
    ("p(1 - p) = q", "p*(1 - p) == q"), ("n(n+1)(2n+1) > 6", "n*(n + 1)*(2*n + 1) > 6"),
    (r"T\cdot(n+1) = n", "T*(n + 1) == n")])
def test_a_letter_before_brackets_is_a_factor_where_its_formula_says_so(formula: str, goal: str,
                                                                        tmp_path: Path) -> None:
    (stub,) = imported(tmp_path, rf"\begin{{equation}} {formula} \end{{equation}}", "").stubs
    assert stub.goal == goal


@pytest.mark.parametrize("formula", [
    r"T(n+1) = \lambda T", "x(y+1) = x y + x", r"T_a(n+1) = 2T_a", r"2[x(y - z) + 1] > x y",
    r"T(n+1) = 2T_0", r"\phi(n+1) = 2\phi_0", r"T(n-1) < C", r"T_a(n+1) = 2T_b", r"T^*(n+1) = 2T",
    r"\operatorname{W}(n+1) - \operatorname{W}(n-1) = \operatorname{W}(1+1)", r"\mathrm{W}(n+1) < n",
    r"\mathit{W}(n+1) < n", r"\mathsf{W}\left(n+1\right) < n", r"\text{W}(n+1) < n", r"f\!\left(n+1\right) < n",
    r"T\!\left(n+1\right) < n", r"T\!(n+1) < n", r"T\,(n+1) < n", r"T~(n+1) < n", r"T\ (n+1) < n", r"T\;(n+1) < n",
    r"T\displaystyle(n+1) < n", r"T\big(n+1\big) < n", r"\lambda\!(n+1) < n", r"T(n+1) = T(n-1) + 2T",
    r"\mathrm{B}(1-x) = \mathrm{B} x", r"T^{-1}(n+1) = n T", r"\Phi(1 - x) + \Phi x = 1",
    r"T(n+1) = T(n - T(n-1) + 1)", r"T(n+1) \le T(n-1) + 1", r"\int_0^1 x T \,dx = T(n+1)", r"x y(n+1) = 2x"])
def test_a_letter_before_brackets_may_be_a_function(formula: str, tmp_path: Path) -> None:
    """What another formula has of it says nothing: its letter may stand for something else."""
    body = rf"\begin{{equation}} T, 2 T n < t T \end{{equation}}\begin{{theorem}} If $T \ge 0$, then ${formula}$. " \
           r"\end{theorem}"
    _, stub = imported(tmp_path, body, "").stubs
    assert not stub.goal and "times what is in brackets, and the value of a function" in stub.why


@pytest.mark.parametrize("formula", [
    r"\operatorname{T} x > 0", r"2\,\text{s} > 0", r"x > 0 \text{ a } y", r"[x + 1] > 0", r"x * y > 0", r"x^T y > 0",
    r"(x - y)^{T} x > 0"])
def test_signs_that_may_say_something_else_are_not_read(formula: str, tmp_path: Path) -> None:
    (stub,) = imported(tmp_path, rf"\begin{{equation}} {formula} \end{{equation}}", "").stubs
    assert not stub.goal and stub.why.startswith("two readings of ")


@pytest.mark.parametrize(("formula", "goal"), [
    (r"W_q < \rho^T", "W_q < rho**T"), (r"2[x(x - z) + 1] > 0", "2*(x*(x - z) + 1) > 0")])
def test_signs_that_are_plain_are_read(formula: str, goal: str, tmp_path: Path) -> None:
    (stub,) = imported(tmp_path, rf"\begin{{equation}} x y + {formula} \end{{equation}}", "").stubs
    assert stub.goal == f"x*y + {goal}"


def test_a_symbol_d_that_stands_alone_is_read(tmp_path: Path) -> None:
    (stub,) = imported(tmp_path, r"\begin{equation} 2d = \rho + d \end{equation}", "").stubs
    assert stub.goal == "2*d == rho + d"


def test_rows_that_go_on_are_read_as_they_are_aligned(tmp_path: Path) -> None:
    (stub,) = imported(tmp_path, r"\begin{align*} a &= b \\ &\quad - c \\ & = d, \quad \end{align*}", "").stubs
    assert stub.goal == "a == b - c == d"


@pytest.mark.parametrize("row", [r"&\text{for } b > 1", r"f(x) &= 1, x > 0", r"f(x) &= 1 \quad x > 0",
                                 r"& f(x) = 1", r"x &> f(x)", r"f(x) = 1", r"\begin{cases} a \\ b \end{cases} &= 1"])
def test_a_display_of_which_a_row_is_not_read_stays_whole(row: str, tmp_path: Path) -> None:
    (stub,) = imported(tmp_path, rf"\begin{{align}} a &= b \\ {row} \end{{align}}", "").stubs
    assert not stub.goal and stub.found.text.count("a &= b") == 1


def test_a_row_that_is_not_read_drops_none_that_are(tmp_path: Path) -> None:
    stubs = imported(tmp_path, r"\begin{align} a &= b \label{x} \\ f(x) &= 1, \\ c &= 2 d. \end{align}", "").stubs
    assert [(s.id, s.goal) for s in stubs] == [("paper.x", "a == b"), ("paper.eq-line-2", ""),
                                               ("paper.eq-line-2-2", "c == 2*d")]
    assert "two readings" in stubs[1].why


@pytest.mark.parametrize(("words", "given", "goal"), [
    (r"For every $\lambda > 0$, there exists a unique $x > 0$ such that $x e^x = \lambda$.", ("lambda > 0",),
     "ExistsUnique(x, x > 0, x*exp(x) == lambda)"),
    (r"If $\lambda \in (0, \mu)$, then there is a unique $x \in (0, \infty)$ with $x^2 = \lambda$.",
     ("0 < lambda < mu",),
     "ExistsUnique(x, 0 < x, x**2 == lambda)"),
    (r"Let $\lambda > 0$. Then there exists exactly one $x \in \mathbb{R}$ for which $x^3 = \lambda$.", ("lambda > 0",),
     "ExistsUnique(x, 0 < 1, x**3 == lambda)"),
    (r"There exists $x > 0$ such that $x^3 = 2$.", (), "Exists(x, x > 0, x**3 == 2)"),
    (r"For all $n, m \in \mathbb{N}_0$ we have $n + m \ge 0$.",
     ("n in integers", "n >= 0", "m in integers", "m >= 0"), "n + m >= 0"),
    (r"For $n \in \mathbb{N} \cup \{0\}$ we have $n \ge 0$.", ("n in integers", "n >= 0"), "n >= 0"),
    (r"For $n \in \mathbb{Z}_{\ge 3}$ we have $n \ge 0$.", ("n in integers", "n >= 3"), "n >= 0"),
    (r"For $x \in \mathbb{R}_{>0}$ we have $x \ge 0$.", ("x > 0",), "x >= 0"),
    (r"For all $\alpha, \beta > 0$ and $c > 0$, $$ \alpha + \beta + c > 1. $$", ("alpha > 0", "beta > 0", "c > 0"),
     "alpha + beta + c > 1"),
    (r"Let $n \ge 2$ be an integer and $0<p<1$. Then $p^n < p$.", ("n in integers", "n >= 2", "0 < p < 1"), "p**n < p"),
    (r"For $0 \le \rho < 1$, the inequality $\rho^2 \le \rho$ holds.", ("0 <= rho < 1",), "rho**2 <= rho"),
    (r"If the inequality $x > 0$ holds, then $x > -1$.", ("x > 0",), "x > -1"),
    (r"If $r, t > 0$, then $\int_t^\infty r e^{-ru}\,du = e^{-rt}$.", ("r > 0", "t > 0"),
     "Integral(r*exp(-r*u), (u, t, oo)) == exp(-r*t)"),
    (r"If $x > 0$, then $y > 0$ where $y = x + 1$.", ("x > 0", "y == x + 1"), "y > 0")])
def test_everyday_forms_are_read(words: str, given: tuple[str, ...], goal: str, tmp_path: Path) -> None:
    found = imported(tmp_path, rf"\begin{{theorem}} {words} \end{{theorem}}", "")
    (stub,) = found.stubs
    assert (stub.given, stub.goal) == (given, goal), stub
    assert (", existence/uniqueness, l. 2" in found.note) == goal.startswith("Exists")


def test_a_quote_has_the_papers_own_commands_expanded_where_they_are_plain(tmp_path: Path) -> None:
    first, second, third = imported(tmp_path, r"""\begin{equation} \load = \half{\mu} \end{equation}
    \begin{thm} Let $\load > 0$. Then \[ \half{\load} > \odd. \] \def\odd{1} \end{thm}
    \begin{equation} \odd = \load \end{equation}""").stubs
    assert first.quote == r"\rho= \frac{\mu}{2}" and third.quote == r"\odd = \load"
    assert second.quote.startswith(r"Let $\rho> 0$. Then \[ \half{\load} > \odd. \]")


@pytest.mark.parametrize(("words", "why"), [
    (r"There exists a unique $x$ such that $x^3 = \lambda$.", "a symbol with its range"),
    (r"There exists a unique $n \in \mathbb{N}_0$ such that $n = 2$.", "a symbol with its range"),
    (r"There exists a unique $x > 0$ such that $x = \lambda$ for all $\lambda > 1$.", "not of a plain form"),
    (r"There exists a unique $x > 0$ such that $x = 2$, and $y = 3$.", "not of a plain form"),
    (r"There exists $y > x > 0$ such that $y > 0$.", "a symbol with its range"),
    (r"There exists $n > 0$ such that $n > x$.", "a real number and an integer"),
    (r"We have $y > x$ if $x > z$, and $z > 0$.", "behind the last comma"),
    (r"Let $x > 0$. Then $y = e^{-t}$, $t \ge 0$.", "behind a comma"),
    (r"There exists $k \in [1, y]$ such that $k > x$.", "a real number and an integer"),
    (r"There is at most one $y > 0$ such that $y = x$.", "not of a plain form"),
    (r"There exists a unique $y > 0$ such that $y = x$ or $y = 2$.", "not of a plain form"),
    (r"There exists a unique $y, z > 0$ such that $y = z$.", "a symbol with its range"),
    (r"There exists a unique $x > 0$ such that $y = 2$.", "nothing is said of x"),
    (r"Let $x > 1$. Then there is a unique $x > 0$ such that $x = 2$.", "bound in one place and free in another"),
    (r"For $n \in \mathbb{N}$ we have $n \ge 0$.", "the paper does not say which"),
    (r"For $x \in \mathbb{R}_+$ we have $x \ge 0$.", "not read"),
    (r"For $x \in \mathbb{R}^2$ we have $x \ge 0$.", "not read")])
def test_everyday_forms_of_two_readings_are_not_read(words: str, why: str, tmp_path: Path) -> None:
    (stub,) = imported(tmp_path, rf"\begin{{theorem}} {words} \end{{theorem}}", "").stubs
    assert not stub.goal and why in stub.why


CARELESS = (
    r"For all $\alpha > 0$ and some $c > 0$, $\alpha + c > 0$.",
    r"For some $\alpha > 0$ and $c > 0$, $\alpha + c > 0$.",
    r"For all $\alpha > 0$ and $c > 0$, $\alpha > 0$ unless $c=2$.",
    r"For all $\alpha > 0$ and $c > 0$, $\alpha > 0$ if and only if $c > 0$.",
    r"For all $x > 1$ and $x < 0$, $x^2 > 0$.",
    r"For all $x > 0$ and $y > 0$, $x > y$ or $y > x$.",
    r"Not for all $x > 0$ and $y > 0$, $x > y$.",
    r"It is false that for all $x > 0$ and $y > 0$, $x > y$.",
    r"For almost all $x > 0$ and $y > 0$, $x > y$.",
    r"For all $x > 0$ and $y > 0$, $x$ is not $y$.",
    r"For all $x > 0$ and $y > 0$ large enough, $x > y$.",
    r"For all sufficiently large $x > 0$ and $y > 0$, $x > y$.",
    r"For all $x > 0$ and $y > 0$, there is no $z > 0$ with $z > x$.",
    r"If $x > 0$ and $y > 0$, $z > 0$, then $x > 1$ fails.",
    r"Unless $x > 0$ and $y > 0$, $x > y$.",
    r"For every integer $n \ge 1$ and $m \ge 1$, $n+m>0$.",
    r"For every integer $n \ge 1$ and $\ell \ge 1$, $n+\ell>0$.",
    r"Either for all $x>0$ and $y>0$, $x>y$.",
    r"For all $x, y$ and $z > 0$, $x>y$.",
    r"For all $x > 0$ and $y > 0$, $x > y$, $y > z$.",
    r"For all $x>0$ and $y>x$, $y$ and $z > 0$.",
    r"If $x>0$ or $y>0$, $x+y>0$.",
    r"Only if $x>0$ and $y>0$, $x+y>0$.",
    r"For all $a$ and $x = 2$ or $x = 3$, $x > 0$.",
    r"Let $n \ge 2$ be an integer and $m > 1$. Then $m n > 2$.",
    r"Let $n \ge 2$ be an integer and $\ell > 1$. Then $\ell n > 2$.",
    r"Let $n \ge 2$ be an integer and $k=n-p$. Then $p n > 2$.",
    r"Let $n \ge 2$ be an even integer and $0<p<1$. Then $p n > 2$.",
    r"Let $n \ge 2$ be an integer or $0<p<1$. Then $p n > 2$.",
    r"Let $n \ge 2$ and $0<p<1$ be integers. Then $p n > 2$.",
    r"Let $0<p<1$ and $n \ge 2$ be an integer. Then $p n > 2$.",
    r"Let $n \ge 2$ be an integer, $0<p<1$. Then $p n > 2$.",
    r"Let $n \ge 2$ not be an integer and $0<p<1$. Then $p n > 2$.",
    r"Let $n \ge 2$ be an integer and $0<p<1$ be fixed. Then $p n > 2$.",
    r"Let $n \ge 2$ be some integer and $0<p<1$. Then for some $x>0$ $p n > 2$.",
    r"Let $n \ge 2$ be an integer and $0<p<1$. Then $p n > 2$ does not hold.",
    r"Let $n \ge 2$ be an integer and so is $q > 2$. Then $p n > 2$.",
    r"Let $n \ge 2$ be an integer and $q > 2$ too. Then $p n > 2$.",
    r"Let $n, q$ be integers and $r > 2$. Then $q n > 2$.",
    r"Let $n \ge 2$ be an integer and $q = 2$ or $q=3$. Then $q n > 2$.",
    r"Let $n \ge 2$ be an integer and $r_k > 2$. Then $r_k n > 2$.",
    r"Let $n \ge 2$ be an integer and $N > 2$. Then $N n > 2$.",
    r"Let $n\ge2$ be an integer and let $N > 2$ be. Then $N n > 2$.",
    r"For $0 \le \rho < 1$, the inequality $\rho^2 \le \rho$ does not hold.",
    r"For $0 \le \rho < 1$, the inequality $\rho^2 \le \rho$ fails.",
    r"For $0 \le \rho < 1$, the inequality $\rho^2 \le \rho$ holds only if $\rho=0$.",
    r"For $0 \le \rho < 1$, the inequality $\rho^2 \le \rho$ holds if and only if $\rho=0$.",
    r"For $0 \le \rho < 1$, the inequality $\rho^2 \le \rho$ holds strictly.",
    r"For $0 \le \rho < 1$, the inequality $\rho^2 \le \rho$ never holds.",
    r"For $0 \le \rho < 1$, the inequality $\rho^2 \le \rho$ holds with equality.",
    r"For $0 \le \rho < 1$, the reverse inequality $\rho^2 \le \rho$ holds.",
    r"For $0 \le \rho < 1$, neither the inequality $\rho^2 \le \rho$ holds.",
    r"Unless the inequality $\rho^2 \le \rho$ holds, $x>0$.",
    r"For some $0 \le \rho < 1$, the inequality $\rho^2 \le \rho$ holds.",
    r"The inequality $\rho^2 \le \rho$ holds for some $\rho > 0$.",
    r"For $0 \le \rho < 1$, the inequality $\rho^2 \le \rho$ holds or $x>0$.",
    r"For $0 \le \rho < 1$, the inequality $\rho^2 \le \rho$ hardly holds.",
    r"The inequality $\rho^2 \le \rho$ holds, except for $\rho > 0$.",
    r"It is not true that the inequality $\rho^2 \le \rho$ holds.",
    r"For $0 \le \rho < 1$, the inequality $\rho^2 \le \rho$ holds asymptotically.",
    r"The inequality $\rho>0$ holds for all $x > 0$ and some $y>0$.",
    r"The inequality $\rho>0$ holds for all but $x > 0$.",
    r"If the inequality $x>0$ holds, $y>0$ fails.",
    r"The inequality $x>0$ holds for all $x>0$ if $y>1$ or $x>2$.",
    r"That the inequality $x>0$ holds is false.",
    r"For $x>0$, the bound $x$ holds.",
    r"Let $x>0$. Then the inequality $x>1$ holds for every $x>2$.",
    r"If $t > 0$, then $\int_t r e^{-ru}\,du = e^{-rt}$.",
    r"If $t > 0$, then $\int_t^\infty r e^{-rt}\,dt = e^{-rt}$.",
    r"If $t > 0$, then $\int_{t\in S} t\,dt = 1$.",
    r"If $t > 0$, then $\int_k^{n} x_k\,dx = 1$.",
    r"If $t>0$, then $\int_t^\infty f(u)\,du = 1$.",
    r"If $t>0$, then $\max_t u = 1$.",
    r"If $t>0$, then $\int_{t}^{\infty} u = 1$.",
    r"If $t>0$, then $\int_t^\infty u\,dF(u) = 1$.",
    r"If $t>0$, then $\int_{t_i}^\infty u^{-2}\,du = 1$.",
    r"If $t>0$, then $\oint_t u\,du = 1$.",
    r"If $t>0$, then $\iint_t u\,du = 1$.",
    r"If $t>0$, then $\int_t^{t+1} u\,du\,dv = 1$.",
)


def test_no_careless_variant_of_an_everyday_form_is_read(tmp_path: Path) -> None:
    found = imported(tmp_path, "\n".join(rf"\begin{{theorem}} {words} \end{{theorem}}" for words in CARELESS), "")
    assert len(found.stubs) == len(CARELESS) and not [s for s in found.stubs if s.goal]


@pytest.mark.parametrize(("said", "given"), [
    (r"$\mathbb{N} = \{1, 2, \ldots\}$", ("n in integers", "n >= 1")), (r"$\N := \{0, 1, 2, \dots\}$",
                                                                   ("n in integers", "n >= 0")),
    (r"$\mathbb N = \{0, 1, \ldots\}$ and $\N = \{1, 2, \ldots\}$", ()),
    (r"the set of nodes $\N = \{1, 2, \ldots, K\}$", ())])
def test_natural_numbers_begin_where_the_paper_says_so_once(said: str, given: tuple[str, ...], tmp_path: Path) -> None:
    (stub,) = imported(tmp_path, rf"Here {said}. \begin{{theorem}} For $n \in \N$ we have $n \ge 0$. \end{{theorem}}",
                       r"\newcommand{\N}{\mathbb{N}}").stubs
    assert stub.given == given and bool(stub.goal) == bool(given)


SHOWN = r"\begin{equation} x + n > 0 \end{equation}"
ENDED = r"\begin{equation} x + n > 0. \end{equation}"


@pytest.mark.parametrize(("text", "given"), [
    (f"For all $x > 0$, {SHOWN}, where $n \\ge 1$.", ("x > 0", "n >= 1")),
    (f"For $x>0$ we have\n\n{ENDED}", ("x > 0",)),
    (f"We have {SHOWN} for all $x > 0$. Then", ("x > 0",)), (f"Let $x > 0$. Then {ENDED} If so", ("x > 0",)),
    (f"It is {SHOWN}\n\nwhere $n$ is the number of jobs. If so", ()),
    (f"We have {SHOWN} where $n$ is a positive integer.", ("n in integers", "n > 0")),
    (f"If so, let $x > 0$.\n\nThe wait is given by {SHOWN} and grows.", ())])
def test_the_conditions_of_the_sentence_around_a_display_are_read(text: str, given: tuple[str, ...],
                                                                  tmp_path: Path) -> None:
    (stub,) = imported(tmp_path, text, "").stubs
    assert (stub.given, stub.goal) == (given, "x + n > 0"), stub
    assert not given or "x + n > 0" in stub.quote != "x + n > 0"


@pytest.mark.parametrize("text", [
    f"Suppose that the queue is stable. Then {ENDED}", f"Let $x > 0$. The load is high. The wait is {ENDED}",
    f"We have {SHOWN} if and only if $x > 0$.", f"We do not have {SHOWN} for any $x > 0$.", f"It is false that {ENDED}",
    f"For all $x>0$: \\begin{{itemize}}\\item The wait is {ENDED} \\end{{itemize}}", f"For large $n$ {ENDED}",
    f"For some $x > 0$, {ENDED}", f"We have {SHOWN} for $n$ even.", f"We have {SHOWN} unless $x = 0$.",
    f"We have {SHOWN} as $x \\to 0$.", f"We have {SHOWN} ($x > 0$).", f"In the case $x > 0$ it holds that {ENDED}",
    f"In heavy traffic, {ENDED}", f"Contrary to what is said, {ENDED}", f"The condition {SHOWN} is needed.",
    f"{SHOWN} This is false.", f"Is it so? A solution of {SHOWN} is sought.", f"\\paragraph{{Case $x>0$.}} {ENDED}",
    f"\\begin{{proof}}[Proof for $x > 0$] We have {ENDED} \\end{{proof}}",
    f"\\section{{The case $x > 0$}} We have {ENDED}",
    f"Consider $x > 0$. We have {ENDED}", f"Let $x > 0$. For all $n > 0$, {ENDED}", f"From {SHOWN} we get $x > 0$.",
    f"The queue is stable iff {ENDED}", f"We have {SHOWN}\n\\noindent\\emph{{whenever}} $x>0$.",
    r"\begin{align} c &= d \\ x &> 0 \end{align}", r"\begin{align} c &= d \\ x &\in (0, y) \end{align}",
    f"We conjecture that {ENDED}", f"Under Assumption 1, {ENDED}",
    f"We have {SHOWN}\n\nwhere $x > y$ denotes the load.",
    f"For all $x > 0$, {SHOWN.replace('x + n > 0', 'a = b')} and {SHOWN.replace('x + n > 0', 'f(x) = b')}.",
    r"For all $x>0$, \begin{align} a &= b \\ c &= d. \end{align}", f"Choose $x$ such that {ENDED}",
    f"Let {ENDED}", f"{ENDED} This holds for $x>0$.", f"{ENDED} The bound is valid for $x>0$.", f"{ENDED} Here $x>0$.",
    f"{ENDED} For $x>0$ only.", f"{ENDED} Above, we assumed $x>0$.", f"{ENDED} Equation (2) holds only for $x>0$.",
    f"{SHOWN} [for $x>0$].", f"{SHOWN} --- for $x>0$.", f"\\textbf{{Case 1:}} $x>0$. {ENDED}", f"On average, {ENDED}",
    f"To first order {ENDED}", f"Now $x > 0$. The wait is {ENDED}", f"In what follows, $x > 0$. The wait is {ENDED}",
    f"{SHOWN} is violated.", f"{ENDED} But it breaks down for $x<0$.", f"{ENDED} If $x<0$, it is $n$ instead.",
    r"\begin{align} c &= d, \\ 0 &\le x \le y. \end{align}", r"\begin{align} c &= d, \\ x &\ne 0. \end{align}"])
def test_a_display_whose_sentence_is_not_read_has_no_statement(text: str, tmp_path: Path) -> None:
    assert not any(s.goal for s in imported(tmp_path, text, "").stubs)


COUNTED = r"""\newtheorem{theorem}{Theorem}[section]
\newtheorem{lemma}[theorem]{Lemma}
\newtheorem{claim}{Claim}
\newtheorem{prop}{Proposition}[subsection]
\newtheorem{cor}{Corollary}[theorem]
\newtheorem*{fact}{Fact}
"""
PLACED = r"""\section{A}
\begin{lemma}x\end{lemma}\begin{theorem}x\end{theorem}\begin{cor}y\end{cor}\begin{claim}x\end{claim}
\begin{prop}x\end{prop}\subsection{AA}\begin{prop}x\end{prop}\begin{fact}x\end{fact}\begin{lemma}x\end{lemma}
\section*{Star}
\begin{lemma}x\end{lemma}\begin{prop}x\end{prop}\begin{cor}x\end{cor}
\section{B}
\begin{lemma}x\end{lemma}\begin{claim}x\end{claim}
\appendix
\section{C}
\begin{lemma}x\end{lemma}"""


def test_theorems_are_numbered_as_latex_does(tmp_path: Path) -> None:
    """As pdflatex printed them."""
    ids = [s.id.removeprefix("paper.") for s in imported(tmp_path, PLACED, COUNTED).stubs]
    assert ids == ["lemma-1.1", "theorem-1.2", "cor-1.2.1", "claim-1", "prop-1.0.1", "prop-1.1.1", "fact-line-10",
                   "lemma-1.3", "lemma-1.4", "prop-1.1.2", "cor-1.4.1", "lemma-2.1", "claim-2", "lemma-A.1"]


EQUATED = r"""\begin{equation}1\end{equation}\begin{equation}2\nonumber\end{equation}\begin{equation*}2\end{equation*}
\begin{equation}3\tag{X}\end{equation}\begin{equation}3\end{equation}
\begin{align}a&=1\\b&=2\nonumber\\c&=3\tag{Y}\\d&=4\\&=5\end{align}\begin{multline}1\\2\end{multline}
\begin{gather}f(1)\\[2pt]2\end{gather}\begin{eqnarray}f(6)&=&3\\7&=&3\nonumber\\8&=&1\end{eqnarray}
\begin{subequations}\begin{align}f(6)\\7\end{align}\begin{equation}3\end{equation}\end{subequations}
\begin{equation}\begin{split}3\\4\end{split}\end{equation}\begin{alignat}{2}6&=1&7&=2\end{alignat}
\begin{align}\begin{aligned}3\\4\end{aligned}\end{align}\begin{theorem}\begin{equation}3\end{equation}\end{theorem}
"""


def test_equations_are_numbered_as_latex_does(tmp_path: Path) -> None:
    """As pdflatex printed them."""
    def numbers(body: str, preamble: str) -> list[str]:
        return [s.found.number for s in imported(tmp_path, body, preamble).stubs if s.found.is_equation]

    ams = r"\documentclass{article}\usepackage{amsmath}"
    assert numbers(EQUATED, ams) == ["1", "", "", "X", "2", "3", "", "Y", "4-5", "6", "7-8", "9", "", "10", "11a-11b",
                                     "11c", "12", "13", "14", "15"]
    one = r"\begin{equation}1\end{equation}"
    body = rf"{one}\section{{A}}{one}{one}\section{{B}}{one}\section*{{C}}{one}\appendix\section{{D}}{one}"
    assert numbers(body, ams + r"\numberwithin{equation}{section}") == ["0.1", "1.1", "1.2", "2.1", "2.2", "A.1"]
    stub = imported(tmp_path, one, ams).stubs[0]
    assert stub.id == "paper.eq-1" and stub.found.named == "Equation (1)"


@pytest.mark.parametrize("strange", [
    r"\usepackage{autonum}", r"\mathtoolsset{showonlyrefs}", r"\setcounter{equation}{3}", r"\documentclass{report}",
    r"\newcommand{\be}{\begin{equation}}", r"\def\be{\equation}", r"\newtheorem{thm}[equation]{Theorem}",
    r"\renewcommand{\theequation}{\roman{equation}}", r"\numberwithin{equation}{subsection}",
    r"\usepackage{empheq}", r"\documentclass{IEEEtran}\numberwithin{equation}{section}",
    r"\numberwithin{equation}{section}\renewcommand{\thesection}{\Roman{section}}"])
def test_no_equation_is_numbered_where_something_else_may_count(strange: str, tmp_path: Path) -> None:
    assert not [s for s in imported(tmp_path, EQUATED, r"\usepackage{amsmath}" + strange).stubs if s.found.number]


@pytest.mark.parametrize("strange", [
    r"\begin{dmath}1\end{dmath}", r"\input{elsewhere}", r"\newif\ifa\ifa\begin{equation}1\end{equation}\fi",
    r"\newcommand{\ig}[1]{}\ig{\begin{equation}1\end{equation}}", r"\begin{align}a&=1\\\end{align}"])
def test_no_equation_is_numbered_after_what_may_count(strange: str, tmp_path: Path) -> None:
    stubs = imported(tmp_path, strange + r"\begin{equation}1\end{equation}", r"\usepackage{amsmath}").stubs
    assert not stubs[-1].found.number


@pytest.mark.parametrize("strange", [
    r"\setcounter{theorem}{4}", r"\renewcommand{\thetheorem}{\Alph{theorem}}", r"\counterwithin{claim}{section}",
    r"\newif\ifa \ifa \begin{lemma}x\end{lemma} \fi", r"\documentclass{IEEEtran}", r"\documentclass{report}",
    r"\newtheorem{lem2}[theorem]{Lemma}", r"\newtheorem{boxed-lemma}[theorem]{Lemma}", r"\input{elsewhere}",
    r"\import{parts/}{one}", r"\include{elsewhere}", r"\newmdtheoremenv{framed}[theorem]{Theorem}",
    r"\newaliascnt{remark}{theorem}", r"\newcommand{\ignore}[1]{}\ignore{\begin{lemma}x\end{lemma}}",
    r"\newcommand{\twice}[1]{#1 #1}\twice{\begin{lemma}x\end{lemma}}",
    r"\newcommand{\swap}[2]{#2 #1}\swap{\begin{lemma}x\end{lemma}}{}", r"\def\no#1{}\no{\section{A}}",
    r"\newcommand{\ignore}[1]{}\newcommand{\old}[1]{\ignore{#1}}\old{\begin{lemma}x\end{lemma}}",
    r"\excludecomment{hide}\begin{hide}\begin{lemma}x\end{lemma}\end{hide}",
    r"\newenvironment{hide}{\setbox0\vbox\bgroup}{\egroup}\begin{hide}\section{A}\end{hide}",
    r"\let\hide\comment\begin{hide}\section{A}\end{hide}", r"\AtEndDocument{\begin{lemma}x\end{lemma}}",
    r"\newcommand{\bl}{\begin{lemma}}", r"\newenvironment{lem}{\begin{lemma}}{\end{lemma}}",
    r"\newcommand{\sect}[1]{\section{#1}}", "{" * 5000])
def test_no_number_is_given_where_something_else_may_count(strange: str, tmp_path: Path) -> None:
    assert not [s for s in imported(tmp_path, strange + PLACED, COUNTED).stubs if s.found.number]


@pytest.mark.parametrize("strange", [
    r"\newif\ifa \ifa \newtheorem{remark}{Remark} \fi", r"\newcommand{\bl}{\begin{lemma}}", r"\input{elsewhere}",
    r"\newenvironment{lem}{\begin{lemma}}{\end{lemma}}", r"\newcommand{\sect}{\section}", r"\usepackage{mine}"])
def test_no_number_is_given_where_the_preamble_may_count(strange: str, tmp_path: Path) -> None:
    (tmp_path / "mine.sty").write_text(r"\RequirePackage{yours}")
    (tmp_path / "yours.sty").write_text(r"\renewcommand{\thesection}{\Roman{section}}")
    assert not [s for s in imported(tmp_path, PLACED, COUNTED + strange).stubs if s.found.number]


@pytest.mark.parametrize("body, ids", [  # as pdflatex printed them
    (r"\section{A}\begin{cor}x\end{cor}\begin{theorem}x\end{theorem}\section{B}\begin{cor}x\end{cor}",
     "cor-1.0.1 theorem-1.1 cor-2.0.1"),
    (r"\begin{claim}x\end{claim}\begin{claim*}x\end{claim*}\begin{claim}x\end{claim}", "claim-1 claim-line-8 claim-2"),
    (r"\section{A}\begin{appendix}\section{B}\begin{lemma}x\end{lemma}\end{appendix}", "lemma-A.1"),
    (r"\section{A}\begin{appendices}\section{B}\begin{lemma}x\end{lemma}\end{appendices}"
     r"\section{C}\begin{lemma}x\end{lemma}", "lemma-A.1 lemma-2.1"),
    (r"\appendix\section*{A}\begin{lemma}x\end{lemma}\section{B}\begin{lemma}x\end{lemma}", "lemma-line-8 lemma-A.1"),
    (r"\section{A}\lstinline|\begin{lemma}|\begin{lemma}x\end{lemma}\includegraphics{a}\begin{lemma}x\end{lemma}",
     "lemma-1.1 lemma-1.2"),
    (r"\section{A}\verb|%|\begin{lemma}x\end{lemma}\url{a%20b}\begin{lemma}x\end{lemma}", "lemma-1.1 lemma-1.2"),
    (r"\section{A}\\%\begin{lemma}x\end{lemma}" "\n" r"50\%\begin{lemma}x\end{lemma}", "lemma-1.1"),
    (r"\section{A}\begin{lemma}\begin{equation}\label{eq}x\end{equation}\end{lemma}", "lemma-1.1 eq"),
    (r"\section{A}\begin{lemma}\begin{equation}\label{eq}x\end{equation}\label{l}\end{lemma}", "l eq"),
    (r"\section{A}\rev{\begin{lemma}x\end{lemma}}\begin{lemma}x\end{lemma}", "lemma-1.1 lemma-1.2"),
    (r"\section{A}\subfile{part}\begin{lemma}x\end{lemma}", "lemma-1.1 lemma-1.2")])
def test_numbers_that_are_certain(body: str, ids: str, tmp_path: Path) -> None:
    preamble = COUNTED + r"\newtheorem*{claim*}{\textbf{Claim}}\newcommand{\rev}[1]{\textcolor{blue}{#1}}" \
        r"\titleformat{\section}{\bfseries}{\thesection.}{1em}{}"
    part = "\\documentclass[paper]{subfiles}\n\\begin{document}\\begin{lemma}x\\end{lemma}\n\\end{document}"
    found = imported(tmp_path, body, preamble, part=part)
    assert " ".join(s.id.removeprefix("paper.") for s in found.stubs) == ids and not found.missing


@pytest.mark.parametrize("preamble, heads", [
    ("", ["Before the first section", "Section 1. A", "Proofs", "Section 2. B", "Appendix A. C"]),
    (r"\documentclass[a]{IEEEtran}", ["Before the first section", "A", "Proofs", "B", "C"]),
    (r"\documentclass{report}", ["Before the first section", "A", "Proofs", "B", "C"]),
    (r"\renewcommand{\thesection}{\Roman{section}}", ["Before the first section", "A", "Proofs", "B", "C"])])
def test_a_section_has_its_number_or_its_title(preamble: str, heads: list[str], tmp_path: Path) -> None:
    body = TRUE + "".join(rf"\{section}{TRUE}" for section in (
        "section{A}", "section*{Proofs}", "section{B}", r"appendix\section{C}"))
    note = imported(tmp_path, body, preamble).note
    assert [line[3:] for line in note.splitlines() if line.startswith("## ")] == heads
    assert f":place: {heads[2]}, Equation, paper.tex" in note


@pytest.mark.parametrize("around", [
    r"\newcommand{\ignore}[1]{}\ignore{%s}", r"\excludecomment{hide}\begin{hide}%s\end{hide}",
    r"\let\ignore\phantom \ignore{%s}", r"\def\ignore#1{}\textbf{\ignore{\emph{%s}}}"])
def test_no_statement_is_made_of_what_need_not_be_printed(around: str, tmp_path: Path) -> None:
    (stub,) = imported(tmp_path, around.replace("%s", r"\begin{theorem}$1 < 2$\end{theorem}")).stubs
    assert not stub.goal and "may keep it from print" in stub.why


@pytest.mark.later
def test_the_note_is_refereed_at_once_and_nothing_is_judged_before_its_symbols_are(
        tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def words(status: int) -> dict[str, str]:
        with pytest.raises(SystemExit) as ended:
            main(["referee", str(note), "-j", "1", "--format", "json"])
        assert (ended.value.code or 0) == status
        return {c["id"]: c["verdict"] for c in json.loads(capsys.readouterr().out)["claims"]}

    imported(tmp_path, BODY, more=MORE)
    note = tmp_path / "note.md"
    with pytest.raises(SystemExit) as ended:
        main(["import", str(tmp_path / "paper.tex"), "-o", str(note)])
    assert not ended.value.code and "9 theorems and equations, 6 with a statement" in capsys.readouterr().err
    assert words(0) == {s.id: "proved" if s.id == "paper.eq-line-3" else "unknown" for s in import_paper(
        tmp_path / "paper.tex").stubs}
    told = note.read_text()
    for name, what in {"lambda": "> 0", "mu": "> lambda", "rho": "= lambda/mu", "x": "", "theta_0": "",
                       "W": "= rho/(mu - lambda)"}.items():
        row = next(line for line in told.split("\n") if line.startswith(f"| {name} |"))
        told = told.replace(row, row.replace("| ? |", f"| {what} |"))
    note.write_text(told)
    assert words(1) == {
        "paper.eq-load": "proved", "paper.eq-line-14": "refuted", "paper.thm-pos": "proved",
        "paper.lemma-line-22": "proved",
        "paper.eq-line-23": "unknown", "paper.fact-line-25": "unknown", "paper.definition-line-26": "unknown",
        "paper.proposition-line-2": "proved", "paper.eq-line-3": "proved"}


@pytest.mark.parametrize("preamble, body, why", [
    (r"\renewcommand{\le}{\ge}", TRUE, ""),  # what is printed is 1 >= 2, and that is what is stated
    (r"\let\le\ge", TRUE, r"\le is defined in the paper"),
    (r"\def\le{\ge}\def\le{\le}", TRUE, r"\le is defined in the paper"),
    (r"\newif\ifa \ifa\def\le{\ge}\fi", TRUE, r"\le is defined in the paper"),
    ("", r"\renewcommand{\le}{\ge}" + TRUE, r"\le is defined in the paper"),
    (r"\newcommand{\m}[1][\ge]{#1}", TRUE.replace(r"\le", r"\m"), r"\m is defined in the paper"),
    (r"\renewcommand{\le}{\le}", TRUE, "do not come to an end"),
    (r"\newcommand{\le}{\ge}", TRUE, r"\le is defined in the paper"),  # which TeX refuses: \le stays what it is
    (r"\newcommand{\log}{\exp}", TRUE.replace("1", r"\log 1"), r"\log is defined in the paper"),
    (r"\DeclareMathOperator{\rho}{mu}", TRUE.replace("1", r"\rho"), r"\rho is defined in the paper"),
    (r"\expandafter\def\csname le\endcsname{\ge}", TRUE, r"the paper uses \csname"),
    (r"\catcode`1=13 \def1{3}", TRUE, r"the paper uses \catcode"),
    (r"\renewenvironment{equation}{}{}", TRUE, "another meaning"),
    (r"\def\equation{}", TRUE, "another meaning"),
    ("", rf"\ifx\a\b {TRUE} \fi", "depends on a condition"),
    ("", r"\begin{equation} 1 \le 2 \text{ is false} \end{equation}", "one name or a product"),
    ("", r"\begin{theorem} It is false that $1 \le 2$. \end{theorem}", "not of a plain form"),
    ("", r"\begin{theorem} $x > 0$ for some $x > 1$. \end{theorem}", "not of a plain form"),
    ("", r"\begin{equation} \sum_{i=1}^{n} x_i \ge 0 \end{equation}", "which may count them"),
    ("", r"\begin{equation} TP \ge 0 \end{equation}", "one name or a product"),
    ("", r"\begin{equation} f(x) \ge 0 \end{equation}", "two readings"),
    ("", r"\begin{equation} \rho = O(\mu + 1) \end{equation}", "two readings"),
    ("", r"\begin{equation} g\left(x + 1\right) = 2 \end{equation}", "two readings"),
    ("", r"\begin{equation} F_0(1 - x) \ge 0 \end{equation}", "two readings"),
    (r"\newcommand{\m}{\mu}", r"A rate $\m(t)$. \begin{equation} \mu(x + 1) \ge 0 \end{equation}", "two readings"),
    ("", r"\begin{equation} \pi \ge 3 \end{equation}", "outside the grammar"),
    ("", r"\begin{equation} k + \sum_{k=1}^{3} k = 6 + k \end{equation}", "bound in one place and free in another"),
    ("", r"\begin{equation} \rho \ge \varrho \end{equation}", "two spellings"),
    ("", r"\begin{align} \rho &= 1 & \mu &= 2 \end{align}", "two readings"),
    ("", r"\begin{equation} \rho = \lambda \quad \mu = 1 \end{equation}", "two readings"),
    ("", r"\begin{theorem} If $\rho < 1 \qquad \mu < 2$, then $\rho < 2$. \end{theorem}", "two readings"),
    ("", r"\begin{equation} \rho < 1 \;\; \mu < 2 \end{equation}", "two readings"),
    ("", r"\begin{equation} dx = \mu \end{equation}", "a differential"),
    ("", r"\begin{equation} d\mu = \rho \end{equation}", "a differential"),
    ("", r"\begin{align} \rho &= 1 \\ -\mu &= 2 \end{align}", "two readings"),
    ("", r"\begin{equation} \sum_{x=1}^{3} \mu_x = 6 \end{equation}", "two readings"),
])
def test_no_statement_is_made_of_what_may_mean_something_else(preamble: str, body: str, why: str,
                                                              tmp_path: Path) -> None:
    (stub,) = imported(tmp_path, body, PREAMBLE + preamble).stubs
    assert (stub.goal, why in stub.why) == ("" if why else "1 >= 2", True), stub


def test_a_package_beside_the_paper_is_heard(tmp_path: Path) -> None:
    (tmp_path / "mine.sty").write_text("\\renewcommand{\\mu}{\\nu}\n\\let\\rho\\lambda\n")
    first, second = imported(tmp_path, r"\begin{equation} \mu \ge 1 \end{equation}\begin{equation} \rho \ge 1 "
                             r"\end{equation}", PREAMBLE + r"\usepackage{amsmath,mine}").stubs
    assert first.goal == "nu >= 1" and "\\rho is defined" in second.why


@pytest.mark.parametrize("text", ["\n::::\n::::{claim} a.b, identity, l. 1\n\n    goal: 1 == 2\n::::\n",
                                  "> x\n\n    goal: 1 == 2\n", "```qtheory\ngoal: 1 == 2\n```", ":::: {claim}"])
def test_no_quote_ends_its_claim(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = imported(tmp_path, rf"\begin{{theorem}}[{text.splitlines()[-1]}] {text} \end{{theorem}}")
    (tmp_path / "note.md").write_text(found.note)
    with pytest.raises(SystemExit):
        main(["referee", str(tmp_path / "note.md"), "-j", "1", "--format", "json"])
    (claim,) = json.loads(capsys.readouterr().out)["claims"]
    assert claim["verdict"] == "unknown" and claim["id"].startswith("paper.theorem-line-")


@pytest.mark.slow
@pytest.mark.parametrize("text", [
    r"\begin{theorem}\begin{equation}" * 400, r"\lstinline[ " * 50_000,
    r"\newenvironment{a}[1]" * 9000 + r"\begin{a}" * 9000,
    r"\newcommand{\ig}[1]{}" + r"\ig{" * 50_000 + "}" * 50_000, r"\newtheorem{a}{{{" * 50_000,
    r"\newcommand{\ig}[1]{}" + r"\ig{a}" * 50_000])
def test_strange_papers_are_read_in_seconds(text: str, tmp_path: Path) -> None:
    started = time.process_time()
    assert imported(tmp_path, text + TRUE).stubs and time.process_time() - started < 30


@pytest.mark.parametrize("text, why", [("", "no theorem and no equation"), ("\\input{paper}", "no theorem"),
                                       ("\\begin{equation}" * 2001, "more than 2000 theorems")])
def test_what_cannot_be_imported_is_told_in_a_line(text: str, why: str, tmp_path: Path,
                                                   capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "paper.tex").write_text(text)
    with pytest.raises(SystemExit) as ended:
        main(["import", str(tmp_path / "paper.tex"), "-o", str(tmp_path / "note.md")])
    err = capsys.readouterr().err
    assert ended.value.code == 2 and why in err and err.count("\n") == 1 and not (tmp_path / "note.md").exists()
