"""Networks whose stability is published: truth, verdict, certificate and processor seconds, as a Markdown table.

Run as ``python tests/benchmarks/network_table.py``; exits 1 where a verdict is wrong. With names it takes those alone
whose name holds one of them.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from fractions import Fraction as F
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "qtheory"))

from network_instances import INSTANCES, Instance

from qtheory.models.network import AgentNetwork, Engine, RequestType, Visit
from qtheory.models.network_classics import first_buffer_first, last_buffer_first, reentrant_line, tandem
from qtheory.networks import decide

LINES = ("ABCDEFGHABCDEFGHABCDEFGH", "ABCDEFGHHGFEDCBAABCDEFGH", "ABCDEFGHCADBGEHFHGFEDCBA", "ABCDEABCDEABCDE",
         "ABCCBAABC", "ABCBAC", "AB" * 12)  # the sixth: the route of Kempf's mini-fab


def more() -> Iterator[Instance]:
    """Twenty networks beside those that the tests decide."""
    for word in LINES:
        weight = [F(1 + 3 * i % 5) for i in range(len(word))]
        total = {s: sum(w for w, t in zip(weight, word, strict=True) if t == s) for s in word}
        line = reentrant_line(word, [F(99, 100) * w / total[s] for w, s in zip(weight, word, strict=True)])
        for which, order in (("first", first_buffer_first), ("last", last_buffer_first)):
            yield Instance(f"{word}, {which} buffer first", order(line), "stable",
                           f"Dai and Weiss (1996): {which}-buffer-first; loads < 1")
    dai = "Dai (1995): feed-forward, every order; loads < 1"
    yield Instance("tandem of 12 stations", tandem([F(99 - k, 100) for k in range(12)]), "stable", dai)
    stations = [f"s{k}" for k in range(6)]
    types = tuple(RequestType(f"t{j}", F(1), tuple(
        Visit(f"t{j}.{k}", f"s{k}", F(49, 100), after=(f"t{j}.{k - j - 1}",) if k > j else ())
        for k in range(j, 6, j + 1))) for j in range(2))
    yield Instance("two types through six stations", AgentNetwork(tuple(Engine(s) for s in stations), types), "stable",
                   dai)
    for load, answer in ((F(99, 100), "stable"), (F(101, 100), "unstable")):
        visits = (Visit("a", "A", load / 2, routes={"b": F(1, 2), "c": F(1, 2)}),  # type: ignore[arg-type]
                  Visit("b", "B", load / 2, routes={"a": F(1, 2)}),  # type: ignore[arg-type]
                  Visit("c", "C", load / 2, routes={"a": F(1, 2)}))  # type: ignore[arg-type]
        yield Instance(f"Jackson network with feedback, load {load}",
                       AgentNetwork((Engine("A"), Engine("B"), Engine("C")), (RequestType("j", F(1), visits),)),
                       answer, "Jackson (1957): loads < 1")
        steps = tuple(Visit(f"v{k}", "A", load / 10, after=(f"v{k - 1}",) if k else ()) for k in range(10))
        yield Instance(f"ten visits to one station, load {load}",
                       AgentNetwork((Engine("A"),), (RequestType("f", F(1), steps),)), answer,
                       "Klimov (1974): one station, every order; load < 1")


def main(words: list[str]) -> int:
    wrong = 0
    print("| network | source | truth | verdict | certificate | proofs | s |\n|---|---|---|---|---|---|---|")
    for i in (*INSTANCES, *more()):
        if words and not any(word in i.name for word in words):
            continue
        begin = time.process_time()
        found = decide(i.network)
        seconds = time.process_time() - begin
        kind, count = "none", 0
        if found.certificate is not None:
            kind, count = found.certificate["claim"]["kind"], len(found.certificate["proofs"])
        wrong += found.verdict not in (i.answer, "undecided")
        row = (i.name, i.source, i.answer, found.verdict, kind, str(count), f"{seconds:.2f}")
        print(f"| {' | '.join(row)} |", flush=True)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
