"""A step of a derivation: what it says, whether it is proved, by what, and on what it rests; as text, HTML, LaTeX."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from dataclasses import InitVar, dataclass
from fractions import Fraction
from typing import NoReturn

from qtheory.proofs.kernel.grammar import Macro, Parser
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import KernelError, Node, children, free, integer, substitute
from qtheory.proofs.operating import as_stated
from qtheory.proofs.plain import term_text
from qtheory.proofs.printing import LatexPrinter, distinct, latex, statement_latex
from qtheory.proofs.verdict import Verdict, point_text
from qtheory.proofs.visible import tex_escape, visible

COLOURS = {"proved": "#1a7f37", "refuted": "#b3261e", "conditional": "#9a6700", "unknown": "#57606a"}
VALUE = re.compile(r"-?[\d/.]+|\[-?[\d/.]+, -?[\d/.]+\]")  # a number, or an interval of numbers
RELATION = re.compile(r"<=|>=|==|!=|<|>")
NAME = re.compile(r"[A-Za-z]\w*")
SET = ":has(mjx-container,math,.MathJax,.MathJax_CHTML,.katex)"
# where nothing sets formulas, as without the network, the goal stands as it was typed
STYLE = (f"<style>.qtheory-tex:not({SET}){{position:absolute;width:1px;height:1px;overflow:hidden}}"
         f".qtheory-tex{SET}+code{{display:none}}</style>")
TAKEN = object()  # of derivations: a step that is made with it has been decided


@dataclass(frozen=True, slots=True)
class Step:
    """One step, as a derivation took it: nothing else makes one.

    ``standing`` is proved, conditional (it rests on a step that is not proved), refuted or unknown.

    ``conditions`` are the conditions that the proof used, ``rests_on`` the labels of the steps that it used;
    ``side_conditions`` say where the step's terms have a value: a proof includes them.
    """

    label: str
    kind: str
    goal: str
    latex: str
    standing: str
    verdict: Verdict
    conditions: tuple[str, ...] = ()
    rests_on: tuple[str, ...] = ()
    side_conditions: tuple[str, ...] = ()
    note: str = ""
    seal: InitVar[object] = None

    def __init_subclass__(cls) -> NoReturn:
        raise TypeError("a step is of no other kind: what another said of itself would be believed")

    def __post_init__(self, seal: object) -> None:
        if seal is not TAKEN:
            raise ValueError("a step is taken by a derivation, and cannot be changed: take another")
        word = {"conditional": "proved"}.get(self.standing, self.standing)
        rest = self.verdict.statement.removeprefix(self.goal)  # "", or the conditions and definitions
        if word != self.verdict.verdict or not self.goal or (rest and not rest.startswith(("  for ", "  where "))):
            raise ValueError(f"the step {self.goal!r} is not {self.standing}: its verdict is {self.verdict.title}, "
                             f"on {self.verdict.statement!r}")

    @property
    def proved(self) -> bool:
        return self.standing == "proved"

    @property
    def seconds(self) -> float:
        """The time that the answer took."""
        return self.verdict.seconds

    @property
    def reason(self) -> str:
        """Why: the method and what the proof rests on, or where it breaks."""
        if self.standing in ("proved", "conditional"):
            open_ones = f"; {self.verdict.rests}" if self.verdict.rests else ""
            rests = [*self.conditions, *(f"({r})" for r in self.rests_on)]
            methods = ", ".join(dict.fromkeys(w for w in (self.kind, self.verdict.method) if w != "step"))
            return methods + (f"; from {', '.join(rests)}" if rests else "") + open_ones
        if self.standing == "refuted":
            point = point_text(self.verdict.counterexample or {})
            undefined = f"; {self.verdict.undefined} has no value there" if self.verdict.undefined else ""
            at = f"false at {point}" if point else f"false {self._terms}".rstrip()
            return at + undefined
        return self.verdict.note or "no proof and no counterexample was found"

    @property
    def _terms(self) -> str:
        """Of a refuted step that speaks of every value of a variable: the terms for which it fails; else nothing."""
        return self.verdict.method if self.verdict.method.startswith("with ") else ""

    def lines(self) -> list[str]:
        """The reason, the side conditions and the notes, a line each."""
        return [visible(line) for line in self._lines()]

    def _lines(self) -> list[str]:
        out = [self.reason]
        if self.standing == "refuted":
            out += self.verdict.evidence.get("sides", ())
        elif self.verdict.witness:
            out.append(f"the conditions hold at {point_text(self.verdict.witness)}")
        if self.side_conditions:
            lead = "side conditions" + (", proved" if self.standing == "proved" else "")
            out.append(f"{lead}: {', '.join(self.side_conditions)}")
        return [*out, *([self.note] if self.note else [])]

    def __str__(self) -> str:
        head = f"({visible(self.label)}) {self.standing:<11} {visible(self.goal)}   [{self.seconds:.2f} s]"
        return "\n".join([head, *("      " + line for line in self.lines())])

    __repr__ = __str__

    def row(self) -> str:
        """The step as a row of an HTML table."""
        why = "<br>".join(html.escape(line) for line in self.lines())
        mark = f'<b style="color:{COLOURS[self.standing]}">{self.standing}</b>'
        return (f'<tr><td>({html.escape(self.label)})</td><td>{mark}</td><td style="text-align:left">'
                f'<span class="qtheory-tex">$\\displaystyle {html.escape(self.latex)}$</span>'
                f"<code>{html.escape(visible(self.goal))}</code></td>"
                f'<td style="text-align:left">{why}</td></tr>')

    def _repr_html_(self) -> str:
        return f"{STYLE}<table>{self.row()}</table>"

    def align_row(self, typed: Sequence[str]) -> str:
        """A row of an align environment: the formula, aligned at its relation, and the reason."""
        lead = {"proved": "", "conditional": "conditional: ", "refuted": "refuted: ", "unknown": "not proved: "}
        point = ", ".join(_value_latex(x, str(v)) for x, v in (self.verdict.counterexample or {}).items())
        words = {"refuted": "false at " if point else f"false {self._terms}".rstrip(), "unknown": "no proof found"}.get(
            self.standing, self.verdict.method if self.kind == "step" else self.kind)
        rests = f", by {', '.join(f'({r})' for r in self.rests_on)}" if self.rests_on else ""
        words += f"; {self.verdict.rests}" if self.verdict.rests else ""
        reason = tex_escape(lead[self.standing] + words) + (point if self.standing == "refuted" else "") + rests
        formula = f"{typed[0]} &{' '.join(typed[1:])}" if typed else "& " + self.latex
        return rf"{formula} && \text{{{reason}}} \tag{{{self.label}}}"


def _value_latex(name: str, value: str) -> str:
    """One coordinate of a counterexample, for running text: a number or an interval as mathematics."""
    if not VALUE.fullmatch(value):
        return tex_escape(point_text({name: value}))
    sign = r"\in" if value.startswith("[") else "="
    return f"${latex(name)} {sign} {value}$"


def side_conditions(nodes: Iterable[Node]) -> tuple[str, ...]:
    """What the terms of formulas need in order to have values, where that is not plain from their shape.

    What stands in an implication or under a quantifier is left out: its terms need not have values everywhere.
    """
    found: dict[str, None] = {}

    def walk(t: Node) -> None:
        if not isinstance(t, tuple) or t[0] in ("imp", "all", "ex", "undef"):
            return
        need: Node | None = None
        if t[0] == "log" and free(t[1]):
            need = (">", t[1])
        elif t[0] == "sqrt" and free(t[1]):
            total = _square_below(t[1])
            need = (">=", t[1]) if total is None else ("=", total)
        elif t[0] == "^" and free(t[1]) and not (integer(t[2]) and t[2] >= 0):
            base = t[1]
            while integer(t[2]) and isinstance(base, tuple) and base[0] == "^" and integer(base[2]) and base[2] > 0:
                base = base[1]
            if isinstance(t[2], Fraction):  # what another exponent needs depends on its value
                need = ("!=", base) if integer(t[2]) else (">=" if t[2] > 0 else ">", base)
        if need is not None:
            found.setdefault(term_text(need))
        for part in children(t)[0]:  # under a binder the variable has a range of its own
            walk(part)
        if t[0] == "diff":
            walk(substitute(t[2], t[1], t[3]))

    for node in nodes:
        walk(node)
    return tuple(found)


def _square_below(t: Node) -> Node | None:
    """x of -x**2, which is not negative where x is 0: so a law of masses says that their sum is 1."""
    square = t[2] if isinstance(t, tuple) and t[:2] == ("*", -1) and len(t) == 3 else None
    return square[1] if isinstance(square, tuple) and square[0] == "^" and square[2] == 2 else None


def opaque(goal: str, functions: Iterable[str], let: Sequence[str]) -> Node | None:
    """The goal with its definitions left as names, for printing; None where it cannot be read or shown so."""
    parsed = _parsed(goal, functions, let)
    return None if parsed is None else parsed.conclusion


def _parsed(text: str, functions: Iterable[str], let: Sequence[str], *, condition: bool = False) -> Statement | None:
    """A statement with the text as its goal, or only condition, and definitions left as names; None where it cannot be
    read so, or where At may put a point for a variable that a definition's value holds."""
    defined = [NAME.findall(head)[0] for head in (text.partition("=")[0] for text in let) if "(" in head]
    where = tuple(f"{f} in functions" for f in (*functions, *defined))
    try:
        if let and "At" in NAME.findall(text):
            parser = Placing(text, {}, {*functions, *defined})
            parser.whole()
            if parser.placed & set[Node]().union(*map(_held, let)):
                return None
        return Statement("0 < 1", (*where, text)).parsed() if condition else Statement(text, where).parsed()
    except KernelError:
        return None


