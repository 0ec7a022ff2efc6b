"""Agent networks as TOML: every key is known or refused, every error names its line::

    title = ".."
    [[engine]]                    # name; budget and batch_time (decode_time, if batches of outputs are apart), or
                                  # budget and time = {law, constants}
    name = "agent 1"              # policy = "work-conserving" (the default), "fcfs", "processor-sharing" or
                                  # "sarathi", or priority = ["visit", ..]
    [[type]]                      # name, rate (requests a second)
    name = "A"
    [[type.visit]]                # name, engine; prompt and output, or length; after (default: the visit above)
    name = "A1"                   # or, in a type whose requests choose at random, routes = {next = probability, ..}

Numbers are exact: 0.1 is 1/10, and "2/3" may be written as a text.
"""

from __future__ import annotations

import json
import re
import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

from qtheory.errors import InputError, UnknownNameError
from qtheory.models.laws import LAWS, law_type
from qtheory.models.network import AgentNetwork, Engine, NetworkError, RequestType, Visit
from qtheory.models.network_parts import MAX_DIGITS, POLICIES, rational

# What each key means, of the network itself and of its tables: the schema's descriptions.
MEANINGS = {
    "network": {"title": "What the network is, in a line.", "engine": "The engines.",
                "type": "The types of requests, each with a route of visits."},
    "engine": {
        "name": "The engine's name.", "budget": "Tokens of a batch at most; 1 if it is left out.",
        "batch_time": "Seconds of a batch, whatever it holds; 1 if it is left out.",
        "decode_time": "Seconds of a batch of outputs, where prompts and outputs have batches of their own.",
        "time": "The law of the seconds of a batch by its tokens, in place of batch_time.",
        "policy": "The order of service: fcfs, processor-sharing (all requests that are present at once, each with the "
                  "same share of the engine), sarathi (Sarathi-Serve: outputs first, then prompts as they came, in "
                  "chunks), work-conserving (any, the default), or by priority.",
        "priority": "Visits, or lists of visits without an order among them, those that come first on top."},
    "time": {"law": "The law's name.", "constants": "The law's constants by name, in seconds and tokens."},
    "type": {"name": "The type's name.", "rate": "Requests a second that arrive.",
             "visit": "The visits of a request, in their order."},
    "visit": {
        "name": "The visit's name.", "engine": "The engine that is visited.",
        "prompt": "Mean tokens of the prompt.", "output": "Mean tokens of the output; 0 if it is left out.",
        "length": "Mean tokens of the visit, where prompt and output are not told apart.",
        "after": "The visits that must have ended; by default the one above.",
        "routes": "The probability of each next visit; what is missing to 1 leaves the network."},
}
TOP = ("engine", "type"), ("title",)
ENGINE = ("name",), ("budget", "batch_time", "decode_time", "time", "policy", "priority")
TIME = ("law", "constants"), ()
TYPE = ("name", "rate", "visit"), ()
VISIT = ("name", "engine"), ("prompt", "output", "length", "after", "routes")
_HEADER = re.compile(r"\s*\[\[\s*(engine|type|type\s*\.\s*visit)\s*\]\]")


class _Lines:
    """Line numbers of the tables and their keys in a TOML text."""

    def __init__(self, text: str) -> None:
        self.tables: dict[str, list[tuple[int, dict[str, int]]]] = {"engine": [], "type": [], "visit": []}
        self.top: dict[str, int] = {}
        keys = self.top
        for number, line in enumerate(text.splitlines(), 1):
            header = _HEADER.match(line)
            if header:
                keys = {}
                self.tables[header[1].replace(" ", "").rpartition(".")[2]].append((number, keys))
            elif key := re.match(r'\s*"?(\w+)"?\s*=', line):
                keys.setdefault(key[1], number)

    def at(self, table: str, index: int, key: str = "") -> int:
        """The line of a key of the table with that index, of the table itself, or 1."""
        if table == "top":
            return self.top.get(key, 1)
        if index >= len(self.tables[table]):
            return 1  # written inline
        number, keys = self.tables[table][index]
        return keys.get(key, number)


