"""Section 3 and Figure 1: the schedulers in use, and loads at which they fail."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations, product

from qtheory.proofs.claims.cases import Case, Run, every
from qtheory.proofs.claims.model import Claim
from qtheory.proofs.claims.outcomes import Holds, Outcome, Undecided

from .algorithms import BOUND, Property, conserving, loaded, on_every_state, prefill_first, servable, states
from .chain import by_2_3, run
from .schedulers import Batch, Scheduler, State, faster_transformer, infeasible, orca, sarathi, vllm
from .wording import claim, given

S3 = "Section 3"
METHOD = "the scheduler's lines, replayed"

INDEX = "And(floor(l) == l, l >= 1)"
GROWS = ("n in naturals", "W, g in functions", "W(n) == W_0 + Sum(g(l), (l, 1, n))", "W_0 >= 0")
GROWS_SOURCES = {GROWS[0]: "a number of slots, or of cycles", GROWS[1]: "along the run: the tokens that wait, and what "
                 "comes less what is loaded", GROWS[2]: "Sec. 2.2, l. 143 to 150, added up",
                 GROWS[3]: "a number of tokens"}
# Two tokens to prefill and two to decode, one request a slot, b = 5, t = 1: load 4 of 5.
FT_LOAD, FT_NET = "1*(2 + 2) < 5/1", f"ForAll(l, {INDEX}, g(l) >= (2 + 1)*2 - 5)"
FT = {FT_NET: "an instance, one request (2, 2) in each slot; l. 216: decode tokens first, never mixed, so that of the "
              "3 slots of a cycle one at most prefills, 5 tokens at most"}
FT_NOTE = ("W are the prefill tokens that wait at the start of a cycle: a slot of prefill, of 5 tokens, and the 2 "
           "slots in which the requests that it completed decode, while 6 tokens arrive. "
           "tests/proofs/test_claims_to.py replays it on the chain. ")
# One prefill token and one to decode, one request a slot, b = 4, t = 1: load 2 of 4.
VLLM_LOAD, VLLM_NET = "1*(1 + 1) < 4/1", f"ForAll(l, {INDEX}, g(l) >= 1 - 0)"
VLLM = {VLLM_NET: "an instance, one request (1, 1) in each slot, prefilled in the next; l. 218: prefill tokens first, "
                  "never mixed, so no decode token is loaded"}
VLLM_NOTE = ("W are the decode tokens of prefilled requests: each slot has a prefill token, which vLLM loads alone. "
             "tests/proofs/test_claims_to.py replays it on the chain. ")
DEGENERATE = "a_n = 1 is an iid sequence, of variance 0."


def growth(id: str, line: int, load: str, instance: Mapping[str, str], note: str) -> Claim:
    """An instance of load below 1 by (2.7), t_b = 1, where W(n) >= n, from what the rule adds in each slot or cycle."""
    return claim(id, S3, "", line, "limit", f"And({load}, W(n) >= n)", (*GROWS, *instance),
                 sources={**instance, **GROWS_SOURCES}, note=note + DEGENERATE,
                 hint={"lemmas": ("Sum(g(l), (l, 1, n)) >= n",)})


def unsaid(id: str, line: int, quote: str, grows: str, note: str = "") -> Claim:
    """A mechanism of instability, of which no load is named."""
    return given(id, S3, quote, line, "limit", "imprecise", "At which loads is not said. Weak reading: at some below "
                 f"(2.7)'s: {grows}, proved with how what waits builds up. Strong: wherever the rule is as described: "
                 "false, by to.sec-3.low-load. " + note, (grows, "to.sec-3.low-load"))


def rule(id: str, line: int, quote: str, scheduler: Scheduler, says: str, holds: Property, note: str = "",
         place: str = S3) -> Claim:
    return Claim(id, place, quote, (line, line), "algorithm", run=on_every_state(scheduler, holds), says=says,
                 note=note)


def alone(state: State, batch: Batch, b: int) -> bool:
    """No batch mixes, and it is as large as it can be of its kind."""
    p, d = loaded(batch)
    return prefill_first(state, batch, b) and (p == 0 or d == 0)


SELECTION = ("a batch of as many decode tokens as there are, up to b, whichever they are, and of as many prompt tokens "
             "as there is room for, whichever they are, has min{b, sum_i p_i + 1(p_i = 0)} tokens and is feasible")


@every(BOUND, METHOD)
def selection_run() -> Iterator[Case]:
    """Every choice of the decode tokens, and of the prompts that are cut short."""
    for b, state in product((1, 2, 3, 4), states()):
        decoding = [i for i, (p, _) in enumerate(state) if p == 0]
        prompts = [i for i, (p, _) in enumerate(state) if p > 0]
        for chosen in combinations(decoding, min(b, len(decoding))):
            for first in prompts or [0]:
                batch, room = [(0, int(i in chosen)) for i in range(len(state))], b - len(chosen)
                for i in sorted(prompts, key=lambda i: i != first):
                    batch[i] = (min(room, state[i][0]), 0)
                    room -= batch[i][0]
                bad = infeasible(state, batch, b) or sum(loaded(batch)) != min(b, servable(state))
                yield {"(p_i, d_i)": state, "b": b, "batch": batch} if bad else None


def batches(scheduler: Scheduler, start: State, b: int, count: int) -> list[tuple[State, Batch]]:
    """The first batches from these requests, and the states in which they are formed."""
    path = list(run(by_2_3(b, 1, 0, 1), scheduler, (0, tuple(start)), [()] * count))
    return [(requests, scheduler(requests, b)) for _, requests in path[:count]]


def workload(scheduler: Scheduler, places: tuple[int, ...], why: Callable[[State, Batch, int], bool]) -> Run:
    """Is there a workload of whose first batches exactly those at these places break (2.6), for this reason?"""

    def run() -> Outcome:
        for b, start in product((2, 3, 4, 5), [*states(), *product(product(range(4), (3,)), repeat=2)]):
            steps = batches(scheduler, start, b, max(places))
            broken = {n for n, (state, batch) in enumerate(steps, start=1)
                      if servable(state) >= b > sum(loaded(batch))}
            if broken == set(places) and all(why(*steps[n - 1], b) for n in places):
                return Holds(1, f"one workload is enough: {list(start)} at b = {b}", METHOD,
                             {"batches": str([b for _, b in steps])})
        return Undecided("no small workload is one")

    return run


def decodes_wait(state: State, batch: Batch, b: int) -> bool:
    """Fewer prefill tokens than b are loaded, and decode tokens of others are left out."""
    return 0 < loaded(batch)[0] < b and any(p == 0 for p, _ in state) and loaded(batch)[1] == 0


def prefills_blocked(state: State, batch: Batch, b: int) -> bool:
    """Decode tokens alone, fewer than b, and prefill tokens of others are left out."""
    return 0 < loaded(batch)[1] < b and any(p > 0 for p, _ in state) and loaded(batch)[0] == 0


BY_THEOREM_1 = "'Therefore throughput-optimal' is proved of the rule: {}. "

CLAIMS: tuple[Claim, ...] = (
    rule("to.sec-3.orca-wc", 214, "Both Sarathi-serve and Orca are work-conserving, and, therefore, are "
         "throughput-optimal, guaranteed by Theorem 1.", orca, "Orca is work-conserving (2.6)", conserving,
         BY_THEOREM_1.format("to.sec-3.orca-wc.stable") + "Without a limit on the requests of a batch."),
    rule("to.sec-3.sarathi-wc", 214, "Both Sarathi-serve and Orca are work-conserving, and, therefore, are "
         "throughput-optimal, guaranteed by Theorem 1.", sarathi, "Sarathi-Serve is work-conserving (2.6)", conserving,
         BY_THEOREM_1.format("to.sec-3.sarathi-wc.stable")),
    given("to.sec-3.vllm-chunked-wc", S3, "The latest version of vLLM with chunk-prefill enabled is work-conserving "
          "and, thus, is throughput optimal", 214, "algorithm", "unknown",
          "The paper prints no rule of this version; it cites its documentation. With Sarathi-Serve's rule it would be "
          "to.sec-3.sarathi-wc."),
    unsaid("to.sec-3.ft-coarse", 216, "This policy should form instability due to the coarse-grained batching.",
           "to.sec-3.ft-unstable"),
    Claim("to.sec-3.sarathi-selection", S3, "how decode-tokens and prompt-tokens are selected is not important for our "
          "results below", (222, 222), "theorem", run=selection_run, says=SELECTION,
          note="Of (2.6), the only property that the results below use; (K_p, K_d)-FCFS restricts the selection."),
    rule("to.sec-3.orca-vllm-note", 224, "Orca allows hybrid batches that mix prefill and decode requests, whereas "
         "vLLM restricts batches to either entirely prefill or entirely decode requests. Despite this distinction, "
         "both "
         "systems enhance throughput by maximizing batch size until memory capacity bound.", vllm,
         "vLLM's batches are either entirely prefill or entirely decode, and as large as such a batch can be", alone,
         "Of vLLM. Orca's batches: to.sec-3.orca-wc. The model has no memory bound."),
    Claim("to.fig-5.vllm", "Figure 5", "For vLLM, the second batch is not work-conserving because of limited prefill, "
          "and decoding tokens from earlier requests are still waiting.", (227, 227), "algorithm",
          run=workload(vllm, (2,), decodes_wait),
          says="there is a workload for which of vLLM's first batches exactly the second breaks (2.6), with decode "
               "tokens waiting",
          note="The figure's workload is not in the text; one with this property is found."),
    Claim("to.fig-5.ft", "Figure 5", "For FasterTransformer, the second to fourth batches are not work-conserving, "
          "because the prefills are blocked with earlier decodes.", (227, 227), "algorithm",
          run=workload(faster_transformer, (2, 3, 4), prefills_blocked),
          says="there is a workload for which of FasterTransformer's first batches exactly the second to fourth break "
               "(2.6), with prefills blocked by decodes",
          note="The figure's workload is not in the text; one with this property is found."),
    unsaid("to.sec-3.vllm-mechanism", 231, "it prioritizes prefill over decode. If incoming prefill requests are "
           "consistently short, the scheduler becomes non-work-conserving by not batching decodes together, thus "
           "unable to reach compute-bound phase due to short prefills, leading to decode queue buildup",
           "to.sec-3.vllm-unstable", "The decode queue builds up where short prompts come in so many slots that the "
           "others do not suffice for the decode tokens: lambda m_d > b P(a_1 = 0) with t_b = 1."),
    unsaid("to.sec-3.ft-mechanism", 233, "FasterTransformer always prioritizes decode and lacks continuous batching. "
           "When decode requests with token loads below b_0 continue to generate tokens sequentially, they fail to "
           "utilize the GPU ... Meanwhile, incoming prefill requests remain blocked", "to.sec-3.ft-unstable",
           "Prompts are blocked for the d batches of at least c slots in which what was prefilled last decodes."),
    growth("to.sec-3.ft-growth", 233, FT_LOAD, FT, FT_NOTE),
    growth("to.sec-3.vllm-growth", 231, VLLM_LOAD, VLLM, VLLM_NOTE),
    claim("to.fig-1.printed-constants", "Figure 1", "", (51, 116), "inequality",
          "143/10*(129 + 112) > 1000*b/(455/10 + 3/10*Max(0, b - 64))", ("b > 0",),
          sources={"b > 0": "Sec. 2.1, l. 100: any token budget"},
          note="Figure 1's 14.3 requests a second of 129 + 112 tokens are 3446 tokens a second. With the constants "
               "that line 116 prints (Llama-3-70B) b/t_b is below 1/0.30 ms = 3333 tokens a second at every budget: by "
               "these Sarathi-Serve could not carry Figure 1's load either. They are of another model."),
)
