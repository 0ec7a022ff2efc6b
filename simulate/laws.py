"""Laws of times, batch sizes and lengths: plain frozen data, with mean and variance, encoded for the kernel."""

from qtheory.simulate.law import Law
from qtheory.simulate.law_of_rates import StepRate, VaryingRate, WaveRate
from qtheory.simulate.law_of_times import Erlang, Exponential, HyperExponential, LogNormal, PhaseType, Uniform, Weibull
from qtheory.simulate.law_of_values import Deterministic, Discrete, Empirical, Geometric, Listed

__all__ = [
    "Deterministic",
    "Discrete",
    "Empirical",
    "Erlang",
    "Exponential",
    "Geometric",
    "HyperExponential",
    "Law",
    "Listed",
    "LogNormal",
    "PhaseType",
    "StepRate",
    "Uniform",
    "VaryingRate",
    "WaveRate",
    "Weibull",
]