class _Reader:
    def __init__(self, text: str, name: str) -> None:
        self.lines, self.name = _Lines(text), name
        self.indices: dict[tuple[str, str], int] = {}  # (table, name) -> how many of its kind stand before it
        self.visits = 0

    def fail(self, table: str, index: int, key: str, message: str) -> InputError:
        return InputError(f"{self.name}, line {self.lines.at(table, index, key)}: {message}")

    def table(self, raw: Any, table: str, index: int, keys: tuple[tuple[str, ...], tuple[str, ...]]) -> dict[str, Any]:
        needed, optional = keys
        where = "the network" if table == "top" else f"{table} {index + 1}"
        if not isinstance(raw, dict):
            raise self.fail(table, index, "", f"{where} is no table")
        for key in raw:
            if key not in (*needed, *optional):
                unknown = UnknownNameError(f"key of {where}", key, [*needed, *optional])
                raise self.fail(table, index, key, str(unknown))
        for key in needed:
            if key not in raw:
                raise self.fail(table, index, "", f"{where} lacks {key}")
        return raw

    def tables(self, raw: Any, kind: str, table: str, index: int) -> list[Any]:
        if not isinstance(raw, list):
            raise self.fail(table, index, kind, f"write it as [[{kind}]]")
        return raw

    def text(self, raw: Any, table: str, index: int, key: str) -> str:
        if not isinstance(raw, str) or not raw.strip():
            raise self.fail(table, index, key, f"{table} {index + 1}: {key} must be a text that is not empty")
        return raw

    def names(self, raw: Any, table: str, index: int, key: str) -> tuple[str, ...]:
        values = [raw] if isinstance(raw, str) else raw
        if not isinstance(values, list) or not all(isinstance(v, str) for v in values):
            raise self.fail(table, index, key, f"{table} {index + 1}: {key} must be a list of names")
        return tuple(values)

    def engine(self, raw: Any, index: int) -> Engine:
        t = self.table(raw, "engine", index, ENGINE)
        name = self.text(t["name"], "engine", index, "name")
        self.indices.setdefault(("engine", name), index)
        groups = tuple(self.names(g, "engine", index, "priority") for g in self._list(t.get("priority", []), index))
        policy = t.get("policy", "priority" if "priority" in t else "work-conserving")
        if not isinstance(policy, str):
            raise self.fail("engine", index, "policy", f"engine {name!r}: the policy is one of {', '.join(POLICIES)}")
        if "time" not in t:
            return Engine(name, t.get("budget", 1), t.get("batch_time", 1), policy, groups, t.get("decode_time"))
        if {"batch_time", "decode_time"} & set(t) or "budget" not in t:
            raise self.fail("engine", index, "time", f"engine {name!r}: time goes with budget, and not with batch_time")
        time = self.table(t["time"], "engine", index, TIME)
        return Engine.of_law(name, self._law(time, index, name), t["budget"], policy=policy, priority=groups)

    def _list(self, raw: Any, index: int) -> list[Any]:
        if not isinstance(raw, list):
            raise self.fail("engine", index, "priority", f"engine {index + 1}: priority must be a list of visits")
        return raw

    def _law(self, time: dict[str, Any], index: int, name: str) -> Any:
        constants = time["constants"]
        try:
            law = law_type(str(time["law"]))
            if not isinstance(constants, dict) or set(constants) != set(law.constant_names()):
                raise InputError(f"the {law.kind} law has the constants {', '.join(law.constant_names())}")
            if wrong := [k for k, v in constants.items() if isinstance(v, bool) or not isinstance(v, int | Fraction)]:
                raise InputError(f"the constant {wrong[0]} of its time is no number")
            return law(**{k: Fraction(v) for k, v in constants.items()})
        except (InputError, UnknownNameError, TypeError, ValueError, OverflowError) as error:
            raise self.fail("engine", index, "time", f"engine {name!r}: {error}") from None

    def type(self, raw: Any, index: int) -> RequestType:
        t = self.table(raw, "type", index, TYPE)
        name = self.text(t["name"], "type", index, "name")
        self.indices.setdefault(("type", name), index)
        visits: list[Visit] = []
        raw_visits = self.tables(t["visit"], "type.visit", "type", index)
        random = any(isinstance(v, dict) and v.get("routes") for v in raw_visits)
        for v in raw_visits:
            visits.append(self.visit(v, visits[-1].name if visits and not random else None))
        return RequestType(name, t["rate"], tuple(visits))

    def visit(self, raw: Any, above: str | None) -> Visit:
        index, self.visits = self.visits, self.visits + 1
        t = self.table(raw, "visit", index, VISIT)
        name = self.text(t["name"], "visit", index, "name")
        self.indices.setdefault(("visit", name), index)
        if ("length" in t) == ("prompt" in t) or ("length" in t and "output" in t):
            raise self.fail("visit", index, "length", f"visit {name!r}: give prompt and output, or length alone")
        after = self.names(t["after"], "visit", index, "after") if "after" in t else tuple(filter(None, [above]))
        engine = self.text(t["engine"], "visit", index, "engine")
        routes = t.get("routes", {})
        if not isinstance(routes, dict):
            raise self.fail("visit", index, "routes", f"visit {name!r}: write routes as {{next = probability, ..}}")
        length = t["length"] if "length" in t else t["prompt"]
        return Visit(name, engine, length, t.get("output", 0), after, tuple(routes.items()))

    def network(self, document: dict[str, Any]) -> AgentNetwork:
        t = self.table(document, "top", 0, TOP)
        title = t.get("title", "")
        if not isinstance(title, str):
            raise self.fail("top", 0, "title", "the title must be a text")
        try:
            engines = tuple(self.engine(e, i) for i, e in enumerate(self.tables(t["engine"], "engine", "top", 0)))
            types = tuple(self.type(r, i) for i, r in enumerate(self.tables(t["type"], "type", "top", 0)))
            return AgentNetwork(engines, types, title)
        except NetworkError as error:
            table, named, key = error.place
            index = self.indices.get((table, named), 0)
            if key == "prompt" and self.lines.at(table, index, key) == self.lines.at(table, index):
                key = "length"  # as the file may call it
            raise self.fail(table, index, key, str(error)) from None


