r"""The numbers that LaTeX gives a paper's theorems: by ``\newtheorem``, with counters that are shared or begin anew.

There are none where something else may count: a wrong number would send the reader to another theorem.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

GROUP = r"\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}"
DECLARED = re.compile(r"\\newtheorem(\*?)\s*\{([^{}]+)\}\s*(?:\[([^\]]*)\])?\s*" + GROUP + r"\s*(?:\[([^\]]*)\])?")
DECLARING = re.compile(r"\\newtheorem(?![A-Za-z])")
# What may change a counter, or how it is printed
COUNTING = re.compile(r"\\(?:setcounter\s*\{(?!tocdepth\})|(?:addto|step|refstep|new)counter|counterwith|newaliascnt|"
                      r"numberwithin\s*\{(?!equation\})|spnewtheorem|declaretheorem|chapter|thmtools|restatable|"
                      r"new[a-z]+theorem(?!style)|newtcbtheorem|setbox|"
                      r"the[a-z]+\s*(?:\}|\{|=|\\)|@)|\{restatable\*?\}")
CLASS = re.compile(r"\\(?:documentclass|LoadClass(?:WithOptions)?)\s*(?:\[[^\]]*\])?\s*\{([^{}]*)\}")
ARTICLES = {"article", "extarticle", "amsart", "amsproc", "scrartcl", "acmart"}  # number sections 1, 1.1
SECTIONS = {"section": 1, "subsection": 2}  # how many parts of a section's number stand before
UNKNOWN = "?"  # the number of an appendix before its first section


@dataclass
class Numbers:
    """The counters of a paper; ``sections``: the places where a number of a section begins, with that number;
    ``until``: where something begins that may count or not."""

    sections: Sequence[tuple[int, str]]
    until: int = 0
    counter: Mapping[str, str] = field(default_factory=dict)  # by environment
    within: Mapping[str, str] = field(default_factory=dict)  # what a counter begins anew with, by counter
    values: dict[str, tuple[str, int]] = field(default_factory=dict)  # the number of what it is in, and its own

    @classmethod
    def of(cls, whole: str, sections: Sequence[tuple[int, str]], until: int) -> Numbers:
        """Of the text of a paper, with its packages."""
        declared = [m for m in DECLARED.finditer(whole) if not m[1]]
        names = [m[2] for m in DECLARED.finditer(whole)]
        classes = {name.strip() for name in CLASS.findall(whole)} - ARTICLES
        if (COUNTING.search(whole) or len(names) > len(set(names)) or len(names) < len(DECLARING.findall(whole))
                or any(f"\\ProvidesClass{{{name}}}" not in whole for name in classes)
                or not all(m[2].isalpha() for m in declared)):
            return cls(())
        within = {m[2]: (m[4] or "").strip() for m in declared if m[3] is None}
        within = {name: outer for name, outer in within.items() if outer in ("", *SECTIONS, *within) and outer != name}
        counter = {m[2]: (m[3] or m[2]).strip() for m in declared}
        return cls(sections, until, {kind: name for kind, name in counter.items() if name in within}, within)

    def next(self, kind: str, at: int) -> str:
        """The number of the environment that begins there, or ""; asked of each once, in the paper's order."""
        name = self.counter.get(kind)
        if name is None or at >= self.until:
            return ""
        outer, value = self.now(name, at)
        self.values[name] = outer, value + 1
        number = self.shown(name, at)
        return "" if UNKNOWN in number else number

    def now(self, name: str, at: int) -> tuple[str, int]:
        """The number of what the counter is in, there, and its own, which begins anew with that."""
        inside = self.within[name]
        outer = self.shown(inside, at) if inside and inside not in SECTIONS else ""
        if inside in SECTIONS:
            here = next((number for start, number in reversed(self.sections) if start < at), "0")
            outer = ".".join([*here.split("."), "0"][:SECTIONS[inside]])
        before, value = self.values.get(name, (outer, 0))
        return outer, value if before == outer else 0

    def shown(self, name: str, at: int) -> str:
        outer, value = self.now(name, at)
        return f"{outer}.{value}" if outer else str(value)


__all__ = ["Numbers"]
