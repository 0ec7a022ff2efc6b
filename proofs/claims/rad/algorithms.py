"""The printed schedulers as claims: each ends, serves every request, and does what its text says."""

from __future__ import annotations

from qtheory.proofs.claims.cases import Run
from qtheory.proofs.claims.model import Claim

from . import runs

DEFINITION_1 = ("By Definition 1 (l. 173) PI(R, i, c) computes the prompt tokens i to i + c - 1, and PI(R, 1, L_j^P) "
                "of Algorithm 3, line 16 (l. 878) and Algorithm 5, line 8 (l. 943) is the full prompt: from i on "
                "L^P(R) - i + 1 tokens are left.")


def printed(id: str, place: str, lines: tuple[int, int], quote: str, run: Run, says: str, *,
            severity: str | None = None, note: str = "", corrected: bool = False) -> Claim:
    return Claim(f"rad.{id}", place, quote, lines, "algorithm", run=run, says=says, severity=severity, note=note,
                 corrected_by=f"rad.{id}.corrected" if corrected else None)


def correction(of: str, place: str, lines: tuple[int, int], run: Run, says: str) -> Claim:
    return Claim(f"rad.{of}.corrected", place, "", lines, "algorithm", run=run, says=says, corrects=f"rad.{of}")


CLAIMS: tuple[Claim, ...] = (
    printed("alg-1", "Section 4.2, Algorithm 1", (259, 283),
            r"13: $c = \min\{t_{\text{lcm}}^*, L^P(R) - i\}$; 14: Schedule $PI(R, i, c)$ in a batch; 15: $i \leftarrow "
            r"i + c$; 16: end while", runs.rad_run, runs.RAD_PRINTED, severity="substantive", corrected=True,
            note="Raw line 276: \"- 13: $c = \\min\\{t_{\\text{lcm}}^*, L^P(R) - i\\}$\"; Algorithm 2 prints the same "
                 f"in its line 7 (l. 824), Algorithm 4 in its line 12 (l. 908). {DEFINITION_1} As printed, c becomes 0 "
                 "one token before the prompt's end, for every prompt: the loop of lines 12 to 16 never ends."),
    correction("alg-1", "Section 4.2, Algorithm 1", (259, 283), runs.rad_corrected_run, runs.RAD),
    printed("sec-4.2.text", "Section 4.2", (251, 251), "RAD chooses a request in a first-come-first-serve (FCFS) "
            "manner from P and schedules its prefill-iterations in chunks of size LCM(t_row, t_col, t_red), unless "
            "there are fewer tokens, until its prefill phase is complete.",
            runs.rad_corrected_run, runs.RAD_TEXT,
            note="The text as a scheduler of its own, against Algorithm 1 with line 13 corrected. It writes Q for D "
                 "once and cites lines 6-11 and 12-21, where the algorithm has them in lines 6-9 and 10-18 of 20."),
    printed("alg-2", "Appendix D, Algorithm 2", (811, 839), "1: P <- 0, D <- 0; 2: while True do; 3: "
            "requests_in_cycle <- 0; 4: while P != 0 and requests_in_cycle < n do", runs.another_run,
            runs.ANOTHER_PRINTED,
            severity="substantive", corrected=True,
            note="None of the printed lines 1 to 21 (l. 818 to 839) puts a request into P, where line 4 of Algorithm 1 "
                 "(l. 267), line 4 of Algorithm 3 (l. 866) and line 3 of Algorithm 4 (l. 899) say \"Update P based on "
                 "(new) arrivals\". With that line it still never ends (rad.alg-2.arrivals)."),
    Claim("rad.alg-2.arrivals", "Appendix D, Algorithm 2", "7: c = min{LCM(t*_row, t*_col, t*_red), L_P(R) - i}",
          (811, 839), "algorithm", run=runs.another_with_arrivals_run, says=runs.ANOTHER_FILLED,
          severity="substantive",
          corrected_by="rad.alg-2.corrected",
          note=f"The reading of Algorithm 2 in which P takes in arrivals by itself. Raw line 824: \"7: $c = \\min\\{{"
               f"\\text{{LCM}}(...), L_P(R) - i\\}}$\". {DEFINITION_1}"),
    correction("alg-2", "Appendix D, Algorithm 2", (811, 839), runs.another_corrected_run, runs.ANOTHER),
    printed("app-D.text", "Appendix D", (807, 809), "Algorithm 2 first completes up to n prefill-phase requests (if "
            "enough are available) with optimal tiling (see Lines 3-13). ... This proceeds until all the requests in "
            "this cycle have completed.", runs.another_corrected_run, f"as meant: {runs.ANOTHER}",
            note="The text against Algorithm 2 with arrivals and line 7 corrected."),
    printed("app-D.first-token", "Appendix D", (845, 847), "For the scheduler in Algorithm 2, consider that the first "
            "output token of a request is only produced when it has been moved to the active decode set, D_active.",
            runs.first_token_run, runs.FIRST_TOKEN, severity="substantive", corrected=True,
            note="Section 3.1 (l. 175): \"if i + c - 1 corresponds to the last prompt token, then the "
                 "prefill-iteration generates the first output token\"; Section 1 (l. 45) says the same. It is "
                 "the later tokens that wait for D_active. \"The TTFT of the requests will be very high\" rests on "
                 "this sentence."),
    correction("app-D.first-token", "Appendix D", (845, 847), runs.consecutive_run, runs.CONSECUTIVE),
    printed("alg-3", "Appendix E.1, Algorithm 3", (857, 884), "2: mode <- Decode; 5: if mode = Prefill then; 12: else "
            "if mode = Prefill then", runs.request_level_run, runs.LEVEL_PRINTED,
            severity="substantive", corrected=True,
            note="Raw lines 864, 867 and 874: \"2: $mode \\leftarrow \\text{Decode}$\", \"5: if $mode = "
                 "\\text{Prefill}$ then\", \"12: else if $mode = \\text{Prefill}$ then\". Lines 6 to 8 schedule decode "
                 "iterations, and the text (l. 853) has them in Decode Mode: line 5 means Decode. As printed no line "
                 "is ever reached that schedules anything or changes the mode."),
    correction("alg-3", "Appendix E.1, Algorithm 3", (857, 884), runs.request_level_corrected_run, runs.LEVEL),
    printed("app-E.1.text", "Appendix E.1", (853, 855), "It starts in Prefill Mode in which it selects b requests from "
            "the prefill-queue in FCFS order and completes their prefill phases. It then switches to Decode Mode where "
            "it schedules one decode iteration for all active decode-phase requests until all of them complete.",
            runs.request_level_corrected_run, f"as meant: {runs.LEVEL}",
            note="The text against Algorithm 3 with line 5 corrected, which selects up to b requests, and leaves "
                 "Decode Mode at once at the start."),
    printed("alg-4", "Appendix E.2, Algorithm 4", (894, 925), "11: while tau < tau_budget do; 12: c <- min{tau_budget "
            "- tau, L_j^P - i}; 14: tau <- tau + c; 15: Mark i <- i + c for R; 16: end while", runs.sarathi_run,
            runs.SARATHI_PRINTED,
            severity="substantive", corrected=True,
            note="Raw lines 907 and 908: \"11: **while** $\\tau < \\tau^{\\text{budget}}$ **do**\", \"12: $c "
                 "\\leftarrow \\min\\{\\tau^{\\text{budget}} - \\tau, L_j^P - i\\}$ // i is starting token index left "
                 "to prefill\". Where the prompt ends before the budget does, c is 0 from then on and line 11 stays "
                 "true: also with L_j^P - i + 1 in line 12, that is with every token counted (rad.alg-4.counted). The "
                 "text (l. 890) \"fills the remaining capacity with chunked prefill iterations\" of several requests."),
    Claim("rad.alg-4.counted", "Appendix E.2, Algorithm 4", "11: while tau < tau_budget do", (894, 925), "algorithm",
          run=runs.sarathi_counted_run, says=runs.SARATHI_COUNTED, severity="substantive",
          corrected_by="rad.alg-4.corrected",
          note=f"The reading of Algorithm 4 in which line 12 counts every token that is left. {DEFINITION_1}"),
    correction("alg-4", "Appendix E.2, Algorithm 4", (894, 925), runs.sarathi_corrected_run, runs.SARATHI),
    printed("app-E.2.text", "Appendix E.2", (890, 892), "It firsts selects a decode iteration for each decode-phase "
            "request (the number of these is guaranteed to be below the budget).", runs.below_run, runs.BELOW,
            severity="edge", corrected=True,
            note="\"Below\" as printed; the number can equal the budget, and never exceeds it. Nothing "
                 "in the algorithm depends on the difference."),
    correction("app-E.2.text", "Appendix E.2", (890, 892), runs.at_most_run, runs.AT_MOST),
    printed("alg-5", "Appendix E.3, Algorithm 5", (931, 958), "8: Schedule PI(R_j, 1, L_j^P); 9: Transfer KV-cache of "
            "R to a Decode Node; 18: Schedule DI(R) for each R in D in a batch; 19: Remove from D any request that "
            "sampled the stop token", runs.distserve_run, runs.DISTSERVE,
            note="One prefill and one decode node; line 9 writes R for the R_j of line 7."),
    printed("app-E.3.text", "Appendix E.3", (929, 929), "In prefill nodes, prefill requests are handled one at a time "
            "in FCFS order, with entire prompts processed in a single iteration. Completed requests are transferred to "
            "the decode node. At the decode node, it continuously batches and schedules decode iterations.",
            runs.distserve_run, runs.DISTSERVE, note="The text against Algorithm 5."),
    Claim("rad.alg-slai", "Section 6, batch construction", "While forming a batch, it must respect several "
            "system constraints: the token budget, the cap on active requests, and the decode request limit. ... (2) "
            "Add critical decode-iterations: Include critical decode-iterations in the batch, in the increasing order "
          "of last schedulable time.", (349, 354), "algorithm", verdict="imprecise",
          readings=("rad.alg-slai.steps", "rad.alg-slai.bounded"),
          note="Steps (3) and (4) repeat the limits, step (2) does not: whether it is bound by them is not said."),
    Claim("rad.alg-slai.steps", "Section 6, batch construction", "Include critical decode-iterations in the batch",
          (349, 354), "algorithm", run=runs.slai_steps_run, says=runs.STEPS, severity="substantive",
          corrected_by="rad.alg-slai.bounded",
          note="The strong reading: step (2) as it stands includes all critical iterations, and the batch still "
               "respects the token budget and the decode limit."),
    Claim("rad.alg-slai.bounded", "Section 6, batch construction", "While forming a batch, it must respect several "
          "system constraints", (349, 354), "algorithm", run=runs.slai_bounded_run, says=runs.BOUNDED,
          note="The weak reading: the limits bind step (2) too."),
)
