"""The kernel's opening page names each rule once, and every module."""

from __future__ import annotations

import re
from importlib import resources

from qtheory.proofs import kernel
from qtheory.proofs.kernel.certificate import RULES


def test_the_opening_page_lists_the_rules() -> None:
    rules = str(kernel.__doc__).partition("\nThe rules")[2]
    listed = re.findall(r"^(?:  (?:[a-z-]+) +| {14})([a-z_]+)  ?", rules, re.MULTILINE)
    assert sorted(listed) == sorted(RULES)


def test_the_opening_page_names_the_modules_that_hold_the_types() -> None:
    types = str(kernel.__doc__).partition("\nThe types")[2].partition("\nThe rules")[0]
    modules = {f.name for f in resources.files(kernel).iterdir() if f.name.endswith(".py")} - {"__init__.py"}
    of_rules = {"arithmetic.py", "logic.py", "analysis.py", "certificate.py"}
    assert set(re.findall(r"[a-z]+\.py", types)) == modules - of_rules