class Placing(Parser):
    """The parser, with the variables for which At has put a point."""

    def __init__(self, text: str, macros: dict[str, Macro], functions: set[str]) -> None:
        super().__init__(text, macros, functions)
        self.placed: set[Node] = set()

    def meaning(self, name: str, arguments: list[Node]) -> Node:
        if name == "At":
            self.placed.update(arguments[1:2])
        return super().meaning(name, arguments)


def _held(definition: str) -> set[str]:
    """The names in a definition's value that its arguments do not bind, and its own, which may stand for a variable."""
    head, _, value = definition.partition("=")
    name, *parameters = NAME.findall(head)
    return {name, *NAME.findall(value)}.difference(parameters)


def as_typed(goal: str, functions: Iterable[str], let: Sequence[str]) -> list[str]:
    """Terms and relations of a comparison, or a chain of them, as LaTeX in the order typed; empty for other formulas,
    and where E, Var or Pr occurs.

    The kernel's own form of ``0 < x`` is ``x > 0``; a reader looks for what was written.
    """
    pieces, depth, start, at = [], 0, 0, 0
    while at < len(goal):
        depth += (goal[at] in "([{") - (goal[at] in ")]}")
        found = RELATION.match(goal, at) if depth == 0 else None
        if found:
            pieces += [goal[start:at], found.group()]
            start = at = found.end()
        else:
            at += 1
    out, printer = [], LatexPrinter()
    for i, piece in enumerate([*pieces, goal[start:]]):
        if i % 2:
            out.append(printer.relations[{"==": "="}.get(piece, piece)])
            continue
        parsed = _parsed(f"{piece} == 0", functions, let)
        if parsed is None or parsed.conclusion[0] != "=" or as_stated(parsed)[1]:
            return []
        out.append(printer.show(parsed.conclusion[1]))
    return out if len(out) > 1 and not printer.alike() else []


