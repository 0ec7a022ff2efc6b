"""Load conditions: of one engine, of parallel engines, of each engine of a network, and of virtual stations."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import sympy as sp

from qtheory.models.laws import DECODE, RATIO, RESIDENT, TOKENS, law_type
from qtheory.models.network import AgentNetwork

lam, m_p, m_d, b, t_b = sp.symbols("lambda m_p m_d b t_b", positive=True)
K = sp.Symbol("K", positive=True, integer=True)
W = sp.Symbol("W", positive=True)
X, R = sp.symbols("X R", nonnegative=True, integer=True)
Z_p, Z_d = sp.symbols("Z_p Z_d", nonnegative=True)


def engine_load(lam: sp.Expr = lam, m_p: sp.Expr = m_p, m_d: sp.Expr = m_d, b: sp.Expr = b, t_b: sp.Expr = t_b
                ) -> sp.Expr:
    """Load of one engine, stable below 1 under every work-conserving algorithm.

    Throughput-optimal scheduling, (2.7).
    """
    return lam * (m_p + m_d) * t_b / b


def types_load(rates: Sequence[sp.Expr], prompts: Sequence[sp.Expr], outputs: Sequence[sp.Expr], b: sp.Expr = b,
               t_b: sp.Expr = t_b) -> sp.Expr:
    """Load of one engine that serves several types: the sum of theirs. Throughput-optimal scheduling, (4.2)."""
    return sp.Add(*(engine_load(rate, p, d, b, t_b) for rate, p, d in zip(rates, prompts, outputs, strict=True)))


def parallel_load(lam: sp.Expr = lam, m_p: sp.Expr = m_p, m_d: sp.Expr = m_d, b: sp.Expr = b, t_b: sp.Expr = t_b,
                  K: sp.Expr = K) -> sp.Expr:
    """Load of each of K like engines under random routing, join-shortest by requests or by tokens.

    Throughput-optimal scheduling, (4.1).
    """
    return engine_load(lam / K, m_p, m_d, b, t_b)


def law_load(kind: str, lam: sp.Expr = lam, m_p: sp.Expr = m_p, m_d: sp.Expr = m_d, b: sp.Expr = b,
             held: sp.Expr = W, worst: bool = True) -> sp.Expr:
    """Load of one engine under an iteration-time law of the library, whose constants are symbols: the seconds that the
    requests of a second need in full iterations.

    Below 1 the engine is stable under every schedule whose iterations are full whenever enough waits; above 1 under
    none, if no other iteration has more tokens a second. Several types: ``lam`` their total rate, the lengths means
    over their requests. K like engines: ``lam/K``, as :func:`parallel_load`. Full means, by the law's variables:

    - tokens (affine, piecewise_linear, concave, staircase): ``b`` tokens of either kind, (2.7);
    - prefill or decode (prefill_decode): ``b`` prompt tokens, or ``b`` requests that decode;
    - a decode ratio (mixed_quadratic): ``b`` tokens. The time depends on how kinds are mixed from batch to batch:
      ``worst`` is the longest that the requests' own ratio admits, all batches at it or pure ones alone, else the
      shortest, which is the one for "under none" (:func:`~qtheory.theory.crossover.interference`: the difference);
    - tokens held (memory_linear): ``b`` tokens held; ``held``, W: the mean sum, over a request's iterations, of the
      tokens that it holds;
    - tokens and tokens held (context_affine): ``b`` tokens, and W for the time of the tokens held.
    """
    law = law_type(kind)
    time = law.symbolic()
    symbols = law.symbols()

    def full(**values: sp.Expr) -> sp.Expr:
        return time.subs({symbols[name]: value for name, value in values.items()}, simultaneous=True)

    if law.variables == (RESIDENT,):
        return lam * held * full(resident_tokens=b) / b
    if law.variables == (TOKENS, RESIDENT):  # affine in the tokens held, whose sum over iterations is the requests'
        context = full(tokens=b, resident_tokens=sp.Integer(1)) - full(tokens=b, resident_tokens=sp.Integer(0))
        return engine_load(lam, m_p, m_d, b, full(tokens=b, resident_tokens=sp.Integer(0))) + lam * held * context
    if law.variables == (TOKENS, DECODE):
        return lam * (m_p * full(tokens=b, decode=sp.Integer(0)) + m_d * full(tokens=b, decode=sp.Integer(1))) / b
    if law.variables == (RATIO,):
        tokens = m_p + m_d
        pure = (m_p * full(decode_ratio=sp.Integer(0)) + m_d * full(decode_ratio=sp.Integer(1))) / tokens
        chosen = (sp.Max if worst else sp.Min)(full(decode_ratio=m_d / tokens), pure)
        return engine_load(lam, m_p, m_d, b, chosen)
    return engine_load(lam, m_p, m_d, b, full(tokens=b))


def tokens_left(Z_p: sp.Expr = Z_p, Z_d: sp.Expr = Z_d, m_p: sp.Expr = m_p, m_d: sp.Expr = m_d) -> sp.Expr:
    """Tokens that Z_p fluid requests in prefill and Z_d in decode have to come: a Lyapunov function of an engine.

    Throughput-optimal scheduling, (C.19), whose printed weights are the other way round; claims
    to.prop-2.f-balance.corrected and to.prop-2a.drift.corrected.
    """
    return (m_p + m_d) * Z_p + m_d * Z_d


def tokens_drift(lam: sp.Expr = lam, m_p: sp.Expr = m_p, m_d: sp.Expr = m_d, b: sp.Expr = b, t_b: sp.Expr = t_b
                 ) -> sp.Expr:
    """d/dt of ``tokens_left``, tokens a second, where the engine is not empty; negative if ``engine_load`` is below 1.

    Under every work-conserving algorithm. Throughput-optimal scheduling, proof of Proposition 2(a); claim
    to.prop-2a.drift.corrected. With the slot as unit of time, the one-step drift of ``slotted_tokens``.
    """
    return lam * (m_p + m_d) - b / t_b


def slotted_tokens(X: sp.Expr = X, R: sp.Expr = R, b: sp.Expr = b, t_b: sp.Expr = t_b) -> sp.Expr:
    """A Lyapunov function of the slotted chain: X unprocessed tokens, and b/t_b for each of the R slots that the
    current batch still takes.

    Its one-step drift is ``tokens_drift`` while a batch runs and where a full one begins, whichever tokens are in it.
    Throughput-optimal scheduling, Section 2.3, f of the sketch; claim to.sec-2.3.sketch-drift.
    """
    return X + R * b / t_b


def nominal_loads(network: AgentNetwork) -> dict[str, Fraction]:
    """Load of each engine: work that arrives a second, in seconds of full batches. Forks and joins change nothing;
    where requests choose their way at random, the traffic equations say how often they come."""
    loads = dict.fromkeys((e.name for e in network.engines), Fraction(0))
    for v in network.visits:
        loads[v.engine] += network.rates[v.name] * network.works[v.name]
    return loads


@dataclass(frozen=True)
class VirtualStation:
    """Visits at two engines that, once they have priority, are never served at the same time.

    ``visits`` by engine; ``pushed``: those that have priority even over them (the push start); ``load``: the sum over
    both engines of the visits' load over what the pushed ones leave, which must not exceed 1.
    """

    engines: tuple[str, str]
    visits: tuple[str, ...]
    pushed: tuple[str, ...]
    load: Fraction

    def order(self, network: AgentNetwork) -> AgentNetwork:
        """The network with its open orders filled in so that the virtual station binds: pushed visits (earlier ones
        first), then the virtual station's, then all others (later ones first)."""
        rank = {}
        for i, v in enumerate(network.visits):
            pushed = v.name in self.pushed
            rank[v.name] = (0 if pushed else 1 if v.name in self.visits else 2, i if pushed else -i)
        return network.refined(rank)


