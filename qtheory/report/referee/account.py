"""What a referee's report says of one paper: its errata, and each claim with its fresh verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from qtheory.proofs.claims.model import Claim
from qtheory.proofs.corpus import claims, papers
from qtheory.proofs.records import sources
from qtheory.proofs.verdict import Verdict
from qtheory.report.errata import Errata, errata, fresh


@dataclass(frozen=True)
class Judged:
    """A claim, its verdict, and where each of its conditions is stated."""

    claim: Claim
    verdict: Verdict
    sources: Mapping[str, str]

    @property
    def section(self) -> str:
        return self.claim.place.split(",")[0]


@dataclass(frozen=True)
class Account:
    """``key``: what its files are named after."""

    key: str
    title: str
    errata: Errata
    judged: tuple[Judged, ...]

    @property
    def counts(self) -> Counter[str]:
        """How many claims have which verdict, the most frequent first."""
        return Counter(j.verdict.verdict for j in self.judged)


def account(source: str, key: str, verdicts: Sequence[Verdict]) -> Account:
    """Of a paper of the corpus, or a file or folder of one's own, with the verdicts on its claims, given afresh."""
    found = {str(v.id): v for v in verdicts}
    listed = [c for c in claims(None if source in papers() else source).values() if c.id in found]
    words = {i: v.title for i, v in found.items()}
    said = errata(source, {i: fresh(v) for i, v in found.items()})
    return Account(key, said.title, said, tuple(
        Judged(c, found[c.id], sources(c, words | {i: "not refereed here" for i in c.imported if i not in words}))
        for c in listed))
