"""The printed schedulers as claims: each ends, serves every request, and does what its text says."""

from __future__ import annotations

from collections.abc import Callable

from qtheory.proofs.claims.model import Claim
from qtheory.proofs.claims.replay import Verdict

from .judges import (
    ANOTHER,
    DISTSERVE,
    LEVEL,
    RAD,
    RAD_TEXT,
    another_corrected_judge,
    another_judge,
    another_with_arrivals_judge,
    at_most_judge,
    below_judge,
    consecutive_judge,
    distserve_judge,
    first_token_judge,
    rad_corrected_judge,
    rad_judge,
    request_level_corrected_judge,
    request_level_judge,
    sarathi_corrected_judge,
    sarathi_counted_judge,
    sarathi_judge,
    slai_bounded_judge,
    slai_steps_judge,
)

DEFINITION_1 = ("By Definition 1 (l. 173) PI(R, i, c) computes the prompt tokens i to i + c - 1, and PI(R, 1, L_j^P) "
                "of Algorithm 3, line 16 (l. 878) and Algorithm 5, line 8 (l. 943) is the full prompt: from i on "
                "L^P(R) - i + 1 tokens are left.")


def printed(id: str, place: str, lines: tuple[int, int], quote: str, judge: Callable[[], Verdict] | None = None, *,
            severity: str | None = None, note: str = "", corrected: bool = False,
            readings: tuple[str, ...] = ()) -> Claim:
    return Claim(f"rad.{id}", place, quote, lines, "algorithm", judge=judge, severity=severity, note=note,
                 corrected_by=f"rad.{id}.corrected" if corrected else None, readings=readings)


def correction(of: str, place: str, lines: tuple[int, int], judge: Callable[[], Verdict]) -> Claim:
    return Claim(f"rad.{of}.corrected", place, "", lines, "algorithm", judge=judge, corrects=f"rad.{of}")