def virtual_stations(network: AgentNetwork, most: int = 20_000, tick: Callable[[str], None] = lambda _: None
                     ) -> Iterator[VirtualStation]:
    """For each pair of engines and push start the most loaded virtual station, if it has visits at both engines.

    A set of visits is one if each of its visits follows either one of the set at the same engine, or one outside it
    at the other engine: that one has less priority than the set there, so while the set is served there, none of it
    comes here. Pushed visits (with a visit all that come before it) vanish first. Dai and Vande Vate (2000), The
    stability of two-station multitype fluid networks, Oper. Res. 48: for two engines and deterministic routes the
    fluid network is stable under all work-conserving orders if all these loads and the nominal ones are below 1.
    Neither networks with joins nor those with random routes are looked at. ``most``: of push starts tried for a pair;
    ``tick``: told of each ("start"), and may end the search by raising.
    """
    if network.joins or network.routed:
        return
    loads = {v.name: network.rates[v.name] * network.works[v.name] for v in network.visits}
    for pair in itertools.combinations([e.name for e in network.engines], 2):
        starts = itertools.product(*(_beginnings(network, t.name, pair, most) for t in network.types))
        for parts in itertools.islice(starts, most):
            tick("start")
            pushed = frozenset().union(*parts)
            left = {e: 1 - sum((loads[v.name] for v in network.visits if v.name in pushed and v.engine == e),
                               Fraction(0)) for e in pair}
            if min(left.values()) <= 0:
                continue
            chosen = _heaviest(network, pair, pushed, {n: x / left[e] for e in pair for n, x in loads.items()
                                                       if _engine(network, n) == e})
            if len({_engine(network, n) for n in chosen}) == 2:
                total = sum((loads[n] / left[_engine(network, n)] for n in chosen), Fraction(0))
                yield VirtualStation(pair, chosen, tuple(v.name for v in network.visits if v.name in pushed), total)


