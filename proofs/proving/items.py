"""One item of a proof's list: what stands in it, word by word. The grammar is in docs/proofs.md."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from qtheory.errors import UnknownNameError
from qtheory.proofs.proving.abbreviations import Abbreviations, bracketed, conditions, split
from qtheory.proofs.proving.lines import Law, Limit, Line, Order, Proof, Rate, Terms, rewritten

TOKEN = re.compile(r"`[^`]*`|[A-Za-z0-9][\w.'#-]*(?<!\.)|[,;:()]|\S")
END = re.compile(r"\.(?=\s|$)")
PUT = re.compile(r"([A-Za-z]\w*)\s*=(?!=)\s*(.+)")
CLAUSES = ("for", "with", "where", "since", "by")
BETWEEN = (",", ";", "and")
ONCE = {"bracket": "the ends of a root's interval are given", "goal": "it is said how the goal is proved"}


class Wrong(ValueError):
    """What is wrong with an item, and in which line if that is another than where it begins."""

    def __init__(self, why: str, line: int = 0) -> None:
        super().__init__(why)
        self.line = line


@dataclass
class Item:
    """An item as it stands: its lines as one, and the items of the list in it."""

    indent: int
    number: int
    line: int
    text: str
    inner: list[Item] = field(default_factory=list)


@dataclass
class Found:
    """A proof as it is read."""

    name: str
    source: str
    parts: dict[str, list[Any]] = field(default_factory=dict)

    def add(self, kind: str, what: Any) -> None:
        self.parts.setdefault(kind, []).append(what)

    def whole(self) -> Proof:
        whole: dict[str, Any] = {"name": self.name, "source": self.source}
        for kind, found in self.parts.items():
            lists = kind in ("witness", "values", "instance", "law", "under")
            whole[kind] = found[0] if kind in ONCE else tuple(t for terms in found for t in terms) if lists else (
                tuple(found))
        return Proof(**whole)


def added(proof: Found, found: Sequence[tuple[str, Any]], part: str = "") -> None:
    """Put what an item says where it belongs."""
    for kind, what in found:
        if kind == "witness" and part == "met":
            proof.add("values", what)
        elif kind == "steps" and part:
            proof.add(*(("met", what) if part == "met" else (kind, replace(what, concluding=True))))
        elif kind in ONCE and kind in proof.parts:
            raise Wrong(f"{ONCE[kind]} twice")
        else:
            proof.add(kind, what)


def read_item(item: Item, short: Abbreviations, known: Mapping[str, Proof], source: str,
              above: str = "") -> list[tuple[str, Any]]:
    """What the item says: steps, or one of the other parts of a proof, by the names of Proof's fields."""
    end = END.search(re.sub(r"`[^`]*`", lambda m: "`" * len(m[0]), item.text))
    text = item.text[:end.start()] if end else item.text
    if text.count("`") % 2:
        raise Wrong("a backtick is not closed", item.line)
    number = f"{above}{item.number}"
    reader = _Words(TOKEN.findall(text), short)
    if reader.tokens and reader.tokens[-1] == ":":
        reader.tokens.pop()
    try:
        directive = _directive(reader)
        if directive:
            if item.inner:
                raise Wrong("a list stands under what is no step")
            return [directive]
        return [("steps", line) for line in _steps(reader, item, number, short, known, source)]
    except Wrong as error:
        raise Wrong(str(error), error.line or item.line) from None
    except UnknownNameError as error:
        raise Wrong(str(error), item.line) from None
    except ValueError as error:
        raise Wrong(str(error), item.line) from None


def way(text: str) -> list[tuple[str, Any]]:
    """What stands after ``by``, or a directive, typed alone in a notebook: the fields of a step and of a proof."""
    reader = _Words(TOKEN.findall(text), Abbreviations())
    directive = _directive(reader)
    if directive:
        return [directive]
    found = _by(reader)
    reader.end()
    return list(found.items())