CLAIMS: tuple[Claim, ...] = (
    printed("alg-1", "Section 4.2, Algorithm 1", (259, 283),
            r"13: $c = \min\{t_{\text{lcm}}^*, L^P(R) - i\}$; 14: Schedule $PI(R, i, c)$ in a batch; 15: $i \leftarrow "
            r"i + c$; 16: end while", rad_judge, severity="substantive", corrected=True,
            note="Raw line 276: \"- 13: $c = \\min\\{t_{\\text{lcm}}^*, L^P(R) - i\\}$\"; Algorithm 2 prints the same "
                 f"in its line 7 (l. 824), Algorithm 4 in its line 12 (l. 908). {DEFINITION_1} As printed, c becomes 0 "
                 "one token before the prompt's end, for every prompt: the loop of lines 12 to 16 never ends."),
    correction("alg-1", "Section 4.2, Algorithm 1", (259, 283), rad_corrected_judge),
    printed("sec-4.2.text", "Section 4.2", (251, 251), "RAD chooses a request in a first-come-first-serve (FCFS) "
            "manner from P and schedules its prefill-iterations in chunks of size LCM(t_row, t_col, t_red), unless "
            "there are fewer tokens, until its prefill phase is complete.",
            lambda: {**rad_corrected_judge(), "statement": f"{RAD_TEXT}: {RAD}"},
            note="The text as a scheduler of its own, against Algorithm 1 with line 13 corrected. It writes Q for D "
                 "once and cites lines 6-11 and 12-21, where the algorithm has them in lines 6-9 and 10-18 of 20."),
    printed("alg-2", "Appendix D, Algorithm 2", (811, 839), "1: P <- 0, D <- 0; 2: while True do; 3: "
            "requests_in_cycle <- 0; 4: while P != 0 and requests_in_cycle < n do", another_judge,
            severity="substantive", corrected=True,
            note="None of the printed lines 1 to 21 (l. 818 to 839) puts a request into P, where line 4 of Algorithm 1 "
                 "(l. 267), line 4 of Algorithm 3 (l. 866) and line 3 of Algorithm 4 (l. 899) say \"Update P based on "
                 "(new) arrivals\". With that line it still never ends (rad.alg-2.arrivals)."),
    Claim("rad.alg-2.arrivals", "Appendix D, Algorithm 2", "7: c = min{LCM(t*_row, t*_col, t*_red), L_P(R) - i}",
          (811, 839), "algorithm", judge=another_with_arrivals_judge, severity="substantive",
          corrected_by="rad.alg-2.corrected",
          note=f"The reading of Algorithm 2 in which P takes in arrivals by itself. Raw line 824: \"7: $c = \\min\\{{"
               f"\\text{{LCM}}(...), L_P(R) - i\\}}$\". {DEFINITION_1}"),
    correction("alg-2", "Appendix D, Algorithm 2", (811, 839), another_corrected_judge),
    printed("app-D.text", "Appendix D", (807, 809), "Algorithm 2 first completes up to n prefill-phase requests (if "
            "enough are available) with optimal tiling (see Lines 3-13). ... This proceeds until all the requests in "
            "this cycle have completed.", lambda: {**another_corrected_judge(), "statement": f"as meant: {ANOTHER}"},
            note="The text against Algorithm 2 with arrivals and line 7 corrected."),
    printed("app-D.first-token", "Appendix D", (845, 847), "For the scheduler in Algorithm 2, consider that the first "
            "output token of a request is only produced when it has been moved to the active decode set, D_active.",
            first_token_judge, severity="substantive", corrected=True,
            note="Section 3.1 (l. 175): \"if i + c - 1 corresponds to the last prompt token, then the "
                 "prefill-iteration generates the first output token\"; Section 1 (l. 45) says the same. It is "
                 "the later tokens that wait for D_active. \"The TTFT of the requests will be very high\" rests on "
                 "this sentence."),
    correction("app-D.first-token", "Appendix D", (845, 847), consecutive_judge),
    printed("alg-3", "Appendix E.1, Algorithm 3", (857, 884), "2: mode <- Decode; 5: if mode = Prefill then; 12: else "
            "if mode = Prefill then", request_level_judge, severity="substantive", corrected=True,
            note="Raw lines 864, 867 and 874: \"2: $mode \\leftarrow \\text{Decode}$\", \"5: if $mode = "
                 "\\text{Prefill}$ then\", \"12: else if $mode = \\text{Prefill}$ then\". Lines 6 to 8 schedule decode "
                 "iterations, and the text (l. 853) has them in Decode Mode: line 5 means Decode. As printed no line "
                 "is ever reached that schedules anything or changes the mode."),
    correction("alg-3", "Appendix E.1, Algorithm 3", (857, 884), request_level_corrected_judge),
    printed("app-E.1.text", "Appendix E.1", (853, 855), "It starts in Prefill Mode in which it selects b requests from "
            "the prefill-queue in FCFS order and completes their prefill phases. It then switches to Decode Mode where "
            "it schedules one decode iteration for all active decode-phase requests until all of them complete.",
            lambda: {**request_level_corrected_judge(), "statement": f"as meant: {LEVEL}"},
            note="The text against Algorithm 3 with line 5 corrected, which selects up to b requests, and leaves "
                 "Decode Mode at once at the start."),
    printed("alg-4", "Appendix E.2, Algorithm 4", (894, 925), "11: while tau < tau_budget do; 12: c <- min{tau_budget "
            "- tau, L_j^P - i}; 14: tau <- tau + c; 15: Mark i <- i + c for R; 16: end while", sarathi_judge,
            severity="substantive", corrected=True,
            note="Raw lines 907 and 908: \"11: **while** $\\tau < \\tau^{\\text{budget}}$ **do**\", \"12: $c "
                 "\\leftarrow \\min\\{\\tau^{\\text{budget}} - \\tau, L_j^P - i\\}$ // i is starting token index left "
                 "to prefill\". Where the prompt ends before the budget does, c is 0 from then on and line 11 stays "
                 "true: also with L_j^P - i + 1 in line 12, that is with every token counted (rad.alg-4.counted). The "
                 "text (l. 890) \"fills the remaining capacity with chunked prefill iterations\" of several requests."),
    Claim("rad.alg-4.counted", "Appendix E.2, Algorithm 4", "11: while tau < tau_budget do", (894, 925), "algorithm",
          judge=sarathi_counted_judge, severity="substantive", corrected_by="rad.alg-4.corrected",
          note=f"The reading of Algorithm 4 in which line 12 counts every token that is left. {DEFINITION_1}"),
    correction("alg-4", "Appendix E.2, Algorithm 4", (894, 925), sarathi_corrected_judge),
    printed("app-E.2.text", "Appendix E.2", (890, 892), "It firsts selects a decode iteration for each decode-phase "
            "request (the number of these is guaranteed to be below the budget).", below_judge, severity="edge",
            corrected=True, note="\"Below\" as printed; the number can equal the budget, and never exceeds it. Nothing "
                                 "in the algorithm depends on the difference."),
    correction("app-E.2.text", "Appendix E.2", (890, 892), at_most_judge),
    printed("alg-5", "Appendix E.3, Algorithm 5", (931, 958), "8: Schedule PI(R_j, 1, L_j^P); 9: Transfer KV-cache of "
            "R to a Decode Node; 18: Schedule DI(R) for each R in D in a batch; 19: Remove from D any request that "
            "sampled the stop token", lambda: {**distserve_judge(), "statement": DISTSERVE},
            note="One prefill and one decode node; line 9 writes R for the R_j of line 7."),
    printed("app-E.3.text", "Appendix E.3", (929, 929), "In prefill nodes, prefill requests are handled one at a time "
            "in FCFS order, with entire prompts processed in a single iteration. Completed requests are transferred to "
            "the decode node. At the decode node, it continuously batches and schedules decode iterations.",
            lambda: {**distserve_judge(), "statement": DISTSERVE}, note="The text against Algorithm 5."),
    printed("alg-slai", "Section 6, batch construction", (349, 354), "While forming a batch, it must respect several "
            "system constraints: the token budget, the cap on active requests, and the decode request limit. ... (2) "
            "Add critical decode-iterations: Include critical decode-iterations in the batch, in the increasing order "
            "of last schedulable time.", readings=("rad.alg-slai.steps", "rad.alg-slai.bounded"),
            note="Steps (3) and (4) repeat the limits, step (2) does not: whether it is bound by them is not said."),
    Claim("rad.alg-slai.steps", "Section 6, batch construction", "Include critical decode-iterations in the batch",
          (349, 354), "algorithm", judge=slai_steps_judge, severity="substantive", corrected_by="rad.alg-slai.bounded",
          note="The strong reading: step (2) as it stands includes all critical iterations, and the batch still "
               "respects the token budget and the decode limit."),
    Claim("rad.alg-slai.bounded", "Section 6, batch construction", "While forming a batch, it must respect several "
          "system constraints", (349, 354), "algorithm", judge=slai_bounded_judge,
          note="The weak reading: the limits bind step (2) too."),
)
