"""A derivation as plain text, as HTML for a notebook, and as LaTeX; and a claim's proof likewise."""

from __future__ import annotations

import html
import sys
from typing import TYPE_CHECKING

from qtheory.proofs.alike import apart
from qtheory.proofs.context import Condition
from qtheory.proofs.kernel.statements import declared
from qtheory.proofs.printing import LatexPrinter
from qtheory.proofs.proving.showing import markdown as proof_text
from qtheory.proofs.proving.showing import page as proof_html
from qtheory.proofs.proving.showing import tex as proof_latex
from qtheory.proofs.steps import COLOURS, STYLE, Step, as_typed, condition_latex, definition_latex
from qtheory.proofs.visible import flowing, tex_escape, visible

if TYPE_CHECKING:
    from qtheory.proofs.derivation import Derivation


def derivation_text(d: Derivation) -> str:
    lines = [visible(d.title)]
    lines += [f"  let {visible(text)}" for text in d.context.let.values()]
    lines += [f"  for {visible(text)}" for text in d.context.texts]
    lines += [f"  units {_units(d)}"] if _units(d) else []
    return "\n".join([*lines, *map(str, d.steps), d.verdict])


def _units(d: Derivation) -> str:
    return ", ".join(f"{name} [{unit}]" for name, unit in d.context.units.items() if unit is not None)


def derivation_html(d: Derivation) -> str:
    given = [f"let <code>{html.escape(visible(text))}</code>" for text in d.context.let.values()]
    given += [f"for <code>{html.escape(visible(text))}</code>" for text in d.context.texts]
    given += [f"units <code>{html.escape(visible(_units(d)))}</code>"] if _units(d) else []
    colour = COLOURS["proved" if d.proved else "unknown" if not d.steps else "refuted"]
    rows = "".join(step.row() for step in d.steps)
    return (f"{STYLE}<b>{html.escape(visible(d.title))}</b><br>{'<br>'.join(given)}<table>{rows}</table>"
            f'<b style="color:{colour}">{html.escape(d.verdict)}</b>')


def derivation_latex(d: Derivation) -> str:
    """Definitions and conditions in a sentence, then an align environment with a row and a reason for each step."""
    with apart(d.context.names):
        return _latex(d)


def _latex(d: Derivation) -> str:
    let, functions = tuple(d.context.let.values()), tuple(d.context.functions)
    lines = [f"% {flowing(d.title)}: {d.verdict}"]
    if let:
        shown = ", ".join(f"${definition_latex(text, functions, let)}$" for text in let)
        lines.append(f"Let {shown}.")
    conditions = [_shown(d, c) for c in d.context.conditions]
    if conditions:
        lines.append("Assume " + ", ".join(f"${c}$" for c in conditions if c) + ".")
    rows = [step.align_row(as_typed(step.goal, functions, let)) for step in d.steps]
    if rows:
        lines += [r"\begin{align}", " \\\\\n".join("  " + row for row in rows), r"\end{align}"]
    state = "Each step is proved" if d.proved else f"The derivation is {d.verdict}"
    lines.append(tex_escape(f"{state} (qtheory)."))
    return "\n".join(lines) + "\n"


def _shown(d: Derivation, condition: Condition) -> str:
    """A condition with definitions left as names, where it is a formula."""
    if declared(condition.text):
        return LatexPrinter().conditions(condition.nodes)
    shown = condition_latex(condition.text, d.context.functions, tuple(d.context.let.values()))
    return shown or LatexPrinter().conditions(condition.nodes)


def show(step: Step) -> None:
    """Show a step at once: as HTML in a notebook, else as text."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is not None and hasattr(shell, "kernel"):
        from IPython.display import display

        display(step)
    else:
        print(step)


__all__ = ["derivation_html", "derivation_latex", "derivation_text", "proof_html", "proof_latex", "proof_text", "show"]