def _steps(words: _Words, item: Item, number: str, short: Abbreviations, known: Mapping[str, Proof],
           source: str) -> list[Line]:
    label = number
    if words.take("("):
        label = words.until(")")
    cited = ""
    formulas = [words.short.expand(t) for t in words.codes()]
    if not formulas and words.left and words.peek() not in CLAUSES:
        cited = words.name()
    clauses: dict[str, Any] = {}
    while words.left:
        clause = words.next()
        if clause not in CLAUSES or clause in clauses:
            raise Wrong(f"{clause!r} is not understood here; after a formula come {', '.join(CLAUSES)}, each once")
        clauses[clause] = _by(words) if clause == "by" else words.codes() or words.missing(f"after {clause}")
    read_as: tuple[str, ...] = ()
    if cited and "with" in clauses and "for" in clauses:
        new, old = (" ".join(map(short.expand, clauses.pop(word))) for word in ("with", "for"))
        read_as = old, bracketed(new)
    given = conditions([short.expand(t) for t in clauses.get("for", ())])
    puts = [terms(t, short) for t in clauses.get("with", ())] or [()]
    where = conditions([short.expand(t) for t in clauses.get("where", ())])
    inner: list[Line] = []
    for sub in item.inner:
        found = read_item(sub, short, known, source, f"{number}.")
        if any(kind != "steps" for kind, _ in found):
            raise Wrong("only steps stand under a step", sub.line)
        inner += [what for _, what in found]
    inner = [Line(short.expand(t), label=number, place=f"{source}, line {item.line}")
             for t in clauses.get("since", ())] + inner
    if not formulas and not cited and label == number:
        raise Wrong("a step has a formula in backticks, the name of a section, or a (label)")
    if inner and (len(formulas) > 1 or cited):
        raise Wrong("a proof stands under one formula")
    common: dict[str, Any] = {"label": label, "where": _joined(where), "place": f"{source}, line {item.line}",
                              **clauses.get("by", {})}
    if cited:
        lines = _cited(cited, puts, given, common, known)
        return [rewritten(line, *read_as) for line in lines] if read_as else lines
    return [Line(formula, given=given, at=at, proof=tuple(inner), **common) for formula in formulas or [""]
            for at in puts]


def _cited(name: str, puts: Sequence[Terms], given: tuple[str, ...], common: Mapping[str, Any],
           known: Mapping[str, Proof]) -> list[Line]:
    """The steps of another section; with terms, its one step at these."""
    if name not in known:
        raise UnknownNameError("section before this one", name, list(known))
    steps = known[name].steps
    if given or common.get("by") is not None:
        raise Wrong(f"the steps of {name} stand as they are there; only with and where may follow")
    if puts == [()]:
        return [_under(common["label"], step) for step in steps]
    if len(steps) != 1:
        raise Wrong(f"{name} has {len(steps)} steps, and one is needed where terms are put for its variables")
    one = _under(common["label"], steps[0])
    return [replace(one, at=at, where=common["where"]) for at in puts]


def _under(number: str, step: Line) -> Line:
    """A step of another section, its numbers under the one of the item that cites it."""
    def moved(label: str) -> str:
        return f"{number}.{label}" if label[:1].isdigit() else label

    return replace(step, label=moved(step.label), by=step.by and tuple(map(moved, step.by)),
                   proof=tuple(_under(number, inner) for inner in step.proof))


def terms(text: str, short: Abbreviations) -> Terms:
    """``a = t, b = u``, or names alone, which stand for themselves."""
    out = []
    for part in split(text):
        match = PUT.fullmatch(part)
        if match is None and not re.fullmatch(r"[A-Za-z]\w*", part):
            raise Wrong(f"after with stands `a = TERM, b = TERM`, not `{part}`")
        out.append((match[1], short.expand(match[2])) if match else (part, part))
    if len({name for name, _ in out}) != len(out):
        raise Wrong(f"a variable is given two terms in `{text}`")
    return tuple(out)


