"""WAIT and Nested WAIT as claims: the printed lines, run on small streams of arrivals."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product

from qtheory.proofs.claims.cases import Case, every, shown
from qtheory.proofs.claims.model import Claim
from qtheory.proofs.claims.outcomes import Outcome
from qtheory.proofs.claims.replay import LINES

from .inventories import Arrivals, Trace, nested, promptwise, wait

HALF = Fraction(1, 2)
METHOD = "the printed lines, replayed"
# No two events at one time, as with Poisson arrivals: batches of one unit end at these fractions of a unit too.
TIMES = tuple(Fraction(k, 10) for k in (0, 3, 9, 17, 26))
ARRIVALS = "up to 4 arrivals at 0, 0.3, 0.9, 1.7 and 2.6, batches of one unit of time"


def streams(types: int, most: int) -> list[Arrivals]:
    return [tuple(zip(times, kinds, strict=True)) for count in range(1, most + 1)
            for times in combinations(TIMES, count)
            for kinds in product(range(1, types + 1), repeat=count)]


def counted(trace: Trace) -> list[tuple[Fraction, dict[tuple[int, int], int]]]:
    return [(t, {place: c for place, c in batch.items() if c}) for t, batch in trace.batches]


# ---- Algorithm 1 ----

def wait_run() -> Outcome:
    """One type, l'_1 = 1, n_1 = 1, one arrival: line 9 takes the prompt off, line 10 finds none to move."""
    trace = wait((1,), (1,), ((Fraction(0), 1),))
    lost = not trace.completed and not any(trace.left.values())
    return shown(lost, {"m": 1, "l'_1": 1, "n_1": 1, "arrivals": "one, at 0", "trace": trace}, METHOD)


def overlap_run() -> Outcome:
    """Lines 9 and 10 as one step; a second prompt arrives while the first is in process."""
    trace = wait((1,), (1,), ((Fraction(0), 1), (HALF, 1)), once=True)
    return shown(trace.overlap >= 2, {"m": 1, "l'_1": 1, "n_1": 1, "arrivals": "at 0 and 1/2",
                                      "batches at once": trace.overlap, "trace": trace}, METHOD)


WAIT = ("where lines 9 and 10 move min{n_j, n_jk} prompts once, and lines 12 to 16 wait for the batch in process, "
        "Algorithm 1 forms the batches of Section 4.1's text, loses no prompt, and beyond stage 0 never holds more "
        "than n_j prompts of type j at a stage")


@every(f"{ARRIVALS}, l' in {{(0), (2), (1, 2)}}, n_1 in {{1, 2}}, n_2 = 1", LINES)
def wait_corrected_run() -> Iterator[Case]:
    for ends, thresholds in product(((0,), (2,), (1, 2)), ((1, 1), (2, 1))):
        n = thresholds[: len(ends)]
        for arrivals in streams(len(ends), 4):
            trace = wait(ends, n, arrivals, once=True, alone=True)
            batches, completed = promptwise(ends, n, arrivals, segments=False)
            lost = len(arrivals) != completed + sum(trace.left.values())
            crowded = any(c > n[j - 1] for (j, k), c in trace.most.items() if k > 0)
            bad = counted(trace) != batches or trace.completed != completed or lost or crowded or trace.overlap > 1
            yield {"l'": ends, "n": n, "arrivals": arrivals, "trace": trace} if bad else None


# ---- Algorithm 2 ----

def nested_run() -> Outcome:
    """l' = (2, 3), n = (1, 1), six prompts of type 2: none ever leaves the first stage of segment 2."""
    arrivals = tuple((Fraction(t), 2) for t in range(6))
    trace = nested((2, 3), (1, 1), arrivals)
    _, completed = promptwise((2, 3), (1, 1), arrivals, segments=True)
    stuck = trace.completed < completed and all(i < 2 for _, b in trace.batches for i, _ in b)
    return shown(stuck, {"m": 2, "l'": "(2, 3)", "n": "(1, 1)", "arrivals": "type 2 at 0, 1, ..., 5",
                         "completed by the text of Section 5.1": completed, "trace": trace}, METHOD)


NESTED = ("where line 19 looks at the stage at which line 13 lets prompts in, l'_{i'-1} + 1 (0 for the first segment), "
          "segment i holds the stages l'_{i-1} + 1 to l'_i, lines 9 and 10 move prompts once and lines 19 to 22 wait "
          "for the batch in process, Algorithm 2 forms the batches of Section 5.1's text, loses no prompt, and beyond "
          "a segment's first stage never holds more than n_i prompts at a stage")


