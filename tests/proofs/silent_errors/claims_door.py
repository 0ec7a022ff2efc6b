"""False and undefined statements in a claims file of one's own, and the records of verdicts and of simulations edited.

The lines are as in the other tables, but for claims in words: there a line is the arguments of ``Claim``, beside an
id, a place, a sentence that is false, and a kind. Of a record a line is what is done to it.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from qtheory.proofs import corpus, records
from qtheory.proofs.claims import evidence

from .cases import parts
from .doors import ERROR, command, quietly

STATED = {
    "stability of a queue": """
= lam/mu < 1 | 0 < lam; lam < mu
lam/mu < 1 | 0 < lam; lam <= mu
lam/mu <= 1/2 | 0 < lam; lam < mu
lam/mu > 1 | 0 < lam; lam < mu
mu/lam < 1 | 0 < lam; lam < mu
lam/mu < 1 | lam < mu
lam/mu < 1 | 0 < lam; mu < lam
= lam/(mu - lam) > 0 | 0 < lam; lam < mu
lam/(mu - lam) > 0 | 0 < lam; lam <= mu
lam/(mu - lam) > 1 | 0 < lam; lam < mu
lam/(mu - lam) < 0 | 0 < lam; lam < mu
lam/(mu + lam) > 1 | 0 < lam; lam < mu
""",
    "throughput of batches": """
= k/(a + c*k) < 1/c | a > 0; c > 0; k > 0
k/(a + c*k) < 1/c | a >= 0; c > 0; k > 0
k/(a + c*k) < 1/c | a > 0; c >= 0; k > 0
k/(a + c*k) < 1/c | a > 0; c > 0
k/(a + c*k) > 1/c | a > 0; c > 0; k > 0
k/(a - c*k) < 1/c | a > 0; c > 0; k > 0
k/(a + c*k) < 1/a | a > 0; c > 0; k > 0
1/(a + c*k) < 1/c | a > 0; c > 0; k > 0
k/(a + c*k) <= 1/(2*c) | a > 0; c > 0; k > 0
= StrictlyIncreasing(k/(a + c*k), k, k > 0) | a > 0; c > 0
StrictlyDecreasing(k/(a + c*k), k, k > 0) | a > 0; c > 0
StrictlyIncreasing(k/(a + c*k), k, k > 0) | a >= 0; c > 0
""",
    "definitions of a claim": """
= f(2) == 4 | | f(x) = x**2
f(2) == 2 | | f(x) = x**2
f(-2) == -4 | | f(x) = x**2
f(0) == f(0) | | f(x) = 1/x
f(x) == f(x) | | f(x) = log(x)
f(x) > 0 | | f(y) = y**2
f(x) >= f(y) | x >= y | f(s) = s**2
f(x) + g(x) == 2*x | x != 0 | f(x) = x**2/x; g(x) = x + 1
f(a, b) == f(b, a) | | f(x, y) = x - y
f(1/x) == 0 | | f(y) = 0
f(x) == x | | f(x) = abs(x)
""",
    "claims that are undefined": """
= 1/x == 1/x | x > 0
1/x == 1/x
= log(x) == log(x) | x > 0
log(x) == log(x) | x >= 0
sqrt(x) >= 0
sqrt(x)**2 == x
x/x == 1
(x**2 - 1)/(x - 1) == x + 1
0*log(x) == 0
x**(1/2) == x**(1/2) | x >= -1
limit(x, x, sqrt(a)) == sqrt(a)
Or(x > 0, 1/x <= 0)
""",
}

# ``goal | conditions | definitions | proof``, the lines of a proof with / between them: it is never believed
PROOFS = {
    "proofs that are wrong": """
x**2 > 0 | | | 1. `1 == 2`
x**2 > 0 | | | 1. `x**2 > 0`
x**2 > 0 | | | 1. `x != 0`
x > 0 | | | 1. `x > 0` for `x > x` / 2. `x > x`
n*(n + 1) == 2*n | n in naturals | | 1. `n == 1`
1/x == 1/x | | | 1. `x != 0`
exp(x) > 1 | | | 1. `exp(x) > exp(0)` by slope in `x` from `0`
x**2 > 0 | | | 1. the goal by cases `x`
log(x) < x - 1 | x > 0 | | 1. `log(x) < x - 1` / 2. `log(u) < u - 1` with `u = x`
x*y <= x | y <= 1 | | 1. `x >= 0`
""",
}

IN_WORDS = {
    "words that a claim must earn": """
