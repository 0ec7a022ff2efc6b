r"""A paper's LaTeX as it is quoted: words as one reads them, formulas as they are typed.

Commands that only set words apart are left out, citations and references show their labels; what is not known here
stays, so that nothing is lost.
"""

from __future__ import annotations

import re

END = r"(?![A-Za-z@])"
GROUP = r"\s*\{([^{}]*)\}"
SET = re.compile(rf"\\(?:emph|text(?:bf|it|sc|sf|tt|rm|sl|up|md|normal)?|mbox|underline){GROUP}"
                 rf"|\{{\s*\\(?:em|it|bf|sl|sc|rm|tt|itshape|bfseries){END}([^{{}}]*)\}}")
WORDS = tuple((re.compile(pattern), text) for pattern, text in (
    (rf"\\[Cc]ite[a-z]*\*?\s*(?:\[[^\]]*\]\s*)*{GROUP}", r"[\1]"),
    (rf"\\eqref{GROUP}", r"(\1)"), (rf"\\(?:[Cc]|auto)?ref\*?{GROUP}", r"\1"),
    (r"\\(?:begin|end)\s*\{(?:itemize|enumerate)\}(?:\[[^\]]*\])?", " "),
    (rf"\\item{END}\s*\[([^\]]*)\]", r" \1 "), (rf"\\item{END}", " • "),
    (rf"\\(?:q?quad|noindent|medskip|smallskip|bigskip){END}|\\[,;:! ]|(?<!\\)~", " "),
    (rf"\\l?dots{END}(?:\{{\}})?", "…"), (r"\\([%&])", r"\1"),
    ("---", "—"), ("--", "–"), ("``", "“"), ("''", "”")))
ALIGNED = re.compile(rf"(?<!\\)&|\\(?:nonumber|notag){END}")
DEFINITION = "a definition; it may stand in the table of symbols"
DEFINES = re.compile(r"d(?:[eé]|\\'\{?e\}?)fini(?:tion|ci|zi|ç)|\bdef(?:n|s)?\b", re.IGNORECASE)
ASSUMES = re.compile(r"assumption|hypothes[ie]s|notation|convention|axiom", re.IGNORECASE)
MASKED = re.compile("\ue000(\\d+)\ue001")  # characters that no paper has


def quoted(latex: str, formulas: re.Pattern[str]) -> str:
    """A theorem's text, in which the ``formulas`` stay."""
    if "\ue000" in latex or "\ue001" in latex:
        return latex
    kept: list[str] = []

    def mask(m: re.Match[str]) -> str:
        kept.append(m.group())
        return f"\ue000{len(kept) - 1}\ue001"

    text, more = formulas.sub(mask, latex), 1
    while more:
        text, more = SET.subn(lambda m: m[1] if m[1] is not None else m[2], text)
    for pattern, words in WORDS:
        text = pattern.sub(words, text)
    return " ".join(MASKED.sub(lambda m: kept[int(m[1])], text).split())


def displayed(latex: str) -> str:
    """A display's formulas, without what aligns and numbers them; as typed where something is set inside it."""
    return " ".join((latex if r"\begin" in latex else ALIGNED.sub("", latex)).split())


def unclaimed(kind: str, called: str) -> str:
    """Why a paper claims nothing in a theorem's environment, or "": by its name, and by what it is printed with."""
    if kind == "definition" or DEFINES.search(called):
        return DEFINITION
    assumed = ASSUMES.search(called)
    return f"the paper claims nothing in what it calls {assumed.group().lower()}" if assumed else ""


__all__ = ["DEFINITION", "displayed", "quoted", "unclaimed"]
