"""Prose of claim files, which names symbols in plain letters (theta0, t^*_lcm, L^P, sqrt(N), <=), with these set as
mathematics."""

from __future__ import annotations

import re
from collections.abc import Callable

from qtheory.proofs.printing import GREEK, SPELLINGS
from qtheory.report.captions import compiles

_LETTERS = sorted({*GREEK, *SPELLINGS}, key=len, reverse=True)
_SCRIPT = r"[_^](?:\*|[A-Za-z0-9]+|\{[A-Za-z0-9,*+' -]{1,20}\})"
_SYMBOL = re.compile(rf"""(?P<sign>[<>]=(?![=>]))|(?:(?<![\w\\^$@.'"-])|(?<=[\s(]-))(?:
    (?P<greek>{'|'.join(_LETTERS)})(?P<number>\d{{0,2}})(?P<scripts>(?:{_SCRIPT})*)
  | (?P<letter>[A-Za-z]'{{0,2}})(?P<scripted>(?:{_SCRIPT})+)
  | (?P<small>[a-z])(?P<digits>\d{{1,2}})(?P<raised>(?:\^(?:\*|[A-Za-z0-9]+))?)
  | sqrt\((?P<root>[A-Za-z]|{'|'.join(_LETTERS)})\)
    )(?P<star>(?:\*(?!\())?)(?![\w^\\]|\*(?!\()|[.-]\w)""", re.VERBOSE)
# formulas of LaTeX as they stand in a text, and what of them is their own
_TYPED = re.compile(r"\$\$([^$]+)\$\$|\$([^$]+)\$|\\\((.+?)\\\)|\\\[(.+?)\\\]|\\begin\{((?:equation|align|gather|"
                    r"multline|eqnarray|flalign|displaymath)\*?)\}(.+?)\\end\{\5\}")
_PLAINER = tuple((re.compile(pattern), plain) for pattern, plain in (  # what each says, in commands of any document
    (r"\\(?:nonumber|notag|displaystyle|allowbreak|[Bb]igg?[lrm]?)(?![A-Za-z])|\\(?:label|tag\*?)\s*\{[^{}]*\}|(?<!\\)&",
     " "),
    (r"\\[dt]frac(?![A-Za-z])", r"\\frac"), (r"\\frac\s*(\d)\s*(\d)", r"\\frac{\1}{\2}"),
    (r"\\([lg]e)qslant(?![A-Za-z])", r"\\\1"), (r"\\operatorname\*?\s*\{([A-Za-z]+)\}", r"\\mathrm{\1}"),
    (r"\\mathbb\s*(?:\{\s*([A-Z])\s*\}|([A-Z]))", r"\\mathbf{\1\2}"),
    (r"\\(?:mbox|textrm|textnormal)(?=\s*\{)", r"\\text"), (r"(?<!\\)~", r"\\ ")))
_WORDS = re.compile(r"\$|(?<![\\A-Za-z{])[A-Za-z]{3,}")  # of a text that is no formula as a whole
_ROW_END = re.compile(r"\\\\\*?(?:\s*\[[\d.]+(?:pt|em|ex|mm)\])?")
_GOES_ON = re.compile(r"[=<>+-]|\\(?:le|leq|ge|geq|lt|gt|ne|neq|cdot|times|pm)(?![A-Za-z])")
ACCENTS = {"hat": r"\hat", "bar": r"\bar", "tilde": r"\tilde"}


def set_in(text: str, plain: Callable[[str], str], mathematics: Callable[[str], str]) -> str:
    """The text, what is prose made by ``plain``, and symbols, as LaTeX, by ``mathematics``."""
    out, at = [], 0  # a star before a bracket is a product's
    for m in _SYMBOL.finditer(text):
        out += [plain(text[at:m.start()]), mathematics(_latex(m))]
        at = m.end()
    return "".join([*out, plain(text[at:])])


def quoted(text: str, plain: Callable[[str], str], mathematics: Callable[[str], str],
           words: Callable[[str], str]) -> str:
    """A note's text as ``set_in`` makes it, by ``words``, but formulas of LaTeX that compile by ``mathematics``, others
    by ``plain``: between dollar signs, in \\(..\\), \\[..\\] or a display's environment, or the whole text, as of a
    display."""
    alone = re.fullmatch(r"(['‘]?)(.*?)([.,;]*'?[.]?)", text, re.DOTALL)
    if alone and re.search(r"\\[A-Za-z]", text) and not _WORDS.search(text) and (rows := _rows(alone[2])):
        return plain(alone[1]) + plain(" ").join(map(mathematics, rows)) + plain(alone[3])
    out, at = [], 0
    for m in _TYPED.finditer(text):
        rows = _rows(next(m[i] for i in (1, 2, 3, 4, 6) if m[i] is not None))
        out += [words(text[at:m.start()]), plain(" ").join(map(mathematics, rows)) if rows else plain(m.group())]
        at = m.end()
    return "".join([*out, words(text[at:])])


def _rows(latex: str) -> list[str]:
    """The formulas of a display, in commands that any document knows; none where one of them does not compile."""
    for pattern, plainer in _PLAINER:
        latex = pattern.sub(plainer, latex)
    rows = [" ".join(row.split()) for row in _ROW_END.split(latex) if row.strip()]
    if "$" in latex.replace(r"\$", "") or not all(map(compiles, rows)):
        return []
    return [row if i == 0 or _GOES_ON.match(row) else rf"\quad {row}" for i, row in enumerate(rows)]


def shortened(text: str, most: int) -> str:
    """At most so many characters of a quote, and a formula that begins in them whole, up to three times as many."""
    display = not _WORDS.search(text) and re.search(r"\\[A-Za-z]", text)
    if len(text) <= most or (display and len(text) <= 3 * most and _rows(text)):
        return text
    end = text[:most].rpartition(" ")[0]
    for m in _TYPED.finditer(text):
        if m.start() < len(end) < m.end():
            end = text[:m.end() if m.end() <= 3 * most else m.start()].rstrip()
    return text if len(end) >= len(text.rstrip(".,;' ")) else f"{end} …"


def _latex(m: re.Match[str]) -> str:
    if m["sign"]:
        return r"\le" if m["sign"] == "<=" else r"\ge"
    if m["root"]:
        return rf"\sqrt{{{_word(m['root'])}}}"
    base = _word(m["greek"]) if m["greek"] else m["letter"] or m["small"]
    below, above = [m["number"] or m["digits"] or ""], [m["star"]]
    scripted = m["scripts"] or m["scripted"] or m["raised"] or ""
    for sign, script in re.findall(r"([_^])(\*|[A-Za-z0-9]+|\{[^}]*\})", scripted):
        script = script.strip("{}")
        if sign == "_" and script in ACCENTS:
            base = f"{ACCENTS[script]}{{{base}}}"
        else:
            (below if sign == "_" else above).append(re.sub("[A-Za-z]+", lambda w: _word(w[0]), script))
    scripts = [(sign, ",".join(filter(None, parts))) for sign, parts in (("_", below), ("^", above))]
    return base + "".join(f"{sign}{{{script}}}" for sign, script in scripts if script)


def _word(word: str) -> str:
    if word in _LETTERS:
        return "\\" + SPELLINGS.get(word, word)
    return word if len(word) == 1 else rf"\mathrm{{{word}}}"


__all__ = ["quoted", "set_in", "shortened"]
