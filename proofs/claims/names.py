"""Which names a text of the statement language speaks of: those free in it, those bound in it, and its functions.

A reader of claims needs this before it knows what a name stands for: a name that is applied is taken for a function.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from qtheory.proofs.kernel.grammar import APART, TOKEN, Parser, bound
from qtheory.proofs.kernel.statements import NAMES_TAKEN, declared
from qtheory.proofs.kernel.terms import KernelError, Node, children, free
from qtheory.proofs.limits import hinted


@dataclass(frozen=True)
class Names:
    """``free`` has the functions too; ``bound`` those of quantifiers, sums, limits and the like; ``why``: the text
    cannot be read, and this is in its way."""

    free: frozenset[str] = frozenset()
    bound: frozenset[str] = frozenset()
    why: str = ""


@cache
def names(text: str) -> Names:
    """Those of a term or a formula. Of a text that cannot be read every name counts as free."""
    if found := declared(text):
        return Names(frozenset(found))
    words, applied = _words(text)
    try:
        parser = Speaking(text, {}, applied)
        node = parser.whole()
    except KernelError as error:
        return Names(frozenset(words), why=hinted(str(error)))
    except RecursionError:
        return Names(frozenset(words), why=f"brackets within brackets, too many of them, in {text[:60]!r}")
    return Names(frozenset((free(node) | _applied(node)) & words), frozenset(words) & (
        parser.random | {x.partition(APART)[0] for x in bound(node)}))


class Speaking(Parser):
    """The parser of a text whose definitions are not known yet: one may hold the variable for which At puts a value."""

    def meaning(self, name: str, arguments: list[Node]) -> Node:
        if name == "At" and len(arguments) == 3:
            body, x, value = arguments
            if isinstance(x, str) and free(body) and x not in free(body):
                return ("+", self.term(body), x, self.term(value))
        return super().meaning(name, arguments)


def of_definition(text: str) -> tuple[str, Names]:
    """The name that ``f(x) = term`` defines, and the names of the term, its parameters among the bound ones."""
    head, _, body = text.partition("=")
    name, _, inside = head.partition("(")
    parameters = frozenset(p.strip() for p in inside.strip().removesuffix(")").split(",") if p.strip())
    inner = names(body.strip())
    return name.strip(), Names(inner.free - parameters, inner.bound | parameters, inner.why)


def unreadable(text: str) -> str:
    """Why the text is none of the language at all, as for a character that it has not; nothing of one that may be."""
    try:
        Parser(text, {}, set())
    except KernelError as error:
        return hinted(str(error))
    return ""


def states(text: str) -> bool:
    """Does the text, or a part of it, say something in the language, or go on with it: a comparison, an operation?"""
    def read(part: str) -> bool:
        try:
            node = Parser(part, {}, _words(part)[1]).whole()
        except (KernelError, RecursionError):
            return False
        return isinstance(node, tuple)

    return text.strip()[:1] in {*"+-*/^<>=,"} or any(read(part) or declared(part) for part in (text, *parts(text)))


def conditions(text: str) -> list[str]:
    """The conditions of a line; the commas of ``f, g in functions`` are no cuts."""
    return [text] if text.split().count("in") == 1 and declared(text) else parts(text)


def parts(text: str, mark: str = ",") -> list[str]:
    """The text cut at the marks outside brackets."""
    out, depth = [""], 0
    for letter in text:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == mark and depth == 0:
            out.append("")
        else:
            out[-1] += letter
    return [part.strip() for part in out]


def _words(text: str) -> tuple[set[str], set[str]]:
    """The names in the text that have no meaning of their own, and those of them that are applied."""
    at, words, applied = 0, set[str](), set[str]()
    while match := TOKEN.match(text, at):
        at, name = match.end(), match["name"]
        if name is not None and name not in NAMES_TAKEN:
            words.add(name)
            if text[at:].lstrip().startswith("("):
                applied.add(name)
    return words, applied


def _applied(node: Node) -> frozenset[str]:
    if not isinstance(node, tuple):
        return frozenset()
    outer, _, inner = children(node)
    own = frozenset({node[1]}) if node[0] == "app" else frozenset()
    return own.union(*(_applied(part) for part in (*outer, *inner)))
