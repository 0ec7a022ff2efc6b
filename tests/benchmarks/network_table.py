"""Networks whose stability is published: truth, verdict, certificate and processor seconds, as a Markdown table.

Run as ``python tests/benchmarks/network_table.py``; exits 1 where a verdict is wrong, where one other than
:data:`OPEN` is undecided, and where one takes more than :data:`MOST` seconds. With names it takes those alone whose
name holds one of them. With ``--write`` it puts the table into docs/measurements.md, in place of the one that is there.
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

PAGE = Path(__file__).parents[2] / "docs" / "measurements.md"
HEADING = "## Networks with a published answer"
COLUMNS = ("network", "source", "truth", "verdict", "certificate", "proofs", "s")
OPEN = ("Bramson's network",)  # of which no certificate is known
MOST = 60.0  # seconds of a processor for one
LINES = ("ABCDEFGHABCDEFGHABCDEFGH", "ABCDEFGHHGFEDCBAABCDEFGH", "ABCDEFGHCADBGEHFHGFEDCBA", "ABCDEABCDEABCDE",
         "ABCCBAABC", "ABCBAC", "AB" * 12)  # the sixth: the route of Kempf's mini-fab


def more() -> Iterator[Instance]:
    """Networks beside those that the tests decide."""
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


    yield from product_forms()


def product_forms() -> Iterator[Instance]:
    """Two types that cross, unstable under some orders from load 5/8 on."""
    types = tuple(RequestType(a, F(1), tuple(Visit(f"{a}{k}", b if k else a, F(1, 5), after=(f"{a}{k - 1}",) if k
                                                   else ()) for k in range(5))) for a, b in ("AB", "BA"))
    kelly = "Kelly (1975): first come, first served with like times; loads < 1"
    shared = "Baskett, Chandy, Muntz and Palacios (1975): processor sharing; loads < 1"
    for policy, source in (("fcfs", kelly), ("processor-sharing", shared)):
        network = AgentNetwork(tuple(Engine(e, policy=policy) for e in "AB"), types)
        for load, answer in ((F(99, 100), "stable"), (F(101, 100), "unstable")):
            yield Instance(f"crossing types, {policy}, load {load}", network.scaled(load), answer, source)


def row(i: Instance) -> tuple[tuple[str, ...], float]:
    """The columns of a network, and the seconds that its decision took of a processor."""
    begin = time.process_time()
    found = decide(i.network)
    seconds = time.process_time() - begin
    kind, count = "none", 0
    if found.certificate is not None:
        kind, count = found.certificate["claim"]["kind"], len(found.certificate["proofs"])
    return (i.name, i.source, i.answer, found.verdict, kind, str(count), f"{seconds:.2f}"), seconds


def good(cells: tuple[str, ...], seconds: float) -> bool:
    """Whether a row is as it is promised: the verdict is the truth, or the network is open, and it came in time."""
    name, _, truth, verdict = cells[:4]
    return seconds <= MOST and (verdict == truth or (verdict == "undecided" and name in OPEN))


def line(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"


def written(page: str, table: list[str]) -> str:
    """The page with this table under its heading, in place of the one that is there."""
    before, heading, after = page.partition(f"{HEADING}\n")
    if not heading:
        raise SystemExit(f"{PAGE} has no section {HEADING!r}")
    section, following, rest = after.partition("\n## ")
    kept = [text for text in section.splitlines() if not text.startswith("|")]
    while kept and not kept[-1]:
        kept.pop()
    return "\n".join([before + heading.rstrip(), *kept, "", *table, ""]) + following + rest


def main(arguments: list[str]) -> int:
    words, failed = [a for a in arguments if a != "--write"], list[str]()
    lines = [line(COLUMNS), line(("---",) * len(COLUMNS))]
    print("\n".join(lines), flush=True)
    for i in (*INSTANCES, *more()):
        if words and not any(word in i.name for word in words):
            continue
        cells, seconds = row(i)
        failed += [] if good(cells, seconds) else [i.name]
        lines.append(line(cells))
        print(lines[-1], flush=True)
    if "--write" in arguments and not failed:
        PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), lines), encoding="utf-8")
    print(f"{len(lines) - 2} networks: " + (f"not as promised: {', '.join(failed)}" if failed else
                                            f"none wrong, each within {MOST:g} s; open: {', '.join(OPEN)}"))
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