def worst_virtual_station(network: AgentNetwork) -> VirtualStation | None:
    """The virtual station of the highest load, with the fewest pushed visits among these; None if there is none."""
    return max(virtual_stations(network), key=lambda v: (v.load, -len(v.pushed)), default=None)


def _engine(network: AgentNetwork, name: str) -> str:
    return next(v.engine for v in network.visits if v.name == name)


def _beginnings(network: AgentNetwork, of_type: str, pair: tuple[str, str], most: int) -> list[frozenset[str]]:
    """The first ``most`` sets of a type's visits, all at the pair of engines, that hold with a visit all before it."""
    [visits] = [t.visits for t in network.types if t.name == of_type]
    order = [v for v in network.visits if v in visits]
    found: list[frozenset[str]] = [frozenset()]
    for v in order:
        if len(found) >= most:  # visits side by side double their number, each of them
            break
        if v.engine in pair:
            found += [f | {v.name} for f in found if set(v.after) <= f]
    return found[:most]


def _heaviest(network: AgentNetwork, pair: tuple[str, str], pushed: frozenset[str], weight: dict[str, Fraction]
              ) -> tuple[str, ...]:
    """The virtual station of most weight: for each visit the best of what follows, by whether it is itself inside."""
    best: dict[str, dict[bool, tuple[Fraction, tuple[str, ...]]]] = {}
    for v in reversed(network.visits):
        follow = [w for w in network.visits if v.name in w.after]
        for inside in (False, True):
            if inside and (v.name in pushed or v.engine not in pair):
                continue
            total: Fraction = weight[v.name] if inside else Fraction(0)
            names: tuple[str, ...] = (v.name,) if inside else ()
            for w in follow:
                may = w.engine in pair and v.name not in pushed and w.name not in pushed and (
                    w.engine == v.engine if inside else v.engine in pair and w.engine != v.engine)
                options = [best[w.name][False], *([best[w.name][True]] if may else [])]
                more, those = max(options, key=lambda o: o[0])
                total, names = total + more, names + those
            best.setdefault(v.name, {})[inside] = (total, names)
    roots = [best[v.name][False] for v in network.visits if not v.after]
    order = {v.name: i for i, v in enumerate(network.visits)}
    return tuple(sorted((n for _, names in roots for n in names), key=order.__getitem__))