def goal_latex(goal: str, functions: Iterable[str], let: Sequence[str]) -> str | None:
    """A goal with its definitions as names, as typed where it is a comparison; None where it cannot be shown so."""
    parsed = _parsed(goal, functions, let)
    if parsed is None:
        return None
    if as_stated(parsed)[1]:
        return statement_latex(parsed).partition(r" \quad")[0]  # with E, Var and Pr as they are written
    return " ".join(as_typed(goal, functions, let)) or latex(parsed.conclusion)


def condition_latex(text: str, functions: Iterable[str], let: Sequence[str]) -> str | None:
    """A condition with its definitions as names, in brackets where a comma behind it would leave open how far it
    reaches; None where it cannot be shown so."""
    typed, parsed = as_typed(text, functions, let), _parsed(text, functions, let, condition=True)
    if typed or parsed is None:
        return " ".join(typed) or None
    return distinct(lambda printer: printer.conditions(parsed.hypotheses))


def definition_latex(text: str, functions: Iterable[str], let: Sequence[str]) -> str:
    """A definition as LaTeX, with the definitions before it as names; as typed where it has no such form."""
    head, _, body = text.partition("=")
    left, right = (opaque(f"{side} == 0", functions, let) for side in (head, body))
    if left is not None and right is not None and left[0] == right[0] == "=":
        defined, value = left[1], right[1]
        return distinct(lambda printer: f"{printer.show(defined)} := {printer.show(value)}")
    equation = _parsed(f"{head} == {body}", functions, let)  # with operators, which are no terms of the kernel
    if equation is not None and as_stated(equation)[0][-1][0] == "=":
        return statement_latex(equation).partition(r" \quad")[0].replace(" = ", " := ", 1)
    return rf"\text{{{tex_escape(text)}}}"
