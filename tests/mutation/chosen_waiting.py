"""Faults chosen by a reader in what was written of WAIT, and where as many are drawn."""

from __future__ import annotations

Pairs = dict[str, list[tuple[str, str]]]

TESTS = tuple(f"tests/qtheory/test_waiting{name}.py" for name in ("", "_queues", "_tables"))
# where faults are drawn apart from those of their rooms, so that these files have their share: (room, file, how many)
DRAWN = (("theory", "qtheory/theory/waiting/", 16), ("report", "qtheory/report/waiting", 8))

WAITING: Pairs = {
    "qtheory/theory/waiting/equilibrium.py": [
        ("iteration = least / (1 - share)", "iteration = least / (1 + share)"),
        ("t.rate * t.stages for t in self.types", "t.rate * t.output for t in self.types"),
        ("return 1 / share if share else None", "return share if share else None"),
    ],
    "qtheory/theory/waiting/segments.py": [
        ("first = (0, *(e + 1 for e in self.ends[:-1]))", "first = (0, *(e for e in self.ends[:-1]))"),
        ("for e in self.ends[:-1])\n\n\ndef", "for e in self.ends[1:])\n\n\ndef"),
    ],
    "qtheory/theory/waiting/thresholds.py": [
        ("n[k] < r * time or (self.strict and n[k] == r * time)", "n[k] < r * time"),
        ("math.floor(r * time) + 1 if self.strict", "math.ceil(r * time) if self.strict"),
        ("n[k] = max(n[k], math.floor(p * n[i]) + 1)", "n[k] = max(n[k], math.ceil(p * n[i]))"),
    ],
    "qtheory/theory/waiting/requirement.py": [
        ("math.log(len(n) * batches / delta)", "math.log(batches / delta)"),
        ("reaches(y, n, n + x + 1, batches)) if", "reaches(y, n, n + x, batches)) if"),
        ("by_arrivals = arrivals // n[0]", "by_arrivals = arrivals // n[0] // 2"),
    ],
    "qtheory/theory/waiting/queues.py": [
        ("self.mean * (1 - self.share) if", "self.mean if"),
        ("return y.variance / (2 * (n - y.mean))", "return y.variance / (n - y.mean)"),
        ("hits = tails[level - np.arange(min(left, level))]", "hits = tails[level - np.arange(min(left, level)) - 1]"),
    ],
    "qtheory/theory/waiting/roots.py": [
        ("return 8 * drift, factor * drift,", "return 8 * drift, 2 * factor * drift,"),
        ("drift = (n - a) / a", "drift = (n - a) / n"),
    ],
    "qtheory/report/waiting.py": [
        ("chosen = [batch * t.rate / rate / t.stages for", "chosen = [batch * t.rate / rate for"),
        ("horizon, delta / 10)\n            bound = waiting.printed(parts, n, batches, delta)",
         "horizon, delta / 10)\n            bound = waiting.printed(parts, n, batches, delta - late)"),
        ("1 - need.waiting / (bound.queues + bound.reserve)", "1 - need.waiting / bound.reserve"),
        ('Column("iteration", Math("T", "T"), "seconds of an iteration in equilibrium", "s"',
         'Column("iteration", Math("T", "T"), "seconds of an iteration in equilibrium", "ms"'),
        ("need.risk + late,", "need.risk,"),
    ],
    "qtheory/report/waiting_plot.py": [
        ("memory.append(sum(tokens for tokens, stays in held if stays))",
         "memory.append(sum(tokens for tokens, _ in held))"),
        ("past.append(float(t.rate) * took)", "past.append(float(t.rate) * law.d0)"),
        ("t.work - t.prompt - t.output", "t.work - t.prompt"),
    ],
}