def _exact_number(text: str) -> Fraction:
    return rational(text.replace("_", ""))


def parse(text: str, name: str = "network") -> AgentNetwork:
    """The network in a TOML text; InputError names the line of what is wrong."""
    try:
        document = tomllib.loads(text, parse_float=_exact_number)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{name}: {error}") from None
    except RecursionError:
        raise InputError(f"{name}: nested too deeply to be a network") from None
    except ValueError:
        raise InputError(f"{name}: inf, nan and numbers of more than {MAX_DIGITS} digits are none that a network can "
                         "have") from None
    return _Reader(text, name).network(document)


def read(path: str | Path) -> str:
    """The text of a file."""
    file = Path(path)
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{file}: cannot be read: {getattr(error, 'strerror', None) or error}") from None


def load(path: str | Path) -> AgentNetwork:
    """The network in a TOML file."""
    return parse(read(path), Path(path).name)


def dumps(network: AgentNetwork) -> str:
    """The network as TOML; :func:`parse` gives it back."""
    lines = [f"title = {_quoted(network.title)}"] if network.title else []
    for e in network.engines:
        lines += ["", "[[engine]]", f"name = {_quoted(e.name)}"]
        lines += [f"{key} = {_text(value)}" for key, value in (
            ("budget", e.budget), ("batch_time", e.batch_time), ("decode_time", e.decode_time)) if value is not None]
        if e.priority:
            groups = [list(g) if len(g) > 1 else g[0] for g in e.priority]
            lines.append(f"priority = {_quoted(groups)}")
        else:
            lines.append(f'policy = "{e.policy}"')
    for t in network.types:
        lines += ["", "[[type]]", f"name = {_quoted(t.name)}", f"rate = {_text(t.rate)}"]
        for v in t.visits:
            lines += ["", "[[type.visit]]", *(f"{key} = {_quoted(value)}" for key, value in
                                             (("name", v.name), ("engine", v.engine)))]
            if v.routes:
                ways = ", ".join(f"{_quoted(n)} = {_text(p)}" for n, p in v.routes)
                lines.append(f"routes = {{{ways}}}")
            elif not t.routed:
                lines.append(f"after = {_quoted(list(v.after))}")
            lines += [f"{key} = {_text(value)}" for key, value in (("prompt", v.prompt), ("output", v.output))]
    return "\n".join(lines).lstrip("\n") + "\n"


def _quoted(value: Any) -> str:
    """Texts and lists of them; JSON writes them as TOML does, but for DEL."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _text(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else f'"{value}"'


def schema() -> dict[str, Any]:
    """The JSON schema (2020-12) of a network file, as the TOML reads in JSON."""
    number: dict[str, Any] = {"type": ["number", "string"]}
    text: dict[str, Any] = {"type": "string", "minLength": 1}
    names = {"anyOf": [text, {"type": "array", "items": text}]}
    law = {"type": "object", "required": ["law", "constants"], "additionalProperties": False, "properties": {
        "law": {"enum": list(LAWS), "description": MEANINGS["time"]["law"]},
        "constants": {"type": "object", "additionalProperties": {"type": "number"},
                      "description": MEANINGS["time"]["constants"]}}}
    kinds: dict[str, Any] = {"name": text, "engine": text, "title": {"type": "string"}, "time": law, "after": names,
                             "routes": {"type": "object", "additionalProperties": number},
                             "policy": {"enum": list(POLICIES)}, "priority": {"type": "array", "items": names}}

    def table(what: str, keys: tuple[tuple[str, ...], tuple[str, ...]], **more: Any) -> dict[str, Any]:
        properties = {k: {**more.get(k, kinds.get(k, number)), "description": MEANINGS[what][k]}
                      for k in (*keys[0], *keys[1])}
        return {"type": "object", "properties": properties, "required": list(keys[0]), "additionalProperties": False}

    def many(item: dict[str, Any]) -> dict[str, Any]:
        return {"type": "array", "minItems": 1, "items": item}

    top = table("network", TOP, engine=many(table("engine", ENGINE)),
                type=many(table("type", TYPE, visit=many(table("visit", VISIT)))))
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "A network of agents", **top}
