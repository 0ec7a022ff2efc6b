"""Networks of agents that are not what is said of them, by class.

``network | text -> text | stable`` says that the shipped network, with the second text for the first in its file, is
stable.  ``network >> network | text -> text`` shows the first one's certificate for the second, and
``network >> change`` shows it with a change in the certificate.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from qtheory.networks import shipped

from .doors import ERROR, command

SAID = {
    "overloaded, and called stable": """
= tandem | rate = 1 -> rate = 1 | stable
tandem | rate = 1 -> rate = 2 | stable
tandem | rate = 1 -> rate = "3/2" | stable
tandem | rate = 1 -> rate = "7/5" | stable
tandem | rate = 1 -> rate = "27/20" | stable
tandem | prompt = "3/4" -> prompt = "5/4" | stable
tandem | prompt = "1/2" -> prompt = 2 | stable
tandem | prompt = "2/3" -> prompt = "11/10" | stable
tandem | batch_time = 1 -> batch_time = 3 | stable
= dai-wang | rate = -> rate = | stable
fork-join | rate = -> rate = 9# | stable
tool-calls | rate = -> rate = 99# | stable
""",
    "unstable by its priorities, and called stable": """
rybko-stolyar-agents | title -> title | stable
rybko-stolyar | title -> title | stable
lu-kumar | title -> title | stable
rybko-stolyar-agents | rate = "108/95" -> rate = "110/95" | stable
""",
    "stable, and called unstable": """
= rybko-stolyar | title -> title | unstable
tandem | title -> title | unstable
dai-wang | title -> title | unstable
fork-join | title -> title | unstable
two-types | title -> title | unstable
tool-calls | title -> title | unstable
rybko-stolyar-agents-reversed | title -> title | unstable
tandem | rate = 1 -> rate = "5/4" | unstable
""",
}

SHOWN = {
    "another network's certificate": """
tandem >> tandem | rate = 1 -> rate = 2
tandem >> tandem | rate = 1 -> rate = "4/3"
tandem >> tandem | prompt = "3/4" -> prompt = "5/4"
tandem >> lu-kumar | title -> title
dai-wang >> rybko-stolyar | title -> title
fork-join >> lu-kumar | title -> title
rybko-stolyar >> dai-wang | title -> title
lu-kumar >> tandem | title -> title
rybko-stolyar-agents >> rybko-stolyar-agents-reversed | title -> title
two-types >> rybko-stolyar | title -> title
""",
}

FORGED = {
    "a certificate with a hole": """
tandem >> no proofs
tandem >> a proof less
tandem >> called unstable
rybko-stolyar >> called stable
rybko-stolyar >> an empty cycle
lu-kumar >> an empty cycle
rybko-stolyar >> no proofs
dai-wang >> a proof less
fork-join >> a proof of something else
tandem >> an older schema
""",
}


@cache
def certificate(name: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "certificate.json")
        command("network", name, "-o", str(file), "--budget", "5")
        return file.read_text(encoding="utf-8")


def network(folder: str, text: str) -> str:
    """The file of a shipped network, with a change: ``name | old -> new``."""
    name, _, change = (part.strip() for part in text.partition("|"))
    old, new = change.split(" -> ")
    source = (Path(shipped.__file__).parent / "data" / f"{name}.toml").read_text(encoding="utf-8")
    assert old.strip() in source, f"{old} does not stand in {name}"
    file = Path(folder, "network.toml")
    file.write_text(source.replace(old.strip(), new.strip(), 1), encoding="utf-8")
    return str(file)


def said(line: str, budget: float) -> str:
    """``network | old -> new | verdict``"""
    text, _, claimed = line.rpartition("|")
    with tempfile.TemporaryDirectory() as folder:
        status, _ = command("network", network(folder, text), "--budget", str(budget))
    if status == 2:
        return ERROR
    found = {0: "stable", 1: "unstable", 3: "unknown"}[status]
    return "unknown" if status == 3 else "proved" if found == claimed.strip() else "refuted"


def held(data: Any, file: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        where = Path(folder, "certificate.json")
        where.write_text(json.dumps(data), encoding="utf-8")
        status, _ = command("network", file, "--check", str(where))
    return {0: "proved", 1: "refuted", 2: ERROR}[status]


def shown(line: str, _: float) -> str:
    first, second = line.split(" >> ")
    with tempfile.TemporaryDirectory() as folder:
        return held(json.loads(certificate(first)), network(folder, second))


def forged(line: str, _: float) -> str:
    first, change = line.split(" >> ")
    data = json.loads(certificate(first))
    claim, proofs = data["claim"], data["proofs"]
    changes: dict[str, Callable[[], Any]] = {
        "no proofs": lambda: data.update(proofs=[]),
        "a proof less": lambda: proofs.pop(),
        "called unstable": lambda: data.update(claim={**json.loads(certificate("rybko-stolyar"))["claim"]}),
        "called stable": lambda: data.update(claim={**json.loads(certificate("tandem"))["claim"]}),
        "an empty cycle": lambda: claim.update({key: [] for key, value in claim.items() if isinstance(value, list)}),
        "a proof of something else": lambda: proofs[0].update(wanted="1 > 0"),
        "an older schema": lambda: data.update(schema=1),
    }
    changes[change]()
    return held(data, first)
