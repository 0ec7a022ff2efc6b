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
_TYPED = re.compile(r"(\$\$[^$]+\$\$|\$[^$]+\$|\\\(.+?\\\))")  # formulas of LaTeX
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
    by ``plain``: between dollar signs or \\(..\\), or the whole text, as of a display."""
    alone = re.fullmatch(r"(['‘]?)(.*?)([.,;]*'?[.]?)", text, re.DOTALL)
    if alone and re.search(r"\\[A-Za-z]", alone[2]) and "$" not in text and compiles(alone[2]):
        return plain(alone[1]) + mathematics(alone[2]) + plain(alone[3])
    out = []
    for i, piece in enumerate(_TYPED.split(text)):
        inside = piece.strip("$") if piece[:1] == "$" else piece[2:-2]
        out.append(words(piece) if i % 2 == 0 else mathematics(inside) if compiles(inside) else plain(piece))
    return "".join(out)


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


__all__ = ["quoted", "set_in"]
