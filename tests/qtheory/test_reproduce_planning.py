"""The figures of the planning paper recomputed: exact ones by their laws, simulated ones on small slices."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import pytest

from qtheory.report import reproduce, reproduce_fleet, reproduce_planning
from qtheory.report.reproduce_rows import Reproduced
from qtheory.theory.planning import plan, two_class_instance


def silent(done: float, of: float) -> None:
    assert 0 < done <= of


def values(found: Reproduced, what: str) -> dict[str, float]:
    return {r.place: r.computed for r in found.rows if r.what == what}


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few GPUs, seconds and replications."""
    for name, value in {"SIZES": (5, 20), "REPLICATIONS": 2, "HORIZON": 300.0, "INSTANCES": 2, "MANY": 20,
                        "SHORT": 200.0, "EIGHT_SIZES": (10,)}.items():
        monkeypatch.setattr(reproduce_fleet, name, value)


def test_both_charging_schemes_earn_more_from_more_requests() -> None:
    """Figure 2; at Section 6.2's rate the optima are those of its own programs, and not those printed."""
    found = reproduce_planning.charging_schemes(silent)
    revenue = values(found, "revenue ($/s)")
    for charging in ("bundled", "separate"):
        curve = [v for place, v in revenue.items() if place.startswith(charging)]
        assert len(curve) == 12 and (np.diff(curve) > 0).all()
    printed = [r for r in found.rows if r.printed is not None]
    assert [(r.printed, round(r.computed, 1)) for r in printed] == [(300.2, 297.7), (452.9, 298.6)]
    assert min(r.computed for r in found.rows) >= 0


def test_prices_are_the_slopes_of_the_frontiers() -> None:
    found = reproduce_planning.frontiers(silent)
    revenue, price = (values(found, w) for w in ("revenue ($/s)", "shadow price, up to the next"))
    for panel in ("8a", "8b"):
        points = [(float(place.split("=")[1]), revenue[place], price[place]) for place in price if panel in place]
        assert points[-1][2] == 0 and points[-1][1] == pytest.approx(float(plan(two_class_instance()).value))
        for (x, v, slope), (y, w, later) in pairwise(points):
            assert v + slope * (y - x) == pytest.approx(w, rel=1e-3) and later < slope
    assert price["8a, η₁ = 0"] > 50 * price["8b, η₂ = 0"]  # prefill fairness is the dearer one
    late = [v for place, v in revenue.items() if "8c" in place]
    assert (np.diff(late) > 0).all()


def test_the_best_split_is_an_end_of_the_budget_whatever_it_is() -> None:
    found = reproduce_planning.prices(silent)
    best = values(found, "best c_p/(c_p + c_d)")
    assert set(best.values()) <= {0.0, 1.0} and len(best) == 6
    revenue = values(found, "revenue there ($/s)")
    for charging in ("bundled", "separate"):
        each = [revenue[f"10b, {charging}, budget {b}"] / float(b) for b in ("0.15", "0.3", "0.45")]
        assert each == pytest.approx([each[0]] * 3)
    grid = values(found, "revenue ($/s)")
    assert grid["10a, B = 4, β = 0.001"] < grid["10a, B = 16, β = 0.001"] < grid["10a, B = 16, β = 0.0001"]


def test_revenue_saturates_with_the_batch_and_falls_with_beta() -> None:
    revenue = values(reproduce_planning.sensitivity(silent), "revenue ($/s)")
    batches = [v for place, v in revenue.items() if place.startswith("B")]
    assert (np.diff(batches) >= 0).all() and batches[-1] == batches[5] == pytest.approx(305)
    for name, sign in (("α", -1), ("β", -1), ("γ", 1)):
        assert (sign * np.diff([v for place, v in revenue.items() if place.startswith(name)]) >= 0).all()


@pytest.mark.slow
@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("key", ["gr-fig-4", "gr-fig-5", "gr-fig-6", "gr-fig-7", "gr-tab-ec1"])
def test_simulated_figures_have_intervals_and_are_shared(key: str) -> None:
    """Each row of replications has its interval around it; an executor changes no number."""
    with ThreadPoolExecutor(2) as pool:
        shared = reproduce.build(key, silent, pool)
    found = reproduce.build(key, silent)
    assert shared.rows == found.rows and len(found.rows) > 10
    ends = [r for r in zip(found.column("computed_low"), found.column("computed"), found.column("computed_high"),
                           strict=True) if r[0] is not None]
    assert len(ends) >= 6 and all(low <= value <= high for low, value, high in ends)  # type: ignore[operator]


@pytest.mark.later
@pytest.mark.sliced(3)
@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("key", ["gr-fig-4", "gr-fig-8", "gr-fig-10"])
def test_pictures(key: str) -> None:
    assert reproduce.picture(key, ".pdf").startswith(b"%PDF")


def test_figure_9_is_drawn_as_its_plot() -> None:
    drawn = {key: getattr(reproduce.KEYS[key].picture, "__name__", "") for key in ("gr-fig-9", "gr-fig-8")}
    assert drawn == {"gr-fig-9": "constants_picture", "gr-fig-8": "frontiers_picture"}


def test_exponents_are_those_of_powers() -> None:
    sizes = np.array((5, 20, 50))
    gaps = np.stack([7 * sizes**-0.5, 2 * sizes**-1.0])
    assert reproduce_fleet.slopes((5, 20, 50), gaps) == pytest.approx([-0.5, -1.0])


def test_drawn_instances_lie_in_the_papers_ranges() -> None:
    for best in reproduce_fleet.drawn_plans(3, seed=5):
        it = best.instance
        assert it.solo_efficient and 10 <= it.times.gamma <= 50 and float(it.times.mixed) < 0.15 + 256e-3 + 1e-9
        assert all(200 <= v <= 3000 for c in it.classes for v in (c.prompt, c.decode))
        assert all(0.25 <= float(c.rate) <= 0.5 for c in it.classes)
    assert reproduce_fleet.drawn_plans(3, seed=5) == reproduce_fleet.drawn_plans(3, seed=5)