verdict="proved"
verdict="refuted"
verdict="checked"
verdict="supported"
verdict="contradicted"
verdict="proved (axioms: foster-lyapunov)"
verdict="PROVED"
verdict="valid"
verdict="true"
verdict=True
""",
    "words without what they need": """
verdict="unknown"
verdict="imprecise"
verdict="imprecise", readings=()
readings=("mine.two", "mine.three")
verdict="reported", readings=("mine.two", "mine.three")
verdict="reported", severity="grave"
verdict="reported", kind="lemma"
verdict="reported", id="eb.prop-3.3"
verdict="reported", says="1 == 2"
note="proved by the author"
""",
    "a proof by hand": """
statement=Statement("1 == 2"), axioms=("foster-lyapunov",)
statement=Statement("1 == 2"), certificate={"verdict": "proved"}
statement=Statement("1 == 2"), verdict="proved"
statement=Statement("1 == 2"), verdict="assumed"
statement=Statement("1 > 0"), says="1 == 2"
statement=Statement("1 == 2"), run=lambda: Holds(1, "all", "by hand")
statement="1 == 2"
judge=lambda: {"verdict": "proved"}
theorem="foster-lyapunov"
run={"verdict": "checked"}
""",
    "what code may not end in": """
run=lambda: "proved"
run=lambda: True
run=lambda: None
run=lambda: {"verdict": "checked", "evidence": {"cases": 8, "bound": "n = 8"}}
run=lambda: Verdict("1 == 2", "checked")
run=lambda: Holds(0, "n <= 0", "enumeration of nothing")
run=lambda: Holds(3, " ", "enumeration without a bound")
run=lambda: Holds("all", "all n", "by hand")
run=lambda: Holds(True, "all n", "by hand")
run=lambda: Fails({}, "no input is named")
""",
    "code that comes upon no case": """
run=every("n <= 3", "enumeration")(lambda: iter(()))
run=every("n <= 3", "enumeration")(lambda: iter((None, Undecided("too long"), None)))
run=lambda: shown(1 == 2, {"n": 1}, "replay")
run=lambda: Undecided("proved")
""",
    "code that comes upon a case": """
run=every("n <= 3", "enumeration")(lambda: (None if n < 2 else {"n": n} for n in range(4)))
run=every("n <= 3", "enumeration")(lambda: iter(({"n": 0}, None, None)))
run=lambda: shown(1 != 2, {"left": 1, "right": 2}, "replay")
""",
    "simulations that were not run": """
studies=lambda: {}
studies=lambda: {"q": Study("1 == 2", None, half, 0.0, 1.0, 1.0, 5)}
studies=lambda: {"q": Study("1 == 2", None, half, 0.0, 1.0, 1.0, 5, claim="to.conj-1.simulated/instance-0")}
""",
    "what is no simulation": """
studies=lambda: {"q": "supported"}
studies=lambda: "supported"
studies={"q": "supported"}
studies=lambda: {"q": Study("1 == 2", None, half, 1.0, 0.0, 1.0, 5)}
studies=lambda: {"q": Study("1 == 2", None, lambda run: 0.5, 0.0, 1.0, 1.0, 5)}
studies=lambda: {"q": Study("1 == 2", None, half, 0.0, 1.0, 1.0, 1)}
studies=lambda: {"q": Study("1 == 2", None, len, 0.0, 1.0, 1.0, 5)}
studies=lambda: 1/0
""",
}

# ``record`` is that of the simulation that contradicts its claim, ``other`` one that supports another
EVIDENCE = {
    "a simulation's record edited": """
record["verdict"] = "supported"
record["range"] = [0.0, 0.1]
record["range"] = [None, None]
record["values"] = [v/10 for v in record["values"]]
record["values"] = [0.005]*40
record["error_rate"] = 0.49
record["hypothesis"] = record["hypothesis"].replace("1 percent", "10 percent")
record["result"] = "0.005 (0.004 to 0.006 at 0.998)"
record["fingerprint"] = other["fingerprint"]
record.update(other)
""",
    "a simulation's numbers edited": """
