"""Abstract, introduction and Figure 1; Section 5; Appendix A: what the authors measured, and what later sections "
"say."""

from __future__ import annotations

from qtheory.proofs.claims.model import Claim

from .algorithms import decode_first, loaded, servable
from .schedulers import Batch, State, faster_transformer
from .section_3 import rule
from .wording import given

PLOT = "A plot of an experiment. "
NOT_PRINTED = ("Whether (2.7) holds there is not computable: the constants of (2.3) for this model, the budget and "
               "the memory "
               "are not printed; with those of line 116 the load is beyond every budget: to.fig-1.printed-constants.")


def suffers(state: State, batch: Batch, b: int) -> bool:
    """Decode-first, and below what it could load wherever some requests decode, fewer than b, and others prefill."""
    deciding = sum(p == 0 for p, _ in state)
    short = 0 < deciding < min(b, len(state))
    return decode_first(state, batch, b) and (not short or sum(loaded(batch)) < min(b, servable(state)))


def measured(id: str, place: str, line: int, quote: str, note: str = "") -> Claim:
    return given(id, place, quote, line, "empirical", "reported", note)


CLAIMS: tuple[Claim, ...] = (
    given("to.abs.work-conserving", "Abstract", "We prove that a large class of 'work-conserving' scheduling "
          "algorithms can "
          "achieve maximum throughput for both individual requests and AI-agent workloads", 12, "theorem", "imprecise",
          "A summary. Weak reading: Theorem 1(a), for one engine. Strong: for agents too, Proposition 1 and "
          "Conjecture 1, "
          "of which Section 4.3 itself says that there are exceptions.",
          ("to.thm-1a", "to.prop-1", "to.conj-1", "to.sec-4.3.wc-not-all-stable")),
    rule("to.sec-1.ft-batching", 18, "FasterTransformer gives priority to decode phase. When there are not enough "
         "requests "
         "to be batched in decode phase, the throughtput in these iterations suffers.", faster_transformer,
         "wherever fewer than b requests decode and others prefill, FasterTransformer loads fewer tokens than (2.5) "
         "allows",
         suffers, place="Section 1"),
    given("to.sec-1.non-mixed", "Section 1", "non-mixed batching algorithms - such as those in FasterTransformer and "
          "vanilla vLLM - are inherently suboptimal in throughput and can become unstable under moderate load", 32,
          "existence/uniqueness", "imprecise", "Weak reading: those two, which can be unstable at loads as low as "
          "one likes (vanilla vLLM, at 2/b). Strong: each algorithm that does not mix, of which it is false.",
          ("to.abs.not-maximally-stable", "to.sec-1.non-mixed.any")),
    given("to.sec-1.agents", "Section 1", "Our analysis identifies several regimes in which optimal throughput can "
          "still be "
          "achieved ... However, we also uncover scenarios where work-conserving policies fail to attain "
          "optimality", 42,
          "existence/uniqueness", "imprecise", "A summary of Section 4: regimes are those of Proposition 1 and "
          "Section 4.2, "
          "the scenario is the Rybko-Stolyar network.", ("to.prop-1", "to.sec-4.2.dtmc", "to.sec-4.3.rs-unstable")),
    measured("to.fig-1.ft", "Figure 1", 55, "Experimental results demonstrating the instability of FasterTransformer",
             PLOT + NOT_PRINTED),
    measured("to.fig-1.vllm", "Figure 1", 55, "Experimental results demonstrating the instability of ... vLLM",
             PLOT + NOT_PRINTED),
    measured("to.fig-1.sarathi", "Section 3, on Figure 1", 214, "when system memory is not a constraint, both "
             "FasterTransformer and vanilla vLLM are not able to process all workloads, while Sarathi-serve can",
             PLOT + NOT_PRINTED),
    measured("to.sec-1.1.phases", "Section 1.1", 59, "prefill is compute-bound, while decoding is memory I/O-bound"),
    measured("to.sec-1.1.interference", "Section 1.1", 65, "When even a single prefill job is introduced into a batch "
             "of "
             "decoding tokens, it substantially degrades performance for both operations, with the performance penalty "
             "becoming more severe as the length of the prefill input increases",
             "By (2.3), which counts tokens only, a prefill token costs what a decode token does."),
    measured("to.sec-5.moderate", "Section 5, Figure 9", 332, "a moderate token budget (e.g., 512 tokens) yields lower "
             "median E2E latency"),
    measured("to.sec-5.large", "Section 5, Figure 9", 332, "a larger token budget (e.g., 1024 tokens) improves prefill "
             "latency"),
    measured("to.sec-5.small", "Section 5, Figure 9", 332, "when the budget is too small (e.g., 128 tokens), overhead "
             "increases significantly due to repeated cross-attention across iterations"),
    measured("to.app-A.1.long-context", "Appendix A.1", 397, "attention mechanisms grow computationally expensive with "
             "longer sequences, creating non-linear relationships between batch processing time and token sizes "
             "(Equation "
             "2.3 no longer holds)"),
)
