"""A proof in words again: as it is written in a Markdown file, as HTML, and as LaTeX."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Iterator

from qtheory.proofs.citing import tex_escape
from qtheory.proofs.kernel.statements import Statement, declared
from qtheory.proofs.kernel.terms import KernelError
from qtheory.proofs.printing import latex
from qtheory.proofs.proving.lines import Law, Line, Proof, Terms

Show = Callable[[str], str]  # of a formula or a term


def described(step: Line, show: Show) -> str:
    """A step as a sentence, the steps of its own proof left out."""
    def several(texts: Iterable[str], between: str = ", ") -> str:
        return between.join(map(show, texts))

    label = step.label if _plain(step.label) else show(step.label)
    out = [f"({label})" if label and not label[0].isdigit() else "", show(step.formula)]
    out += [f"for {several(step.given)}"] * bool(step.given)
    out += [f"with {_terms(step.at, show)}"] * bool(step.at)
    out += [f"where {show(step.where)}"] * bool(step.where)
    ways = [name if _plain(name) else show(name) for name in step.by or ()] + ["nothing"] * (step.by == ())
    ways += [f"slope in {show(step.slope[0])} from {show(step.slope[1])}"] if step.slope else []
    ways += [f"cases {several(step.cases, '; ')}"] if step.cases else []
    ways += [f"induction on {show(step.over)}"] if step.over else []
    ways += [f"the conditions at {several(step.points, '; ')}"] if step.points else []
    if step.limit:
        through = f" through {several(step.limit.through, '; ')}" if step.limit.through else ""
        ways.append(f"limit of {show(step.limit.near)} beyond {show(step.limit.level)}{through}")
    ways += [step.way] if step.way else []
    out += [f"by {', '.join(ways)}"] if ways else []
    return " ".join(part for part in out if part)


def needs(proof: Proof, show: Show) -> Iterator[str]:
    """What a proof says besides its steps."""
    if proof.witness:
        yield f"witness {_terms(proof.witness, show)}"
    for rate in proof.rates:
        more = f" less {show(rate.less)}" if rate.less else " times the root" if rate.root else ""
        yield f"rate in {show(rate.x)}: {show(rate.constant)}{more}, within {show(rate.within)}"
    for order in proof.orders:
        yield f"order in {show(order.x)}: {show(order.constant)}, within {show(order.within)}"
    for x, functions in proof.antiderivatives:
        yield (f"antiderivative in {show(x)}: {'; '.join(map(show, functions))}" if functions
               else f"no antiderivative in {show(x)}")
    if proof.bracket:
        yield f"root between {show(proof.bracket[0])} and {show(proof.bracket[1])}"
    if proof.goal != Line():
        yield f"the goal {described(proof.goal, show)}"
    if proof.instance:
        yield f"instance {', '.join(map(show, proof.instance))}"
    if proof.law:
        yield _law(proof.law, show)
    for chosen, law in proof.ways:
        told = [show(", ".join(chosen))] * bool(chosen) + [_law(law, show)] * any(what for _, what in law)
        yield f"way {', '.join(told)}"
    if proof.under:
        yield f"under {', '.join(map(show, proof.under))}"
    if proof.parts:
        yield f"a proof each, those of {proof.source}"


def _law(law: Law, show: Show) -> str:
    return "law " + "; ".join(f"{show(chance)}: {show(', '.join(what))}" for chance, what in law)


def _terms(terms: Terms, show: Show) -> str:
    """As one text; in LaTeX, which reads terms alone, as equations."""
    if show("x").startswith("$"):
        return ", ".join(f"{show(x)[:-1]} = {show(t)[1:]}" if show(t).startswith("$") else show(f"{x} = {t}")
                         for x, t in terms)
    return show(", ".join(x if x == t else f"{x} = {t}" for x, t in terms))


def _plain(name: str) -> bool:
    return not set(name) & set("()<>=*")


def parts(proof: Proof, show: Show) -> list[tuple[str, list[Line], list[str]]]:
    """The heading, the steps and the other items of each part of a proof."""
    steps = [[s for s in proof.steps if s.concluding is late] for late in (False, True)]
    values = [f"witness {_terms(proof.values, show)}"] * bool(proof.values)
    found = [("", steps[0], list(needs(proof, show))), ("conclusion", steps[1], []), ("met", list(proof.met), values)]
    return [(title, lines, more) for title, lines, more in found if lines or more or not title]


def code(text: str) -> str:
    """In backticks, as in a file."""
    return f"`{text}`" if text else ""


def markdown(proof: Proof) -> str:
    """The proof as a numbered list in the language of docs/proofs.md, its abbreviations written out."""
    out: list[str] = []
    for title, lines, more in parts(proof, code):
        out += ["", f"### {title}", ""] if title else []
        out += list(_items(lines, "", more))
    return "\n".join(out) + "\n" if out else ""


def _items(lines: Iterable[Line], indent: str, more: list[str]) -> Iterator[str]:
    lines = list(lines)
    for n, line in enumerate(lines, 1):
        yield f"{indent}{n}. {described(line, code)}{':' * bool(line.proof)}"
        yield from _items(line.proof, indent + "   ", [])
    yield from (f"{indent}{n}. {text}" for n, text in enumerate(more, len(lines) + 1))


def page(proof: Proof) -> str:
    """The proof as HTML: nested lists."""
    def show(text: str) -> str:
        return f"<code>{html.escape(text)}</code>" if text else ""

    def listed(lines: Iterable[Line], more: Iterable[str] = ()) -> str:
        rows = [described(line, show) + (listed(line.proof) if line.proof else "") for line in lines]
        return f"<ol>{''.join(f'<li>{row}</li>' for row in (*rows, *more))}</ol>"

    return "".join((f"<h4>{title}</h4>" if title else "") + listed(lines, more)
                   for title, lines, more in parts(proof, show))


def tex(proof: Proof, statement: Statement | None = None) -> str:
    """The proof as nested enumerations, in the names of the statement that it proves."""
    where = tuple(w for w in statement.where if declared(w, "functions")) if statement else ()
    heads = tuple(text.partition("=")[0] for text in statement.let) if statement else ()
    defined = tuple(f"{h.partition('(')[0].strip()} in functions" for h in heads if "(" in h)

    def show(text: str) -> str:
        for form, whole in ((text, True), (f"({text}) == 0", False)):
            try:
                node = Statement(form, (*where, *defined)).parsed().conclusion
                return f"${latex(node if whole else node[1])}$"
            except KernelError:
                continue
        return rf"\texttt{{{tex_escape(text)}}}" if text else ""

    def listed(lines: Iterable[Line], more: Iterable[str] = ()) -> list[str]:
        items = [[rf"\item {described(line, show)}", *(listed(line.proof) if line.proof else [])] for line in lines]
        items += [[rf"\item {text}"] for text in more]
        return [r"\begin{enumerate}", *("  " + row for rows in items for row in rows), r"\end{enumerate}"] * bool(items)

    out = [row for title, lines, more in parts(proof, show)
           for row in ([rf"\paragraph{{{title}}}"] * bool(title) + listed(lines, more))]
    return "\n".join(out) + "\n"


__all__ = ["described", "markdown", "needs", "page", "tex"]