@every(f"two types, {ARRIVALS}, l' in {{(1, 2), (1, 3), (2, 3)}}, thresholds 1 and 2", LINES)
def nested_corrected_run() -> Iterator[Case]:
    for ends, n in product(((1, 2), (1, 3), (2, 3)), ((1, 1), (2, 1), (1, 2), (2, 2))):
        entry = {0, ends[0] + 1}
        for arrivals in streams(2, 4):
            trace = nested(ends, n, arrivals, first=True)
            batches, completed = promptwise(ends, n, arrivals, segments=True)
            lost = len(arrivals) != completed + sum(trace.left.values())
            crowded = any(c > n[i - 1] for (i, k), c in trace.most.items() if k not in entry)
            bad = counted(trace) != batches or trace.completed != completed or lost or crowded
            yield {"l'": ends, "n": n, "arrivals": arrivals, "trace": trace} if bad else None


CLAIMS: tuple[Claim, ...] = (
    Claim("wait.alg-1", "Section 4.1, Algorithm 1", "Update inventory: For each j in batch B, n_jk <- n_jk - min{n_j, "
          "n_jk} for k = 0, ..., l'_j; Advance prompts: For each j, move min{n_j, n_jk} prompts from stage k to k+1",
          (242, 280), "algorithm", run=wait_run, says="Algorithm 1 as printed loses no prompt",
          severity="substantive", corrected_by="wait.alg-1.corrected",
          note="Raw lines 260 and 262 (the text file prints the numbers 9 and 10 after them). In the printed order "
               "line 9 takes the batch off its stages, and line 10 moves what is then at them: the prompts of the "
               "batch are lost, or others move. Section 4.1 (l. 236), \"prompts progress to their subsequent "
               "stages\", means that the batch moves on. Read so, the algorithm still forms a batch at an arrival "
               "while another is in process (wait.alg-1.overlap). Line 7 prints n_{i0} for the type j of the arrival; "
               "it is read as n_{j0}."),
    Claim("wait.alg-1.overlap", "Section 4.1, Algorithm 1", "Wait for the next event (arrival or batch completion) ... "
          "Check if n_j0 >= n_j for any j in [m] ... Process batch B", (242, 280), "algorithm", run=overlap_run,
          says="where lines 9 and 10 move each prompt of the batch once, one batch at most is in process at a time",
          severity="substantive", corrected_by="wait.alg-1.corrected",
          note="The reading of Algorithm 1 in which lines 9 and 10 move each prompt of the batch once. Lines 12 to 16 "
               "follow every event, arrivals too, and the counts change only at a completion: prompts in process are "
               "selected a second time, for a batch that runs beside the first. Section 4.1 (l. 236): the batch is "
               "\"processed in the current iteration\"."),
    Claim("wait.alg-1.corrected", "Section 4.1, Algorithm 1", "", (242, 280), "algorithm", run=wait_corrected_run,
          says=WAIT, corrects="wait.alg-1"),
    Claim("wait.alg-2", "Section 5.2, Algorithm 2", "13: Move incomplete prompts to segment i + 1, stage l'_i + 1; 19: "
          "Find the largest i such that n_{i', sum_{j=1}^{i'-1} l'_j} >= n_{i'} for all i' = 1 to i", (369, 417),
          "algorithm", run=nested_run, severity="substantive", corrected_by="wait.alg-2.corrected",
          says="Algorithm 2, lines 9 and 10 and the batch in process read charitably, completes the prompts that "
               "Section 5.1's text completes",
          note="Raw lines 374, 407 and 395: \"k \\in \\{\\sum_{j=1}^{i-1} l'_j, \\dots, \\sum_{j=1}^{i} l'_j - 1\\}\", "
               "\"n_{i',\\sum_{j=1}^{i'-1}l'_j}\\geq n_{i'}\", \"segment i + 1, stage l'_i + 1\". The text (l. 336, "
               "343) has stages 0 to l'_1 in segment 1 and l'_1 + 1 to l'_2 in segment 2, as line 13 has. As printed "
               "line 19 looks at a stage where no prompt of segment 2 ever is: a batch with segment 2 is never "
               "formed, and prompts of type 2 and beyond never complete. With the l'_j of the sums read as increments "
               "it looks one stage too low still. Lines 9 and 10 and the batch in process are read charitably (see "
               "wait.alg-1)."),
    Claim("wait.alg-2.corrected", "Section 5.2, Algorithm 2", "", (369, 417), "algorithm", run=nested_corrected_run,
          says=NESTED, corrects="wait.alg-2"),
)
