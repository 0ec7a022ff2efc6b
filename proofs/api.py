"""``prove``: a statement of one's own, as strings or SymPy objects, to a verdict."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from qtheory.errors import InputError
from qtheory.proofs import gate
from qtheory.proofs.decide import decide
from qtheory.proofs.kernel.grammar import MAX_LENGTH
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import KernelError
from qtheory.proofs.limits import explained, require_budget, require_short, require_writable
from qtheory.proofs.suggest import hint
from qtheory.proofs.tactics.effort import after, left
from qtheory.proofs.verdict import UNMET, Verdict

NO_POINT = f"{UNMET} (no point is known at which all conditions hold)"


def prove(goal: Any, where: Any = (), *, budget: float = 10.0, let: Any = ()) -> Verdict:
    """Prove or refute a goal under conditions.

    ``goal``: a comparison in the statement language, such as ``"-log(1-x) > x"``, or a SymPy relation.
    ``where``: one condition or several, such as ``"0 < x < 1"`` or ``"n in naturals"``; the assumptions of SymPy
    symbols are added to them.  ``let``: definitions such as ``"f(x) = x/(1-x)"``.  ``budget``: units of
    work for the search, of about a second of an idle core each.

    Variables are real unless declared.  The verdict is proved, refuted or unknown; its ``certificate`` has
    ``.save(path)``.  Raises InputError for what is no statement, and for conditions that contradict each other.
    """
    statement = read(goal, where, let)
    require_budget(budget)
    deadline = after(budget)
    met = consistent(statement, budget)
    share = max(budget / 2, left(deadline))
    verdict = gate.about(decide(statement, budget=share, cache=True), statement)
    if (verdict.verdict == "proved" and UNMET in verdict.title) or (verdict.verdict == "unknown" and not met):
        return verdict.with_note(NO_POINT)
    instead = hint(statement, verdict, left(deadline)) if verdict.verdict == "refuted" else ""
    return verdict.with_note(instead) if instead else verdict


def read(goal: Any, where: Any = (), let: Any = ()) -> Statement:
    """The parsed statement; raises InputError with one line that names the column."""
    conditions, definitions = listed(where, "where"), listed(let, "let")
    if any("sympy" in sys.modules and _is_sympy(v) for v in (goal, *conditions)):
        from qtheory.proofs.importing import statement_texts

        goal, conditions = statement_texts(goal, conditions)
    for role, texts in (("goal", (goal,)), ("condition", conditions), ("definition", definitions)):
        for text in texts:
            check_text(role, text)
    require_short(goal, conditions, definitions)
    try:
        statement = Statement(str(goal), tuple(map(str, conditions)), tuple(map(str, definitions))).parsed()
        require_writable((*statement.hypotheses, statement.conclusion))
    except KernelError as error:
        raise explained(error, conditions) from None
    except (RecursionError, MemoryError):
        raise InputError("the statement is nested too deeply") from None
    return statement


def _is_sympy(value: object) -> bool:
    from qtheory.proofs.importing import is_sympy

    return is_sympy(value)


def listed(value: Any, name: str) -> tuple[Any, ...]:
    """A single text stands for a list of one."""
    if isinstance(value, str) or ("sympy" in sys.modules and _is_sympy(value)):
        return (value,)
    if not isinstance(value, Iterable) or isinstance(value, bytes | dict):
        raise InputError(f"{name} is of type {type(value).__name__}; a string or a list of strings is needed")
    return tuple(value)


def check_text(role: str, text: Any, only: str = "a string or a SymPy object") -> None:
    if isinstance(text, bool):
        raise InputError(f"the {role} is the bare truth value {text}: Python has already evaluated it; "
                         "give it as a string")
    if not isinstance(text, str):
        raise InputError(f"the {role} is of type {type(text).__name__}; {only} is needed")
    if len(text) > MAX_LENGTH:
        raise InputError(f"the {role} has {len(text)} characters; at most {MAX_LENGTH} are read")
    if not text.strip():
        raise InputError(f"the {role} is empty; write for example 'x > 0'")


def consistent(statement: Statement, budget: float) -> bool:
    """Is a point known that meets the conditions and guards?  InputError where it is proved that none does."""
    from qtheory.proofs.vacuous import met, why_vacuous

    if met(statement, min(1.0, budget / 4)):
        return True
    why = why_vacuous(statement, min(3.0, budget / 3))
    if why is not None:
        raise InputError(why)
    return False


__all__ = ["prove", "read"]