def _joined(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"And({', '.join(parts)})" if parts else ""


def _directive(words: _Words) -> tuple[str, Any] | None:
    """A line that is no step."""
    start = words.at
    short = words.short.expand
    first = words.next() if words.left else ""
    if first == "witness":
        found: tuple[str, Any] = ("witness", tuple(t for text in words.some() for t in terms(text, words.short)))
    elif first in ("rate", "order"):
        words.need("in")
        x = words.code()
        words.need(":")
        constant = short(words.code())
        less = short(words.code()) if first == "rate" and words.take("less") else ""
        root = first == "rate" and not less and words.take("times", "the", "root")
        words.take(",")
        words.need("within")
        found = ("rates", Rate(x, constant, short(words.code()), less, root)) if first == "rate" else (
            "orders", Order(x, constant, short(words.code())))
    elif first == "antiderivative":
        words.need("in")
        x = words.code()
        words.need(":")
        found = "antiderivatives", (x, tuple(map(short, words.some())))
    elif first == "no" and words.take("antiderivative"):
        words.need("in")
        found = "antiderivatives", (words.code(), ())
    elif first == "the" and words.take("goal", "by"):
        found = "goal", Line(**_by(words))
    elif first == "root" and words.take("between"):
        low, _, high = words.code(), words.need("and"), words.code()
        found = "bracket", (short(low), short(high))
    elif first == "instance":
        found = "instance", conditions([short(text) for text in words.some()])
    elif first == "law":
        found = "law", _law(words)
    elif first == "way":
        chosen = conditions([short(text) for text in words.codes()])
        words.take(",")
        found = "ways", (chosen, _law(words) if words.take("law") else (("1", ()),))
    elif first == "under":
        found = "under", conditions([short(text) for text in words.some()])
    else:
        words.at = start
        return None
    words.end()
    return found


def _law(words: _Words) -> Law:
    """Chances, each with definitions."""
    chances = []
    while words.left:
        chance = words.short.expand(words.code())
        words.need(":")
        chances.append((chance, tuple(map(words.short.expand, split(words.code())))))
        words.take(";")
    return tuple(chances)


def _by(words: _Words) -> dict[str, Any]:
    """References, and ways: the fields of a step."""
    out: dict[str, Any] = {}
    names: list[str] = []
    nothing = False
    while True:
        if words.peek()[:1] == "`":
            names.append(words.short.expand(words.code()))
        elif words.take("nothing"):
            nothing = True
        elif words.take("slope", "in"):
            x, _, end = words.code(), words.need("from"), words.code()
            out["slope"] = (x, words.short.expand(end))
        elif words.before_code("cases"):
            out["cases"] = tuple(map(words.short.expand, words.some(";")))
        elif words.take("index", "by", "index"):
            out["way"] = "index by index"
        elif words.take("guard", "by", "guard"):
            out["way"] = "guard by guard"
        elif words.take("first", "parts", "of", "sums"):
            out["way"] = "first parts of sums"
        elif words.take("induction"):
            out |= {"over": words.code()} if words.take("on") else {"way": "induction"}
        elif words.take("the", "conditions", "at"):
            out["points"] = tuple(map(words.short.expand, words.some(";")))
        elif words.take("limit", "of"):
            near, _, level = words.code(), words.need("beyond"), words.code()
            through = words.some(";") if words.take("through") else []
            short = words.short.expand
            out["limit"] = Limit(short(near), short(level), tuple(map(short, through)))
        else:
            names.append(words.until(","))
        if not words.take(","):
            break
    if names or nothing:
        out["by"] = tuple(names)
    return out


class _Words:
    """The tokens of an item, from left to right."""

    def __init__(self, tokens: list[str], short: Abbreviations) -> None:
        self.tokens, self.at, self.short = tokens, 0, short

    @property
    def left(self) -> bool:
        return self.at < len(self.tokens)

    def peek(self) -> str:
        return self.tokens[self.at] if self.left else ""

    def next(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1]

    def take(self, *words: str) -> bool:
        """Go past these words if they come next."""
        here = self.tokens[self.at:self.at + len(words)] == list(words)
        self.at += len(words) * here
        return here

    def need(self, word: str) -> str:
        if not self.take(word):
            raise Wrong(f"{word!r} is needed here, not {self.peek() or 'the end'!r}")
        return word

    def code(self) -> str:
        token = self.next() if self.left else ""
        if token[:1] != "`" or not token.strip("` "):
            raise Wrong(f"a text in backticks is needed here, not {token or 'the end'!r}")
        split(token[1:-1])
        return token[1:-1].strip()

    def codes(self, between: Sequence[str] = BETWEEN) -> list[str]:
        """Texts in backticks, with commas or semicolons between them."""
        found = []
        while self.peek()[:1] == "`":
            found.append(self.code())
            if self.peek() in between and self.tokens[self.at + 1:self.at + 2][0:1] and \
                    self.tokens[self.at + 1][:1] == "`":
                self.at += 1
        return found

    def some(self, between: str | Sequence[str] = BETWEEN) -> list[str]:
        return self.codes((between,) if isinstance(between, str) else between) or self.missing("here")

    def missing(self, where: str) -> list[str]:
        raise Wrong(f"a text in backticks is needed {where}")

    def name(self) -> str:
        token = self.next()
        if not re.fullmatch(r"[A-Za-z0-9][\w.'-]*", token):
            raise Wrong(f"{token!r} is neither a formula in backticks nor the name of a section")
        return token

    def before_code(self, word: str) -> bool:
        """Go past this word if it comes next, and a text in backticks then."""
        return self.tokens[self.at + 1:self.at + 2] != [] and self.tokens[self.at + 1][0] == "`" and self.take(word)

    def until(self, stop: str) -> str:
        """The words before this one: a label, as it is written."""
        found = []
        while self.left and self.peek() != stop:
            token = self.next()
            found.append(self.short.expand(token[1:-1]) if token[0] == "`" else token)
        if stop == ")":
            self.need(")")
        if not found:
            raise Wrong("a label or a number is needed here")
        return " ".join(found).replace(" :", ":")

    def end(self) -> None:
        if self.left:
            raise Wrong(f"{self.peek()!r} is not understood here")


__all__ = ["Found", "Item", "Wrong", "added", "read_item", "terms", "way"]