record["values"] = record["values"][::-1]
record["values"] = record["values"][:20]
record["values"] = record["values"]*2
record["values"][0] = 0.0
record["values"][0] += 1e-12
record["values"] = [str(v) for v in record["values"]]
record["values"] = [float("nan")]*40
record["values"] = []
record["horizon"] = 1.0
record["seeds"] = "(1, 0) to (1, 39)"
""",
}

# ``record`` is what is recorded of a refuted claim
RECORDED = {
    "a recorded verdict edited": """
record["verdict"] = "proved"
record["verdict"] = "checked"
record["verdict"] = "supported"
record["severity"] = None
record["stated"] = "0"*16
record["axioms"] = ["foster-lyapunov"]
record.pop("verdict")
record.clear()
""",
}

CLAIM, CONTRADICTED, SUPPORTED = "rad.alg-1", "eb.sec-3.4.converges.process/gamma", "to.conj-1.simulated/instance-0"
FILE = """from qtheory.proofs.claims.cases import every, shown
from qtheory.proofs.claims.evidence import Study
from qtheory.proofs.claims.model import Claim
from qtheory.proofs.claims.outcomes import Fails, Holds, Undecided
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.proving.reading import read_proof
from qtheory.proofs.verdict import Verdict


def half(run):
    return 0.5


ARGUMENTS = dict(id="mine.one", place="Section 1", quote="1 == 2", lines=(1, 1), kind="theorem")
CLAIMS = [Claim(**(ARGUMENTS | dict({})))]
"""


def refereed(arguments: str, budget: float | None) -> str:
    """The verdict on the one claim of a file."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "mine.py")
        file.write_text(FILE.format(arguments), encoding="utf-8")
        return quietly(lambda: corpus.verify([str(file)], budget=budget)[0].verdict)


def by_words(line: str, _: float) -> str:
    return refereed(line, None)


def by_statement(line: str, budget: float) -> str:
    goal, where, let = parts(line)
    return refereed(f"statement=Statement({goal!r}, {tuple(where)!r}, {tuple(let)!r}), kind='inequality'", budget)


def by_proof(line: str, budget: float) -> str:
    stated, told = line.rsplit("|", 1)
    text = "\n".join(part.strip() for part in told.split(" / ")) + "\n"
    goal, where, let = parts(stated)
    return refereed(f"statement=Statement({goal!r}, {tuple(where)!r}, {tuple(let)!r}), kind='inequality', "
                    f"proof=read_proof({text!r})", budget)


def by_evidence(line: str, _: float) -> str:
    """An edited record is no evidence (rejected), or its file is none; it speaks for nothing that it did not."""
    kept = evidence.RECORDS
    data = json.loads(kept.read_text(encoding="utf-8"))
    exec(line, {"record": data[CONTRADICTED], "other": data[SUPPORTED]})
    with tempfile.TemporaryDirectory() as folder:
        evidence.RECORDS = Path(folder, "evidence.json")
        evidence.RECORDS.write_text(json.dumps(data), encoding="utf-8")
        try:
            word = quietly(lambda: corpus.referee(corpus.find(CONTRADICTED.partition("/")[0])).verdict)
        finally:
            evidence.RECORDS = kept
    return "refuted" if word == "unknown" else word


def by_record(line: str, _: float) -> str:
    """The verdict that ``verify`` gives, which says that the record differs."""
    kept = records.RECORDS
    data = json.loads(Path(str(kept)).read_text(encoding="utf-8"))
    exec(line, {"record": data["records"][CLAIM]})
    with tempfile.TemporaryDirectory() as folder:
        records.RECORDS = Path(folder, "records.json")
        records.RECORDS.write_text(json.dumps(data), encoding="utf-8")
        try:
            status, out = command("verify", CLAIM, "-j", "1", "--format", "json")
        finally:
            records.RECORDS = kept
    if status == 2:
        return ERROR
    assert status == 1, "the edited record is not noticed"
    return str(json.loads(out)["claims"][0]["verdict"])
