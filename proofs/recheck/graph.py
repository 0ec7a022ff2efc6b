"""Terms and formulas as interned graph nodes: equal expressions are one object, so equality is identity.

The operations and their meaning are those of the certificate format:
  num (value), var (name), + * ^ exp log sqrt max floor, W (branch), app (function symbol),
  sum and int (variable; low, high, body), diff (variable; body, point),
  atoms > >= = != isint def undef, connectives and or imp, quantifiers all ex (variable; body).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any
from weakref import WeakValueDictionary

from flint import fmpq

from .errors import demand

MAX_DEPTH = 400
MAX_SIZE = 1_000_000  # of the expression written out as a tree
RELATIONS = frozenset({">", ">=", "=", "!="})
ATOMS = RELATIONS | {"isint", "def", "undef"}
FORMULAS = ATOMS | {"and", "or", "imp", "all", "ex"}
SCOPED = {"sum": 2, "int": 2, "diff": 0, "all": 0, "ex": 0}  # which child stands under the bound variable
NO_NAMES: frozenset[str] = frozenset()


class Node:
    """One expression; ``tag`` is the number (top, bottom), name, branch or bound variable that belongs to ``op``."""

    __slots__ = ("__weakref__", "depth", "free", "kids", "op", "size", "tag")
    op: str
    tag: Any
    kids: tuple[Node, ...]
    free: frozenset[str]
    depth: int
    size: int

    @property
    def value(self) -> fmpq:
        """The value of a number."""
        return fmpq(*self.tag)

    @property
    def is_formula(self) -> bool:
        return self.op in FORMULAS

    @property
    def scope(self) -> Node | None:
        """The child under the bound variable, if there is one."""
        place = SCOPED.get(self.op)
        return None if place is None else self.kids[place]

    @property
    def outer(self) -> tuple[Node, ...]:
        """The children that stand under no bound variable of this node."""
        place = SCOPED.get(self.op)
        return self.kids if place is None else self.kids[:place] + self.kids[place + 1:]

    @property
    def whole(self) -> int | None:
        """The value of an integer literal, else None."""
        return int(self.tag[0]) if self.op == "num" and self.tag[1] == 1 else None

    def __repr__(self) -> str:
        inside = " ".join(map(repr, self.kids))
        tag = "/".join(map(str, self.tag)) if self.op == "num" else self.tag
        return f"({self.op}{'' if tag is None else f' {tag}'}{' ' if inside else ''}{inside})"


_table: WeakValueDictionary[tuple[Any, ...], Node] = WeakValueDictionary()


def make(op: str, *kids: Node, tag: Any = None) -> Node:
    """The node with this operation, tag and children."""
    key = (op, tag, kids)
    node = _table.get(key)
    if node is not None:
        return node
    node = Node()
    node.op, node.tag, node.kids = op, tag, kids
    node.depth = 1 + max((k.depth for k in kids), default=0)
    node.size = 1 + sum(k.size for k in kids)
    demand(node.depth <= MAX_DEPTH and node.size <= MAX_SIZE, "limit: an expression that is too large")
    if op == "var":
        node.free = frozenset((tag,))
    elif op in SCOPED:
        place = SCOPED[op]
        inner = kids[place].free - {tag}
        node.free = inner.union(*(k.free for i, k in enumerate(kids) if i != place))
    else:
        node.free = NO_NAMES.union(*(k.free for k in kids))
    _table[key] = node
    return node


def number(value: Any) -> Node:
    """The node of an exact rational."""
    q = fmpq(value)
    return make("num", tag=(int(q.p), int(q.q)))


def var(name: str) -> Node:
    return make("var", tag=name)


ZERO, ONE, MINUS_ONE, TWO = number(0), number(1), number(-1), number(2)
FALSE = make("or")


def add(*parts: Node) -> Node:
    return make("+", *parts)


def mul(*parts: Node) -> Node:
    return make("*", *parts)


def power(base: Node, exponent: Node) -> Node:
    return make("^", base, exponent)


def opposite(t: Node) -> Node:
    return mul(MINUS_ONE, t)


def difference(a: Node, b: Node) -> Node:
    return add(a, opposite(b))


def exp(t: Node) -> Node:
    return make("exp", t)


def log(t: Node) -> Node:
    return make("log", t)


def relation(sign: str, a: Node, b: Node) -> Node:
    """The atom ``a - b SIGN 0``."""
    return make(sign, difference(a, b))


def conjunction(*parts: Node) -> Node:
    return make("and", *parts)


def replace(node: Node, name: str, value: Node) -> Node:
    """The node with the value for the free variable; a capture of the value's variables is refused."""
    done: dict[Node, Node] = {}

    def go(n: Node) -> Node:
        if name not in n.free:
            return n
        if n in done:
            return done[n]
        if n.op == "var":
            return value
        place = SCOPED.get(n.op)
        if place is not None and n.tag != name and name in n.kids[place].free:
            demand(n.tag not in value.free, f"substitution would capture {n.tag}")
        kids = [k if i == place and n.tag == name else go(k) for i, k in enumerate(n.kids)]
        done[n] = make(n.op, *kids, tag=n.tag)
        return done[n]

    return go(node)


def complement(f: Node) -> Node:
    """The formula that is true exactly where f is false."""
    if f.op in ("and", "or"):
        return make("or" if f.op == "and" else "and", *map(complement, f.kids))
    if f.op == "imp":
        return conjunction(f.kids[0], complement(f.kids[1]))
    if f.op in ("all", "ex"):
        return make("ex" if f.op == "all" else "all", complement(f.kids[0]), tag=f.tag)
    t = f.kids[0]
    if f.op in ("def", "undef"):
        return make("undef" if f.op == "def" else "def", t)
    if f.op == ">":
        other = make(">=", opposite(t))
    elif f.op == ">=":
        other = make(">", opposite(t))
    elif f.op == "isint":
        other = relation("!=", t, make("floor", t))
    else:
        other = make("!=" if f.op == "=" else "=", t)
    return make("or", make("undef", t), other)


def strict_parts(term: Node) -> Iterator[Node]:
    """The term and its subterms outside binders, each once: all are defined where the term is."""
    seen, stack = {term}, [term]
    while stack:
        t = stack.pop()
        yield t
        for child in t.outer:
            if child not in seen:
                seen.add(child)
                stack.append(child)


def names_bound(nodes: Iterable[Node]) -> set[str]:
    """The variables bound anywhere inside, but for those of derivatives, whose point stands beside them."""
    names: set[str] = set()
    seen: set[Node] = set()
    stack = list(nodes)
    while stack:
        node = stack.pop()
        if node not in seen:
            seen.add(node)
            stack.extend(node.kids)
            if node.op in SCOPED and node.op != "diff":
                names.add(node.tag)
    return names


def asserted(formula: Node) -> set[Node]:
    """Terms that are defined wherever the formula is true."""
    if formula.op == "and":
        return set().union(*(asserted(f) for f in formula.kids))
    return set(strict_parts(formula.kids[0])) if formula.op in ATOMS - {"undef"} else set()
