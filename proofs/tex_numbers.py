r"""The numbers that LaTeX gives a paper's theorems: by ``\newtheorem``, with counters that are shared or begin anew.

There are none where something else may count: a wrong number would send the reader to another theorem.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

DECLARED = re.compile(r"\\newtheorem(\*?)\s*\{([A-Za-z]+)\}\s*(?:\[([^\]]*)\])?\s*\{[^{}]*\}\s*(?:\[([^\]]*)\])?")
# What may change a counter, or how it is printed
COUNTING = re.compile(r"\\(?:setcounter\s*\{(?!tocdepth\})|(?:addto|step|refstep|new)counter|counterwith|"
                      r"numberwithin\s*\{(?!equation\})|spnewtheorem|declaretheorem|chapter|thmtools|restatable|"
                      r"the[a-z]+\s*(?:\}|\{|=|\\)|@)|IEEEtran|\{llncs\}|\{restatable\*?\}")
SECTIONS = {"section": 1, "subsection": 2}  # how many parts of a section's number stand before


@dataclass
class Numbers:
    """The counters of a paper; ``sections``: the places where a number of a section begins, with that number."""

    sections: Sequence[tuple[int, str]]
    counter: Mapping[str, str] = field(default_factory=dict)  # by environment
    within: Mapping[str, str] = field(default_factory=dict)  # what a counter begins anew with, by counter
    values: dict[str, tuple[str, int]] = field(default_factory=dict)  # the number of what it is in, and its own

    @classmethod
    def of(cls, whole: str, sections: Sequence[tuple[int, str]]) -> Numbers:
        """Of the text of a paper, with its packages."""
        declared = [m for m in DECLARED.finditer(whole) if not m[1]]
        names = [m[2] for m in DECLARED.finditer(whole)]
        if COUNTING.search(whole) or len(names) > len(set(names)):
            return cls(())
        within = {m[2]: (m[4] or "").strip() for m in declared if m[3] is None}
        within = {name: outer for name, outer in within.items() if outer in ("", *SECTIONS, *within) and outer != name}
        counter = {m[2]: (m[3] or m[2]).strip() for m in declared}
        return cls(sections, {kind: name for kind, name in counter.items() if name in within}, within)

    def next(self, kind: str, at: int) -> str:
        """The number of the environment that begins there, or ""; asked of each once, in the paper's order."""
        name = self.counter.get(kind)
        if name is None:
            return ""
        outer = self.outer(name, at)
        before, value = self.values.get(name, ("", 0))
        self.values[name] = outer, value + 1 if before == outer else 1
        return self.shown(name)

    def outer(self, name: str, at: int) -> str:
        inside = self.within[name]
        if inside in SECTIONS:
            here = next((number for start, number in reversed(self.sections) if start < at), "0")
            return ".".join([*here.split("."), "0"][:SECTIONS[inside]])
        return self.shown(inside) if inside else ""

    def shown(self, name: str) -> str:
        outer, value = self.values.get(name, ("", 0))
        return f"{outer}.{value}" if outer else str(value)


__all__ = ["Numbers"]
