"""Numbers of fits that no other test recomputes: R squared, a derivative at 0, what a bootstrap draws; constants."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from qtheory.errors import InputError
from qtheory.models import network_files
from qtheory.models.laws import AffineLaw, ConcaveLaw, PiecewiseLinearLaw, StaircaseLaw
from qtheory.models.network_classics import reentrant_line
from qtheory.profiles import uncertainty
from qtheory.profiles.estimating import _best, _candidates
from qtheory.profiles.fitted import profile_from_fit
from qtheory.profiles.fitting import FitReport, Settings, fit, fit_law
from qtheory.profiles.measurements import Measurements
from qtheory.profiles.measuring.design import FULL, points
from qtheory.profiles.uncertainty import bootstrap, propagate

TOKENS = np.array([1.0, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048])


def steep() -> Measurements:
    """Times that grow faster than the tokens, so that the fitted fixed time is 0."""
    return Measurements("steep.csv", {"tokens": TOKENS}, 1e-4 * TOKENS**1.2)


def test_r_squared_is_the_share_of_the_variance() -> None:
    data = Measurements("bent.csv", {"tokens": TOKENS}, 0.01 + 1e-5 * TOKENS + 1e-3 * np.sin(TOKENS))
    fit = fit_law(AffineLaw, data, Settings())
    left = math.fsum((t - (fit.law.alpha + fit.law.beta * n)) ** 2  # type: ignore[attr-defined]
                     for n, t in zip(TOKENS, data.seconds, strict=True))
    mean = math.fsum(data.seconds) / len(TOKENS)
    assert fit.r_squared == pytest.approx(1 - left / math.fsum((t - mean) ** 2 for t in data.seconds), rel=1e-9)


def test_the_derivative_at_a_constant_of_0_is_one() -> None:
    """Of the constant itself: its own standard error, though it can be moved upwards alone."""
    data, settings = steep(), Settings()
    report = FitReport(data, settings, (fit_law(AffineLaw, data, settings),), {})
    profile = profile_from_fit(report, gpu="drawn")
    assert profile.law.constants["alpha"] == 0
    spread = report.fits[0].covariance.array()
    for i, name in enumerate(("alpha", "beta")):
        found = propagate(lambda law, name=name: law.constants[name], profile)  # type: ignore[misc]
        assert found.standard_error == pytest.approx(math.sqrt(spread[i, i]), rel=1e-6)


def test_a_bootstrap_draws_as_many_points_as_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []
    refitted = uncertainty._refitted
    monkeypatch.setattr(uncertainty, "_refitted", lambda law, data, weights, errors: (
        drawn.append(weights), refitted(law, data, weights, errors))[1])
    bootstrap(lambda law: law.constants["beta"], AffineLaw, steep(), samples=40)
    weights, = drawn
    assert weights.shape == (40, len(TOKENS)) and (weights.sum(axis=1) == len(TOKENS)).all()
    assert {0, 1, 2, 3} <= {*weights.ravel().astype(int)}


@pytest.mark.parametrize(("confidence", "place"), [(0.95, 1.0), (0.5, 10.0)])
def test_a_bootstraps_interval_lies_between_quantiles_of_the_refits(confidence: float, place: float,
                                                                    monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 41 refits the second lowest and highest at 95 percent; their standard deviation has one degree less."""
    slopes = [1e-4 * (1 + (i * 7 % 41) ** 2 / 100) for i in range(41)]
    monkeypatch.setattr(uncertainty, "_refitted", lambda law, data, weights, errors: [
        AffineLaw(0.01, beta) for beta in slopes])
    found = bootstrap(lambda law: [law.constants["beta"], 2 * law.constants["beta"]], AffineLaw, steep(), samples=41,
                      confidence=confidence)
    ordered, at = sorted(slopes), int(place)
    spread = math.sqrt(math.fsum((b - math.fsum(slopes) / 41) ** 2 for b in slopes) / 40)
    for i, factor in enumerate((1, 2)):
        ends = factor * ordered[at], factor * ordered[40 - at]
        assert (found.low[i], found.high[i]) == pytest.approx(ends, rel=1e-9)
        assert found.standard_error[i] == pytest.approx(factor * spread, rel=1e-9)
    assert found.covariance[0, 1] == pytest.approx(2 * spread**2, rel=1e-9)


@pytest.mark.parametrize(("samples", "enough"), [(19, False), (20, True)])
def test_a_bootstrap_takes_twenty_samples(samples: int, enough: bool) -> None:
    def drawn() -> object:
        return bootstrap(lambda law: law.constants["beta"], AffineLaw, steep(), samples=samples).low.shape

    if enough:
        assert drawn() == ()
    else:
        with pytest.raises(InputError, match="samples = 19"):
            drawn()


def test_the_grid_of_measurements_doubles() -> None:
    asked = {name: [p for p in points(FULL) if p.series == name] for name in ("context", "chunk")}
    for counts in ([p.context for p in asked["context"]], [p.chunk for p in asked["chunk"]]):
        assert all(b in (2 * a, 4 * a) for a, b in pairwise(counts)) and counts[0] == 64


@pytest.mark.parametrize("width", [0.0, 0.5, 1.5, 64.25])
def test_a_tile_is_a_whole_number_of_tokens(width: float) -> None:
    with pytest.raises(InputError, match="t_col"):
        StaircaseLaw(0.01, 1e-5, width)
    assert StaircaseLaw(0.01, 1e-5, 64.0).t_col == 64


def test_a_title_keeps_its_letters() -> None:
    network = reentrant_line("AB", ["1/2", "1/3"], title="Löwe 🦁 \x7f \"A\" \\")
    text = network_files.dumps(network)
    assert "Löwe 🦁" in text and network_files.parse(text) == network


def test_of_breakpoints_that_fit_alike_a_power_of_two_is_taken() -> None:
    assert _best(np.array([3.0, 4.0, 5.0]), np.array([1.0, 1.0, 1.0])) == 1
    assert _best(np.array([3.0, 5.0, 6.0]), np.array([1.0, 1.0, 1.0])) == 0
    assert _best(np.array([3.0, 4.0, 5.0]), np.array([1.0, 1.0, 1.1])) == 2


def test_a_concave_law_may_bend_at_every_count_but_the_ends() -> None:
    """The slope below the bend needs a count below it, the slope above one above."""
    assert _candidates(ConcaveLaw, steep()).tolist() == TOKENS[1:-1].tolist()
    assert _candidates(PiecewiseLinearLaw, steep()).tolist() == TOKENS[:-1].tolist()


def test_laws_are_listed_by_their_information_criterion() -> None:
    found = fit(steep(), Settings()).fits
    criteria = [2 * (len(f.law.constants) + 1) - 2 * f.log_likelihood for f in found]
    assert criteria == sorted(criteria) and criteria[0] < criteria[-1]
    assert [f.aic for f in found] == pytest.approx(criteria)


@pytest.mark.parametrize(("most", "scale"), [(50 * 16, "linear"), (51 * 16, "log")])
def test_axes_are_logarithmic_beyond_a_range_of_fifty(most: int, scale: str) -> None:
    from matplotlib.figure import Figure

    from qtheory.profiles.plotting import _draw

    law, tokens = AffineLaw(0.01, 2e-5), np.linspace(16, most, 12)
    data = Measurements("plain.csv", {"tokens": tokens}, law.time(tokens))
    top, bottom = Figure().subplots(2, 1, sharex=True)
    _draw(FitReport(data, Settings(), (fit_law(AffineLaw, data, Settings()),), {}), "tokens", top, bottom)
    assert (top.get_xscale(), top.get_yscale()) == (scale, scale)
